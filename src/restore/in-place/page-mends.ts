// What becomes of the pages and files of spaces that stand: one step for each space.
import { canonicalJson, count } from '../../base/index.ts';
import { AppAddresses } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { formsInPlace } from '../links/address-links.ts';
import { isAmong } from '../links/links.ts';
import type { StepList } from '../plan/step-list.ts';
import { differingLooks, lookIn, looksOf } from '../special/looks.ts';
import { holdsNothing, PAGE_FIELDS } from '../special/page-fields.ts';
import { pageAbove } from '../special/page-places.ts';
import { spaceOf, textAt, titleOf } from '../resource.ts';
import { GonePages, addLeftComments } from './gone-pages.ts';
import { takenBy, wayFor, type HeldAddress } from './held-addresses.ts';
import { pageOrders } from './left-by-undo.ts';
import { addPagesStep } from './pages-step.ts';
import { leadsToHeir, keepsLead } from './releads.ts';
import { NewIds, relinkedPages } from './relinked.ts';
import { goingPages } from './staying-pages.ts';
import type { SiblingOrders } from './sibling-orders.ts';
import type { Choices, FieldMend, PageMend, PagesMend } from '../types.ts';
import type { Changed, Divergence } from './divergence.ts';
import type { Mending } from './input.ts';

interface SpacePages {
  missing: PageMend[];
  files: PageMend[];
  changed: PageMend[];
  added: PageMend[];
  lost: Set<string>;
}

/** One step for each space of which a page or file is missing, changed or new. */
export function addPageMends(planning: Mending, divergence: Divergence, choices: Choices): void {
  const spaces = gather(planning, divergence, choices);
  const ids = new NewIds(planning);
  for (const [space, found] of [...spaces].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { lost, ...pages } = found;
    if (Object.values(pages).every((list) => list.length === 0)) continue;
    ids.addAll(pages);
    const links = relinkedPages(planning.live, space, { ids, pages, addresses: planning.addresses });
    addStep(planning, space, { pages: { ...pages, links }, lost: [...lost] });
    addLeftComments(planning, space, pages);
  }
}

/** The pages and files of one choice at a time, by space. */
function gather(planning: Mending, divergence: Divergence, choices: Choices): Map<string, SpacePages> {
  const spaces = new Map<string, SpacePages>();
  const of: Of = (one) => {
    const space = spaceOf(one);
    const found = spaces.get(space) ?? { missing: [], files: [], changed: [], added: [], lost: new Set<string>() };
    spaces.set(space, found);
    return found;
  };
  const gone = new GonePages(planning, divergence, choices);
  if (choices.missing) gatherMissing(divergence, gone, of);
  const coming = { ...divergence, missing: choices.missing ? divergence.missing : [] };
  if (choices.changed) gatherChanged(planning, changesIn(planning, coming, gone), of);
  for (const [space, pages] of gone.mends()) {
    const found = of(space);
    found.missing.push(...pages.missing);
    found.changed.unshift(...pages.replaced);
  }
  if (choices.added) {
    for (const one of divergence.added)
      if (one.kind === 'page' && !gone.isReplaced(one)) of(one).added.push(mendOf(one, ['not in the snapshot']));
    for (const [space, found] of spaces) found.added = goingPages(planning, divergence, { space, mends: found });
  }
  return spaces;
}

type Of = (one: Pick<Resource, 'params'>) => SpacePages;

function gatherMissing({ missing }: Divergence, gone: GonePages, of: Of): void {
  for (const one of missing) {
    if (one.kind === 'file') of(one).files.push(mendOf(one, ['gone']));
    else if (one.kind === 'page') gone.add(one);
  }
}

interface Changes {
  /** What is set back and brought back. */
  readonly coming: Pick<Divergence, 'missing' | 'changed' | 'orders'>;
  readonly gone: GonePages;
  /** Of what stands. */
  readonly shown: AppAddresses;
  readonly orderLeft: ReturnType<typeof pageOrders>;
}

function changesIn(planning: Mending, coming: Changes['coming'], gone: GonePages): Changes {
  return { coming, gone, shown: new AppAddresses(planning.live), orderLeft: pageOrders(planning) };
}

