// One visit: read over the network first, then one transaction, which other visits may share, that takes the answer in, adds
// what follows from it and removes the visit. A kill between the two loses the visit's answer and nothing else.
import { mayBeOfAll } from '../client/index.ts';
import { finishVisit, isEnded, isNotFoundNamed, visitAgain, type Visit } from '../mirror/index.ts';
import type { Commit } from './commit.ts';
import { endsWalk, goneStatus, isLeftOut, saysNotOffered, type Asked } from './failures.ts';
import { isSpaceRefused, judgeRefusal, takeRefusal, type RefusalVerdict } from './refusals.ts';
import { tasks, type Requests, type Task } from './tasks.ts';
import type { Walk } from './types.ts';
import { recordUnread } from './unknown-form.ts';
import { lookAbove } from './visits/vanished.ts';

/** `doubtful` carries what was thrown: whether it is of this visit or of every request is asked next. */
export type VisitOutcome = 'taken' | 'failed' | { readonly doubtful: unknown };

/** Makes a visit. Its failure is recorded and the walk goes on, unless the failure speaks of more than this visit: then it is thrown. */
export async function makeVisit(walk: Walk, visit: Visit, commit: Commit): Promise<VisitOutcome> {
  const task = taskOf(visit);
  const finish = (): void => finishVisit(walk.mirror, visit.seq);
  if (walk.notOffered.size > 0 && isLeftOut(walk, { ...task.asks(visit.params), scope: scopeOfVisit(visit) })) {
    await commit(finish);
    return 'taken';
  }
  try {
    const { take, bytes } = await task.make(walk, visit.params);
    await commit(() => {
      take();
      finish();
    }, bytes);
    return 'taken';
  } catch (error) {
    if (mayBeOfAll(error)) return { doubtful: error };
    if (endsWalk(error)) throw error;
    // Much may follow from it, so it is not taken from one answer.
    if (visit.attempts === 0 && (saysNotOffered(error) || refusalIn(walk, visit, { error }) === 'ask again')) {
      await commit(() => visitAgain(walk.mirror, visit.seq));
      return 'taken';
    }
    const isRefused = visit.attempts > 0 && (await isSpaceRefused(walk, task.asks(visit.params), error));
    failVisit(walk, visit, { error, isSpaceRefused: isRefused });
    return 'failed';
  }
}

/** What a visit asks for; throws on a task that this program does not know. */
export function askedBy(visit: Visit): Asked {
  return taskOf(visit).asks(visit.params);
}

/** How much a visit asks for. */
export function requestsOf(visit: Visit): Requests {
  return taskOf(visit).requests(visit.params);
}

/** True for a visit that concludes from what was read. */
export function isConclusion(visit: Visit): boolean {
  return taskOf(visit).isConclusion;
}

function taskOf(visit: Visit): Task {
  const task = tasks[visit.task];
  if (!task) throw new Error(`the frontier holds a visit of an unknown task: ${visit.task}`);
  return task;
}

/** The number of the resource below which a visit reads; null where there is none. */
export function scopeOfVisit({ params }: Visit): number | null {
  return typeof params['scope'] === 'number' ? params['scope'] : null;
}

/** Why a visit failed. */
interface Failed {
  readonly error: unknown;
  /** The platform refuses the space, too, whose content it asked for. */
  readonly isSpaceRefused?: boolean;
}

/**
 * Records a visit as failed and takes it off the frontier; the next walk begins with it, since its mark was not set. Below what is gone
 * nothing can be lacking. A list that was not found before says nothing new of what stands above it.
 */
export function failVisit(walk: Walk, visit: Visit, failed: Failed): void {
  const { error } = failed;
  const scope = scopeOfVisit(visit);
  walk.mirror.store.transaction(() => {
    finishVisit(walk.mirror, visit.seq);
    if (scope !== null && isEnded(walk, scope)) return;
    const asked = { ...askedBy(visit), scope };
    const isNew = !isNotFoundNamed(walk, asked.kind, asked.resource);
    if (refusalIn(walk, visit, failed) === 'meant') takeRefusal(walk, asked, error);
    else {
      tellFailed(walk, visit, error);
      recordUnread(walk, asked, error);
      if (goneStatus(error) === undefined) taskOf(visit).takeUnread?.(walk, visit.params);
    }
    if (isNew && scope !== null && goneStatus(error) !== undefined) lookAbove(walk, scope);
  });
}

/** A listing that this walk has read before and is refused now is always a failure. */
function refusalIn(walk: Walk, visit: Visit, { error, isSpaceRefused: isRefused = false }: Failed): RefusalVerdict {
  const { round = 0, recounted = false } = visit.params;
  if (round !== 0 || recounted !== false) return 'failure';
  const asked = { ...askedBy(visit), scope: scopeOfVisit(visit) };
  return judgeRefusal(walk, { asked, error, isRepeated: visit.attempts > 0, isSpaceRefused: isRefused });
}

function tellFailed({ log, telling }: Walk, visit: Visit, error: unknown): void {
  const seen = { task: visit.task, place: askedBy(visit), err: error instanceof Error ? error.message : error };
  if (saysNotOffered(error)) log.info(seen, 'could not read');
  else telling.failed(seen);
}
