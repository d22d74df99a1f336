import { Worker } from 'node:worker_threads';

// Threads and processes of Node 20 load no TypeScript: where the source itself is run, by tests, they run what was built of it. The
// parts of the built program lie as deep as this room does (build.mjs).
const BUILT = '../../dist/';

// Most of ours make next to nothing that has to be collected, and would let that lie until there is much of it.
const YOUNG_MIB = 3;

export interface ThreadOptions {
  /** What it is begun with: plain data. */
  readonly data?: unknown;
  /** Room for what is new, in MiB; more of it for one that makes much. */
  readonly youngMiB?: number;
}

/** Where the program of a thread or of a process of ours lies, by its place in `src`: `export/files/look-thread`. */
export function builtProgram(name: string): URL {
  return new URL(`${BUILT}${name}.js`, import.meta.url);
}

/** Throws when the system has no thread to give; a program that cannot be run is told by the thread's own events. */
export function beginThread(program: URL, { data, youngMiB = YOUNG_MIB }: ThreadOptions = {}): Worker {
  return new Worker(program, {
    workerData: data,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: youngMiB },
  });
}
