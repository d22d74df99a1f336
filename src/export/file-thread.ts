import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Batch } from './write-files.ts';
import type { Written } from './write-thread.ts';

// Threads of Node 20 load no TypeScript: where the source itself is run, by tests, they run what was built of it.
const BUILT = extname(import.meta.url) === '.ts' ? '../../dist/export/' : './';
const PROGRAM = new URL(`${BUILT}write-thread.js`, import.meta.url);

/** Takes the times on disk, and the bytes of the batch back. */
type Done = (times: Float64Array, bytes: Uint8Array) => void;

/** A thread that writes files, batch by batch in their order. */
export class FileThread implements AsyncDisposable {
  readonly #worker = new Worker(PROGRAM, { execArgv: [] });
  readonly #waiting: Done[] = [];
  #failed: Error | null = null;

  constructor() {
    this.#worker.on('message', (written: Written) => this.#take(written));
    this.#worker.on('error', (error) => this.#fail(error));
  }

  /** Batches that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Has a batch written; its bytes belong to the thread from here on. Throws what went wrong with an earlier one. */
  write(batch: Batch, done: Done): void {
    if (this.#failed) throw this.#failed;
    this.#waiting.push(done);
    this.#worker.postMessage(batch, [batch.bytes.buffer as ArrayBuffer]);
  }

  /** Resolves when nothing waits; rejects with what went wrong. */
  async idle(): Promise<void> {
    while (this.#waiting.length > 0 && this.#failed === null) await once(this.#worker, 'message');
    if (this.#failed) throw this.#failed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #take(written: Written): void {
    const done = this.#waiting.shift();
    if ('times' in written) done?.(written.times, written.bytes);
    else this.#fail(Object.assign(new Error(written.failed.message), { code: written.failed.code }));
  }

  #fail(error: Error): void {
    this.#failed ??= error;
  }
}
