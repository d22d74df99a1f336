// The list of an export's files, read from its index after the tree is in its place.
import { join } from 'node:path';
import { openSqlite } from '../base/index.ts';
import { INDEX } from './export-index.ts';
import { indexMigrations } from './index-schema.ts';
import { SUMS } from './manifest.ts';

export interface TreeFiles {
  /** Paths of all files of the export, the list of hashes among them. */
  all(): Iterable<string>;
  has(path: string): boolean;
}

/** Opens the index of the export in a folder for reading. */
export function openTreeFiles(folder: string): TreeFiles & Disposable {
  const path = join(folder, INDEX);
  const store = openSqlite<unknown>({
    path,
    name: 'the index of the export',
    migrations: indexMigrations,
    readonly: true,
  });
  return {
    *all() {
      yield SUMS;
      for (const row of store.prepare<{ path: string }>('select path from files order by path').iterate())
        yield row.path;
    },
    has: (one) => one === SUMS || store.prepare('select 1 from files where path = ?').get(one) !== undefined,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
