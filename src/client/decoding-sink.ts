// Compressed bytes on their way into a file, decoded as they pass: neither form is ever held whole.
import type { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BodyTooLarge, SinkFailure, type Flow, type Sink } from './exchange.ts';
import type { FileSink } from './file-sink.ts';

interface Decoding {
  /** Takes the decoded bytes, and refuses more than it expects. */
  readonly file: FileSink;
  readonly decoder: Transform;
  /** What the answer calls its encoding. */
  readonly name: string;
  /** Decoded bytes that are taken at most: a few that were sent may stand for as many as the disk holds. */
  readonly most: number;
}

export class DecodingSink implements Sink, AsyncDisposable {
  readonly #file: FileSink;
  readonly #decoder: Transform;
  readonly #most: number;
  #flow: Flow | null = null;
  #failure: Error | null = null;

  constructor({ file, decoder, name, most }: Decoding) {
    this.#file = file;
    this.#decoder = decoder;
    this.#most = most;
    decoder.on('data', (piece: Buffer) => this.#pass(piece));
    decoder.on('error', (cause) => {
      this.#fail(
        new SinkFailure(`they are no whole ${name}, which the answer calls them: ${cause.message}`, { cause }),
      );
    });
    decoder.on('drain', () => this.#flow?.resume());
  }

  write(chunk: Buffer, flow: Flow): void {
    if (this.#failure) throw this.#failure;
    this.#flow = flow;
    if (!this.#decoder.write(chunk)) flow.pause();
  }

  /** Waits until what was sent is decoded and passed on; answers why it was not, null where it was. */
  async end(signal: AbortSignal | undefined): Promise<Error | null> {
    this.#flow = null;
    if (this.#failure === null) {
      this.#decoder.end();
      await finished(this.#decoder, signal ? { signal } : {}).catch((error: unknown) => {
        signal?.throwIfAborted();
        // Its own error was noted as it came.
        if (this.#failure === null) throw error;
      });
    }
    return this.#failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#decoder.destroy();
    await this.#file[Symbol.asyncDispose]();
  }

  #pass(piece: Buffer): void {
    if (this.#failure) return;
    const decoder = this.#decoder;
    try {
      this.#file.write(piece, {
        pause: () => decoder.pause(),
        resume: () => decoder.resume(),
        abort: (error) => this.#fail(error),
      });
      if (this.#file.size > this.#most) throw new BodyTooLarge(`more than ${this.#most} bytes once decoded`);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#decoder.destroy();
    this.#flow?.abort(error);
  }
}
