// What belongs to the organization itself: fields, specifications, translations, teams, sign-on, settings and roles.
import { count, isRecord } from '../../base/index.ts';
import type { KindName, Member } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { memberName } from '../special/people.ts';
import { retiredOptions, writesValues } from '../special/retired-options.ts';
import { currentText, hadTextOfAddress } from '../special/spec-text.ts';
import { idAt, inOrder, textAt, titleOf } from '../resource.ts';
import type { Planning } from './step-list.ts';

function selected({ reader, selection }: Planning, kind: KindName): Resource[] {
  return inOrder(reader.resources(kind, selection.organization)).filter((one) => selection.has(kind, one.key));
}

/** True when one of this id stands on the target already and is taken as it is. */
function adopt({ list, target }: Planning, one: Resource, what: string): boolean {
  const there = target.there.get(one.kind)?.some(({ id }) => id === one.id) === true;
  if (there) list.addNoOp(one, `${what} is there and stays as it is`, one.id);
  return there;
}

/** Once their values stand, fields that are made anew lose the options that nobody could choose any more. */
export function addRetiredOptions(planning: Planning): void {
  const { list, reader } = planning;
  const values = list.steps.filter(writesValues);
  for (const field of selected(planning, 'custom-field')) {
    const made = list.creatorOf('custom-field', field.key);
    const retired = made === undefined ? [] : retiredOptions(reader, field, values);
    if (retired.length === 0) continue;
    const note = `retires ${retired.join(', ')} again: spaces hold what nobody can choose any more`;
    list.add({ part: 'options', of: field, note, needs: [made, ...values.map(({ step }) => step)] });
  }
}

/** Before everything else: values, pages and sign-on refer to these. */
export function addOrganizationThings(planning: Planning): void {
  const { list } = planning;
  for (const field of selected(planning, 'custom-field')) {
    if (!adopt(planning, field, 'a custom field of this name')) list.add({ part: 'create', of: field });
  }
  for (const spec of selected(planning, 'openapi-spec')) addSpec(planning, spec);
  for (const settings of selected(planning, 'translation-settings')) addTranslation(planning, settings);
  for (const team of selected(planning, 'team')) addTeam(planning, team);
  for (const provider of selected(planning, 'saml-provider')) {
    const team = idAt(provider.body['defaultTeam']);
    const needs = team === undefined ? [] : [list.creatorOf('team', `${planning.selection.organization}/${team}`)];
    list.add({ part: 'create', of: provider, needs });
  }
}

/** A newer platform makes translations of another form: of a space, into a language. They have no title, by which alone one can be made. */
function addTranslation({ list }: Planning, settings: Resource): void {
  if (textAt(settings.body, 'title') === undefined) {
    const note = 'an operation makes translation settings by their title alone, and these have none';
    return list.addUnsupported(settings, note);
  }
  list.add({ part: 'create', of: settings, note: 'its languages are chosen by a person' });
}

function addSpec(planning: Planning, spec: Resource): void {
  if (adopt(planning, spec, 'a specification with this slug')) return;
  const address = textAt(spec.body, 'sourceURL');
  if (address === undefined && currentText(planning.reader, spec) === null) {
    const note = 'it was given as a text, and the snapshot does not hold that text';
    return planning.list.addUnsupported(spec, note);
  }
  planning.list.add({ part: 'create', of: spec, note: sourceOf(spec) });
}

function sourceOf({ body }: Resource): string {
  if (textAt(body, 'sourceURL') === undefined) return 'from the text of its newest version';
  const error = textAt(body, 'lastProcessErrorCode');
  const then = error === undefined ? '' : `, which could not be read when it was mirrored (${error})`;
  return `the platform fetches it from its address${then}`;
}

