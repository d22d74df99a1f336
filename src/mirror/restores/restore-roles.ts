// Restores that take others back, and those that were only rehearsed: told from others by where their plans lie, without opening those.
import { basename, dirname, join } from 'node:path';
import type { Mirror } from '../database/database.ts';
import { dropRestore, listRestores, stepsOf, type RestoreRecord } from './journal.ts';

const DRILL = 'drill-';
const UNDO = /^undo-.+\.plan\.json$/;

/** Of a restore that is only rehearsed. */
export function drillFile(folder: string, { nonce }: { readonly nonce: string }): string {
  return join(folder, `${DRILL}${nonce}.plan.json`);
}

/** True for a restore that was only rehearsed. */
export function isDrill({ plan }: Pick<RestoreRecord, 'plan'>): boolean {
  return basename(plan).startsWith(DRILL);
}

/** Takes away the journals of rehearsals, with their restores: a drill each night would else make them grow without end. */
export function dropRehearsals(mirror: Mirror): void {
  const rehearsed = listRestores(mirror).filter(isDrill);
  mirror.store.transaction(() => {
    for (const { id } of rehearsed) dropRestore(mirror, id);
  });
}

/** In the folder of the restore that is taken back; each has a name of its own, as its restore is resumed and verified by it. */
export function undoFile(folder: string, restore: string, { nonce }: { readonly nonce: string }): string {
  return join(folder, restore, `undo-${nonce}.plan.json`);
}

/** Id of the restore that this one takes back; null when it is no undo. */
export function undoesOf({ plan }: Pick<RestoreRecord, 'plan'>): string | null {
  return UNDO.test(basename(plan)) ? basename(dirname(plan)) : null;
}

/** Restores that were taken back to the end, and not gone on with since; with the restore that did it, the last one of several. */
export function undone(mirror: Mirror): Map<string, string> {
  return undosIn(mirror, ({ state }) => state === 'done');
}

/** Restores of which an undo has written something and has not come to its end; with that undo, the last one of several. */
export function halfUndone(mirror: Mirror): Map<string, string> {
  const whole = undone(mirror);
  const begun = undosIn(
    mirror,
    ({ id, state }) => state !== 'done' && stepsOf(mirror, id).some((step) => step.state !== 'skipped'),
  );
  return new Map([...begun].filter(([restore]) => !whole.has(restore)));
}

/** Undos by the restore that they take back. One that was gone on with since is not taken back any more. */
function undosIn(mirror: Mirror, counts: (undo: RestoreRecord) => boolean): Map<string, string> {
  const records = listRestores(mirror);
  const ends = new Map(records.map(({ id, ended_at }) => [id, ended_at ?? '']));
  return new Map(
    records.flatMap((record) => {
      const restore = undoesOf(record);
      if (restore === null || !counts(record) || (ends.get(restore) ?? '') > record.created_at) return [];
      return [[restore, record.id] as const];
    }),
  );
}
