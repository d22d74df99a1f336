// Whether a snapshot has what is asked for. What was deleted and recorded as gone since is in an earlier one, and it is said in which.
import { AppError } from '../../base/index.ts';
import { readerAt, sealedBefore, type Snapshot } from '../../mirror/index.ts';
import { askedFor, selectionOf, type PlanInput } from '../plan.ts';
import { NothingThere } from '../selection/scope.ts';

type Asking = Pick<PlanInput, 'mirror' | 'snapshot' | 'scope' | 'where' | 'withoutComments'>;

/** How many earlier snapshots are looked through for it. */
const MOST_LOOKED = 30;

/** Throws DM_USAGE or DM_SQL_INVALID when a snapshot has nothing of what was asked for, before anything is read of a platform. */
export function demandAsked(input: Asking): void {
  try {
    choose(input);
  } catch (error) {
    if (!(error instanceof NothingThere)) throw error;
    const last = sealedBefore(input.mirror, input.snapshot)
      .slice(-MOST_LOOKED)
      .findLast((one) => has(input, one));
    if (last === undefined) throw error;
    throw new AppError(error.code, error.message, {
      hint: `Snapshot ${last.id} (${snapshotTime(last)}) was the last that had it: plan with --snapshot ${last.id}.`,
      cause: error,
    });
  }
}

function choose(input: Asking): void {
  const reader = readerAt(input.mirror, input.snapshot);
  selectionOf(input, reader, askedFor(input, reader));
}

function has(input: Asking, { id: snapshot }: Snapshot): boolean {
  try {
    choose({ ...input, snapshot });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** To the minute, as people tell snapshots apart. */
export function snapshotTime({ started_at: at }: Pick<Snapshot, 'started_at'>): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}
