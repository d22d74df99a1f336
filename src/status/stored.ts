// What lies on disk. Counting it costs a look at everything, so it is done once for each snapshot.
import { existsSync, statSync } from 'node:fs';
import { kindNames } from '../contract/index.ts';
import { databasePath, lastSealed, readerAt, type Mirror } from '../mirror/index.ts';

export interface Stored {
  /** Resources by kind, as of the last sealed snapshot; only kinds that occur. */
  readonly rows: Readonly<Record<string, number>>;
  readonly objects: number;
  readonly objectBytes: number;
  readonly databaseBytes: number;
}

/** A function that counts, and counts again only after another snapshot was sealed. */
export function storedCounter(): (mirror: Mirror) => Stored {
  let counted: { snapshot: number; stored: Stored } | null = null;
  return (mirror) => {
    const snapshot = lastSealed(mirror)?.id ?? 0;
    if (counted?.snapshot !== snapshot) counted = { snapshot, stored: count(mirror, snapshot) };
    return counted.stored;
  };
}

function count(mirror: Mirror, snapshot: number): Stored {
  const reader = readerAt(mirror, snapshot);
  const counts = kindNames.map((kind): [string, number] => [kind, reader.count(kind)]);
  let objects = 0;
  let objectBytes = 0;
  for (const name of mirror.objects.list()) {
    objects += 1;
    objectBytes += mirror.objects.sizeOf(name) ?? 0;
  }
  const database = databasePath(mirror.dataDir);
  const databaseBytes = [database, `${database}-wal`].reduce((sum, file) => sum + sizeOf(file), 0);
  return { rows: Object.fromEntries(counts.filter(([, n]) => n > 0)), objects, objectBytes, databaseBytes };
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
