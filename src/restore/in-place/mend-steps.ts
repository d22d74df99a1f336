// Steps that set back or take away single objects that stand.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { kindNames, kindOf, type KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { IdMap } from '../journal/id-map.ts';
import { mapLinks } from '../special/links.ts';
import type { Planning } from '../plan/step-list.ts';
import { asSaid, idAt, textAt, titleOf } from '../resource.ts';
import type { FieldMend, Mend, Part } from '../types.ts';
import type { Changed } from './compare.ts';
import { holderElsewhere, staysElsewhere, transferAbove, transferOf } from './transfers.ts';
import { noValue, seenState, seenWhere, writableFields, writableValues } from './writable.ts';

/** Kinds whose changes are gathered by what holds them. */
const GATHERED: ReadonlySet<KindName> = new Set<KindName>([
  'page',
  'file',
  'custom-field-value',
  'team-membership',
  'change-request-page',
  'change-request-file',
]);

/** Sets back each object that changed, in the order in which the kinds are declared. */
export function addFieldMends(planning: Planning, changed: readonly Changed[]): void {
  const { reader } = planning;
  const depth = ({ wanted }: Changed): number => collectionDepth(reader, wanted);
  // Collections that hold others first: then nothing is moved into what it still holds itself.
  const ordered = changed.toSorted((a, b) => orderOf(a.wanted.kind) - orderOf(b.wanted.kind) || depth(a) - depth(b));
  for (const one of ordered) if (!GATHERED.has(one.wanted.kind)) addMend(planning, one);
}

function collectionDepth(reader: SnapshotReader, { kind, body }: Resource): number {
  const above = new Set<string>();
  let parent = kind === 'collection' ? textAt(body, 'parent') : undefined;
  while (parent !== undefined && !above.has(parent)) {
    above.add(parent);
    const holder = reader.one('collection', parent);
    parent = holder && textAt(holder.body, 'parent');
  }
  return above.size;
}

function orderOf(kind: KindName): number {
  return kindNames.indexOf(kind);
}

function addMend(planning: Planning, one: Changed): void {
  const { wanted, live } = one;
  const refusal = whyNot(one);
  if (refusal !== null) return planning.list.addIdle('unsupported', wanted, { note: refusal });
  addPlace(planning, one);
  addFields(planning, one);
  if (wanted.kind === 'member' && wanted.body['sso'] !== live.body['sso']) addSso(planning, wanted);
}

/** Those that an operation sets; the others that differ are named. */
export function addFields({ list, heirs }: Planning, one: Changed, needs: readonly number[] = []): void {
  const { wanted, live } = one;
  const { update } = kindOf(wanted.kind);
  const differing = fieldMends(one, heirs);
  const fields = differing.filter(({ field, to }) => to !== null || noValue(wanted.kind, field) !== undefined);
  for (const { field } of differing.filter((mend) => !fields.includes(mend) && !isByItself(wanted, mend)))
    list.addIdle('unsupported', wanted, { note: `${wordOf(field)} had no value, and no operation takes one away` });
  if (update !== undefined && fields.length > 0) {
    const note = fields.map((field) => `${wordOf(field.field)}${givenSince(field)}`).join(', ');
    const mend: Mend = { expects: seenState(live), fields };
    list.add({ action: 'update', part: 'fields', of: wanted, note, mend, needs, requests: 3 });
  }
}

/** Who the token belongs to is not told by the API, so that nobody knows before which reactions are its own. */
function givenSince({ field, from, to }: FieldMend): string {
  if (field !== 'addedReactions' || !Array.isArray(from)) return '';
  const isMore = from.some((one) => !Array.isArray(to) || !to.includes(one));
  return isMore ? ' (those that others gave since stay: only they can take them away)' : '';
}

/** A specification without an address has a text, which is set back by itself. */
function isByItself({ kind }: Resource, { field }: FieldMend): boolean {
  return kind === 'openapi-spec' && field === 'source';
}

function addSso({ list }: Planning, member: Resource): void {
  if (member.body['sso'] === true)
    list.add({ action: 'update', part: 'state', of: member, note: 'signs in by SAML', adopts: member.id });
  else list.addIdle('unsupported', member, { note: 'no operation switches sign-in by SAML off for a member' });
}