function gatherChanged(planning: Mending, changes: Changes, of: Of): void {
  for (const one of changes.coming.changed) {
    const { wanted } = one;
    if (wanted.kind === 'file') gatherFile(planning.list, one, of);
    if (wanted.kind !== 'page') continue;
    if (typeOf(wanted) !== typeOf(one.live)) {
      planning.list.addUnsupported(wanted, otherType(one));
      of(wanted).lost.add('page.type');
    }
    const mend = changedMend(planning, changes, one);
    if (mend !== null) of(wanted).changed.push(mend);
  }
}

/** What is set back of a page; null where that is nothing. What cannot be set back is said. */
function changedMend(planning: Mending, changes: Changes, one: Changed): PageMend | null {
  const { coming, gone, shown } = changes;
  const { wanted } = one;
  const all = changesOf(one, { orders: coming.orders, ...planning });
  const differing = leadsToHeir(planning, one, shown) ? all.filter((field) => field !== 'href') : all;
  const left = fieldsLeft(one, differing, changes);
  for (const note of new Set(left.values())) if (note !== null) planning.list.addUnsupported(wanted, note);
  const fields = differing.filter((field) => !left.has(field));
  const held = gone.addresses.of(wanted);
  const given = wayFor(coming, one) ?? held?.instead ?? null;
  if (fields.length === 0 && given === null) return null;
  const short = shortFields(planning, one, fields);
  const why = [...fields, ...(given ? [given.field] : []), ...(held?.instead ? [takenBy(held)] : [])];
  return { ...mendOf(wanted, why), fields: given === null ? short : [...short, given] };
}

/** A file whose bytes are others: an import gives the file of that name its bytes again. */
function gatherFile(list: StepList, { wanted, live }: Changed, of: Of): void {
  if (textAt(wanted.body, 'name') !== textAt(live.body, 'name'))
    list.addUnsupported(wanted, 'no operation renames a file');
  else if (wanted.object?.sha256 !== live.object?.sha256) of(wanted).files.push(mendOf(wanted, ['content']));
}

function typeOf({ body }: Resource): string {
  return textAt(body, 'type') ?? 'document';
}

function otherType({ wanted, live }: Changed): string {
  const text = wanted.text === null ? '' : ', so its text does not come back';
  return `is a ${typeOf(live)} now, and no operation makes a ${typeOf(wanted)} of it again${text}`;
}

function mendOf(one: Resource, why: readonly string[]): PageMend {
  return { id: one.id, title: titleOf(one), why };
}

/** What of a page differs. */
function changesOf(
  { wanted, live }: Changed,
  {
    orders,
    heirs,
    addresses,
    live: standing,
  }: { orders: SiblingOrders } & Pick<Mending, 'heirs' | 'addresses' | 'live'>,
): string[] {
  const differs = (field: string): boolean =>
    canonicalJson(valueAt(wanted, field)) !== canonicalJson(valueAt(live, field));
  const types = [typeOf(wanted), typeOf(live)];
  // A link has no name that could be set, and only a document has a text.
  const fields: string[] = PAGE_FIELDS.filter(
    (field) => differs(field) && (field !== 'slug' || !types.includes('link')),
  );
  // Links and places that an earlier restore turned to what it made anew are as they should be.
  const own = spaceOf(wanted);
  const texts: (string | null)[] =
    wanted.text === null
      ? []
      : [wanted.text, ...formsInPlace(wanted.text, { addresses, ids: heirs, own, live: standing })];
  const parent = wanted.parent === null ? null : (heirs.byId('page', wanted.parent) ?? wanted.parent);
  if (takesText({ wanted, live }) && !isAmong(texts, live.text)) fields.push('text');
  if (parent !== live.parent) fields.push('parent');
  else if (orders.moved(wanted)) fields.push('order');
  const isOther = types[0] !== types[1] || live.body['computed'] !== undefined;
  return isOther ? fields : [...fields, ...differingLooks(typeOf(live), [looksOf(wanted.body, heirs), live.body])];
}

