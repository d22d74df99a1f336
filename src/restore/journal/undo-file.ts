// Plans that take restores back: their place among the restores tells them from others without opening them.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, canonicalJson, sha256, toAppError, type ErrorCode } from '../../base/index.ts';
import {
  isDrill,
  restoreOfPlan,
  stepsOf,
  undoesOf,
  undone,
  type Mirror,
  type RestoreRecord,
  type RestoreStep,
} from '../../mirror/index.ts';
import { planHash, readPlan } from '../plan/plan-file.ts';
import type { Plan } from '../types.ts';
import { restoresInto } from './lineage.ts';
import { wroteNothing } from './step-journal.ts';

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

/** True for an undo that has left something of its restore. A plan that is gone or damaged tells nothing, and keeps no list from being shown. */
export async function leavesAny({ plan }: Pick<RestoreRecord, 'plan'>): Promise<boolean> {
  return (await readIfWhole(plan))?.steps.some(({ action }) => action === 'unsupported') ?? false;
}

async function readIfWhole(file: string): Promise<Plan | null> {
  try {
    return await readPlan(file);
  } catch (error) {
    if (UNREADABLE.has(toAppError(error).code)) return null;
    throw error;
  }
}

const UNREADABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['DM_USAGE', 'DM_PLAN_DAMAGED']);

/**
 * The last plan that takes back all that this restore has done, written before; null where there is none, or it was used. One that
 * touches, too, what others have changed is for whoever asks for that.
 */
export async function wayBackWritten(mirror: Mirror, folder: string, restore: string): Promise<string | null> {
  const noted = stepsHash(stepsOf(mirror, restore));
  const archives = [null, beforeFolder(folder, restore)];
  let last: { readonly file: string; readonly createdAt: string } | null = null;
  for (const name of await readdir(join(folder, restore))) {
    const file = join(folder, restore, name);
    if (undoesOf({ plan: file }) === null) continue;
    const plan = await readIfWhole(file);
    if (plan === null || plan.evenChanged === true || plan.undoesSteps !== noted) continue;
    if (!archives.includes(plan.archive) || restoreOfPlan(mirror, planHash(plan)) !== undefined) continue;
    if (last === null || plan.createdAt > last.createdAt) last = { file, createdAt: plan.createdAt };
  }
  return last?.file ?? null;
}

/** Hash of what a restore has noted: another one shows that it has gone on, whatever the clock says. */
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

/** An undo that was cut off would take away, with what its restore did, what another restore has brought back there since. */
export function demandNotOvertaken(mirror: Mirror, undo: RestoreRecord): void {
  const restore = undoesOf(undo);
  if (restore === null) return;
  const back = undone(mirror);
  const there = restoresInto(mirror, { url: undo.target, organization: undo.organization });
  const later = there
    .slice(1 + there.findIndex(({ id }) => id === undo.id))
    .findLast((one) => undoesOf(one) === null && !isDrill(one) && !back.has(one.id) && hasWritten(mirror, one));
  if (later === undefined) return;
  throw new AppError(
    'DM_PLAN_STALE',
    `Restore ${undo.id} does not go on: restore ${later.id} has written there since, and what it brought back would go`,
    {
      hint: `Run \`docmirror restore undo ${restore}\`, which plans anew and leaves what others have written. Nothing was written.`,
    },
  );
}

/** Or may have: what was under way when it was cut off may be done. */
function hasWritten(mirror: Mirror, { id }: RestoreRecord): boolean {
  return stepsOf(mirror, id).some((step) => !wroteNothing(step));
}
