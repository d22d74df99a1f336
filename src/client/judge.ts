// What an answer means: a value, or an ApiError. Pure; whether to repeat is decided elsewhere.
import { isUtf8 } from 'node:buffer';
import { codeOf, freeHeapFor, isNestedDeeper, isRecord, safeUrl, type ErrorCode } from '../base/index.ts';
import type { AnyOperationName } from '../contract/index.ts';
import { ApiError, HINTS, type ApiErrorFacts } from './api-error.ts';
import { decodedWhole, encodingOf } from './codings.ts';
import type { Credentials } from './credentials.ts';
import { BodyTooLarge, type Answered, type Failed, type MemorySink } from './exchange.ts';
import { parseLarge } from './large-json.ts';
import { networkReason } from './network-reason.ts';
import { answersNothing, isDoneUnsaid, otherThanPromised } from './promised.ts';
import { headerOf } from './rate-headers.ts';

/** The request as errors name it. */
export interface RequestName {
  readonly operation: string;
  readonly method: string;
  /** Not yet made safe to show. */
  readonly target: string;
}

export interface Judging {
  readonly credentials: Credentials;
  readonly request: RequestName;
  readonly attempts: number;
  /** Names of fields whose lists may stay in the bytes of a large answer. */
  readonly lists?: ReadonlySet<string>;
}

/** What an answer was asked for by, so that it can be told whether it is one. */
export interface JudgingCall extends Judging {
  readonly request: CallName;
  /** Of the answer, as it is sent and once it is decoded. */
  readonly mostBytes: number;
}

export interface CallName extends RequestName {
  readonly operation: AnyOperationName;
}

export type Judgement = { readonly value: unknown } | { readonly error: ApiError };

const DELETED: ReadonlySet<number> = new Set([200, 202, 204, 205]);
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// Not implemented, and not this version of HTTP: no repetition cures them, and nothing was done.
const NEVER: ReadonlySet<number> = new Set([501, 505]);
const PART = 206;
const MESSAGE_LENGTH = 300;
const EXCERPT_LENGTH = 60;
// Below, an answer is held as values whatever was asked for.
const LARGE_BYTES = 2 * 1024 * 1024;
// What takes an answer in goes down into it step by step, and would run out of stack; no document is nested like this.
const MOST_DEPTH = 1000;

/** The parsed body of a success (undefined when it is empty and may be), else the error that the answer stands for. */
export function judgeAnswer(judging: JudgingCall, answer: Answered<MemorySink>): Judgement {
  const { status, headers, sink } = answer;
  const decoded = decodedWhole(sink.bytes(), headers, judging.mostBytes);
  if (decoded instanceof BodyTooLarge) {
    return { error: tooLarge(decoded, factsOf(judging, { status, retryable: false, sent: true })) };
  }
  const bytes = withoutMark(decoded);
  if (isSuccess(judging.request.method, status)) return judgeSuccess(judging, answer, bytes);
  const text = bytes.toString('utf8');
  const body = parseJson(text);
  if (REDIRECTS.has(status)) return { error: redirected(judging, answer) };
  const alwaysStatus = status === 401 || status === 408 || status === 429 || status >= 500;
  if (body === undefined && text.trim() !== '' && !alwaysStatus) return { error: notJson(judging, answer, text) };
  return { error: refused(judging, status, { said: messageOf(body?.value), json: body === undefined ? '' : text }) };
}

// Some servers begin UTF-8 with a byte order mark, which who reads JSON may pass over (RFC 8259).
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === MARK[0] && bytes.subarray(0, MARK.byteLength).equals(MARK);
  return isMarked ? bytes.subarray(MARK.byteLength) : bytes;
}

function tooLarge(cause: Error, facts: ApiErrorFacts): ApiError {
  const what = `answered a body of ${cause.message}; expected a smaller one`;
  return new ApiError('DM_BAD_RESPONSE', { what, hint: HINTS.DM_BAD_RESPONSE, cause }, facts);
}

