// Working off the frontier: several visits at once, stage by stage, until nothing is left or the budget is used up.
import { lastVisit, lowestStage, nextVisits, visitsBy, visitsLeft, type Visit } from '../mirror/index.ts';
import { createAhead, type Ahead } from './ahead.ts';
import { dropUnvisited, notVisited, type Budget } from './budget.ts';
import { isLimited } from './limited.ts';
import { createComing, reservedFor, type Coming } from './coming.ts';
import { createCommits, type Commit, type Commits } from './commit.ts';
import { STAGES } from './order.ts';
import type { Walk } from './types.ts';
import { failVisit, makeVisit, requestsOf } from './make-visit.ts';

// Numbers of visits that are next, and how many of these are read at once.
const FETCH = 64;
const AT_ONCE = 16;
const REPORT_EVERY = 20;
// At one request per second, progress would otherwise be told only every twenty seconds.
const REPORT_EVERY_MS = 1000;
/** A tree, its comparison and some of its pages. */
const REQUESTS_OF_LANE = 4;

interface Stage {
  readonly number: number;
  readonly budget: Budget;
  readonly commit: Commits;
  /** Numbers of the next visits, in their order, none of them begun; before them come those that are read already. */
  ready: number[];
  next: Visit[];
  /** How many transactions there were, and the last visit, when these were made. */
  commits: number;
  last: number;
  /** The frontier may hold more of this stage than these and what is under way. */
  hasMore: boolean;
  readonly underWay: Set<number>;
  /** What is under way will still ask for; null where neither requests nor time are limited. */
  readonly coming: Coming | null;
  readonly ahead: Ahead;
  /** Requests kept back for later stages, as of the last transaction. */
  reserved: number;
  visited: number;
  /** When progress was last told, monotonic. */
  reportedAt: number;
  /** Why visits of this stage were left, in words. */
  left: string | null;
}

/** Visits everything on the frontier. Throws what ends a walk; the frontier then still holds what is left. */
export async function visitAll(walk: Walk, budget: Budget): Promise<void> {
  const underWay = new Set<number>();
  const commit = createCommits(walk, () => underWay.size);
  const coming = isLimited(walk.settings) ? createComing() : null;
  const ahead = createAhead(walk.settings.documents === true);
  let visited = 0;
  let reportedAt = walk.clock.monotonic();
  for (let number = lowestStage(walk.mirror); number !== null; number = lowestStage(walk.mirror)) {
    const begun = { ready: [], next: [], commits: -1, last: -1, hasMore: true, reserved: 0, left: null };
    const stage: Stage = { number, budget, commit, ...begun, underWay, coming, ahead, visited, reportedAt };
    await visitStage(walk, stage);
    ({ visited, reportedAt } = stage);
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
      if (stage.underWay.size > 0) return;
      if (failures.length > 0) reject(failures[0]);
      else resolve();
    };
    goOn();
  });
}

function hasLane({ settings }: Walk, { underWay, coming }: Stage): boolean {
  const { lanes, asking = lanes } = settings;
  return underWay.size < lanes && (coming === null || coming.asking() < asking);
}

function takeNext(walk: Walk, stage: Stage): Visit | undefined {
  const visit = stage.coming === null ? lookNext(walk, stage) : lookWithin(walk, stage, stage.coming);
  if (visit === undefined) return undefined;
  stage.next.shift();
  stage.underWay.add(visit.seq);
  stage.coming?.begin(visit, requestsOf(visit));
  return visit;
}

/** The next visit that the budget has room for. What is under way may take less than it was counted for, so it is waited for. */
function lookWithin(walk: Walk, stage: Stage, coming: Coming): Visit | undefined {
  for (let visit = lookNext(walk, stage); visit !== undefined; visit = lookNext(walk, stage)) {
    const why = refusalOf(stage, coming, visit);
    const waits = why !== null || (isNearEnd(walk, stage, coming) && !coming.isOfPlace(visit));
    if (waits && stage.underWay.size > 0) return undefined;
    if (why === null) return visit;
    if (stage.number === STAGES.read) {
      stage.left = why;
      return undefined;
    }
    stage.next.shift();
    failVisit(walk, visit, { error: notVisited(1, why) });
  }
  return undefined;
}

