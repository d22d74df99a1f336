// Answers are taken in together, those of a quarter of a second in one transaction at most: each visit whole or not at all. A
// visit whose answer cannot be taken in fails alone.
import { endOfTurn, freeHeapFor, type Clock } from '../base/index.ts';
import { settleHashes, type Mirror } from '../mirror/index.ts';
import type { Undo } from './remembered.ts';

interface Waiting {
  readonly take: () => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

// A transaction writes whole pages of a dozen indexes: the more answers share them, the less each of them costs.
const LONGEST_WAIT_MS = 250;
// Answers of so many bytes are not kept in memory for the sake of fewer transactions.
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Resolves when what `take` writes is committed; rejects with what it threw, nothing of it being kept then. `bytes` is what the
 * answer that waits takes in memory, about.
 */
export type Commit = (take: () => void, bytes?: number) => Promise<void>;

export interface Commits {
  readonly add: Commit;
  /** To be called when a visit has ended: what waits here may have waited for its answer. */
  ended(): void;
  /** How many transactions there were. */
  count(): number;
}

interface Committing {
  readonly mirror: Mirror;
  /** Takes back what the run remembers of what is undone. */
  readonly undo: Undo;
  readonly clock: Clock;
  readonly onCommitted?: (() => void) | undefined;
}

/** @param underWay How many visits are under way: when all of them wait here, there is nothing more to wait for. */
export function createCommits(committing: Committing, underWay: () => number): Commits {
  const { clock, onCommitted } = committing;
  let count = 0;
  let waiting: Waiting[] = [];
  let held = 0;
  let largest = 0;
  let isPlanned = false;
  let deadline: Disposable | null = null;
  const flush = (): void => {
    deadline?.[Symbol.dispose]();
    deadline = null;
    const all = waiting;
    // SQLite is about to copy it twice.
    freeHeapFor(largest);
    waiting = [];
    held = 0;
    largest = 0;
    count += 1;
    commitAll(committing, all);
    onCommitted?.();
  };
  const look = (): void => {
    isPlanned = false;
    if (waiting.length === 0) return;
    if (held >= MOST_BYTES || waiting.length >= underWay()) flush();
    else deadline ??= clock.after(LONGEST_WAIT_MS, flush);
  };
  const plan = (): void => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    void endOfTurn().then(look);
  };
  const add: Commit = (take, bytes = 0) =>
    new Promise((resolve, reject) => {
      held += bytes;
      largest = Math.max(largest, bytes);
      waiting.push({ take, done: resolve, failed: reject });
      plan();
    });
  return { add, ended: plan, count: () => count };
}

function commitAll(committing: Committing, all: readonly Waiting[]): void {
  if (all.length === 0) return;
  const { mirror, undo } = committing;
  undo.length = 0;
  try {
    mirror.store.transaction(() => {
      for (const { take } of all) take();
      settleHashes(mirror);
    });
  } catch (error) {
    for (const takeBack of undo.splice(0).toReversed()) takeBack();
    if (all.length === 1) return all[0]?.failed(error);
    // One of them is the cause, and nothing of any was kept: each for itself.
    for (const one of all) commitAll(committing, [one]);
    return;
  }
  for (const { done } of all) done();
}
