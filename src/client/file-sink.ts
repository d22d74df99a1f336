// The body of a download on its way to disk, hashed as it passes.
import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { fsyncDirectory } from '../base/index.ts';
import { BodyTooLarge, SinkFailure, type Flow, type Sink } from './exchange.ts';

/** A temporary file beside its target; disposing of it before `keep` removes it. */
export class FileSink implements Sink {
  readonly #file: string;
  readonly #stream: WriteStream;
  readonly #expectedSize: number | null;
  readonly #hash = createHash('sha256');
  #size = 0;
  #flow: Flow | null = null;
  #failure: Error | null = null;

  /** `file` must not exist; it is readable by this user only, and opened with the first bytes at hand. */
  constructor(file: string, expectedSize: number | null) {
    this.#file = file;
    this.#expectedSize = expectedSize;
    this.#stream = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
    this.#stream.on('error', (error) => {
      this.#failure = error;
      // At once: the next bytes may be long in coming.
      this.#flow?.abort(new SinkFailure(error.message, { cause: error }));
    });
  }

  /** Bytes taken so far. */
  get size(): number {
    return this.#size;
  }

  /** What the file system said; null while all went well. */
  get failure(): Error | null {
    return this.#failure;
  }

  write(chunk: Buffer, flow: Flow): void {
    if (this.#failure) throw new SinkFailure(this.#failure.message, { cause: this.#failure });
    this.#size += chunk.byteLength;
    if (this.#expectedSize !== null && this.#size > this.#expectedSize) {
      throw new BodyTooLarge(`more than the expected ${this.#expectedSize} bytes`);
    }
    this.#flow = flow;
    this.#hash.update(chunk);
    if (!this.#stream.write(chunk)) this.#hold(flow);
  }

  /** Makes the bytes durable under their final name; returns their SHA-256 in hex. Rejects with the file system's error. */
  async keep(toPath: string): Promise<string> {
    this.#flow = null;
    if (this.#failure) throw this.#failure;
    this.#stream.end();
    await finished(this.#stream);
    await rename(this.#file, toPath);
    await fsyncDirectory(path.dirname(toPath));
    return this.#hash.digest('hex');
  }

  /** Harmless after `keep`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#stream.closed) {
      const closed = new Promise<void>((resolve) => this.#stream.once('close', resolve));
      this.#stream.destroy();
      await closed;
    }
    await rm(this.#file, { force: true });
  }

  #hold(flow: Flow): void {
    flow.pause();
    this.#stream.once('drain', () => flow.resume());
  }
}
