// What is set back in one write for what holds it: values of a space's custom fields, members of a team, content of a change request.
import { canonicalJson, count } from '../../base/index.ts';
import { isUnderWay, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { CHANGED_SINCE } from '../journal/later-restores.ts';
import { type IdMap, idsWithin, withinOf } from '../journal/id-map.ts';
import { formsInPlace } from '../links/address-links.ts';
import { isAmong } from '../links/links.ts';
import { NO_PAGES, type StepList } from '../plan/step-list.ts';
import { PAGE_FIELDS } from '../special/page-fields.ts';
import { hasValue, keyAbove, spaceOf, textAt, titleOf } from '../resource.ts';
import type { Choices, FieldMend, Mend } from '../types.ts';
import { isChangedSince } from './left-by-undo.ts';
import type { Changed, Divergence } from './divergence.ts';
import { AWAY, isAway, transferAbove, transferOf, transferredSpaces } from './transfers.ts';
import { optionsFirst } from './values-in-doubt.ts';
import type { Mending } from './input.ts';

/** Kinds whose changes are gathered by what holds them. */
const GATHERED: ReadonlySet<KindName> = new Set<KindName>([
  'page',
  'file',
  'custom-field-value',
  'team-membership',
  'change-request-page',
  'change-request-file',
]);

export function isGathered(kind: KindName): boolean {
  return GATHERED.has(kind);
}

/** Values of custom fields, by space. */
export function addValueMends(planning: Mending, divergence: Divergence, choices: Choices): void {
  const bySpace = new Map([...valuesToSet(divergence, choices), ...valuesLeftBehind(planning)]);
  for (const [space, fields] of bySpace) {
    const container = planning.live.one('space', space);
    if (container) addValueMend(planning, container, fields);
  }
}

/** All values of the spaces that the plan transfers: those that they have stand in fields of the organization which they leave. */
function* valuesLeftBehind({ list, reader, live }: Mending): Iterable<[string, FieldMend[]]> {
  for (const { key } of transferredSpaces(list, live)) {
    const wanted = [...reader.resources('custom-field-value', key)].filter(hasValue);
    const fields = wanted.map((one): FieldMend => {
      const from = live.one(one.kind, one.key)?.body['value'] ?? null;
      return { field: one.id, from, to: one.body['value'] ?? null };
    });
    yield [key, fields];
  }
}

/** What is to be set, by the id of its space; null where there was no value. */
function valuesToSet({ missing, changed }: Divergence, choices: Choices): Map<string, FieldMend[]> {
  const bySpace = new Map<string, FieldMend[]>();
  const note = (value: Resource, from: unknown, to: unknown): void => {
    const [space, field] = [spaceOf(value), value.id];
    if (canonicalJson(from ?? null) === canonicalJson(to ?? null)) return;
    bySpace.set(space, [...(bySpace.get(space) ?? []), { field, from: from ?? null, to: to ?? null }]);
  };
  const mine = ({ kind }: Resource): boolean => kind === 'custom-field-value';
  if (choices.missing) for (const one of missing.filter(mine)) note(one, null, one.body['value']);
  if (choices.changed)
    for (const { wanted, live } of changed) if (mine(wanted)) note(wanted, live.body['value'], wanted.body['value']);
  return bySpace;
}

function addValueMend(planning: Mending, space: Resource, all: readonly FieldMend[]): void {
  const { list } = planning;
  const of: Resource = { ...space, kind: 'custom-field-value' };
  const title = titleOf(space);
  if (isAway(planning, space.key)) return list.addUnsupported(of, AWAY, title);
  const own = planning.within({ kind: of.kind, id: space.id });
  const changed = new Set(all.filter((mend) => isChangedSince(mend, { own, forms: (value) => [value] })));
  for (const { field } of changed) list.addUnsupported(of, `its value of ${field}: ${CHANGED_SINCE}`, title);
  const ours = all.filter((mend) => !changed.has(mend));
  const stay = ours.filter(({ to }) => to === null).map(({ field }) => field);
  if (stay.length > 0) {
    const note = `${stay.join(', ')} had no value then, and no operation takes one away again`;
    list.addUnsupported(of, note, title);
  }
  const fields = ours.filter(({ to }) => to !== null);
  if (fields.length === 0) return;
  const note = `values of ${fields.map(({ field }) => field).join(', ')}`;
  const mend: Mend = { expects: null, fields };
  const needs = [list.creatorOf('space', space.key), transferOf(list, space) ?? transferAbove(planning, space)];
  const linksTo = fields.map((one) => fieldReady(planning, one));
  list.add({ part: 'fields', of, title, note, mend, needs, linksTo, requests: 3 });
}

/** The step that makes the field of a value, or gives it the option back: the platform takes no such value before. */
function fieldReady({ list, live, organization }: Mending, { field, to }: FieldMend): number | undefined {
  const key = `${organization}/${field}`;
  return list.creatorOf('custom-field', key) ?? optionsFirst(list.steps, live.one('custom-field', key), to);
}

/** Who is in a team: said, since the API offers no operation for it. A team that was made anew stands for the one that was lost. */
export function addTeamMends(planning: Mending, divergence: Divergence, choices: Choices): void {
  const { list, live } = planning;
  const mine = ({ kind }: Resource): boolean => kind === 'team-membership';
  const missing = choices.missing ? divergence.missing.filter(mine).map((one) => asItStands(planning, one)) : [];
  const added = choices.added ? divergence.added.filter(mine) : [];
  const wanted = added.length === 0 ? new Set<string>() : membershipsWanted(planning);
  const teams = new Set([
    ...missing.filter((one) => !live.one('team-membership', one.key)).map(({ team }) => team),
    ...added.filter(({ key }) => !wanted.has(key)).map(({ key, params }) => teamKey(key, params['teamId'] ?? '')),
  ]);
  for (const key of teams) {
    const team = live.one('team', key);
    if (team) list.addUnsupported(team, 'no operation changes who is in a team');
  }
}

/** Keys of a membership and of its team, in the team that stands for its own now. */
function asItStands({ heirs }: Mending, { key, params }: Resource): Readonly<Record<'key' | 'team', string>> {
  const own = params['teamId'] ?? '';
  const team = heirs.byId('team', own) ?? own;
  return { key: `${keyAbove(key)}/${team}`, team: teamKey(key, team) };
}

function membershipsWanted(planning: Mending): Set<string> {
  const all = planning.reader.resources('team-membership', planning.organization);
  return new Set([...all].map((one) => asItStands(planning, one).key));
}

function teamKey(membership: string, team: string): string {
  return `${keyAbove(keyAbove(membership))}/${team}`;
}

interface RequestPages {
  /** Gone or changed. */
  readonly set: Resource[];
  readonly added: Resource[];
}

/** Change requests that stand, of which pages are missing or changed, or have come since. */
export function addRequestMends(
  { list, reader, live, heirs, addresses }: Mending,
  divergence: Divergence,
  choices: Choices,
): void {
  const { missing, changed, added, orders } = divergence;
  const requests = new Map<string, RequestPages>();
  const of = (page: Resource): RequestPages => {
    const key = keyAbove(page.key);
    const found = requests.get(key) ?? { set: [], added: [] };
    requests.set(key, found);
    return found;
  };
  const mine = ({ kind }: Resource): boolean => kind === 'change-request-page';
  if (choices.missing) for (const one of missing.filter(mine)) of(one).set.push(one);
  if (choices.changed)
    for (const one of changed)
      if (mine(one.wanted) && !isSetBack(one, { heirs, addresses, live, orders })) of(one.wanted).set.push(one.wanted);
  if (choices.added) for (const one of added.filter(mine)) of(one).added.push(one);
  for (const [key, pages] of requests) {
    const [request, revision] = [live.one('change-request', key), reader.one('change-request-revision', key)];
    if (request && revision) addRequestMend(list, pages, { request, revision });
  }
}

function addRequestMend(
  list: StepList,
  { set, added }: RequestPages,
  { request, revision }: Readonly<Record<'request' | 'revision', Resource>>,
): void {
  const title = titleOf(request);
  const { status } = request.body;
  const opened = openedBy(list, request);
  if (!isUnderWay(status) && opened === undefined) {
    const pages = set.length + added.length;
    const why = `its ${count(pages, 'changed page')} ${pages === 1 ? 'stays' : 'stay'}: a request that is ${String(status)} takes no content`;
    return list.addUnsupported(revision, why, title);
  }
  const words = `${count(set.length, 'page')} set back by import`;
  const mend: Mend = { expects: textAt(request.body, 'revision') ?? null, fields: [] };
  const needs = [opened];
  const content =
    set.length === 0
      ? []
      : [list.add({ action: 'update', part: 'content', of: revision, title, note: words, mend, needs, requests: 4 })];
  if (added.length === 0) return;
  const going = added.map((page) => ({ id: page.id, title: titleOf(page), why: ['not in the snapshot'] }));
  list.add({
    part: 'removals',
    of: revision,
    title,
    note: `${count(added.length, 'page')} taken away from it`,
    needs: [...needs, ...content],
    // What the step before it has set back is the restore's own.
    ...(set.length === 0 ? { mend } : {}),
    pages: { ...NO_PAGES, added: going },
    requests: set.length === 0 ? 3 : 2,
  });
}

/** The step that opens a closed request again: it takes content from then on. */
function openedBy({ steps }: StepList, { kind, key }: Resource): number | undefined {
  const isOpening = ({ field, to }: FieldMend): boolean => field === 'status' && isUnderWay(to);
  return steps.find((step) => step.kind === kind && step.key === key && step.mend?.fields.some(isOpening))?.step;
}

const IMPORTED = [...PAGE_FIELDS, 'path', 'type', 'layout', 'cover', 'href'] as const;

/** True where an import has written the page since, and all that differs is that it leads to, or stands below, what came back with it. */
function isSetBack(
  { wanted, live }: Changed,
  {
    heirs,
    addresses,
    live: standing,
    orders,
  }: Pick<Mending, 'heirs' | 'addresses' | 'live'> & Pick<Divergence, 'orders'>,
): boolean {
  const own = spaceOf(wanted);
  const within = asProposed({ wanted, heirs, live: standing });
  const texts: (string | null)[] =
    wanted.text === null ? [null] : formsInPlace(wanted.text, { addresses, ids: within, own, live: standing });
  const parent = wanted.parent === null ? null : (within.byId(wanted.kind, wanted.parent) ?? wanted.parent);
  const isSame = (field: string): boolean =>
    canonicalJson(wanted.body[field] ?? null) === canonicalJson(live.body[field] ?? null);
  const isPlaced = parent === live.parent && !orders.moved(wanted);
  return isAmong(texts, live.text) && isPlaced && IMPORTED.every(isSame);
}

/** New ids as a request's own pages lead to them: what still stands in the request is linked to there, whatever became of it in the space. */
function asProposed({
  wanted,
  heirs,
  live,
}: Pick<Changed, 'wanted'> & Pick<Mending, 'heirs' | 'live'>): Pick<IdMap, 'byId'> {
  const [request, within] = [keyAbove(wanted.key), idsWithin(heirs, withinOf(wanted))];
  const stands = (kind: KindName, id: string, space: string): boolean =>
    (kind === 'page' || kind === 'file') &&
    space === spaceOf(wanted) &&
    live.one(`change-request-${kind}`, `${request}/${id}`) !== undefined;
  return {
    byId: (kind, id, space) => (stands(kind, id, space ?? spaceOf(wanted)) ? id : within.byId(kind, id, space)),
  };
}
