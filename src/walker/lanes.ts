// Working off the frontier: several visits at once, stage by stage, until nothing is left or the budget is used up.
import {
  beginVisit,
  lastVisit,
  lowestStage,
  nextVisits,
  visitsLeft,
  type Visit,
  type WaitingVisit,
} from '../mirror/index.ts';
import { dropUnvisited, type Budget } from './budget.ts';
import { createCommits, type Commits } from './commit.ts';
import { STAGES } from './order.ts';
import type { Walk } from './types.ts';
import { failVisit, makeVisit } from './visits.ts';

const FETCH = 200;
const REPORT_EVERY = 20;

interface Stage {
  readonly number: number;
  readonly budget: Budget;
  readonly commit: Commits;
  /** The next visits, in their order, none of them begun. */
  ready: WaitingVisit[];
  /** How many transactions there were, and the last visit, when `ready` was made. */
  commits: number;
  last: number;
  readonly underWay: Set<number>;
  visited: number;
}

/** Visits everything on the frontier. Throws what ends a walk; the frontier then still holds what is left. */
export async function visitAll(walk: Walk, budget: Budget): Promise<void> {
  const underWay = new Set<number>();
  const commit = createCommits(walk, () => underWay.size);
  let visited = 0;
  for (let number = lowestStage(walk.mirror); number !== null; number = lowestStage(walk.mirror)) {
    const stage: Stage = { number, budget, commit, ready: [], commits: -1, last: -1, underWay, visited };
    await visitStage(walk, stage);
    visited = stage.visited;
    const why = budget.spent();
    if (why !== null) dropUnvisited(walk, why);
  }
}

async function visitStage(walk: Walk, stage: Stage): Promise<void> {
  const idle = waiters();
  const lanes = Array.from({ length: walk.settings.lanes }, () => lane(walk, stage, idle));
  const results = await Promise.allSettled(lanes);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** A lane ends when the stage has no visit and no other lane can still add one. */
async function lane(walk: Walk, stage: Stage, idle: Waiters): Promise<void> {
  try {
    for (;;) {
      walk.signal?.throwIfAborted();
      const visit = takeNext(walk, stage);
      if (visit) {
        await visitOne(walk, stage, visit);
        idle.wake();
      } else if (stage.underWay.size > 0) {
        await idle.wait();
        if (idle.broken) return;
      } else {
        idle.wake();
        return;
      }
    }
  } catch (error) {
    idle.breakAll();
    throw error;
  }
}

function takeNext(walk: Walk, stage: Stage): Visit | undefined {
  if (stage.number === STAGES.read && stage.budget.spent(stage.underWay.size) !== null) return undefined;
  refill(walk, stage);
  const next = stage.ready.shift();
  if (next === undefined) return undefined;
  stage.underWay.add(next.seq);
  return beginVisit(next);
}

/** What was added meanwhile may come before what waits. */
function refill({ mirror }: Walk, stage: Stage): void {
  const isSame = stage.commits === stage.commit.count();
  if (stage.ready.length > 0 && isSame) return;
  const last = lastVisit(mirror);
  stage.commits = stage.commit.count();
  if (stage.ready.length > 0 && last === stage.last) return;
  stage.last = last;
  stage.ready = nextVisits(mirror, { stage: stage.number, underWay: stage.underWay }, FETCH);
}

async function visitOne(walk: Walk, stage: Stage, visit: Visit): Promise<void> {
  try {
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

interface Waiters {
  broken: boolean;
  wait(): Promise<void>;
  wake(): void;
  breakAll(): void;
}

function waiters(): Waiters {
  let waiting: (() => void)[] = [];
  const self: Waiters = {
    broken: false,
    wait: () => new Promise((resolve) => waiting.push(resolve)),
    wake: () => {
      if (waiting.length === 0) return;
      const all = waiting;
      waiting = [];
      for (const resolve of all) resolve();
    },
    breakAll: () => {
      self.broken = true;
      self.wake();
    },
  };
  return self;
}
