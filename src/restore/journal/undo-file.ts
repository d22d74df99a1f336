// Plans that take restores back: their place among the restores tells them from others without opening them.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError, canonicalJson, sha256 } from '../../base/index.ts';
import { listRestores, stepsOf, type Mirror, type RestoreRecord, type RestoreStep } from '../../mirror/index.ts';
import type { Plan } from '../types.ts';

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

/** By which it is seen that a restore has gone on, whatever the clock did meanwhile. */
export function stepsHash(steps: readonly RestoreStep[]): string {
  return sha256(canonicalJson(writtenIn(steps).map(({ step, state, new_id: id, at }) => [step, state, id, at])));
}

function writtenIn(steps: readonly RestoreStep[]): RestoreStep[] {
  return steps.filter(({ state }) => state !== 'skipped');
}

/** An undo takes back what its restore had done when it was planned: what that has done since would stay, and pass for taken back. */
export function demandNotGoneOn(mirror: Mirror, plan: Pick<Plan, 'undoes' | 'undoesSteps' | 'createdAt'>): void {
  if (plan.undoes === null) return;
  const steps = stepsOf(mirror, plan.undoes);
  // A plan of an earlier program tells no more than when it was made.
  const isAsPlanned =
    plan.undoesSteps === undefined
      ? !writtenIn(steps).some(({ at }) => at > plan.createdAt)
      : plan.undoesSteps === stepsHash(steps);
  if (isAsPlanned) return;
  throw new AppError(
    'DM_PLAN_STALE',
    `The plan no longer fits: restore ${plan.undoes} has gone on since it was made, and what it wrote then would stay`,
    {
      hint: `Run \`docmirror restore undo ${plan.undoes}\`, which takes all of it back. Nothing was written.`,
    },
  );
}
