// Reading the mirror as it stood at one snapshot. Export, restore and the comparison after it go through here.
import { readableJson } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { paramsOf } from '../observe/key.ts';
import { COUNT, IS_PARENT, KEYS, PLACES, readerSql, UNREAD, type ReaderSql } from './reader-sql.ts';
import { mergedByKey, SharedReading } from './shared-reading.ts';
import { SHARED_JOIN, SHARED_RID } from '../views/shared-rows.ts';
import { storedJson } from '../bodies/stored-json.ts';
import { legibleTextSql, textSql } from '../bodies/stored-text.ts';

/** One resource as it stood at a snapshot. */
export interface Resource {
  readonly rid: number;
  readonly kind: KindName;
  readonly key: string;
  readonly id: string;
  /** Identifying path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** As the platform sent it, less the parts that are resources of their own. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Markdown of a page; null where there is none. */
  readonly text: string | null;
  /** SHA-256 and size of a file's bytes; null for other kinds and for bytes that could not be read. */
  readonly object: { readonly sha256: string; readonly size: number } | null;
  /** Id of the nested parent (pages). */
  readonly parent: string | null;
  readonly position: number | null;
  /** Its body is empty because what is stored of it is damaged; only where that was asked for. */
  readonly isDamaged?: true;
}

/** A resource as it stood at a snapshot or, when it was gone by then, as it was last seen before. */
export interface Outlined extends Omit<Resource, 'params' | 'text'> {
  /** False when it was gone. */
  readonly holds: boolean;
  /** Not there when nobody asked for it. */
  readonly text?: string | null;
}

/** Where a resource stood among others of its kind at a snapshot. */
export type Placed = Pick<Resource, 'id' | 'key' | 'parent' | 'position'>;

interface Row {
  rid: number;
  kind: KindName;
  key: string;
  id: string;
  body: string;
  text: string | null;
  object: string | null;
  size: number | null;
  parent: string | null;
  position: number | null;
}

export interface OutlineOptions {
  /** With the texts of pages that hold. */
  readonly texts?: boolean;
  /** Only those behind this key. */
  readonly after?: string;
}

/** So many pages, with their texts, are looked through in some tens of milliseconds: then others have their turn. */
export const PAGES_AT_ONCE = 200;

export interface SnapshotReader {
  readonly snapshot: number;
  /** Resources of a kind, by key; `within` limits them to keys below a container: a space's id for its pages. */
  resources(kind: KindName, within?: string): IterableIterator<Resource>;
  /** The same, without most of those that name an id nowhere: of a long list, few are read then. Only for kinds that are never shared. */
  naming(id: string, kind: KindName, within?: string): IterableIterator<Resource>;
  /** Resources of a kind by key, gone ones too: what is needed to give them names. */
  outline(kind: KindName, within?: string, options?: OutlineOptions): IterableIterator<Outlined>;
  /** Where those of a kind stand, by key: a fifth of what it takes to read them. Only for kinds that are never shared. */
  places(kind: KindName, within: string): IterableIterator<Placed>;
  one(kind: KindName, key: string): Resource | undefined;
  /** True when others of its kind stand below it (pages). */
  isParent(resource: Resource): boolean;
  count(kind: KindName, within?: string): number;
  /** Keys of what the snapshot could not read of a kind; what an earlier one had read of it is held all the same. */
  unread(kind: KindName, within?: string): string[];
  /** Keys of the resources of a kind that have this id, which may stand in several places. */
  keysOf(kind: KindName, id: string): string[];
}

export interface ReaderOptions {
  /** For looking only: what is damaged has an empty body and no text, where it would else end in DM_DATABASE_DAMAGED. */
  readonly damaged?: 'empty';
}

const WHOLE = readerSql(textSql);
const SHOWN = readerSql(legibleTextSql);

