// The path of a resource stands in its row as its key, and more than once in the forms that SQL reads: are they still the same?
import { readableJson, type Pieces } from '../../base/index.ts';
import { isKindName, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { rangesOf, withinSql } from '../database/ranges.ts';
import { paramsOf } from '../observe/key.ts';

interface Row {
  readonly rid: number;
  readonly kind: string;
  readonly key: string;
  readonly id: string;
  readonly params: string;
  readonly space: string | null;
  /** Key of what it stands below. */
  readonly above: string | null;
}

interface BrokenPath extends Row {
  readonly problem: string;
}

// So many are compared in some ten milliseconds.
const AT_ONCE = 5000;

const ROWS = `select r.rid, r.kind, r.key, r.id, r.params, r.space, a.key as above
from resources r left join resources a on a.rid = r.scope where ${withinSql('r.rid')}`;

/** Resources whose parameters, space, id or place are not those of their key. */
export function* brokenPaths(mirror: Mirror): Pieces<BrokenPath[]> {
  const rows = mirror.store.prepare<Row>(ROWS);
  const broken: BrokenPath[] = [];
  for (const range of rangesOf(mirror, { table: 'resources', column: 'rid', size: AT_ONCE })) {
    for (const row of rows.all(range)) {
      const problem = isKindName(row.kind) ? problemOf(row.kind, row) : null;
      if (problem !== null) broken.push({ ...row, problem });
    }
    yield;
  }
  return broken;
}

function problemOf(kind: KindName, row: Row): string | null {
  const expected = paramsOf(kind, row.key);
  if (!hasParams(row, expected)) return 'its path is not that of its key';
  if (row.id !== lastOf(expected, row.key)) return 'its id is not that of its key';
  return standsAbove(row, expected) ? null : 'what it stands below is not in its key';
}

function hasParams({ params, space }: Row, expected: Readonly<Record<string, string>>): boolean {
  if (space !== (expected['spaceId'] ?? null)) return false;
  if (params === JSON.stringify(expected)) return true;
  const stored = readableJson(params);
  return stored !== undefined && Object.entries(expected).every(([name, value]) => stored[name] === value);
}

function lastOf(params: Readonly<Record<string, string>>, key: string): string {
  return Object.values(params).at(-1) ?? key;
}

/** What has a key of its own may stand below anything: only a longer one says below what. */
function standsAbove({ key, above }: Row, expected: Readonly<Record<string, string>>): boolean {
  return above === null || Object.keys(expected).length === 1 || `${key}/`.startsWith(`${above}/`);
}

/**
 * Writes parameters, spaces and ids anew where they are damaged; what the views show of these rows is right again. Where it is the key
 * that is damaged they are left: they may be all that says what it was. Nobody else writes meanwhile.
 */
export function* mendPaths(mirror: Mirror): Pieces<void> {
  const { store } = mirror;
  const broken = yield* brokenPaths(mirror);
  if (broken.length === 0) return;
  store.transaction(() => {
    // An entry that is not found by the space that stands there now could not be taken out of it.
    store.driver.exec('reindex resources_space');
    const found = store.prepare<{ rid: number }>('select rid from resources where kind = ? and key = ?');
    const mend = store.prepare('update resources set params = ?, space = ?, id = ? where rid = ?');
    for (const row of broken) {
      const { rid, kind, key } = row;
      if (!isKindName(kind) || found.get(kind, key)?.rid !== rid || isOtherKey(kind, row)) continue;
      const params = paramsOf(kind, key);
      mend.run(JSON.stringify(params), params['spaceId'] ?? null, lastOf(params, key), rid);
    }
  });
}

/** The id and the parameters agree, and the key does not. */
function isOtherKey(kind: KindName, { key, id, params }: Row): boolean {
  const expected = paramsOf(kind, key);
  const stored = readableJson(params) ?? {};
  return id !== lastOf(expected, key) && stored[Object.keys(expected).at(-1) ?? ''] === id;
}
