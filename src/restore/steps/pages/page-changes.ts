// The batch of edits that sets the pages of a space back: fields and texts, what is not in the snapshot, the order of siblings.
import type { Page } from '../../../contract/index.ts';
import { namingFiles } from '../../../mirror/index.ts';
import { addressSaid } from '../../in-place/held-addresses.ts';
import { childrenOf } from '../../in-place/sibling-orders.ts';
import { fieldAsSet, PAGE_FIELDS } from '../../special/page-fields.ts';
import { setsText } from '../../in-place/relinked.ts';
import { turnedInPlace } from '../../links/address-links.ts';
import { namesPaths, withoutOwnSpace } from '../../links/links.ts';
import { flatten, isPlaced } from '../../special/page-places.ts';
import { textAt } from '../../resource.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import type { RequestPath } from '../../target/content-there.ts';
import type { ContentChange } from '../../target/own-request.ts';
import { fieldsShown, type ShownPage } from './send-beside.ts';
import { titlesAbove, withTitlesAbove } from './headings.ts';
import { keptTitles } from './title-changes.ts';
import { childrenNow, holdersIn, placeAfter, removalsFrom, type Children, type Siblings } from './page-siblings.ts';

interface PageChanges {
  /** With texts as they are to stand. */
  readonly changes: readonly ContentChange[];
  /** Titles of pages that were to go and stay, since what is to stay stands below them. */
  readonly held: readonly string[];
  /** Computed pages that are to go: a platform may take them away by what they are made from alone, and refuses all else along with them. */
  readonly computed: readonly ContentChange[];
}

/** @param now The pages as they stand in the change request, what was missing among them. */
export async function pageChanges(
  context: ApplyContext,
  step: PlanStep,
  { path, now }: { readonly path: RequestPath; readonly now: readonly Page[] },
): Promise<PageChanges> {
  const { changed = [], added = [] } = step.pages ?? {};
  const there = new Set(flatten(now).map(({ id }) => id));
  const removed = new Set(added.map(({ id }) => id).filter((id) => there.has(id)));
  const present = childrenNow(now);
  const linking = linkingPages(context, step);
  await context.shown.read(context, { own: step.key, texts: textsLinking(context, step, linking) });
  const edits: ContentChange[] = [
    ...changed.filter(({ id }) => there.has(id)).flatMap((mend) => update(context, step, mend)),
    ...(await relinks(context, step, { path, there, removed, linking })),
    ...moves(context, step, { present, removed, there }),
    ...ownNames(context, step, there),
    ...besideImport(context, step, now),
  ];
  const changes = [...edits, ...keptTitles(context, step, { now, edits })];
  const removals = removalsFrom(present, removed);
  const going = new Set(removals.map(({ page }) => page));
  const held = added.filter(({ id }) => removed.has(id) && !going.has(id)).map(({ title }) => title);
  const made = new Set(flatten(now).flatMap(({ id, computed: source }) => (source === undefined ? [] : [id])));
  const holders = holdersIn(present);
  const [byHand, computed] = [false, true].map((is) => removals.filter(({ page }) => made.has(page) === is));
  return {
    changes: [...changes, ...(byHand ?? [])],
    held,
    computed: (computed ?? []).filter(({ page }) => !going.has(holders.get(page) ?? '')),
  };
}