/** A reader pinned to a snapshot number. */
export function readerAt(mirror: Mirror, snapshot: number, { damaged }: ReaderOptions = {}): SnapshotReader {
  const { store } = mirror;
  const [sql, read] = damaged === 'empty' ? ([SHOWN, shownBody] as const) : ([WHOLE, wholeBody] as const);
  const shared = sharedReadings(mirror, { snapshot, sql });
  return {
    snapshot,
    *resources(kind, within) {
      const [from, to] = keyRange(within);
      const own = store.iterate<Row>(sql.range, kind, from, to, snapshot, snapshot);
      const others = shared(kind);
      const rows = others === null ? own : mergedByKey(own, others.rows(within));
      for (const row of rows) yield toResource(row, read);
    },
    *naming(id, kind, within) {
      const rows = store.iterate<Row>(sql.naming, kind, ...keyRange(within), snapshot, snapshot, JSON.stringify(id));
      for (const row of rows) yield toResource(row, read);
    },
    *outline(kind, within, { texts = false, after } = {}) {
      const [start, to] = keyRange(within);
      const statement = texts ? sql.outlineWithTexts : sql.outline;
      const own = store.iterate<OutlineRow>(statement, { kind, from: after ?? start, to, snapshot });
      const others = shared(kind);
      const rows = others === null ? own : mergedByKey<OutlineRow>(own, others.rows(within, after));
      for (const row of rows) yield toOutlined(row, read);
    },
    places: (kind, within) => store.iterate<Placed>(PLACES, kind, ...keyRange(within), snapshot, snapshot),
    one(kind, key) {
      const row = store.prepare<Row>(sql.one).get(kind, key, snapshot, snapshot) ?? shared(kind)?.one(key);
      return row && toResource(row, read);
    },
    isParent({ rid, kind, key, id }) {
      const within = key.slice(0, key.lastIndexOf('/'));
      const others = shared(kind);
      if (others === null) {
        const values = [kind, ...keyRange(within), rid, snapshot, snapshot];
        return store.prepare<{ found: number }>(IS_PARENT).get(...values)?.found === 1;
      }
      for (const { holds, parent } of this.outline(kind, within)) if (holds && parent === id) return true;
      return false;
    },
    count(kind, within) {
      const [from, to] = keyRange(within);
      const own = store.prepare<{ n: number }>(COUNT).get(kind, from, to, snapshot, snapshot)?.n ?? 0;
      return own + (shared(kind)?.count(within) ?? 0);
    },
    unread(kind, within) {
      const rows = store.prepare<{ key: string }>(UNREAD).all(snapshot, kind, ...keyRange(within));
      return rows.map(({ key }) => key);
    },
    keysOf(kind, id) {
      const rows = store.prepare<{ key: string }>(KEYS).all(kind, id, snapshot, snapshot);
      return [...rows.map(({ key }) => key), ...(shared(kind)?.keysOf(id) ?? [])].toSorted();
    },
  };
}

type SharedRow = Row & { holds: number };

/** How what settled change requests share with their spaces is read, by kind; null for one that is never shared. */
function sharedReadings(
  mirror: Mirror,
  { snapshot, sql }: { readonly snapshot: number; readonly sql: ReaderSql },
): (kind: KindName) => SharedReading<SharedRow> | null {
  return (kind) => {
    const statements = sql.shared.get(kind);
    return statements === undefined ? null : new SharedReading(mirror, statements, snapshot);
  };
}

// Keys below "abc" are those from "abc/" up to "abc0", the character after the slash.
function keyRange(within: string | undefined): [string, string] {
  return within === undefined ? ['', '\u{10FFFF}'] : [`${within}/`, `${within}0`];
}

type OutlineRow = Omit<Row, 'text'> & { text?: string | null; holds: number };

type Named = Pick<Row, 'kind' | 'key' | 'body'>;

function wholeBody({ kind, key, body }: Named): Pick<Outlined, 'body'> {
  return { body: storedJson(body, () => `${kind} ${key}`) };
}

function shownBody({ body }: Named): Pick<Outlined, 'body' | 'isDamaged'> {
  const stored = readableJson(body);
  return stored === undefined ? { body: {}, isDamaged: true } : { body: stored };
}

type Read = (row: Named) => Pick<Outlined, 'body' | 'isDamaged'>;

function toOutlined(row: OutlineRow, read: Read): Outlined {
  const { object, size, text } = row;
  // Field by field: every page of an export comes by here, and a copy of what is left takes three times as long.
  return {
    rid: row.rid,
    kind: row.kind,
    key: row.key,
    id: row.id,
    parent: row.parent,
    position: row.position,
    ...read(row),
    object: object === null ? null : { sha256: object, size: size ?? 0 },
    holds: row.holds === 1,
    ...(text === undefined ? {} : { text }),
  };
}

function toResource(row: Row, read: Read): Resource {
  return {
    ...row,
    ...read(row),
    params: paramsOf(row.kind, row.key),
    object: row.object === null ? null : { sha256: row.object, size: row.size ?? 0 },
  };
}

/**
 * Resources that one of two snapshots shows otherwise than the other does, and some that both show alike, when a walk between them
 * was given up. `space` is the id of the space that they belong to.
 */
export function changedBetween(
  mirror: Mirror,
  one: number,
  other: number,
): IterableIterator<{ rid: number; kind: KindName; space: string | null }> {
  const range = { low: Math.min(one, other), high: Math.max(one, other) };
  return mirror.store.driver
    .prepare<unknown[], { rid: number; kind: KindName; space: string | null }>(CHANGED)
    .iterate(range);
}

const CHANGED = `select r.rid, r.kind, r.space from resources r where r.rid in (
  select rid from versions where valid_from > @low and valid_from <= @high
  union select rid from versions where valid_to > @low and valid_to <= @high)
union all select ${SHARED_RID}, st.kind, q.space from ${SHARED_JOIN}
  where st.valid_from > @low and st.valid_from <= @high or st.valid_to > @low and st.valid_to <= @high`;