function judgeSuccess(judging: JudgingCall, answer: Answered<MemorySink>, bytes: Buffer): Judgement {
  const { status } = answer;
  const { operation } = judging.request;
  if (!isUtf8(bytes)) return { error: notUtf8(judging, answer) };
  // It is about to be held once more as text, and once more as values.
  freeHeapFor(bytes.byteLength);
  const isLarge = judging.lists !== undefined && judging.lists.size > 0 && bytes.byteLength >= LARGE_BYTES;
  const body = isLarge
    ? parsed(() => parseLarge(bytes, { fields: judging.lists ?? new Set() }))
    : parseJson(bytes.toString('utf8'));
  // Nothing ever asks for a part: a list in it would pass for the whole.
  if (status === PART)
    return { error: unusable(judging, { status, seen: '206, a part of the answer; expected the whole' }) };
  const said = body === undefined ? null : onlyError(body.value);
  if (said !== null) return { error: successWithError(judging, status, said) };
  if (body !== undefined) {
    const wrong = isNestedDeeper(body.value, MOST_DEPTH)
      ? `JSON that is nested more than ${MOST_DEPTH} deep; expected less`
      : otherThanPromised(operation, body.value);
    return wrong === null ? body : { error: unusable(judging, { status, seen: `${status} with ${wrong}` }) };
  }
  const start = bytes.toString('utf8', 0, MESSAGE_LENGTH);
  const isEmpty = start.trim() === '' && bytes.byteLength < MESSAGE_LENGTH;
  if (isEmpty && answersNothing(operation)) return { value: undefined };
  // Who looks for a field of the answer finds none.
  if (isEmpty && isDoneUnsaid(operation)) return { value: {} };
  return { error: notJson(judging, answer, start) };
}

/** The error for an exchange that brought no whole answer. */
export function judgeFailure(judging: Judging, failure: Failed): ApiError {
  const facts = factsOf(judging, {
    status: failure.status,
    retryable: isPassing(failure),
    sent: failure.sent,
  });
  const { cause } = failure;
  switch (failure.reason) {
    case 'timeout':
      return new ApiError(
        'DM_TIMEOUT',
        { what: `got no complete answer in time: ${cause.message}`, hint: HINTS.DM_TIMEOUT, cause },
        facts,
      );
    case 'too-large':
      return tooLarge(cause, facts);
    case 'unreachable':
    case 'refused-by-sink': {
      const where = judging.credentials.origin;
      const why = judging.credentials.shown(networkReason(cause, where), MESSAGE_LENGTH);
      return new ApiError(
        'DM_UNREACHABLE',
        { what: `did not reach ${where} or lost it: ${why}`, hint: HINTS.DM_UNREACHABLE, cause },
        facts,
      );
    }
  }
}

// A request that undici does not even accept will not be accepted the next time.
function isPassing({ reason, cause }: Failed): boolean {
  return reason !== 'too-large' && codeOf(cause) !== 'UND_ERR_INVALID_ARG';
}

/** Facts of an error about this request. */
export function factsOf(judging: Judging, facts: Pick<ApiErrorFacts, 'status' | 'retryable' | 'sent'>): ApiErrorFacts {
  const { operation, method, target } = judging.request;
  return { ...facts, operation, method, target: safeUrl(target), attempts: judging.attempts };
}

function isSuccess(method: string, status: number): boolean {
  return method === 'DELETE' ? DELETED.has(status) : status >= 200 && status < 300;
}

function parseJson(text: string): { value: unknown } | undefined {
  return parsed(() => JSON.parse(text) as unknown);
}