/** What was made from an address has its text once the platform has read that, and not where nothing answers there any more. */
export function addSpecTexts(planning: Planning): void {
  const { list, reader } = planning;
  for (const spec of selected(planning, 'openapi-spec')) {
    const made = list.creatorOf('openapi-spec', spec.key);
    if (made === undefined || !hadTextOfAddress(spec.body)) continue;
    const note =
      currentText(reader, spec) === null
        ? 'looks whether its address could be read: the snapshot does not hold its text'
        : 'the text of its newest version, where the platform could not read its address';
    list.add({ part: 'state', of: spec, note, needs: [made], requests: 2 });
  }
}

function addTeam({ list, reader, people, selection, target }: Planning, team: Resource): void {
  const members = membersOf(reader.resources('team-membership', selection.organization), team.id);
  const known = members.filter((user) => people.people[user] !== undefined);
  const rest =
    people.standIn === null
      ? 'the others are not on the target'
      : `${memberName(target.members, people.standIn)} stands in for the others`;
  const note =
    known.length === members.length
      ? `with its ${count(members.length, 'member')}`
      : `with ${known.length} of its ${count(members.length, 'member')}: ${rest}`;
  list.add({ part: 'create', of: team, note });
}

/** Ids of the users in a team. */
export function membersOf(memberships: Iterable<Resource>, team: string): string[] {
  const users: string[] = [];
  for (const { params } of memberships) if (params['teamId'] === team) users.push(params['userId'] ?? '');
  return users;
}

/** Last, since they decide who gets in and what is shown first. Left alone where the target is in use. */
export function addOrganizationSettings(planning: Planning): void {
  const { list, reader, organization, selection } = planning;
  const one = reader.one('organization', organization);
  if (!one || !selection.has('organization', organization)) return;
  list.add({ part: 'settings', of: one, note: 'title, e-mail domains, default role, logo, sign-on' });
  if ((textAt(one.body, 'hostname') ?? '') !== '')
    list.add({ part: 'name', of: one, note: 'host name, if no other organization has it' });
  addDefaultContent(planning, one);
}

/** Where the site is not restored with it, nothing is shown first: that is said, and nobody misses it afterwards. */
function addDefaultContent({ list, reader, organization }: Planning, one: Resource): void {
  const content = one.body['defaultContent'];
  const id = isRecord(content) ? textAt(content, 'site') : undefined;
  if (id === undefined) return;
  const key = `${organization}/${id}`;
  const created = list.creatorOf('site', key);
  if (created !== undefined) {
    const note = 'the site that is shown first, once that is there';
    list.add({ part: 'defaults', of: one, note, needs: [created] });
    return;
  }
  const site = reader.one('site', key);
  const why = site ? 'is not among what was asked for' : 'is not in the snapshot';
  const note = `no site is shown first: site ${site ? titleOf(site) : id}, which was, ${why}`;
  list.addUnsupported(one, note);
}

/** Roles of those who are there; an administrator stays one, so that nobody locks the restore or themselves out. */
export function addMembers(planning: Planning): void {
  const { list, people, target } = planning;
  for (const member of selected(planning, 'member')) {
    const id = people.people[member.id];
    const now = target.members.find((one) => one.id === id);
    if (id === undefined || now === undefined) {
      list.addUnsupported(member, 'no member of the target is known to be this person');
      continue;
    }
    const signsOn = member.body['sso'] === true && !now.sso;
    const keepsRole = now.role === member.body['role'] || now.role === 'admin';
    const note = keepsRole && now.role !== member.body['role'] ? 'stays an administrator' : 'is there with this role';
    if (keepsRole && !signsOn) list.addNoOp(member, note, id);
    if (!keepsRole) list.add({ part: 'settings', of: member, note: roleNote(member, now), adopts: id });
    if (signsOn) list.add({ part: 'state', of: member, note: 'signs in by SAML', adopts: id });
  }
}

/** Whose role is set, where that is somebody of another name, and which one they have until then: it may have allowed more. */
function roleNote(member: Resource, now: Member): string {
  const name = memberName([now], now.id);
  const whose = name === titleOf(member) ? '' : ` of ${name}`;
  return `role${whose}: ${now.role ?? 'none'} -> ${textAt(member.body, 'role') ?? 'none'}`;
}
