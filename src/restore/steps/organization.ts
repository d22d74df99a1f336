// Settings of the organization, roles of its members, teams, sign-on, translations, custom fields and specifications.
import { isRecord } from '../../base/index.ts';
import type { BodyOf } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { IN_THE_WAY, isConflict, NOT_TAKEN, whyRefused } from '../answers.ts';
import { membersOf } from '../plan/organization.ts';
import { fieldsOut, hasValue, idAt, textAt, titleOf } from '../resource.ts';
import { retiredOptions, writesValues } from '../special/retired-options.ts';
import { currentText } from '../special/spec-text.ts';
import type { ApplyContext, StepOutcome } from '../types.ts';
import { withLacks } from '../with-problems.ts';
import { created, inOrganization } from './created.ts';
import { taken, writeValues, type FieldValues } from './field-values.ts';
import { checkLive, gone } from './live-object.ts';
import { update, updateEach } from './operations.ts';
import { nothing, original, setting } from './original.ts';
import { fieldsOf, undoneLinks } from './undone-links.ts';

type Settings = BodyOf<'updateOrganization'>;

export const setOrganization = setting(async (context, step) => {
  const organization = original(context, step);
  const { body } = organization;
  const urls = isRecord(body['urls']) ? body['urls'] : {};
  const logo = textAt(urls, 'logo');
  const settings: Settings = {
    ...fieldsOut<Settings>(body, ['title', 'emailDomains', 'defaultRole', 'sso', 'ai', 'inviteLinks']),
    ...(logo === undefined ? {} : { logo }),
  };
  return { ...(await updateEach(context, organization, settings)), newId: context.plan.target.organization };
});

/** The outcome of a name that may be taken: then the one that is there stays, and that is said. */
export async function unlessTaken(write: () => Promise<unknown>, what: string): Promise<StepOutcome> {
  const refusal = await whyRefused(write, [...IN_THE_WAY, ...NOT_TAKEN]);
  if (refusal === null) return nothing;
  const { message } = refusal;
  if (isConflict(refusal)) return { newId: null, problem: `${what} is taken and was not set` };
  return withLacks(nothing, [`${what} was not taken: ${message}`]);
}

export const setHostname = setting((context, step) => {
  const organization = original(context, step);
  const hostname = textAt(organization.body, 'hostname') ?? '';
  return unlessTaken(() => update(context, organization, { hostname }), `The host name ${hostname}`);
});

export const setDefaultContent = setting(async (context, step) => {
  const organization = original(context, step);
  const content = organization.body['defaultContent'];
  const site = isRecord(content) ? textAt(content, 'site') : undefined;
  const restored = site === undefined ? undefined : context.ids.need('site', `${context.plan.organization}/${site}`);
  const defaultContent = restored === undefined ? null : { type: 'site' as const, site: restored };
  await update(context, organization, { defaultContent });
});

export const setMemberRole = setting(async (context, step) => {
  const member = original(context, step);
  await update(context, member, { role: member.body['role'] ?? null });
});

export const switchOnSso = setting(async (context, step) => {
  const path = { ...inOrganization(context), userId: context.ids.need('member', step.key) };
  await context.client.call('setMemberSso', { path });
});

export const createTeam = created({
  path: inOrganization,
  body: (context, team) => {
    const memberships = context.reader.resources('team-membership', context.plan.organization);
    const { organization, standIn } = context.plan;
    const known = membersOf(memberships, team.id).map((user) => context.ids.get('member', `${organization}/${user}`));
    const members = known.map((id) => id ?? standIn).filter((id) => id !== null);
    return { title: titleOf(team), members: [...new Set(members)] };
  },
  knownBy: ['title'],
});

export const createSamlProvider = created({
  path: inOrganization,
  body: (context, { body }) => {
    const team = idAt(body['defaultTeam']);
    const defaultTeam = team && context.ids.get('team', `${context.plan.organization}/${team}`);
    const fields = ['label', 'entityID', 'certificate', 'ssoURL', 'defaultRole'] as const;
    return { ...fieldsOut<BodyOf<'createSamlProvider'>>(body, fields), ...(defaultTeam ? { defaultTeam } : {}) };
  },
  knownBy: ['label'],
  safe: () => ({ defaultRole: 'read' }),
});