function update({ reader, ids, addresses, shown }: ApplyContext, step: PlanStep, mend: PageMend): ContentChange[] {
  const { id, of = id, why } = mend;
  const wanted = reader.one('page', `${step.key}/${of}`);
  if (!wanted) throw new Error(`page ${of} is not in the snapshot`);
  const whole = of !== id;
  // A link has no name that could be set.
  const isNamed = wanted.body['type'] !== 'link';
  const fields = PAGE_FIELDS.filter((field) => (whole && (isNamed || field !== 'slug')) || why.includes(field));
  const values = Object.fromEntries(fields.map((field) => [field, fieldAsSet(wanted.body, field)]));
  const withText = why.includes('text') || (whole && wanted.text !== null);
  const title = textAt(wanted.body, 'title') ?? '';
  const document = withText
    ? { document: { markdown: turnedInPlace(wanted.text ?? '', { addresses, shown, ids, own: step.key }) } }
    : {};
  const slug = addressSaid(mend);
  const said = slug === undefined ? {} : { slug };
  const own = { ...values, ...said, ...document, ...(withText ? { title } : {}) };
  // What only an import sets, that has set.
  return Object.keys(own).length === 0 ? [] : [{ type: 'update_page', page: id, ...own }];
}

interface Tree {
  readonly path: RequestPath;
  readonly there: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly linking: ReadonlyMap<string, string>;
}

/** Pages that link to what was made anew: their texts are read as they are now, since this restore may have set them back. */
async function relinks(
  context: ApplyContext,
  step: PlanStep,
  { path, there, removed, linking }: Tree,
): Promise<ContentChange[]> {
  const { ids, addresses, shown: known, client } = context;
  const changed = new Map((step.pages?.changed ?? []).map((mend) => [mend.id, mend]));
  const before = textsBefore(context, step);
  // Written back, the address of a moment would stay in the page.
  const withFiles = namingFiles(context.live ?? context.reader, step.key);
  const changes: ContentChange[] = [];
  for (const id of linking.keys()) {
    const mend = changed.get(id);
    if ((mend && setsText(mend)) || removed.has(id) || !there.has(id)) continue;
    const input = { path: { ...path, pageId: id }, query: { format: 'markdown' as const } };
    const { title: now, markdown: said = '' } = await client.call('getChangeRequestPage', input);
    const markdown = withFiles(said);
    // The edit that sets its title back is in the same batch, before this one.
    const title = mend?.why.includes('title') === true ? titleIn(context, step, id) : now;
    const was = before(id);
    // An earlier try, which was cut off, may have left a heading that the platform keeps.
    const shown = was === null ? markdown : withTitlesAbove(was.titles, markdown, now);
    const text = asBefore(turnedInPlace(shown, { addresses, shown: known, ids, own: step.key }), was, step.key);
    if (text !== markdown) changes.push({ type: 'update_page', page: id, title, document: { markdown: text } });
  }
  return changes;
}

interface Before {
  readonly text: string;
  /** It was brought back just now: nobody can have written in it since. */
  readonly isBrought: boolean;
  /** How often it begins with its title. */
  readonly titles: number;
}

/** What a page said before: in the snapshot if it was brought back, else where it stood. Links in it lead to what is there now. */
function textsBefore(
  { ids, addresses, shown, reader, live }: ApplyContext,
  { key, pages }: PlanStep,
): (id: string) => Before | null {
  const brought = new Map((pages?.missing ?? []).map(({ id }) => [ids.byId('page', id), id]));
  return (id) => {
    const original = brought.get(id);
    const side = original === undefined ? live : reader;
    const page = side?.one('page', `${key}/${original ?? id}`);
    if (typeof page?.text !== 'string') return null;
    const titles = titlesAbove(page.text, textAt(page.body, 'title') ?? '');
    const text = turnedInPlace(page.text, { addresses, shown, ids, own: key });
    return { text, isBrought: original !== undefined, titles };
  };
}

/** A link that named its own space, or led somewhere by a path, does so again: an import leads from file to file, and then by ids. */
function asBefore(now: string, before: Before | null, space: string): string {
  if (before === null) return now;
  const isTaken = before.isBrought && namesPaths(before.text);
  return isTaken || withoutOwnSpace(before.text, space) === withoutOwnSpace(now, space) ? before.text : now;
}

function titleIn({ reader }: ApplyContext, step: PlanStep, id: string): string {
  return textAt(reader.one('page', `${step.key}/${id}`)?.body, 'title') ?? '';
}

