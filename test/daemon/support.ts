// A daemon under a clock that only the test moves, and jobs that note when they ran.
import {
  AppError,
  isoTime,
  seededRandom,
  silentLogger,
  type Clock,
  type Logger,
  type Mutex,
} from '../../src/base/index.ts';
import { createDaemon, type Daemon, type Job } from '../../src/daemon/index.ts';
import type { JobState } from '../../src/status/index.ts';

export const START = Date.parse('2025-03-10T12:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Recorded extends Job {
  readonly runs: string[];
}

interface JobOptions {
  pattern?: string | null;
  lastDone?: number | null;
  work?: (signal: AbortSignal) => Promise<void>;
}

export function recorded(clock: Clock, name: string, options: JobOptions = {}): Recorded {
  const runs: string[] = [];
  let last = options.lastDone === undefined ? START : options.lastDone;
  return {
    name,
    runs,
    pattern: options.pattern === undefined ? '0 2 * * *' : options.pattern,
    lastDone: () => last,
    run: async (signal) => {
      runs.push(isoTime(clock.now()).slice(5, 16));
      await options.work?.(signal);
      last = clock.now();
    },
  };
}

interface World extends AsyncDisposable {
  daemon: Daemon;
  /** Resolves when it has come to its end. */
  ended: Promise<void>;
  /** Ends the daemon; resolves when its jobs have stopped. */
  stop(): Promise<void>;
}

interface Surroundings {
  jitterMs?: number;
  heavy?: Mutex;
  log?: Logger;
  /** Is called with each state that somebody could be told of. */
  onChange?: (jobs: readonly JobState[]) => void;
}

export function running(
  clock: Clock,
  jobs: readonly Job[],
  { jitterMs = 0, log, onChange, heavy }: Surroundings = {},
): World {
  const controller = new AbortController();
  const options = { jobs, timezone: 'UTC', jitterMs, clock, random: seededRandom(1), log: log ?? silentLogger() };
  const daemon = createDaemon({
    ...options,
    ...(heavy ? { heavy } : {}),
    onChange: () => onChange?.(daemon.state()),
  });
  const ended = daemon.run(controller.signal);
  const stop = async (): Promise<void> => {
    controller.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
    await ended;
  };
  return { daemon, ended, stop, [Symbol.asyncDispose]: stop };
}
