import type { Worker } from 'node:worker_threads';
import { AppError, beginThread, builtProgram } from '../../base/index.ts';
import type { Batch, Landed } from './write-files.ts';
import type { WriteTold } from './write-thread.ts';

/** Takes what became of a batch, and its bytes back. */
type Done = (landed: Landed, bytes: Uint8Array) => void;

/**
 * A thread that writes files, batch by batch in their order. It takes none before it is up, so one that never gets there, since its
 * program was removed meanwhile or the system has no memory for it, has taken nothing with it.
 */
export class FileThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #waiting: Done[] = [];
  /** Those who wait for something to happen. */
  readonly #idlers: (() => void)[] = [];
  #isUp = false;
  #broken: Error | null = null;
  #failed: Error | null = null;

  /** Throws when the system has no thread to give. */
  constructor(program: URL = builtProgram('export/files/write-thread')) {
    this.#worker = beginThread(program);
    this.#worker.on('message', (told: WriteTold) => this.#take(told));
    this.#worker.on('error', (error) => this.#break(error));
    this.#worker.on('exit', () => this.#end());
  }

  /** True from when it has said so until it ends. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Batches that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Has a batch written by a thread that is up; its bytes belong to the thread from here on. */
  write(batch: Batch, done: Done): void {
    this.#waiting.push(done);
    this.#worker.postMessage(batch, [batch.bytes.buffer as ArrayBuffer]);
  }

  /** Throws what went wrong so far. */
  throwFailure(): void {
    if (this.#failed) throw this.#failed;
  }

  /** Resolves when nothing waits; rejects with what went wrong. */
  async idle(): Promise<void> {
    while (this.#waiting.length > 0 && this.#failed === null)
      await new Promise<void>((wake) => this.#idlers.push(wake));
    this.throwFailure();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  // What is thrown in here would end the process: nobody above a listener catches it.
  #take(told: WriteTold): void {
    try {
      if ('isReady' in told) this.#isUp = true;
      else if ('landed' in told) this.#waiting.shift()?.(told.landed, told.bytes);
      else this.#refuse(Object.assign(new Error(told.failed.message), told.failed));
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#wake();
  }

  #refuse(error: Error): void {
    this.#waiting.shift();
    this.#fail(error);
  }

  // What it had written before may still be on its way here: how many batches are lost is known at its end.
  #break(error: Error): void {
    this.#isUp = false;
    this.#broken = error;
  }

  // Nobody knows how much of a batch is on disk when a thread dies over it, and what is there is never written over.
  #end(): void {
    this.#isUp = false;
    if (this.#waiting.length > 0) this.#fail(ended(this.#waiting.length, this.#broken));
    this.#wake();
  }

  #fail(error: Error): void {
    this.#failed ??= error;
  }

  #wake(): void {
    for (const wake of this.#idlers.splice(0)) wake();
  }
}

function ended(batches: number, cause: Error | null): AppError {
  const why = cause ? `: ${cause.message}` : '';
  return new AppError('DM_INTERNAL', `A thread ended with ${batches} batches of files not written${why}`, {
    hint: 'Run it again; there may have been too little memory.',
    cause,
  });
}
