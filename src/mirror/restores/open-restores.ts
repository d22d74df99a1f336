// Restores that have not come to their end: they were cut off, or something of them failed, and nobody has gone on with them since.
import type { Mirror } from '../database/database.ts';
import { listRestores, stepsOf } from './journal.ts';
import { halfUndone, isDrill, undoesOf, undone } from './restore-roles.ts';
import type { RestoreState } from '../database/tables.ts';

export interface OpenRestore {
  readonly id: string;
  /** `running`: it is under way, or was cut off. */
  readonly state: Extract<RestoreState, 'running' | 'failed'>;
  readonly beganAt: string;
  readonly target: string;
  /** Id of the restore that it takes back. */
  readonly undoes: string | null;
  /** Writes that are done, and those that failed or waited for one that did. */
  readonly done: number;
  readonly failed: number;
}

/** Newest first. One that was taken back, or is being taken back, is not gone on with; a drill is of its own. */
export function openRestores(mirror: Mirror): OpenRestore[] {
  const [back, half] = [undone(mirror), halfUndone(mirror)];
  return listRestores(mirror)
    .flatMap((record): OpenRestore[] => {
      const { id, state, created_at: beganAt, target } = record;
      if (state !== 'running' && state !== 'failed') return [];
      if (isDrill(record) || back.has(id) || half.has(id)) return [];
      const undoes = undoesOf(record);
      // The restore was gone on with, or an undo after this one took it back.
      if (undoes !== null && half.get(undoes) !== id) return [];
      const steps = stepsOf(mirror, id);
      const done = steps.filter((step) => step.state === 'done').length;
      const failed = steps.filter((step) => step.state === 'failed' || step.state === 'skipped').length;
      return [{ id, state, beganAt, target, undoes, done, failed }];
    })
    .toReversed();
}
