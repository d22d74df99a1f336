// Plans that take restores back: their place among the restores tells them from others without opening them.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listRestores, type Mirror, type RestoreRecord } from '../mirror/index.ts';
import type { Plan } from './types.ts';

const UNDO = /^undo-.+\.plan\.json$/;

/** In the folder of the restore that is taken back; each has a name of its own, as its restore is resumed and verified by it. */
export function undoFile(folder: string, restore: string, { nonce }: Pick<Plan, 'nonce'>): string {
  return join(folder, restore, `undo-${nonce}.plan.json`);
}

/** Id of the restore that this one takes back; null when it is no undo. */
export function undoesOf({ plan }: Pick<RestoreRecord, 'plan'>): string | null {
  return UNDO.test(basename(plan)) ? basename(dirname(plan)) : null;
}

/** Folder of the mirror that holds what stood before a restore, where the mirror itself does not. */
export function beforeFolder(folder: string, restore: string): string {
  return join(folder, restore, 'before');
}

/** The folder of the mirror whose snapshots an undo means; null when it is the mirror itself, or no undo. */
export function archiveOfUndo(record: Pick<RestoreRecord, 'plan'>): string | null {
  const restore = undoesOf(record);
  if (restore === null) return null;
  const folder = beforeFolder(dirname(dirname(record.plan)), restore);
  return existsSync(folder) ? folder : null;
}

/** Restores that were taken back to the end, and not gone on with since; with the restore that did it, the last one of several. */
export function undone(mirror: Mirror): Map<string, string> {
  const records = listRestores(mirror);
  const ends = new Map(records.map(({ id, ended_at }) => [id, ended_at ?? '']));
  return new Map(
    records.flatMap((record) => {
      const restore = undoesOf(record);
      if (restore === null || record.state !== 'done' || (ends.get(restore) ?? '') > record.created_at) return [];
      return [[restore, record.id] as const];
    }),
  );
}
