// What is said of restores that have not come to their end: which, since when, how far they came, and how to go on with them or back.
import { count, shellWord } from '../base/index.ts';
import type { OpenRestore } from '../mirror/index.ts';
import type { StatusReport } from './status-report.ts';

export interface RestoreToGoOn {
  readonly open: OpenRestore;
  readonly said: string;
  /** The command that continues it. */
  readonly resume: string;
  /** The one that takes it back; null for an undo, which is only gone on with. */
  readonly undo: string | null;
}

/** @param holder Who writes to the data directory now: what a restore does now was not cut off. */
export function restoresToGoOn(
  { restores, lastSealed }: Pick<StatusReport, 'restores' | 'lastSealed'>,
  holder: string | null,
): RestoreToGoOn[] {
  const underWay =
    holder?.startsWith('restore') === true ? restores.find(({ state }) => state === 'running') : undefined;
  return restores
    .filter((one) => one !== underWay)
    .map((one) => {
      const flag = one.target === lastSealed?.origin ? '' : ` --target-url ${shellWord(one.target)}`;
      return {
        open: one,
        said: saidOf(one),
        resume: `docmirror restore resume ${one.id}${flag}`,
        undo: one.undoes === null ? `docmirror restore undo ${one.id}${flag}` : null,
      };
    });
}

function saidOf({ id, state, undoes, beganAt, done, failed, target }: OpenRestore): string {
  const what = undoes === null ? '' : `, which takes back restore ${undoes},`;
  const end = state === 'running' ? 'was cut off' : 'is incomplete';
  const missed = failed === 0 ? '' : `, ${failed} not`;
  const began = `${beganAt.slice(0, 10)} ${beganAt.slice(11, 16)} UTC`;
  return `Restore ${id}${what} ${end}: begun ${began} at ${target}, ${count(done, 'write')} done${missed}`;
}
