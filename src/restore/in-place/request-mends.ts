// The content of change requests that stand: what is set back by one import, and what is taken away.
import { canonicalJson, count } from '../../base/index.ts';
import { isUnderWay, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { type IdMap, idsWithin, withinOf } from '../journal/id-map.ts';
import { formsInPlace } from '../links/address-links.ts';
import { isAmong } from '../links/links.ts';
import { NO_PAGES, type StepList } from '../plan/step-list.ts';
import { PAGE_FIELDS } from '../special/page-fields.ts';
import { keyAbove, spaceOf, textAt, titleOf } from '../resource.ts';
import type { Choices, FieldMend, Mend } from '../types.ts';
import type { Changed, Divergence } from './divergence.ts';
import type { Mending } from './input.ts';

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
