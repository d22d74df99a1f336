import { AppError, toAppError, type ErrorCode } from '../base/index.ts';

export interface ApiErrorFacts {
  /** Null when no answer came. */
  readonly status: number | null;
  /** Name of the operation, or `download`. */
  readonly operation: string;
  readonly method: string;
  /** Path and query without the origin, or the address of a download; safe to show. */
  readonly target: string;
  /** How often the request was sent or tried. */
  readonly attempts: number;
  /** The same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The platform may have acted on the request: the outcome is unknown. */
  readonly sent: boolean;
  /** The message of the platform's own error body; null when the answer had none. */
  readonly platformMessage?: string | null;
}

export interface ApiErrorText {
  /** What is wrong; the request is named in front of it. */
  readonly what: string;
  readonly hint: string;
  readonly cause?: unknown;
}

/** A request that failed, for good or after all its repetitions. */
export class ApiError extends AppError {
  readonly status: number | null;
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  readonly attempts: number;
  readonly retryable: boolean;
  readonly sent: boolean;
  readonly platformMessage: string | null;

  constructor(code: ErrorCode, text: ApiErrorText, facts: ApiErrorFacts) {
    const { status, operation, method, target, attempts, retryable, sent } = facts;
    const tries = attempts > 1 ? ` (attempt ${attempts})` : '';
    super(code, `${method} ${target} (${operation}) ${text.what}${tries}`, {
      hint: text.hint,
      details: { operation, method, target, status, attempts, sent },
      ...(text.cause === undefined ? {} : { cause: text.cause }),
    });
    this.status = status;
    this.operation = operation;
    this.method = method;
    this.target = target;
    this.attempts = attempts;
    this.retryable = retryable;
    this.sent = sent;
    this.platformMessage = facts.platformMessage ?? null;
  }
}

const OUTAGES = ['DM_UNREACHABLE', 'DM_TIMEOUT'] as const satisfies readonly ErrorCode[];

/** Codes of errors that may mean that the platform answers nothing at all. */
export type OutageCode = (typeof OUTAGES)[number];

/** True when a request got no answer: only another request tells whether the platform is down or this one thing is slow. */
export function isOutage(error: unknown): boolean {
  const codes: readonly ErrorCode[] = OUTAGES;
  return codes.includes(toAppError(error).code);
}

/**
 * True when a failure may be of one request or of all of them, which only another request tells: an outage; the token, where a
 * platform refuses it at one operation only, for a right that it lacks or a hiccup of its accounts; or a limit of one address.
 */
export function mayBeOfAll(error: unknown): boolean {
  return isOutage(error) || isTokenRefused(error) || isRefusedAnew(error);
}

// A refused request (429) was not processed, so these repetitions do not count as retries.
export const RATE_LIMITED_ATTEMPTS = 10;

/** True for a request that was answered 429 after each wait that was asked for. */
export function isRefusedAnew(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'DM_RATE_LIMITED' && error.attempts >= RATE_LIMITED_ATTEMPTS;
}

/** True for an answer that the platform does not take the token (401). */
export function isTokenRefused(error: unknown): boolean {
  return toAppError(error).code === 'DM_TOKEN_REFUSED';
}

/** What the reader should do next, by code. */
export const HINTS = {
  DM_TOKEN_REFUSED: 'Check the token: it may be mistyped, expired or made for another platform.',
  DM_FORBIDDEN: 'Give the account of this token the permission, or leave this out of the scope.',
  DM_NOT_FOUND:
    'Check the id: the resource may be deleted, or hidden from the account of this token; or the platform does not offer this operation.',
  DM_RATE_LIMITED: 'Wait, or lower limits.requestsPerSecond or limits.share; others may be using the same limit.',
  DM_NOT_JSON: 'Check that the base address leads to the API itself and not to a web page, a proxy or a login page.',
  DM_REDIRECT_REFUSED: 'Set the base address to the one that the platform redirects to, if you trust it.',
  DM_UNREACHABLE:
    'Check the base address, the network (the proxy too, where HTTPS_PROXY or HTTP_PROXY names one) and the platform, then run the same command again.',
  DM_TIMEOUT: 'Try again; if it stays slow, raise limits.timeout (limits.downloadTimeout for files).',
  DM_BAD_RESPONSE: 'The platform breaks its own contract here; report it to those who run it.',
  DM_PAGING_LOOP: 'The platform breaks its own contract here; report it to those who run it.',
  DM_PAGING_ENDLESS: 'The platform breaks its own contract here; report it to those who run it.',
  DM_DOWNLOAD_FAILED: 'Run the same command again; download addresses expire and are read anew.',
  DM_HTTP_STATUS: 'Read the message of the platform; if it is a fault of the platform, try again later.',
} as const satisfies Partial<Record<ErrorCode, string>>;
