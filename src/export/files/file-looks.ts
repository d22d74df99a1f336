// Looking at every file of the last export, which is most of what a night without changes costs: where there are many, a thread
// looks at every other list of them.
import type { Worker } from 'node:worker_threads';
import { beginThread, builtProgram } from '../../base/index.ts';
import { lookAtFiles, type Seen } from './look-at-files.ts';
import type { Look, LookTold } from './look-thread.ts';

// Fewer are looked at before a thread has begun, which takes some 100 ms, or soon after.
const LEAST_FILES = 50_000;
// One that it is at, and the next.
const LISTS_WAITING = 2;

interface Waiting {
  readonly paths: readonly string[];
  readonly done: (seen: Seen) => void;
}

export interface FileLooksOptions {
  readonly folder: string;
  /** How many files there are, about. */
  readonly files: number;
  readonly program?: URL;
}

/** Looks at files, list by list. The thread only saves time: what it does not answer is looked at here. */
export class FileLooks implements AsyncDisposable {
  readonly #folder: string;
  readonly #worker: Worker | null;
  readonly #waiting: Waiting[] = [];
  #isUp = false;
  #wake: (() => void) | null = null;

  constructor({ folder, files, program = builtProgram('export/files/look-thread') }: FileLooksOptions) {
    this.#folder = folder;
    this.#worker = files < LEAST_FILES ? null : startThread(program);
    this.#worker?.on('message', (told: LookTold) => this.#take(told));
    this.#worker?.on('error', () => this.#end());
    this.#worker?.on('exit', () => this.#end());
  }

  /** True from when the thread has said so until it ends. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Tells what it saw at once, or by the time that `settled` resolves. */
  look(paths: readonly string[], done: (seen: Seen) => void): void {
    if (!this.#isUp || this.#waiting.length >= LISTS_WAITING) return done(lookAtFiles(this.#folder, paths));
    this.#waiting.push({ paths, done });
    this.#worker?.postMessage({ folder: this.#folder, paths } satisfies Look);
  }

  /** Resolves when every list was looked at; rejects with what the system says. */
  async settled(): Promise<void> {
    while (this.#isUp && this.#waiting.length > 0) await new Promise<void>((wake) => (this.#wake = wake));
    for (const { paths, done } of this.#waiting.splice(0)) done(lookAtFiles(this.#folder, paths));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #take(told: LookTold): void {
    if (told === 'ready') this.#isUp = true;
    // What the system refused is asked again where it can be thrown; nothing that follows is taken for another list.
    else if (told === null) this.#isUp = false;
    else if (this.#isUp) this.#waiting.shift()?.done(told);
    this.#wake?.();
  }

  #end(): void {
    this.#isUp = false;
    this.#wake?.();
  }
}

function startThread(program: URL): Worker | null {
  try {
    return beginThread(program);
  } catch {
    return null;
  }
}
