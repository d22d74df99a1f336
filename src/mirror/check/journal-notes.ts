// Whether what the journals of restores keep can be read: a plan into the same organization, a resume and an undo rest on it.
import type { Mirror } from '../database/database.ts';
import type { CheckProblem } from './check.ts';

interface Note {
  readonly restore: string;
  readonly step: number;
}

/** Notes of steps that no restore has written so. */
export function brokenNotes({ store }: Mirror): CheckProblem[] {
  return store
    .prepare<Note>(
      `select restore, step from restore_steps where detail is not null
       and iif(json_valid(detail), json_type(detail), '') <> 'object' order by restore, step`,
    )
    .all()
    .map(({ restore, step }) => ({
      what: 'journal',
      which: `restore ${restore}, step ${step}`,
      problem: 'what is noted of it is damaged',
    }));
}
