// What a settled change request shows as its space did. It has a copy of every page and file of it, of which nothing will ever be
// edited: an entry names what the space held by its numbers. The trees of one space are a series, and what several of them that
// follow each other have in common is one entry, so that a merge costs what it changed.
import { createHash } from 'node:crypto';
import { kindNames, kinds, type KindName } from '../../contract/index.ts';
import { hashSql } from '../bodies/body-hash.ts';
import { shareBody, storeBody } from '../bodies/store-body.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { countKind } from './counts.ts';

/** The kinds that are shared, each with the kind in the space, and the one of the trees that stand beside. */
export const SHARED_KINDS = {
  'change-request-page': { main: kinds['change-request-page'].copyOf, beside: 'change-request-page-document' },
  'change-request-file': { main: kinds['change-request-file'].copyOf, beside: null },
} as const satisfies Partial<Record<KindName, { readonly main: KindName; readonly beside: KindName | null }>>;

export type SharedKind = keyof typeof SHARED_KINDS;

/** A kind of which a change request may show what its space did. */
export function isSharedKind(kind: KindName): kind is SharedKind {
  return Object.hasOwn(SHARED_KINDS, kind);
}

/** A kind of which a tree shows some as the space does, and the column in which that has their number. */
export interface Shared {
  readonly kind: KindName;
  /** The kind of the tree. */
  readonly tree: SharedKind;
  /** `documents` for what stands beside its entries. */
  readonly number: 'amount' | 'documents';
}

/** All of them. */
export const SHARED: readonly Shared[] = kindNames.filter(isSharedKind).flatMap((tree): Shared[] => {
  const { beside } = SHARED_KINDS[tree];
  const own: Shared = { kind: tree, tree, number: 'amount' };
  return beside === null ? [own] : [own, { kind: beside, tree, number: 'documents' }];
});

/** SQL that is true for the entries `e` of a tree `st`. */
export const OF_TREE = 'e.series = st.series and e.first <= st.tid and e.last >= st.tid';

/** The entries `e` of trees `st`, each with what it is in the space, as `p`. */
export const TREE_ENTRIES = `shared_trees st join shared_entries e on ${OF_TREE} join resources p on p.rid = e.rid`;

/** One part of a revision. */
export interface TreePart {
  /** Number of the revision's resource. */
  readonly revision: number;
  readonly kind: SharedKind;
}

/** A shared tree that holds now. */
export interface HeldTree {
  readonly tid: number;
  readonly valid_from: number;
  /** Hash of the whole tree that it is part of. */
  readonly mark: string;
  readonly amount: number;
  readonly documents: number;
}

const HELD = `select tid, valid_from, mark, amount, documents from shared_trees where rid = ? and kind = ? and valid_to is null`;

/** The tree of pages or files that holds for a revision of a settled change request; undefined where none is held. */
export function sharedTree({ store }: Mirror, { revision, kind }: TreePart): HeldTree | undefined {
  return store.prepare<HeldTree>(HELD).get(revision, kind);
}

/** A page or file that is shared. */
export interface SharedEntry {
  /** The page or file of the space, and the page that it stands below. */
  readonly rid: number;
  readonly parent: number | null;
  readonly id: string;
  /** Id of the page that it stands below. */
  readonly above: string | null;
  readonly position: number | null;
  /** Number of its JSON, and the JSON itself; null where that is damaged beyond reading. */
  readonly body: number;
  readonly data: string | null;
  readonly text: number | null;
  /** The body of its document tree. */
  readonly document: number | null;
  readonly object: string | null;
  readonly size: number | null;
}

const ENTRIES = `select e.rid, e.parent, p.id, a.id as above, e.position, e.body, b.data, e.text, e.document, e.object, e.size
  from ${TREE_ENTRIES} left join resources a on a.rid = e.parent left join bodies b on b.bid = e.body where st.tid = ?`;

/** What a tree of a settled change request shows as its space does. */
export function sharedEntries({ store }: Mirror, tid: number): SharedEntry[] {
  return store.prepare<SharedEntry>(ENTRIES).all(tid);
}

/** True when a page that a revision shows as its space does has a text. */
export function sharesTexts(mirror: Mirror, revision: number): boolean {
  const tree = sharedTree(mirror, { revision, kind: 'change-request-page' });
  if (tree === undefined) return false;
  const sql = `select 1 from shared_trees st join shared_entries e on ${OF_TREE} where st.tid = ? and e.text is not null limit 1`;
  return mirror.store.prepare(sql).get(tree.tid) !== undefined;
}

/** True when an entry has a text and no document tree. */
export function lacksSharedTrees({ store }: Mirror, tid: number): boolean {
  const sql = `select 1 from shared_trees st join shared_entries e on ${OF_TREE}
    where st.tid = ? and e.text is not null and e.document is null limit 1`;
  return store.prepare(sql).get(tid) !== undefined;
}