function parsed(parse: () => unknown): { value: unknown } | undefined {
  try {
    return { value: parse() };
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown): string | null {
  if (!isRecord(body) || !isRecord(body.error)) return null;
  return typeof body.error.message === 'string' ? body.error.message : null;
}

function notUtf8(judging: Judging, { status, headers }: Answered<MemorySink>): ApiError {
  const encoding = headerOf(headers, 'content-encoding');
  const shown = encoding === null ? '' : judging.credentials.shown(encoding, EXCERPT_LENGTH);
  const seen =
    encoding === null
      ? 'bytes that are not UTF-8; expected JSON, which is'
      : `a body that is compressed (${shown}), unasked; expected plain JSON`;
  // What could not be decoded though its encoding is known broke off, and may come whole the next time.
  return unusable(judging, { status, seen, retryable: encodingOf(headers).is === 'coded' });
}

/** The message of a body that holds an error and nothing else. */
function onlyError(body: unknown): string | null {
  return isRecord(body) && Object.keys(body).length === 1 ? messageOf(body) : null;
}

/** A proxy in front of the platform may answer so while that is in trouble; the next answer may be right. */
function successWithError(judging: Judging, status: number, said: string): ApiError {
  const shown = judging.credentials.shown(said, MESSAGE_LENGTH);
  const what = `answered ${status} with the error "${shown}"; expected what was asked for`;
  const facts = factsOf(judging, { status, retryable: true, sent: true });
  return new ApiError('DM_BAD_RESPONSE', { what, hint: HINTS.DM_BAD_RESPONSE }, { ...facts, platformMessage: shown });
}

interface Refusal {
  /** The message of the platform's own error body; null where it is none. */
  readonly said: string | null;
  /** The body, where it is JSON at all: what stands before a platform says in its own form why it lets nothing through. */
  readonly json: string;
}

function refused(judging: Judging, status: number, { said, json }: Refusal): ApiError {
  const code = codeForStatus(status);
  const shown = said === null ? null : judging.credentials.shown(said, MESSAGE_LENGTH);
  const other = judging.credentials.shown(json, MESSAGE_LENGTH);
  const unnamed = other === '' ? ' without a message' : ` with ${other}`;
  const what = `answered ${status}${shown === null ? unnamed : `: "${shown}"`}; expected success`;
  // A server error may come after the deed; every other refusal says that nothing was done.
  const unknown = status === 408 || (status >= 500 && !NEVER.has(status));
  const facts = factsOf(judging, { status, retryable: unknown || status === 429, sent: unknown });
  const hint = code === 'DM_TOKEN_REFUSED' ? tokenHint(judging.credentials) : status === 402 ? NOT_PAID : HINTS[code];
  return new ApiError(code, { what, hint }, { ...facts, platformMessage: shown });
}

const NOT_PAID = 'Take a plan that includes this for the organization, or leave this out of the scope.';

function tokenHint({ places }: Credentials): string {
  return places === null ? HINTS.DM_TOKEN_REFUSED : `${HINTS.DM_TOKEN_REFUSED} It is set by ${places}.`;
}

function codeForStatus(status: number): keyof typeof HINTS & ErrorCode {
  switch (status) {
    case 401:
      return 'DM_TOKEN_REFUSED';
    // For what a higher plan is needed is refused for as long as a right that lacks.
    case 402:
    case 403:
      return 'DM_FORBIDDEN';
    case 404:
      return 'DM_NOT_FOUND';
    case 429:
      return 'DM_RATE_LIMITED';
    default:
      return 'DM_HTTP_STATUS';
  }
}

function notJson(judging: Judging, answer: Answered<MemorySink>, text: string): ApiError {
  const type = headerOf(answer.headers, 'content-type') ?? 'no content type';
  const excerpt = judging.credentials.shown(text.slice(0, MESSAGE_LENGTH * 2), EXCERPT_LENGTH);
  const seen =
    text.trim() === ''
      ? 'an empty body'
      : `${judging.credentials.shown(type, EXCERPT_LENGTH)} that begins "${excerpt}"`;
  const what = `answered ${answer.status} with ${seen}; expected JSON`;
  // JSON that broke off may come whole the next time; a web page will not turn into JSON.
  const retryable = type.includes('json') && text.trim() !== '';
  const sent = answer.status < 300;
  return new ApiError(
    'DM_NOT_JSON',
    { what, hint: HINTS.DM_NOT_JSON },
    factsOf(judging, { status: answer.status, retryable, sent }),
  );
}

interface Unusable {
  readonly status: number;
  readonly seen: string;
  readonly retryable?: boolean;
}

function unusable(judging: Judging, { status, seen, retryable = false }: Unusable): ApiError {
  const text = { what: `answered ${seen}`, hint: HINTS.DM_BAD_RESPONSE };
  return new ApiError('DM_BAD_RESPONSE', text, factsOf(judging, { status, retryable, sent: true }));
}

const ON_THE_PLATFORM =
  'Where that is a login page, check the token; where the API stands below another path, add this to the base address.';

function redirected(judging: Judging, answer: Answered<MemorySink>): ApiError {
  const { credentials } = judging;
  const { origin } = credentials;
  const location = headerOf(answer.headers, 'location') ?? '';
  const leadsTo = URL.canParse(location, origin) ? new URL(location, origin) : null;
  const shown = leadsTo === null ? 'nowhere' : credentials.shown(safeUrl(leadsTo), MESSAGE_LENGTH);
  const isThere = leadsTo?.origin === origin;
  // What another address answers with is not known to be the thing that was asked for.
  const why = isThere
    ? 'expected an answer: a call follows none'
    : 'expected an answer, and the token is not sent elsewhere';
  const facts = factsOf(judging, { status: answer.status, retryable: false, sent: false });
  const hint = isThere ? ON_THE_PLATFORM : HINTS.DM_REDIRECT_REFUSED;
  return new ApiError(
    'DM_REDIRECT_REFUSED',
    { what: `answered ${answer.status}, a redirect to ${shown}; ${why}`, hint },
    facts,
  );
}
