// Compressed bytes on their way into a file, decoded as they pass: neither form is ever held whole.
import { PassThrough, type Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BodyTooLarge, SinkFailure, type Flow, type Sink } from './exchange.ts';
import type { FileSink } from './file-sink.ts';

interface Decoding {
  /** Takes the decoded bytes, and refuses more than it expects. */
  readonly file: FileSink;
  /** What was applied last comes first. */
  readonly decoders: readonly Transform[];
  /** What the answer calls its encoding. */
  readonly name: string;
  /** Decoded bytes that are taken at most: a few that were sent may stand for as many as the disk holds. */
  readonly most: number;
}

export class DecodingSink implements Sink, AsyncDisposable {
  readonly #file: FileSink;
  readonly #decoders: readonly Transform[];
  /** Takes what was sent. */
  readonly #first: Transform;
  /** Gives what the file holds. */
  readonly #last: Transform;
  readonly #most: number;
  #flow: Flow | null = null;
  #failure: Error | null = null;

  constructor({ file, decoders, name, most }: Decoding) {
    this.#file = file;
    this.#decoders = decoders;
    this.#first = decoders[0] ?? new PassThrough();
    this.#last = decoders.slice(1).reduce((outer, inner) => outer.pipe(inner), this.#first);
    this.#most = most;
    for (const decoder of decoders) {
      decoder.on('error', (cause) => {
        this.#fail(
          new SinkFailure(`they are no whole ${name}, which the answer calls them: ${cause.message}`, { cause }),
        );
      });
    }
    this.#last.on('data', (piece: Buffer) => this.#pass(piece));
    this.#first.on('drain', () => this.#flow?.resume());
  }

  write(chunk: Buffer, flow: Flow): void {
    if (this.#failure) throw this.#failure;
    this.#flow = flow;
    if (!this.#first.write(chunk)) flow.pause();
  }

  /** Waits until what was sent is decoded and passed on; answers why it was not, null where it was. */
  async end(signal: AbortSignal | undefined): Promise<Error | null> {
    this.#flow = null;
    if (this.#failure === null) {
      this.#first.end();
      await finished(this.#last, signal ? { signal } : {}).catch((error: unknown) => {
        signal?.throwIfAborted();
        // Its own error was noted as it came.
        if (this.#failure === null) throw error;
      });
    }
    return this.#failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#destroy();
    await this.#file[Symbol.asyncDispose]();
  }

  #pass(piece: Buffer): void {
    if (this.#failure) return;
    const last = this.#last;
    try {
      this.#file.write(piece, {
        pause: () => last.pause(),
        resume: () => last.resume(),
        abort: (error) => this.#fail(error),
      });
      if (this.#file.size > this.#most) throw new BodyTooLarge(`more than ${this.#most} bytes once decoded`);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#destroy();
    this.#flow?.abort(error);
  }

  #destroy(): void {
    for (const decoder of this.#decoders) decoder.destroy();
  }
}
