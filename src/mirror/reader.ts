// Reading the mirror as it stood at one snapshot. Export, restore and the comparison after it go through here.
import type { Statement } from 'better-sqlite3';
import type { KindName } from '../contract/index.ts';
import type { Mirror } from './database.ts';
import { textSql } from './stored-text.ts';

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
}

interface Row {
  rid: number;
  kind: KindName;
  key: string;
  id: string;
  params: string;
  body: string;
  text: string | null;
  object: string | null;
  size: number | null;
  parent: string | null;
  position: number | null;
}

export interface SnapshotReader {
  readonly snapshot: number;
  /** Resources of a kind, by key; `within` limits them to keys below a container: a space's id for its pages. */
  resources(kind: KindName, within?: string): IterableIterator<Resource>;
  one(kind: KindName, key: string): Resource | undefined;
  count(kind: KindName, within?: string): number;
}

const SELECT = `select r.rid, r.kind, r.key, r.id, r.params, ${textSql('b.data', 'v.body')} as body,
  ${textSql('t.data', 'v.text')} as text, v.object, v.size,
  (select p.id from resources p where p.rid = v.parent) as parent, v.position`;
const FROM = `from resources r join versions v on v.rid = r.rid left join bodies b on b.bid = v.body left join bodies t on t.bid = v.text`;
const HOLDS = `v.valid_from <= ? and (v.valid_to is null or v.valid_to > ?)`;

const RANGE = `${SELECT} ${FROM} where r.kind = ? and r.key >= ? and r.key < ? and ${HOLDS} order by r.key`;

/** A reader pinned to a snapshot number. */
export function readerAt(mirror: Mirror, snapshot: number): SnapshotReader {
  const { store } = mirror;
  const idle: Statement<unknown[], Row>[] = [];
  return {
    snapshot,
    *resources(kind, within) {
      const [from, to] = keyRange(within);
      // Callers nest these loops, and one statement holds only one position.
      const statement = idle.pop() ?? store.driver.prepare<unknown[], Row>(RANGE);
      try {
        for (const row of statement.iterate(kind, from, to, snapshot, snapshot)) yield toResource(row);
      } finally {
        idle.push(statement);
      }
    },
    one(kind, key) {
      const row = store
        .prepare<Row>(`${SELECT} ${FROM} where r.kind = ? and r.key = ? and ${HOLDS}`)
        .get(kind, key, snapshot, snapshot);
      return row && toResource(row);
    },
    count(kind, within) {
      const [from, to] = keyRange(within);
      const sql = `select count(*) as n from resources r join versions v on v.rid = r.rid where r.kind = ? and r.key >= ? and r.key < ? and ${HOLDS}`;
      return store.prepare<{ n: number }>(sql).get(kind, from, to, snapshot, snapshot)?.n ?? 0;
    },
  };
}

// Keys below "abc" are those from "abc/" up to "abc0", the character after the slash.
function keyRange(within: string | undefined): [string, string] {
  return within === undefined ? ['', '\u{10FFFF}'] : [`${within}/`, `${within}0`];
}

function toResource(row: Row): Resource {
  return {
    ...row,
    params: JSON.parse(row.params) as Record<string, string>,
    body: JSON.parse(row.body) as Record<string, unknown>,
    object: row.object === null ? null : { sha256: row.object, size: row.size ?? 0 },
  };
}