/** Where an operation moves it, its place is set back. */
function addPlace(planning: Planning, one: Changed): void {
  const { list, heirs, live: now, reader } = planning;
  const { wanted, live } = one;
  if (kindOf(wanted.kind).move === undefined || (wanted.kind !== 'collection' && wanted.kind !== 'space')) return;
  if (staysElsewhere(planning, one)) return;
  const transfer = transferOf(list, wanted);
  const to = textAt(wanted.body, 'parent');
  const from = transfer === undefined ? textAt(live.body, 'parent') : undefined;
  const stood = to === undefined ? undefined : (heirs?.byId('collection', to) ?? to);
  if (stood === from) return;
  const mend: Mend = { expects: null, fields: [{ field: 'parent', from: from ?? null, to: to ?? null }] };
  const creator = to === undefined ? undefined : list.creatorOf('collection', to);
  if (stood !== undefined && creator === undefined && (now?.keysOf('collection', stood).length ?? 0) === 0)
    return list.addIdle('unsupported', wanted, {
      note: `the collection it stood in, ${nameOf(reader, to)}, is not there`,
    });
  const elsewhere = stood === undefined ? undefined : holderElsewhere(planning, wanted, stood);
  if (elsewhere !== undefined) {
    const note = `the collection it stood in, ${titleOf(elsewhere)}, stands in another organization by now: a plan with --scope collection:${elsewhere.id} brings that back, and a later one this`;
    return list.addIdle('unsupported', wanted, { note });
  }
  const note = 'back to where it stood';
  const needs = [creator, transfer ?? transferAbove(planning, live)];
  list.add({ action: 'update', part: 'place', of: wanted, note, mend, needs, requests: 3 });
}

function nameOf(reader: SnapshotReader, collection: string | undefined): string {
  const stood = reader.one('collection', collection ?? '');
  return stood === undefined ? (collection ?? '') : `${titleOf(stood)} (${stood.id})`;
}

/** What of an object differs and can be set. What names something that an earlier restore made anew is as it should be. */
function fieldMends({ wanted, live }: Changed, heirs = new IdMap()): FieldMend[] {
  const [to, from] = [writableValues(wanted), writableValues(live)];
  return writableFields(wanted.kind).flatMap((field): FieldMend[] => {
    const [was, is] = [asSaid(throughHeirs(field, to[field], heirs)), asSaid(from[field])];
    // A text whose links still lead to the originals is as it was.
    const alike = field === 'body' ? [was, asSaid(to[field])] : [was];
    const isAlike = alike.some((one) => canonicalJson(one) === canonicalJson(is));
    return isAlike ? [] : [{ field, from: is, to: was }];
  });
}

function throughHeirs(field: string, value: unknown, heirs: IdMap): unknown {
  if (field === 'defaultTeam' && typeof value === 'string') return heirs.byId('team', value) ?? value;
  if (field !== 'body' || !isRecord(value)) return value;
  return { ...value, markdown: mapLinks(textAt(value, 'markdown') ?? '', heirs) };
}

/** What no operation sets back. */
function whyNot({ wanted: { kind, body }, live }: Changed): string | null {
  if (kind === 'change-request' && live.body['status'] === 'merged' && body['status'] !== 'merged')
    return 'it was merged since, and no operation takes a merge back; the pages it changed are set back by themselves';
  if (kind === 'change-request' && body['status'] === 'merged' && live.body['status'] !== 'merged')
    return 'no operation makes a change request merged without its content';
  return null;
}

/** Fields whose names in the operation are no words for people. */
const WORDS: Readonly<Record<string, string>> = {
  addedReactions: 'reactions',
  ssoURL: 'sign-on address',
  entityID: 'entity id',
  jsonSchema: 'schema',
};