/** What they say in the live state and in the snapshot. */
function* textsLinking(
  { live, reader }: ApplyContext,
  step: PlanStep,
  linking: ReadonlyMap<string, string>,
): IterableIterator<string> {
  for (const key of linking.values()) for (const side of [live, reader]) yield side?.one('page', key)?.text ?? '';
}

/** Pages that linked, in the live state or in the snapshot, to what has another id now, or by a path from what was brought back: their keys, by the id that they have now. */
function linkingPages({ live, reader, ids, addresses }: ApplyContext, step: PlanStep): Map<string, string> {
  const found = new Map<string, string>();
  for (const side of live === null ? [reader] : [live, reader]) {
    for (const { id, key, text } of side.resources('page', step.key))
      if (text !== null && turnedInPlace(text, { addresses, ids, own: step.key }) !== text)
        found.set(ids.byId('page', id) ?? id, key);
  }
  for (const { id } of step.pages?.missing ?? []) {
    const key = `${step.key}/${id}`;
    const text = reader.one('page', key)?.text;
    if (typeof text === 'string' && namesPaths(text)) found.set(ids.byId('page', id) ?? id, key);
  }
  return found;
}

/** What was brought back beside a page that had its address gets that again, once that page is named or moved as it was. */
function ownNames({ ids }: ApplyContext, { pages }: PlanStep, there: ReadonlySet<string>): ContentChange[] {
  return (pages?.missing ?? []).flatMap(({ id, fields = [] }) => {
    const now = ids.byId('page', id);
    if (now === undefined || !there.has(now)) return [];
    return fields.flatMap(({ field, to }): ContentChange[] =>
      typeof to === 'string' ? [{ type: 'update_page', page: now, [field]: to }] : [],
    );
  });
}

/** What an import could not tell of groups and links that it brought back. */
function besideImport({ ids, reader }: ApplyContext, { key, pages }: PlanStep, now: readonly Page[]): ContentChange[] {
  const wanted = (pages?.missing ?? []).flatMap(({ id }): ShownPage[] => {
    const [stands, page] = [ids.byId('page', id), reader.one('page', `${key}/${id}`)];
    return stands === undefined || page === undefined ? [] : [{ id: stands, body: page.body }];
  });
  return fieldsShown(wanted, now);
}

interface Order {
  readonly there: ReadonlySet<string>;
  /** The pages as they stand; moved along. */
  readonly present: Children;
  readonly removed: ReadonlySet<string>;
}

/** Moves that bring what is mended to its place among its siblings; what nobody asked to move stays where it is. */
function moves(context: ApplyContext, step: PlanStep, { present, removed, there }: Order): ContentChange[] {
  const { missing = [], changed = [] } = step.pages ?? {};
  const newId = (id: string): string => context.ids.byId('page', id) ?? id;
  const placed = new Set([...missing.map(({ id }) => newId(id)), ...changed.filter(isPlaced).map(({ id }) => id)]);
  if (placed.size === 0) return [];
  const put = [...missing, ...changed].flatMap(({ id, below }) =>
    below === undefined ? [] : [[newId(id), below] as const],
  );
  const elsewhere = new Map(put);
  const changes: ContentChange[] = [];
  const standing: Siblings = { present, holders: holdersIn(present) };
  for (const [parent, wanted] of childrenOf(context.reader, { kind: 'page', holder: step.key })) {
    const ids = wanted.map(newId);
    for (const [i, id] of ids.entries()) {
      if (!placed.has(id) || removed.has(id) || !there.has(id)) continue;
      const above = elsewhere.has(id) ? (elsewhere.get(id) ?? null) : parent;
      const into = above === null ? null : newId(above);
      const at = placeAfter(standing, { into, id, siblings: ids, index: i });
      if (at !== null) changes.push({ type: 'update_page', page: id, into, at });
    }
  }
  return changes;
}
