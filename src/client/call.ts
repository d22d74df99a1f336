// One call of an operation: attempts until there is a value or an error that no repetition may cure.
import {
  answersTree,
  mayHaveNone,
  onlySets,
  operations,
  type AnyOperationName,
  type OperationShape,
} from '../contract/index.ts';
import type { ApiError } from './api-error.ts';
import type { Credentials } from './credentials.ts';
import { backOff, pauseForAll, takeTurn, type Core } from './core.ts';
import { MemorySink, type Exchange, type ExchangeRequest } from './exchange.ts';
import { judgeAnswer, judgeFailure, type CallName, type Judgement, type JudgingCall } from './judge.ts';
import { headerOf, type ResponseHeaders } from './rate-headers.ts';
import { requestTarget } from './request-target.ts';
import type { CallOptions, RawInput } from './types.ts';

const MIB = 1024 * 1024;
const MOST_BYTES = 64 * MIB;
const MOST_BYTES_OF_TREE = 256 * MIB;

export interface Call {
  readonly operation: AnyOperationName;
  readonly shape: OperationShape;
  /** Path in front of `/v1`, from the base address. */
  readonly prefix: string;
  readonly input: RawInput;
}

/** What every call sends to the platform besides; the token with it. */
export function headersOfCalls(credentials: Credentials): Readonly<Record<string, string>> {
  return {
    ...credentials.headersFor(credentials.origin),
    accept: 'application/json',
    // Without it any compression may be chosen.
    'accept-encoding': 'identity',
    'user-agent': 'docmirror',
  };
}

/** The parsed answer. Rejects with an ApiError, or with the reason of the signal. */
export async function performCall(core: Core, call: Call, options: CallOptions): Promise<unknown> {
  const { request, name } = prepare(core, call, options);
  const lists = new Set(options.largeLists ?? []);
  const mostBytes = options.mostBytes ?? (answersTree(call.operation) ? MOST_BYTES_OF_TREE : MOST_BYTES);
  const sinkFor = memoryOf(mostBytes);
  let repetitions = 0;
  let unshown = 0;
  for (let attempt = 1; ; attempt++) {
    const result = await takeTurn(core, { name, request, sinkFor, attempt, ...options });
    const judging = { credentials: core.credentials, request: name, attempts: attempt, lists, mostBytes };
    const judgement = judge(judging, result);
    const waitMs = notShown(core, call, { judgement, tries: unshown, mayLack: options.mayLack === true });
    if (waitMs !== null) {
      unshown++;
      core.meter.waited(waitMs);
      await core.clock.sleep(waitMs, options.signal);
      continue;
    }
    if ('value' in judgement) return judgement.value;
    const { error } = judgement;
    const headers = result.kind === 'answered' ? result.headers : undefined;
    if (error.code === 'DM_RATE_LIMITED' && headers) {
      pauseForAll(core, judging, headers);
    } else {
      if (repetitions >= core.limits.retries || !mayRepeat(call.operation, error)) throw error;
      await backOff(core, { error, repetitions: repetitions++, headers, signal: options.signal });
    }
  }
}

interface Judged {
  readonly judgement: Judgement;
  /** How often the call was made again for it. */
  readonly tries: number;
  readonly mayLack: boolean;
}

/** Milliseconds to wait where the platform does not know yet what was just written; null where it is as it is. */
function notShown({ ownWrites }: Core, call: Call, { judgement, tries, mayLack }: Judged): number | null {
  const { shape, input } = call;
  if ('error' in judgement)
    return !mayLack && isNotFound(call, judgement.error) ? ownWrites.waitForMissing(input, tries) : null;
  if (shape.method === 'GET') return ownWrites.waitForStale(judgement.value, tries);
  ownWrites.note(shape.method, input, judgement.value);
  return null;
}

/**
 * True where an answer may mean that the thing is not there. What is not there may be gone for good, so a deletion waits for nothing; an
 * operation that is not in the API document may be what is not there.
 */
function isNotFound({ operation, shape }: Call, { code }: ApiError): boolean {
  if (code !== 'DM_NOT_FOUND') return false;
  return shape.method === 'GET' ? !mayHaveNone(operation) : shape.method !== 'DELETE' && operation in operations;
}

function prepare(core: Core, call: Call, options: CallOptions): { request: ExchangeRequest; name: CallName } {
  const { operation, shape, prefix, input } = call;
  const target = requestTarget(prefix + shape.path, input);
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  const { origin } = core.credentials;
  const headers = body === null ? core.headers : { ...core.headers, 'content-type': 'application/json' };
  const { method } = shape;
  const request = {
    origin,
    path: target,
    method,
    headers,
    body,
    timeoutMs: core.limits.timeoutMs,
    signal: options.signal,
  };
  return { request, name: { operation, method, target } };
}

function memoryOf(mostBytes: number) {
  return (_status: number, headers: ResponseHeaders): MemorySink => {
    const announced = headerOf(headers, 'content-length');
    return new MemorySink(mostBytes, announced === null ? null : Number(announced));
  };
}

function judge(judging: JudgingCall, result: Exchange<MemorySink>): Judgement {
  return result.kind === 'answered' ? judgeAnswer(judging, result) : { error: judgeFailure(judging, result) };
}

// The API has no idempotency key: a write that may have arrived is sent twice only where that does no harm.
function mayRepeat(operation: AnyOperationName, { retryable, method, status, sent }: ApiError): boolean {
  return retryable && (method === 'GET' || onlySets(operation) || (status === null && !sent));
}
