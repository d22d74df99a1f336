// The list of an export's files, read from its index after the tree is in its place.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../base/index.ts';
import { INDEX } from '../written/export-index.ts';
import { indexMigrations } from '../written/index-schema.ts';
import { SUMS } from '../written/manifest.ts';

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
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      // Whoever only reads cannot take away what SQLite puts beside the file for it; there is nothing in it, and nobody else reads here.
      for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    },
  };
}
