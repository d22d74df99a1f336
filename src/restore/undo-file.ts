// Plans that take restores back: their place among the restores tells them from others without opening them.
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

/** Restores that were taken back to the end, with the restore that did it, the last one of several. */
export function undone(mirror: Mirror): Map<string, string> {
  return new Map(
    listRestores(mirror).flatMap((record) => {
      const restore = undoesOf(record);
      return restore !== null && record.state === 'done' ? [[restore, record.id] as const] : [];
    }),
  );
}