/** A page that held nothing is emptied again where the platform tells by an id that it holds something now. */
function takesText({ wanted, live }: Changed): boolean {
  if (typeOf(live) !== 'document') return false;
  if (!holdsNothing(wanted)) return wanted.text !== null;
  const isTold = typeOf(wanted) === 'document' && textAt(live.body, 'documentId') !== undefined;
  return !holdsNothing(live) && (wanted.text !== null || isTold);
}

/** Of a text or an order nobody can see at a glance what differs: they are named only. */
function shortFields(sides: Pick<Mending, 'reader' | 'live'>, one: Changed, fields: readonly string[]): FieldMend[] {
  const { wanted, live } = one;
  const short = PAGE_FIELDS.filter((field) => fields.includes(field));
  const values: FieldMend[] = short.map((field) => ({ field, from: valueAt(live, field), to: valueAt(wanted, field) }));
  if (fields.includes('href'))
    values.push({ field: 'href', from: lookIn(live.body, 'href'), to: lookIn(wanted.body, 'href') });
  if (!fields.includes('parent')) return values;
  return [...values, { field: 'parent', from: parentOf(sides.live, live), to: parentOf(sides.reader, wanted) }];
}

/** The title of the page above; null at the top. */
function parentOf(side: SnapshotReader, page: Resource): string | null {
  const above = pageAbove(side, page);
  return above === undefined ? page.parent : titleOf(above);
}

function valueAt({ body }: Resource, field: string): unknown {
  const value = body[field];
  return value === undefined || value === '' || value === false ? null : value;
}

interface StepParts {
  readonly pages: PagesMend;
  readonly lost: readonly string[];
}

function addStep(planning: Mending, space: string, { pages, lost }: StepParts): void {
  const { missing, files, changed, added, links = [] } = pages;
  const lostFiles = files.filter(({ why }) => why.includes('gone')).length;
  const parts = [
    ...(missing.length > 0 ? [`${count(missing.length, 'page')} brought back`] : []),
    ...(lostFiles > 0 ? [`${count(lostFiles, 'file')} brought back`] : []),
    ...(changed.length > 0 ? [`${count(changed.length, 'page')} set back`] : []),
    ...(files.length > lostFiles ? [`${count(files.length - lostFiles, 'file')} set back`] : []),
    ...(added.length > 0 ? [`${count(added.length, 'page')} taken away`] : []),
    ...(links.length > 0 ? [`links of ${count(links.length, 'page')}`] : []),
  ];
  const way = planning.review
    ? 'as a change request to be merged by a person'
    : 'through a change request that is merged';
  addPagesStep(planning, space, {
    action: added.length > 0 && missing.length + files.length + changed.length === 0 ? 'delete' : 'update',
    note: `${parts.join(', ')}, ${way}`,
    pages,
    losses: { bestEffort: [], lost },
  });
}

interface Left {
  readonly gone: GonePages;
  readonly orderLeft: ReturnType<typeof pageOrders>;
}

/** Fields of a page that are not set back, and why; null for an address that it gets another one instead of. */
function fieldsLeft(one: Changed, differing: readonly string[], { gone, orderLeft }: Left): Map<string, string | null> {
  const left = new Map<string, string | null>();
  const { wanted, live } = one;
  const twin = differing.includes('href') ? gone.atItsAddress({ ...live, body: wanted.body }) : undefined;
  if (twin !== undefined) left.set('href', keepsLead(twin));
  const order = differing.includes('order') ? orderLeft(live) : undefined;
  if (order !== undefined) left.set('order', order);
  const stays = differing.some((field) => PLACE.includes(field)) ? gone.whyStays(one) : null;
  if (stays !== null) for (const field of PLACE) left.set(field, stays);
  const held = gone.addresses.of(wanted);
  if (held !== undefined) left.set('slug', held.instead === null ? keepsAddress(one, held) : null);
  return left;
}

const PLACE = ['parent', 'order'];

function keepsAddress({ wanted, live }: Changed, held: HeldAddress): string {
  const [was, is] = [wanted, live].map(({ body }) => textAt(body, 'slug') ?? '');
  return `keeps the address ${is}: ${takenBy(held)}, ${was}, and stays`;
}
