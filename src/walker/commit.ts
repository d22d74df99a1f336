// Answers are taken in together, for a few milliseconds' worth of them in one transaction: each visit whole or not at all. A
// visit whose answer cannot be taken in fails alone.
import { endOfTurn, type Clock } from '../base/index.ts';
import type { Mirror } from '../mirror/index.ts';

interface Waiting {
  readonly take: () => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const MOST = 64;
const LONGEST_WAIT_MS = 50;

/** Resolves when what `take` writes is committed; rejects with what it threw, nothing of it being kept then. */
export type Commit = (take: () => void) => Promise<void>;

export interface Commits {
  readonly add: Commit;
  /** How many transactions there were. */
  count(): number;
}

/** `underWay` tells how many visits are: when all of them wait here, there is nothing more to wait for. */
export function createCommits({ mirror, clock }: { mirror: Mirror; clock: Clock }, underWay: () => number): Commits {
  let count = 0;
  let waiting: Waiting[] = [];
  let isPlanned = false;
  let deadline: Disposable | null = null;
  const flush = (): void => {
    deadline?.[Symbol.dispose]();
    deadline = null;
    const all = waiting;
    waiting = [];
    count += 1;
    commitAll(mirror, all);
  };
  const look = (): void => {
    isPlanned = false;
    if (waiting.length >= Math.min(MOST, underWay())) flush();
    else deadline ??= clock.after(LONGEST_WAIT_MS, flush);
  };
  const add: Commit = (take) =>
    new Promise((resolve, reject) => {
      waiting.push({ take, done: resolve, failed: reject });
      if (isPlanned) return;
      isPlanned = true;
      void endOfTurn().then(look);
    });
  return { add, count: () => count };
}

function commitAll(mirror: Mirror, all: readonly Waiting[]): void {
  if (all.length === 0) return;
  try {
    mirror.store.transaction(() => all.forEach(({ take }) => take()));
  } catch (error) {
    if (all.length === 1) return all[0]?.failed(error);
    // One of them is the cause, and nothing of any was kept: each for itself.
    for (const one of all) commitAll(mirror, [one]);
    return;
  }
  for (const { done } of all) done();
}
