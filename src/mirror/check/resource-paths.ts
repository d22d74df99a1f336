// The path of a resource stands in its row as its key, and a second time in the form that SQL reads: are the two still the same?
import { isKindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { paramsOf } from '../observe/key.ts';
import { readableJson } from '../bodies/stored-json.ts';

interface Row {
  readonly rid: number;
  readonly kind: string;
  readonly key: string;
  readonly params: string;
  readonly space: string | null;
}

/** Resources whose parameters or space are not those of their key. */
export function* brokenPaths({ store }: Mirror): Generator<Row> {
  const rows = store.driver.prepare<[], Row>('select rid, kind, key, params, space from resources').iterate();
  for (const row of rows) if (!isTrue(row)) yield row;
}

function isTrue({ kind, key, params, space }: Row): boolean {
  if (!isKindName(kind)) return true;
  const expected = paramsOf(kind, key);
  if (space !== (expected['spaceId'] ?? null)) return false;
  if (params === JSON.stringify(expected)) return true;
  const stored = readableJson(params);
  return stored !== undefined && Object.entries(expected).every(([name, value]) => stored[name] === value);
}

/**
 * Writes parameters and spaces anew where they are damaged; what the views show of these rows is right again. Where it is the key that
 * is damaged they are left: they may be all that says what it was.
 */
export function mendPaths(mirror: Mirror): void {
  const { store } = mirror;
  store.transaction(() => {
    const broken = [...brokenPaths(mirror)];
    if (broken.length === 0) return;
    // An entry that is not found by the space that stands there now could not be taken out of it.
    store.driver.exec('reindex resources_space');
    const found = store.prepare<{ rid: number }>('select rid from resources where kind = ? and key = ?');
    const mend = store.prepare('update resources set params = ?, space = ? where rid = ?');
    for (const { rid, kind, key } of broken) {
      if (!isKindName(kind) || found.get(kind, key)?.rid !== rid) continue;
      const params = paramsOf(kind, key);
      mend.run(JSON.stringify(params), params['spaceId'] ?? null, rid);
    }
  });
}