export const createTranslation = created({
  path: inOrganization,
  body: (_context, settings) => ({ title: titleOf(settings) }),
  knownBy: ['title'],
});

export const createCustomField = created({
  path: inOrganization,
  body: (context, field) => {
    const fields = ['name', 'type', 'title', 'description', 'placeholder', 'options'] as const;
    const own = fieldsOut<BodyOf<'createCustomField'>>(field.body, fields);
    const retired = retiredLater(context, field);
    return retired.length === 0 ? own : { ...own, options: [...(own.options ?? []), ...retired] };
  },
  knownBy: ['name'],
  safe: ({ reader }, field) => ({ type: typeOfValues(reader, field) }),
});

/** A type that takes what the spaces have as the values of a field, whose own type the target may not know. */
function typeOfValues(reader: SnapshotReader, field: Resource): string {
  const values = [...reader.resources('custom-field-value')].filter((one) => one.id === field.id && hasValue(one));
  const isEach = (is: (value: unknown) => boolean): boolean =>
    values.length > 0 && values.every(({ body }) => is(body['value']));
  if (isEach(Array.isArray)) return 'tags';
  if (isEach((value) => typeof value === 'number')) return 'number';
  return isEach((value) => typeof value === 'boolean') ? 'boolean' : 'text';
}

/** Options that a later step of the plan takes away, once the spaces have them as their values. */
function retiredLater({ plan, reader }: ApplyContext, field: Resource): string[] {
  const isRetired = plan.steps.some(
    ({ kind, part, key }) => kind === field.kind && part === 'options' && key === field.key,
  );
  return isRetired ? retiredOptions(reader, field, plan.steps.filter(writesValues)) : [];
}

export const retireOptions = setting(async (context, step) => {
  const field = original(context, step);
  await update(context, field, fieldsOut<BodyOf<'updateCustomField'>>(field.body, ['options']));
});

export const createSpec = created({
  path: inOrganization,
  body: (context, spec) => {
    const url = textAt(spec.body, 'sourceURL');
    return { slug: spec.id, source: url === undefined ? { text: currentText(context.reader, spec) ?? '' } : { url } };
  },
  knownBy: ['slug'],
});

/** Of one that stands, with an address by now or as an earlier try of the step has left it. */
export const setSpecText = setting(async (context, step) => {
  const spec = original(context, step);
  const { expects = null } = step.mend ?? {};
  const asText = { ...step, mend: { expects, fields: [{ field: 'source', from: null, to: null }] } };
  if ((await checkLive(context, asText, spec)) === 'gone') throw gone(step);
  const source = { text: currentText(context.reader, spec) ?? '' };
  await update(context, spec, { source });
});

type Value = FieldValues[string]['value'];

/** Values of all fields of a space; a field that stands on the target keeps its name, so names need no map. */
export const setValues = setting(async (context, step) => {
  const { organization } = context.plan;
  const unmade = new Set(fieldsOf(undoneLinks(context, step)));
  const isHeld = (id: string): boolean =>
    !unmade.has(id) && context.reader.one('custom-field', `${organization}/${id}`) !== undefined;
  const all = [...context.reader.resources('custom-field-value', step.key)].filter(({ id }) => isHeld(id));
  const keys = Object.fromEntries(all.map(({ key, id }) => [key, id]));
  const set = all.filter(hasValue);
  // By entries, since a field may be named `__proto__`.
  const values = Object.fromEntries(set.map(({ id, body }) => [id, { value: body['value'] as Value }]));
  const { names, problems } = await writeValues(context, context.ids.need('space', step.key), values);
  return withLacks({ newId: null, map: { 'custom-field-value': taken(keys, names) } }, problems);
});
