// A drill restores into a platform and a mirror of its own, which both lie on the disk of the data directory meanwhile.
import { statfs } from 'node:fs/promises';
import { AppError, bytes, nearestFolder } from '../base/index.ts';
import type { Config } from '../config/index.ts';
import { FIGURES, readFigures, type Mirror } from '../mirror/index.ts';
import { restoresFolder } from './places.ts';

/** In bytes. */
export interface DrillRoom {
  readonly needed: number;
  readonly free: number;
}

// What the two take of each thing, measured over texts of 4 KB and over real documentation, less a quarter: a drill that might just have
// passed is begun. A text is kept as Markdown and as a document, in both, and in the index of the mirror.
const TEXT_TIMES = 3.5;
const FILE_TIMES = 2;
const RESOURCE_BYTES = 4_000;

/** What a drill of a sealed snapshot takes of the disk at least, and what there is. */
export async function drillRoom(mirror: Mirror, snapshot: number, config: Config): Promise<DrillRoom> {
  const figures = readFigures(mirror, snapshot);
  const held = Object.entries(figures).reduce((sum, [name, value]) => sum + (name.startsWith('held:') ? value : 0), 0);
  const needed =
    (figures[FIGURES.textBytes] ?? 0) * TEXT_TIMES +
    (figures[FIGURES.fileBytes] ?? 0) * FILE_TIMES +
    held * RESOURCE_BYTES;
  const { bavail, bsize } = await statfs(nearestFolder(restoresFolder(config)));
  return { needed, free: bavail * bsize };
}

/** Throws DM_DISK_FULL where a drill would fill the disk up, before it takes any of it from whoever else writes there. */
export async function demandDrillRoom(mirror: Mirror, snapshot: number, config: Config): Promise<void> {
  const { needed, free } = await drillRoom(mirror, snapshot, config);
  if (free >= needed) return;
  const folder = restoresFolder(config);
  throw new AppError(
    'DM_DISK_FULL',
    `The drill of snapshot ${snapshot} was not begun: ${roomText({ needed, free })} of ${folder}`,
    {
      hint: 'Free space there, or move the data directory to a larger disk. What a drill takes it gives back at its end; nothing was written.',
      details: { snapshot, needed, free },
    },
  );
}

/** `it takes about 3.9 GB while it runs, and 1.2 GB are free on the disk`. */
export function roomText({ needed, free }: DrillRoom): string {
  return `it takes about ${bytes(needed)} while it runs, and ${bytes(free)} are free on the disk`;
}
