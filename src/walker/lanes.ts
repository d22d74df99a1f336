// Working off the frontier: several visits at once, stage by stage, until nothing is left or the budget is used up.
import { demandAnswer, isRefusedAnew, isTokenRefused } from '../client/index.ts';
import { failuresOf, lowestStage, visitAgain, visitsLeft, type Visit } from '../mirror/index.ts';
import { createAhead, type Ahead } from './ahead.ts';
import { dropUnvisited, notVisited, type Budget } from './budget.ts';
import { hasBudget } from './has-budget.ts';
import { createComing, type Coming } from './coming.ts';
import { createCommits, type Commit, type Commits } from './commit.ts';
import { STAGES } from './order.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';
import type { Walk } from './types.ts';
import { failVisit, makeVisit, requestsOf } from './make-visit.ts';
import { createUpcoming, type Upcoming } from './upcoming.ts';

const REPORT_EVERY = 20;
// At one request per second, progress would otherwise be told only every twenty seconds.
const REPORT_EVERY_MS = 1000;
/** A tree, its comparison and some of its pages. */
const REQUESTS_OF_LANE = 4;

interface Stage {
  readonly number: number;
  readonly budget: Budget;
  readonly commits: Commits;
  readonly upcoming: Upcoming;
  /** The visits that are begun. */
  readonly underWay: UnderWay;
  /** What is under way will still ask for; null where neither requests nor time are limited. */
  readonly coming: Coming | null;
  readonly ahead: Ahead;
  readonly progress: Progress;
  /** Why visits of this stage were left, in words. */
  left: string | null;
}

/** Of the whole run. */
interface Progress {
  visited: number;
  /** When it was last told, monotonic. */
  toldAt: number;
}

/** Visits everything on the frontier. Throws what ends a walk; the frontier then still holds what is left. */
export async function visitAll(walk: Walk, budget: Budget): Promise<void> {
  const underWay = createUnderWay();
  const commits = createCommits(walk, () => underWay.numbers.size);
  const coming = hasBudget(walk.settings) ? createComing() : null;
  const ahead = createAhead(walk.settings.documents === true);
  const progress = { visited: 0, toldAt: walk.clock.monotonic() };
  for (let number = lowestStage(walk.mirror); number !== null; number = lowestStage(walk.mirror)) {
    const looking = { stage: number, underWay: underWay.numbers, mustWait: underWay.isAwaited };
    const upcoming = createUpcoming(walk, { ...looking, transactions: () => commits.count() });
    const stage: Stage = { number, budget, commits, upcoming, underWay, coming, ahead, progress, left: null };
    await visitStage(walk, stage);
    if (stage.left !== null) dropUnvisited(walk, stage.left);
  }
}

/** Begins visits as long as there are some and not too many are under way; after a failure, what was begun is ended. */
function visitStage(walk: Walk, stage: Stage): Promise<void> {
  return new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    const goOn = (): void => {
      try {
        while (failures.length === 0 && hasLane(walk, stage)) {
          walk.signal?.throwIfAborted();
          const visit = takeNext(walk, stage);
          if (visit === undefined) break;
          void visitOne(walk, stage, { visit, onAnswer: goOn })
            .catch((error: unknown) => failures.push(error))
            .then(goOn);
        }
      } catch (error) {
        failures.push(error);
      }
      if (stage.underWay.numbers.size > 0) return;
      if (failures.length > 0) reject(failures[0]);
      else resolve();
    };
    goOn();
  });
}

function hasLane({ settings }: Walk, { underWay, coming }: Stage): boolean {
  const { lanes, asking = lanes } = settings;
  return underWay.numbers.size < lanes && (coming === null || coming.asking() < asking);
}

function takeNext(walk: Walk, stage: Stage): Visit | undefined {
  const visit = stage.coming === null ? stage.upcoming.first() : lookWithin(walk, stage, stage.coming);
  if (visit === undefined) return undefined;
  stage.upcoming.drop(visit);
  stage.underWay.begin(visit);
  stage.coming?.begin(visit, requestsOf(visit));
  return visit;
}