/** An entry as it is told, and where the mirror has the rest of it. */
export interface NewEntry extends Omit<SharedEntry, 'id' | 'above' | 'body' | 'data'> {
  /** As the tree has it. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface NewTree {
  readonly mark: string;
  readonly entries: readonly NewEntry[];
}

/** Ends what was shared, and shares these from the open snapshot on, none at all too. Call inside a transaction. */
export function shareTree(open: OpenSnapshot, part: TreePart, { mark, entries }: NewTree): void {
  endSharedTree(open, part);
  const { store } = open.mirror;
  const series = seriesOf(open.mirror, part);
  const before = new Map(series === null ? [] : lastEntries(open.mirror, series).map((entry) => [entry.rid, entry]));
  const documents = entries.filter(({ document }) => document !== null).length;
  const added = store
    .prepare(ADD_TREE)
    .run({ ...part, snapshot: open.id, mark, series: series ?? 0, amount: entries.length, documents });
  const tid = Number(added.lastInsertRowid);
  const inSeries = series ?? tid;
  for (const { body: told, ...entry } of entries) {
    const body = storeBody(open.mirror, JSON.stringify(told), entry.rid);
    const former = before.get(entry.rid);
    const now = { ...entry, body };
    if (former !== undefined && FIELDS.every((field) => former[field] === now[field])) {
      store.prepare(EXTEND).run({ tid, series: inSeries, rid: entry.rid, first: former.first });
      continue;
    }
    for (const bid of [body, entry.text, entry.document]) if (bid !== null) shareBody(open.mirror, bid);
    store.prepare(ADD_ENTRY).run({ ...now, tid, series: inSeries });
  }
  store.prepare('update shared_trees set series = ? where tid = ?').run(inSeries, tid);
  store.prepare('update shared_trees set hash = ? where tid = ?').run(sharedHash(open.mirror, tid), tid);
}

/** An entry of the last tree of a series. */
interface Former extends Pick<SharedEntry, (typeof FIELDS)[number] | 'rid'> {
  readonly first: number;
}

const FIELDS = ['parent', 'position', 'body', 'text', 'document', 'object', 'size'] as const;

const SERIES = `select t.series from resources r join resources q on q.kind = r.kind and q.space = r.space
  join shared_trees t on t.rid = q.rid and t.kind = @kind where r.rid = @revision limit 1`;

/** The series of the space of a revision; null before its first tree. */
function seriesOf({ store }: Mirror, { revision, kind }: TreePart): number | null {
  return store.prepare<{ series: number }>(SERIES).get({ revision, kind })?.series ?? null;
}

const LAST = `select e.rid, e.first, ${FIELDS.map((field) => `e.${field}`).join(', ')} from shared_trees st
  join shared_entries e on ${OF_TREE} where st.tid = (select max(tid) from shared_trees where series = ?)`;

function lastEntries({ store }: Mirror, series: number): Former[] {
  return store.prepare<Former>(LAST).all(series);
}

const ADD_TREE = `insert into shared_trees (rid, kind, series, valid_from, valid_to, mark, hash, amount, documents)
  values (@revision, @kind, @series, @snapshot, null, @mark, '', @amount, @documents)`;
const ADD_ENTRY = `insert into shared_entries (series, rid, first, last, parent, position, body, text, document, object, size)
  values (@series, @rid, @tid, @tid, @parent, @position, @body, @text, @document, @object, @size)`;
const EXTEND = 'update shared_entries set last = @tid where series = @series and rid = @rid and first = @first';

const HASHED = `select p.key, a.key as parent, e.position, hex(${hashSql('e.body')}) as body, hex(${hashSql('e.text')}) as text,
  hex(${hashSql('e.document')}) as document, e.object, e.size from ${TREE_ENTRIES} left join resources a on a.rid = e.parent where st.tid = ? order by e.rid`;

/** Hash of the entries of a tree, by what they are and what stands in them. */
export function sharedHash({ store }: Mirror, tid: number): string {
  const hash = createHash('sha256');
  for (const entry of store.prepare<object>(HASHED).iterate(tid))
    hash.update(`${JSON.stringify(Object.values(entry))}\n`);
  return hash.digest('hex');
}

/** Ends what a revision shares of a kind; answers the tree that was. */
export function endSharedTree({ mirror, id: snapshot }: OpenSnapshot, part: TreePart): HeldTree | undefined {
  const { store } = mirror;
  const held = sharedTree(mirror, part);
  if (held === undefined) return undefined;
  // A second look in the same snapshot replaces the first: a tree never holds for no snapshot at all. What only it had goes with
  // the next look for what no tree has.
  if (held.valid_from === snapshot) store.prepare('delete from shared_trees where tid = ?').run(held.tid);
  else store.prepare('update shared_trees set valid_to = ? where tid = ?').run(snapshot, held.tid);
  return held;
}

/** Ends all that a revision shares, which is gone, and counts it so. */
export function burySharedTrees(open: OpenSnapshot, revision: number): void {
  for (const tree of kindNames.filter(isSharedKind)) {
    const held = endSharedTree(open, { revision, kind: tree });
    const shared = held === undefined ? [] : SHARED.filter((one) => one.tree === tree);
    for (const { kind, number } of shared) countKind(open, kind, { gone: held?.[number] ?? 0 });
  }
}
