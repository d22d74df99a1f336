// What calls and downloads share: one turn at the limiter, one exchange, one entry in the meter; and the waits between.
import { AppError, formatDuration, safeUrl, type Clock, type Logger, type Random } from '../base/index.ts';
import { ApiError, HINTS, RATE_LIMITED_ATTEMPTS } from './api-error.ts';
import type { Credentials } from './credentials.ts';
import type { FileHosts } from './file-hosts.ts';
import type { Reach } from './reach.ts';
import { exchange, type Exchange, type ExchangeRequest, type Sink, type Wire } from './exchange.ts';
import { factsOf, type Judging, type RequestName } from './judge.ts';
import { TOO_MANY, WaitTooLong, type Limiter } from './limiter.ts';
import type { Meter } from './meter.ts';
import type { OwnWrites } from './own-writes.ts';
import { requestedWaitMs, type ResponseHeaders } from './rate-headers.ts';
import type { CallOptions, ClientLimits, RequestInfo, WaitInfo } from './types.ts';

export interface Core {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly limits: ClientLimits;
  readonly limiter: Limiter;
  readonly meter: Meter;
  readonly credentials: Credentials;
  /** Of every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly reach: Reach;
  readonly fileHosts: FileHosts;
  readonly ownWrites: OwnWrites;
  readonly onWait: (info: WaitInfo) => void;
  readonly onRequest: ((info: RequestInfo) => void) | null;
}

export interface Turn<S extends Sink> extends CallOptions {
  readonly name: RequestName;
  readonly request: ExchangeRequest;
  readonly sinkFor: (status: number, headers: ResponseHeaders) => S;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 30_000;

/** One attempt, at its turn. Rejects with DM_RATE_LIMITED when the server has closed for longer than allowed. */
export async function takeTurn<S extends Sink>(core: Core, turn: Turn<S>): Promise<Exchange<S>> {
  // What was begun is ended before new work is begun.
  const priority = (turn.priority ?? 0) + (turn.attempt > 1 ? 1 : 0);
  try {
    return await core.limiter.run((sent) => attempt(core, turn, sent), { priority, signal: turn.signal });
  } catch (error) {
    if (!(error instanceof WaitTooLong)) throw error;
    const judging = { credentials: core.credentials, request: turn.name, attempts: turn.attempt };
    throw waitTooLong(core, judging, { waitMs: error.waitMs, status: null });
  }
}

async function attempt<S extends Sink>(core: Core, turn: Turn<S>, onSent: () => void): Promise<Exchange<S>> {
  if (turn.request.method !== 'GET') core.meter.writes++;
  const result = await exchange(core.wire, turn.request, { sinkFor: turn.sinkFor, onSent });
  // The client was closed under it.
  if (result.kind === 'failed' && result.cause instanceof AppError) throw result.cause;
  const { operation, method, target } = turn.name;
  const { status, ms, bytes } = result;
  core.meter.ended(operation, { bytes, ms });
  // What another host says of its limit is not about ours.
  const isPlatform = result.kind === 'answered' && turn.request.origin === core.credentials.origin;
  const rate = isPlatform ? core.limiter.observe(result.status, result.headers) : null;
  core.onRequest?.({
    operation,
    method,
    // Making an address safe costs more than the rest of this function, so it waits until someone looks.
    get target() {
      return safeUrl(target);
    },
    status,
    ms,
    bytes,
    rate,
  });
  return result;
}

/** After a 429: stops everything for as long as the server says. Throws when that is too long or was done too often. */
export function pauseForAll(core: Core, judging: Judging, headers: ResponseHeaders): void {
  core.meter.rateLimited++;
  const waitMs = core.limiter.pause(requestedWaitMs(headers, core.clock.now()));
  const { operation } = judging.request;
  if (waitMs > core.limits.maxWaitMs) throw waitTooLong(core, judging, { waitMs, status: TOO_MANY });
  if (core.limits.retries === 0 || judging.attempts >= RATE_LIMITED_ATTEMPTS) {
    const what = 'answered 429, too many requests, again and again; expected success after the wait it asked for';
    const facts = factsOf(judging, { status: TOO_MANY, retryable: true, sent: false });
    throw new ApiError('DM_RATE_LIMITED', { what, hint: HINTS.DM_RATE_LIMITED }, facts);
  }
  core.meter.retries++;
  core.log.debug({ operation, waitMs: Math.round(waitMs) }, 'The platform asks to wait; all requests are held');
}

export interface Backoff {
  readonly error: ApiError;
  /** How many repetitions came before this one. */
  readonly repetitions: number;
  readonly headers?: ResponseHeaders | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Waits before a request is repeated: full jitter, and at least what a Retry-After asks for. Rejects when that is too long. */
export async function backOff(core: Core, backoff: Backoff): Promise<void> {
  const { error, repetitions, headers, signal } = backoff;
  const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** repetitions, LONGEST_BACKOFF_MS);
  const asked = headers?.['retry-after'] === undefined ? 0 : (requestedWaitMs(headers, core.clock.now()) ?? 0);
  if (asked > core.limits.maxWaitMs) throw error;
  const ms = Math.max(asked, core.random.next() * ceiling);
  const { operation, target, status, code } = error;
  core.log.debug({ operation, target, status, code, waitMs: Math.round(ms) }, 'Request failed and is repeated');
  core.meter.retries++;
  await pause(core, ms, signal);
}

/** Waits before a request, and says so. The client may be closed meanwhile. */
export async function pause(core: Core, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms >= 1000) core.onWait({ reason: 'retry', ms });
  core.meter.waited(ms);
  await core.wire.aborts.sleep(core.clock, ms, signal);
}

interface Asked {
  readonly waitMs: number;
  readonly status: number | null;
}

function waitTooLong({ limits }: Core, judging: Judging, { waitMs, status }: Asked): ApiError {
  const seconds = Math.ceil(waitMs / 1000);
  const most = `${formatDuration(limits.maxWaitMs)} (limits.maxWait)`;
  const what = `must wait ${seconds} s before the platform takes requests again; expected at most ${most}`;
  const facts = factsOf(judging, { status, retryable: true, sent: false });
  return new ApiError('DM_RATE_LIMITED', { what, hint: `Run again in ${seconds} s, or raise limits.maxWait.` }, facts);
}