/** The next visit that the budget has room for. What is under way may take less than it was counted for, so it is waited for. */
function lookWithin(walk: Walk, stage: Stage, coming: Coming): Visit | undefined {
  const { upcoming } = stage;
  for (let visit = upcoming.first(); visit !== undefined; visit = upcoming.first()) {
    const why = refusalOf(stage, coming, visit);
    const waits = why !== null || (isNearEnd(walk, stage, coming) && !coming.isOfSpace(visit));
    if (waits && stage.underWay.numbers.size > 0) return undefined;
    if (why === null) return visit;
    if (stage.number === STAGES.read) {
      stage.left = why;
      return undefined;
    }
    upcoming.drop(visit);
    failVisit(walk, visit, { error: notVisited(1, why) });
  }
  return undefined;
}

/**
 * True where what is begun may not be ended. A space is read to its end then before the next is begun: trees of all of them would use up
 * a small budget every night, and leave nothing of it for their pages.
 */
function isNearEnd({ settings }: Walk, { number, budget, upcoming }: Stage, coming: Coming): boolean {
  const begun = settings.lanes * REQUESTS_OF_LANE;
  return number === STAGES.read && budget.spent(coming.requests() + upcoming.reserved() + begun) !== null;
}

/** Why the budget has no room for a visit. What was read is looked at once more even when the time is over. */
function refusalOf({ number, budget, upcoming }: Stage, coming: Coming, visit: Visit): string | null {
  const { own, following } = requestsOf(visit);
  if (own === 0) return null;
  const isNew = number === STAGES.read || number === STAGES.beside;
  const kept = number === STAGES.read ? upcoming.reserved() : 0;
  return (isNew ? budget.late() : null) ?? budget.spent(coming.requests() + own + following + kept);
}

interface Begun {
  readonly visit: Visit;
  /** Called when its answer is there: where requests or time are limited, another may ask from then on. */
  readonly onAnswer: () => void;
}

async function visitOne(walk: Walk, stage: Stage, { visit, onAnswer }: Begun): Promise<void> {
  const { coming, commits } = stage;
  const answered: Commit = (take, bytes) => {
    coming?.answered(visit);
    queueMicrotask(onAnswer);
    return commits.add(take, bytes);
  };
  try {
    const outcome = await makeVisit(walk, visit, coming === null ? commits.add : answered);
    if (typeof outcome === 'object') await endure(walk, { visit, error: outcome.doubtful, commit: commits.add });
  } finally {
    stage.underWay.end(visit);
    coming?.end(visit);
    commits.ended();
  }
  stage.progress.visited += 1;
  stage.ahead.made(visit);
  report(walk, stage);
}

interface Doubtful {
  readonly visit: Visit;
  readonly error: unknown;
  readonly commit: Commit;
}

// When the platform answers nothing at all, or takes the token nowhere, the walk ends here and keeps its frontier; when it answers
// other requests, only this visit has failed. An outage was retried by the client; a token that is taken elsewhere may be taken here,
// and a limit that others used up may have room.
async function endure(walk: Walk, { visit, error, commit }: Doubtful): Promise<void> {
  await demandAnswer(walk.client, walk.signal);
  const mayPass = isTokenRefused(error) || isRefusedAnew(error);
  if (mayPass && visit.attempts === 0) return commit(() => visitAgain(walk.mirror, visit.seq));
  if (isRefusedAnew(error) && refusedAnew(walk) >= MOST_REFUSED_ANEW) throw error;
  failVisit(walk, visit, { error });
}

// Each takes minutes of waiting, and more of them are no matter of one address.
const MOST_REFUSED_ANEW = 3;

function refusedAnew({ mirror, id }: Walk): number {
  return failuresOf(mirror, id).filter(({ code }) => code === 'DM_RATE_LIMITED').length;
}

function report(walk: Walk, { progress, ahead: reckoner }: Stage): void {
  const now = walk.clock.monotonic();
  const isDue = progress.visited % REPORT_EVERY === 0 || now - progress.toldAt >= REPORT_EVERY_MS;
  if (!walk.onProgress || !isDue) return;
  progress.toldAt = now;
  const { requests, bytes } = walk.client.meter;
  const known = { visited: progress.visited, waiting: visitsLeft(walk.mirror) };
  const ahead = reckoner.reckon(walk.mirror, { ...known, now });
  walk.onProgress({ snapshot: walk.id, ...known, ahead, requests, bytes });
}
