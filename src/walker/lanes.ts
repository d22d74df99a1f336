// Working off the frontier: several visits at once, stage by stage, until nothing is left.
import { lowestStage, nextVisits, visitsLeft, type Visit } from '../mirror/index.ts';
import type { Walk } from './types.ts';
import { failVisit, makeVisit } from './visits.ts';

const FETCH = 200;

interface Stage {
  readonly number: number;
  readonly ready: Visit[];
  lastSeq: number;
  running: number;
  visited: number;
}

/** Visits everything on the frontier. Throws what ends a walk; the frontier then still holds what is left. */
export async function visitAll(walk: Walk): Promise<void> {
  let visited = 0;
  for (let number = lowestStage(walk.mirror); number !== null; number = lowestStage(walk.mirror)) {
    const stage: Stage = { number, ready: [], lastSeq: 0, running: 0, visited };
    await visitStage(walk, stage);
    visited = stage.visited;
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
      } else if (stage.running > 0) {
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
  if (stage.ready.length === 0) {
    const next = nextVisits(walk.mirror, { stage: stage.number, seq: stage.lastSeq }, FETCH);
    stage.lastSeq = next.at(-1)?.seq ?? stage.lastSeq;
    stage.ready.push(...next);
  }
  return stage.ready.shift();
}

async function visitOne(walk: Walk, stage: Stage, visit: Visit): Promise<void> {
  stage.running += 1;
  try {
    const outcome = await makeVisit(walk, visit);
    if (typeof outcome === 'object') await endureOutage(walk, visit, outcome.outage);
  } finally {
    stage.running -= 1;
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
  if (!walk.onProgress || stage.visited % 20 !== 0) return;
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