/**
 * True where what is begun may not be ended. A space is read to its end then before the next is begun: trees of all of them would use up
 * a small budget every night, and leave nothing of it for their pages.
 */
function isNearEnd({ settings }: Walk, { number, budget, reserved }: Stage, coming: Coming): boolean {
  const begun = settings.lanes * REQUESTS_OF_LANE;
  return number === STAGES.read && budget.spent(coming.requests() + reserved + begun) !== null;
}

function lookNext(walk: Walk, stage: Stage): Visit | undefined {
  refill(walk, stage);
  while (stage.next.length === 0 && stage.ready.length > 0)
    stage.next = visitsBy(walk.mirror, stage.ready.splice(0, AT_ONCE));
  return stage.next[0];
}

/** Why the budget has no room for a visit. What was read is looked at once more even when the time is over. */
function refusalOf({ number, budget, reserved }: Stage, coming: Coming, visit: Visit): string | null {
  const { own, following } = requestsOf(visit);
  if (own === 0) return null;
  const isNew = number === STAGES.read || number === STAGES.beside;
  const kept = number === STAGES.read ? reserved : 0;
  return (isNew ? budget.late() : null) ?? budget.spent(coming.requests() + own + following + kept);
}

/** What was added meanwhile may come before what waits; without a transaction nothing was. */
function refill({ mirror, settings }: Walk, stage: Stage): void {
  const isSame = stage.commits === stage.commit.count();
  const left = stage.next.length + stage.ready.length;
  if (isSame && (left > 0 || !stage.hasMore)) return;
  const last = lastVisit(mirror);
  stage.commits = stage.commit.count();
  if ((settings.maxRequests ?? null) !== null) stage.reserved = reservedFor(mirror);
  if (last === stage.last && left > 0) return;
  stage.last = last;
  stage.next = [];
  stage.ready = nextVisits(mirror, { stage: stage.number, underWay: stage.underWay }, FETCH);
  stage.hasMore = stage.ready.length >= FETCH;
}

interface Begun {
  readonly visit: Visit;
  /** Called when its answer is there: where requests or time are limited, another may ask from then on. */
  readonly onAnswer: () => void;
}

async function visitOne(walk: Walk, stage: Stage, { visit, onAnswer }: Begun): Promise<void> {
  const { coming, commit } = stage;
  const answered: Commit = (take, bytes) => {
    coming?.answered(visit);
    queueMicrotask(onAnswer);
    return commit.add(take, bytes);
  };
  try {
    const outcome = await makeVisit(walk, visit, coming === null ? commit.add : answered);
    if (typeof outcome === 'object') await endureOutage(walk, visit, outcome.outage);
  } finally {
    stage.underWay.delete(visit.seq);
    coming?.end(visit);
    commit.ended();
  }
  stage.visited += 1;
  stage.ahead.made(visit);
  report(walk, stage);
}

// The client has already retried. When the platform answers nothing at all, the walk ends here and keeps its frontier;
// when it answers other requests, only this visit has failed.
async function endureOutage(walk: Walk, visit: Visit, error: unknown): Promise<void> {
  await walk.client.callRaw('listOrganizations', { query: { limit: 1 } }, { signal: walk.signal });
  failVisit(walk, visit, { error });
}

function report(walk: Walk, stage: Stage): void {
  const now = walk.clock.monotonic();
  const isDue = stage.visited % REPORT_EVERY === 0 || now - stage.reportedAt >= REPORT_EVERY_MS;
  if (!walk.onProgress || !isDue) return;
  stage.reportedAt = now;
  const { requests, bytes } = walk.client.meter;
  const known = { visited: stage.visited, waiting: visitsLeft(walk.mirror) };
  const ahead = stage.ahead.reckon(walk.mirror, { ...known, now });
  walk.onProgress({ snapshot: walk.id, ...known, ahead, requests, bytes });
}
