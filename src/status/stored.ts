// What is kept, from the figures that were written when the last snapshot was sealed, and the sizes of the files now.
import { existsSync, statSync } from 'node:fs';
import { databasePath, FIGURES, lastSealed, readFigures, type Mirror } from '../mirror/index.ts';

export interface Stored {
  /** Resources by kind, as of the last sealed snapshot; only kinds that occur. */
  readonly rows: Readonly<Record<string, number>>;
  /** Files that any kept version names. */
  readonly objects: number;
  readonly objectBytes: number;
  readonly databaseBytes: number;
}

export function readStored(mirror: Mirror): Stored {
  const figures = readFigures(mirror, lastSealed(mirror)?.id ?? 0);
  const held = Object.entries(figures).flatMap(([name, value]): [string, number][] =>
    name.startsWith('held:') && value > 0 ? [[name.slice('held:'.length), value]] : [],
  );
  const database = databasePath(mirror.dataDir);
  return {
    rows: Object.fromEntries(held),
    objects: figures[FIGURES.objects] ?? 0,
    objectBytes: figures[FIGURES.objectBytes] ?? 0,
    databaseBytes: [database, `${database}-wal`].reduce((sum, file) => sum + sizeOf(file), 0),
  };
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