function wordOf(field: string): string {
  return WORDS[field] ?? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** People are never taken away, and replies cannot be. */
const STAYING: Readonly<Partial<Record<KindName, string>>> = {
  member: 'members are not taken away by a restore',
  organization: 'an organization is not taken away by a restore',
  'comment-reply': 'no operation deletes a reply',
  'change-request-comment-reply': 'no operation deletes a reply',
  'openapi-spec-version': 'goes with its specification',
};

interface Removing {
  /** Why something stays, because somebody changed it meanwhile; null for what goes. */
  readonly keeps?: ((resource: Resource) => string | null) | undefined;
  readonly why?: string;
}

/** Takes away what is not in the snapshot: last of all, what is nested before what holds it. */
export function addRemovals(
  planning: Planning,
  added: readonly Resource[],
  { keeps = () => null, why = 'not in the snapshot' }: Removing = {},
): void {
  const { list } = planning;
  /** Steps that take away what names something, by that. */
  const removedBefore = new Map<string, number[]>();
  const stays: { readonly one: Resource; readonly note: string }[] = [];
  for (const one of nestedFirst(added)) {
    if (GATHERED.has(one.kind) && one.kind !== 'file') continue;
    // What an earlier restore, or somebody, has archived is as far away as it goes.
    if (isRequest(one) && one.body['status'] === 'archived') continue;
    const kept = keeps(one);
    const staying = kept === null ? whyKindStays(one) : undefined;
    const held = kept ?? whyHeld(planning, one);
    if (staying !== undefined) stays.push({ one, note: staying });
    else if (held !== null) list.addIdle('unsupported', one, { note: held });
    else {
      const step = addRemoval(list, one, { why, needs: removedBefore.get(`${one.kind} ${one.id}`) ?? [] });
      for (const name of namedBy(one)) removedBefore.set(name, [...(removedBefore.get(name) ?? []), step]);
    }
  }
  for (const { one, note } of stays) if (!goesAlong(list, one)) list.addIdle('unsupported', one, { note });
}

function isRequest({ kind }: Resource): boolean {
  return kind === 'change-request';
}

/** No operation deletes a change request either, but it can be archived. */
function whyKindStays(one: Resource): string | undefined {
  if (isRequest(one)) return undefined;
  return STAYING[one.kind] ?? (kindOf(one.kind).remove === undefined ? 'no operation deletes it' : undefined);
}

/** What keeps this one from going, though others of its kind go; null where nothing does. */
function whyHeld(planning: Planning, one: Resource): string | null {
  if (isRequest(one) && one.body['status'] === 'merged')
    return 'it was merged since, and no operation takes a merge back';
  const inside = one.kind === 'collection' ? stayingIn(planning, one) : undefined;
  if (inside === undefined) return null;
  return `holds ${inside.kind} ${titleOf(inside)} (${inside.id}), which stays and would be deleted with it`;
}

function addRemoval(
  list: Planning['list'],
  one: Resource,
  { why, needs }: { readonly why: string; readonly needs: readonly number[] },
): number {
  const note = isRequest(one) ? `${why}: archived, since no operation deletes it` : why;
  // What was moved into it must be out again: what is deleted takes along everything that is in it.
  const moved = list.steps.filter(({ part }) => part === 'place').map(({ step }) => step);
  return list.add({
    action: 'delete',
    part: 'remove',
    of: one,
    note,
    needs: [...moved, ...needs],
    mend: { expects: seenWhere(one), fields: [] },
    requests: 3,
  });
}

/** What is taken away takes along what has it in its path. */
function goesAlong({ steps }: Planning['list'], { key }: Resource): boolean {
  return steps.some(({ part, key: holder }) => part === 'remove' && (key === holder || key.startsWith(`${holder}/`)));
}

/** What it names by itself, as sign-on does the team of newcomers: were that gone first, the platform would change it, and not for somebody. */
function namedBy({ kind, body }: Resource): string[] {
  return Object.entries(kindOf(kind).embeds ?? {}).flatMap(([field, of]) => {
    const id = idAt(body[field]);
    return id === undefined ? [] : [`${of} ${id}`];
  });
}

/** What stands in a collection and is by now neither to be moved out of it nor to be taken away. */
function stayingIn({ list, live }: Planning, collection: Resource): Resource | undefined {
  const leaves = ({ kind, key }: Resource): boolean =>
    list.steps.some((step) => step.kind === kind && step.key === key && LEAVING.has(step.part));
  for (const kind of ['space', 'collection'] as const)
    for (const one of live?.resources(kind) ?? [])
      if (textAt(one.body, 'parent') === collection.id && !leaves(one)) return one;
  return undefined;
}

const LEAVING: ReadonlySet<Part> = new Set<Part>(['place', 'remove']);

/** Collections that hold others after those. */
function nestedFirst(resources: readonly Resource[]): Resource[] {
  const depth = (one: Resource): number => {
    let steps = 0;
    let parent = textAt(one.body, 'parent');
    while (one.kind === 'collection' && parent !== undefined && steps < resources.length) {
      const above = resources.find(({ kind, id }) => kind === 'collection' && id === parent);
      parent = above && textAt(above.body, 'parent');
      steps += 1;
    }
    return steps;
  };
  return resources.toSorted((a, b) => orderOf(b.kind) - orderOf(a.kind) || depth(b) - depth(a));
}
