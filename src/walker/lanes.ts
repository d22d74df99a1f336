// Working off the frontier: several visits at once, stage by stage, until nothing is left or the budget is used up.
import { lastVisit, lowestStage, nextVisits, visitsBy, visitsLeft, type Visit } from '../mirror/index.ts';
import { dropUnvisited, notVisited, type Budget } from './budget.ts';
import { createCommits, type Commits } from './commit.ts';
import { STAGES } from './order.ts';
import type { Walk } from './types.ts';
import { failVisit, makeVisit } from './visits.ts';

/** Visits beside all the rest that ask the platform; the others there look into the mirror. */
const ASKING: ReadonlySet<string> = new Set(['pdf', 'document']);
// Numbers of visits that are next, and how many of these are read at once.
const FETCH = 64;
const AT_ONCE = 16;
const REPORT_EVERY = 20;

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
  visited: number;
}

/** Visits everything on the frontier. Throws what ends a walk; the frontier then still holds what is left. */
export async function visitAll(walk: Walk, budget: Budget): Promise<void> {
  const underWay = new Set<number>();
  const commit = createCommits(walk, () => underWay.size);
  let visited = 0;
  for (let number = lowestStage(walk.mirror); number !== null; number = lowestStage(walk.mirror)) {
    const begun = { ready: [], next: [], commits: -1, last: -1, hasMore: true };
    const stage: Stage = { number, budget, commit, ...begun, underWay, visited };
    await visitStage(walk, stage);
    visited = stage.visited;
    const why = budget.spent();
    if (why !== null) dropUnvisited(walk, why);
  }
}

/** Begins visits as long as there are some and not too many are under way; after a failure, what was begun is ended. */
function visitStage(walk: Walk, stage: Stage): Promise<void> {
  return new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    const goOn = (): void => {
      try {
        while (failures.length === 0 && stage.underWay.size < walk.settings.lanes) {
          walk.signal?.throwIfAborted();
          const visit = takeNext(walk, stage);
          if (visit === undefined) break;
          void visitOne(walk, stage, visit)
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

function takeNext(walk: Walk, stage: Stage): Visit | undefined {
  if (stage.number === STAGES.read && stage.budget.spent(stage.underWay.size) !== null) return undefined;
  refill(walk, stage);
  while (stage.next.length === 0 && stage.ready.length > 0)
    stage.next = visitsBy(walk.mirror, stage.ready.splice(0, AT_ONCE));
  const visit = stage.next.shift();
  if (visit !== undefined) stage.underWay.add(visit.seq);
  return visit;
}

/** What was added meanwhile may come before what waits; without a transaction nothing was. */
function refill({ mirror }: Walk, stage: Stage): void {
  const isSame = stage.commits === stage.commit.count();
  const left = stage.next.length + stage.ready.length;
  if (isSame && (left > 0 || !stage.hasMore)) return;
  const last = lastVisit(mirror);
  stage.commits = stage.commit.count();
  if (last === stage.last && left > 0) return;
  stage.last = last;
  stage.next = [];
  stage.ready = nextVisits(mirror, { stage: stage.number, underWay: stage.underWay }, FETCH);
  stage.hasMore = stage.ready.length >= FETCH;
}

async function visitOne(walk: Walk, stage: Stage, visit: Visit): Promise<void> {
  try {
    const isLate = stage.number === STAGES.beside && ASKING.has(visit.task);
    const why = isLate ? stage.budget.spent(stage.underWay.size - 1) : null;
    if (why !== null) return failVisit(walk, visit, notVisited(1, why));
    const outcome = await makeVisit(walk, visit, stage.commit.add);
    if (typeof outcome === 'object') await endureOutage(walk, visit, outcome.outage);
  } finally {
    stage.underWay.delete(visit.seq);
  }
  stage.visited += 1;
  report(walk, stage);
}

// The client has already retried. When the platform answers nothing at all, the walk ends here and keeps its frontier;
// when it answers other requests, only this visit has failed.
async function endureOutage(walk: Walk, visit: Visit, error: unknown): Promise<void> {
  await walk.client.callRaw('listOrganizations', { query: { limit: 1 } }, { signal: walk.signal });
  failVisit(walk, visit, error);
}

function report(walk: Walk, stage: Stage): void {
  if (!walk.onProgress || stage.visited % REPORT_EVERY !== 0) return;
  const { requests, bytes } = walk.client.meter;
  walk.onProgress({ snapshot: walk.id, visited: stage.visited, waiting: visitsLeft(walk.mirror), requests, bytes });
}
