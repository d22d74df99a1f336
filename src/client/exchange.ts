// One request and its answer over undici, without repetition and without any judgement of the answer.
import type { Dispatcher } from 'undici';
import { afterAwake, codeOf, type Clock } from '../base/index.ts';
import type { Aborts } from './aborts.ts';
import type { ResponseHeaders } from './rate-headers.ts';

export interface ExchangeRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The whole exchange, connecting included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Stops and continues the flow of the body. */
export type Flow = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

/** Takes the body, chunk by chunk; what it throws fails the exchange. */
export interface Sink {
  write(chunk: Buffer, flow: Flow): void;
}

export interface Answered<S extends Sink> {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly sink: S;
  readonly bytes: number;
  readonly ms: number;
}

export interface Failed {
  readonly kind: 'failed';
  readonly reason: 'unreachable' | 'timeout' | 'too-large' | 'refused-by-sink';
  readonly cause: Error;
  /** The request may have reached the other side. */
  readonly sent: boolean;
  /** Known when the answer broke off in its body. */
  readonly status: number | null;
  readonly bytes: number;
  readonly ms: number;
}

export type Exchange<S extends Sink> = Answered<S> | Failed;

export class BodyTooLarge extends Error {}

/** A sink's own failure, such as a full disk. */
export class SinkFailure extends Error {}

class DeadlinePassed extends Error {}

// From here on a body whose length is known is received where it stays.
const LARGE_BYTES = 1024 * 1024;

/** Keeps a body in memory, up to a bound. */
export class MemorySink implements Sink {
  readonly #chunks: Buffer[] = [];
  readonly #maxBytes: number;
  readonly #place: Buffer | null;
  #size = 0;

  /** `announced`: bytes that the answer says it has; null when it does not say. */
  constructor(maxBytes: number, announced: number | null = null) {
    this.#maxBytes = maxBytes;
    const isPlaced = announced !== null && announced >= LARGE_BYTES && announced <= maxBytes;
    this.#place = isPlaced ? Buffer.allocUnsafe(announced) : null;
  }

  write(chunk: Buffer): void {
    const at = this.#size;
    this.#size += chunk.byteLength;
    if (this.#size > this.#maxBytes) throw new BodyTooLarge(`more than ${this.#maxBytes} bytes`);
    if (this.#place === null) this.#chunks.push(chunk);
    else chunk.copy(this.#place, at);
  }

  bytes(): Buffer {
    if (this.#place !== null) return this.#place.subarray(0, this.#size);
    const [only] = this.#chunks;
    return only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#size);
  }
}

export interface Wire {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly aborts: Aborts;
}

export interface Receiving<S extends Sink> {
  /** Chooses what takes the body. */
  readonly sinkFor: (status: number, headers: ResponseHeaders) => S;
  /** Called when a connection is there and the request is written to it. */
  readonly onSent: () => void;
}

/**
 * Sends one request. Resolves with the answer, whatever its status, or with why there is none; rejects only with the reason
 * of the signal, as soon as it aborts.
 */
export function exchange<S extends Sink>(
  wire: Wire,
  request: ExchangeRequest,
  receiving: Receiving<S>,
): Promise<Exchange<S>> {
  const { signal, timeoutMs } = request;
  return new Promise<Exchange<S>>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const handler = new ExchangeHandler(wire.clock, receiving, (result) => {
      deadline[Symbol.dispose]();
      wire.aborts.off(signal, onAbort);
      resolve(result);
    });
    const onAbort = wire.aborts.on(signal, () => {
      reject(signal?.reason);
      handler.cancel(new Error('aborted'));
    });
    const deadline = afterAwake(wire.clock, timeoutMs, () => {
      handler.cancel(new DeadlinePassed(`no complete answer within ${timeoutMs} ms`));
    });
    try {
      wire.dispatcher.dispatch(dispatchOptions(request), handler);
    } catch (error) {
      handler.cancel(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function dispatchOptions(request: ExchangeRequest): Dispatcher.DispatchOptions {
  const { origin, path, method, headers, body, timeoutMs } = request;
  return { origin, path, method, headers, body, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
}

class ExchangeHandler<S extends Sink> implements Dispatcher.DispatchHandler {
  readonly #clock: Clock;
  readonly #receiving: Receiving<S>;
  readonly #done: (result: Exchange<S>) => void;
  readonly #startedAt: number;
  #controller: Dispatcher.DispatchController | null = null;
  #cancelled: Error | null = null;
  #status: number | null = null;
  #headers: ResponseHeaders = {};
  #sink: S | null = null;
  #bytes = 0;
  #over = false;

  constructor(clock: Clock, receiving: Receiving<S>, done: (result: Exchange<S>) => void) {
    this.#clock = clock;
    this.#receiving = receiving;
    this.#done = done;
    this.#startedAt = clock.monotonic();
  }

  /** Ends the exchange at once, even while it still connects. */
  cancel(cause: Error): void {
    this.#cancelled = cause;
    this.#controller?.abort(cause);
    this.#fail(cause);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#cancelled) return controller.abort(this.#cancelled);
    this.#controller = controller;
    this.#receiving.onSent();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#sink = this.#receiving.sinkFor(status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.byteLength;
    this.#sink?.write(chunk, controller);
  }

  onResponseEnd(): void {
    if (this.#over || this.#status === null || this.#sink === null) return;
    this.#over = true;
    const ms = this.#clock.monotonic() - this.#startedAt;
    const { status, headers, sink, bytes } = {
      status: this.#status,
      headers: this.#headers,
      sink: this.#sink,
      bytes: this.#bytes,
    };
    this.#done({ kind: 'answered', status, headers, sink, bytes, ms });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(cause: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#done({
      kind: 'failed',
      reason: reasonOf(cause),
      cause,
      sent: this.#controller !== null,
      status: this.#status,
      bytes: this.#bytes,
      ms: this.#clock.monotonic() - this.#startedAt,
    });
  }
}

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function reasonOf(cause: Error): Failed['reason'] {
  if (cause instanceof BodyTooLarge) return 'too-large';
  if (cause instanceof SinkFailure) return 'refused-by-sink';
  if (cause instanceof DeadlinePassed) return 'timeout';
  return TIMEOUT_CODES.has(codeOf(cause) ?? '') ? 'timeout' : 'unreachable';
}
