// What a plan in place says of the live state that it was made against.
import { sealedBefore, warningOf, type Snapshot } from '../../mirror/index.ts';
import { snapshotTime } from '../plan/demand-asked.ts';
import type { PreflightCheck } from '../types.ts';
import type { InPlaceInput } from './input.ts';

type LiveRead = Pick<Snapshot, 'id' | 'state' | 'reason' | 'scope'>;

/** The snapshots of an archive have numbers that mean nothing to people, who know those of the mirror. */
export function liveCheck(input: InPlaceInput, { id, state, reason, scope }: LiveRead): PreflightCheck {
  const check = 'live state';
  const isArchived = input.archive !== undefined;
  const others = isArchived || scope === null ? NO_OTHERS : othersOf(input, id);
  if (state !== 'partial') {
    const detail = isArchived ? 'read just now' : `read just now, as snapshot ${id}${others.said}`;
    return { check, state: others.isWhole ? 'ok' : 'warn', detail };
  }
  const what = isArchived ? 'what was read just now' : `snapshot ${id}`;
  return {
    check,
    state: 'warn',
    detail:
      `${what} is partial: ${reason ?? 'not all of it was read'}; that is taken as it was before. What a listing lacked ` +
      `for the first time counts as gone when a second plan finds it lacking too: plan again${others.said}`,
  };
}

interface Others {
  readonly said: string;
  /** False where the walk that read them was not. */
  readonly isWhole: boolean;
}

const NO_OTHERS: Others = { said: '', isWhole: true };

/** Where only the spaces that matter were read. */
function othersOf({ mirror, undoes }: Pick<InPlaceInput, 'mirror' | 'undoes'>, id: number): Others {
  const last = sealedBefore(mirror, id).findLast((one) => one.scope === null);
  const isWhole = last === undefined || warningOf(mirror, last) === null;
  const doubt = isWhole ? '' : `, which is ${last.state}${last.reason === null ? '' : `: ${last.reason}`}`;
  const since = last === undefined ? 'mirrored before' : `in snapshot ${last.id} of ${snapshotTime(last)}${doubt}`;
  const more = undoes === undefined ? '; --full reads it too' : '';
  const said = `. Only the spaces that it is about were read; all else is as it was ${since}${more}`;
  return { said, isWhole };
}
