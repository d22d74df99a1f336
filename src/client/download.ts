// A file behind an address: to disk, hashed, checked; the token goes to the platform's own origin only.
import { isUtf8 } from 'node:buffer';
import { dirname } from 'node:path';
import { AppError, formatDuration, namingFolder, safeUrl, toAppError } from '../base/index.ts';
import { ApiError, HINTS, RATE_LIMITED_ATTEMPTS, type ApiErrorFacts } from './api-error.ts';
import { codingsOf, encodingOf, mayBeTheFile } from './codings.ts';
import { backOff, pause, pauseForAll, takeTurn, type Core } from './core.ts';
import { DecodingSink } from './decoding-sink.ts';
import type { Answered, Exchange, ExchangeRequest, Failed } from './exchange.ts';
import { FileSink } from './file-sink.ts';
import { REDIRECTS, type Judging } from './judge.ts';
import { networkReason } from './network-reason.ts';
import { OpeningSink } from './opening-sink.ts';
import { headerOf, type ResponseHeaders } from './rate-headers.ts';
import type { Download, DownloadOptions } from './types.ts';

const OPERATION = 'download';
const MAX_REDIRECTS = 5;
const SHOWN_LENGTH = 200;
/** Decoded bytes of a file whose size nothing tells. */
const MOST_DECODED = 1024 * 1024 * 1024;
const PLAIN = { is: 'plain' } as const;

type Outcome =
  | { readonly kind: 'done'; readonly download: Download }
  | { readonly kind: 'redirect'; readonly to: URL }
  /** What was sent is not encoded as it is said to be, and may be the file as it is. */
  | { readonly kind: 'miscalled' }
  | { readonly kind: 'failed'; readonly error: ApiError; readonly result: Exchange<Taking> };

/** What takes the body of an answer. */
type Taking = FileSink | DecodingSink | OpeningSink;

interface Hop {
  readonly url: URL;
  /** Once an address has led elsewhere, the token stays at home. */
  readonly mayAuthorize: boolean;
  readonly attempt: number;
  /** Bytes are taken as they are sent, whatever is said of them. */
  readonly asSent?: true;
}

/** Downloads with redirects and repetitions; see ApiClient.download. */
export async function performDownload(core: Core, address: string, options: DownloadOptions): Promise<Download> {
  let hop: Hop = { url: parseAddress(core, address), mayAuthorize: true, attempt: 1 };
  const start = hop.url;
  // The operator's word is for this download and this origin: neither for other ports of the machine nor for redirects.
  const trusted = options.trusted === true ? start.origin : null;
  using _trust = trusted === null ? null : core.reach.trust(trusted);
  let redirects = 0;
  let repetitions = 0;
  let refusals = 0;
  for (let attempt = 1; ; attempt++) {
    if (hop.url.origin !== trusted) await refuseNearby(core, { ...hop, attempt });
    if ((await waitedFor(core, { ...hop, attempt }, options.signal)) && hop.url !== start) {
      // The address that led here may hold no longer.
      hop = { url: start, mayAuthorize: true, attempt };
      redirects = 0;
      continue;
    }
    const outcome = await tryOnce(core, { ...hop, attempt }, options);
    if (outcome.kind !== 'failed') core.fileHosts.answered(hop.url.origin);
    if (outcome.kind === 'done') return outcome.download;
    if (outcome.kind === 'redirect') {
      if (++redirects > MAX_REDIRECTS) throw failed(hop, { what: `led through more than ${MAX_REDIRECTS} redirects` });
      const mayAuthorize = hop.mayAuthorize && outcome.to.origin === core.credentials.origin;
      hop = { url: outcome.to, mayAuthorize, attempt };
      continue;
    }
    if (outcome.kind === 'miscalled') {
      hop = { ...hop, attempt, asSent: true };
      continue;
    }
    const { error, result } = outcome;
    const headers = result.kind === 'answered' ? result.headers : undefined;
    if (error.status === 429 && headers && hop.url.origin === core.credentials.origin) {
      pauseForAll(core, judgingOf(core, { ...hop, attempt }), headers);
    } else if (error.status === 429 && headers) {
      core.meter.rateLimited++;
      core.fileHosts.refused(hop.url.origin, headers);
      if (core.limits.retries === 0 || ++refusals >= RATE_LIMITED_ATTEMPTS) throw error;
      await waitedFor(core, { ...hop, attempt }, options.signal);
      core.meter.retries++;
    } else {
      if (!error.retryable || repetitions >= core.limits.retries) throw error;
      await backOff(core, { error, repetitions: repetitions++, headers, signal: options.signal });
    }
    redirects = 0;
    hop = { url: start, mayAuthorize: true, attempt };
  }
}

/** True where the host asked for a wait, which is over now. It is that of a file: whatever else is asked meanwhile is asked of others. */
async function waitedFor(core: Core, hop: Hop, signal: AbortSignal | undefined): Promise<boolean> {
  const waitMs = core.fileHosts.waitMs(hop.url.origin);
  if (waitMs === 0) return false;
  const { maxWaitMs } = core.limits;
  if (waitMs > maxWaitMs) {
    const asked = `leads to a host that asks for a wait of ${Math.ceil(waitMs / 1000)} s`;
    const what = `${asked}; expected at most ${formatDuration(maxWaitMs)} (limits.maxWait)`;
    throw failed(hop, { what, status: 429, retryable: true });
  }
  await pause(core, waitMs, signal);
  return true;
}

/** Nothing is sent to where only this machine could ask. */
async function refuseNearby(core: Core, hop: Hop): Promise<void> {
  const address = await core.reach.refusal(hop.url.hostname);
  if (address === null) return;
  throw failed(hop, { what: `leads to ${address}, which only this machine can ask; nothing was sent there` });
}

async function tryOnce(core: Core, hop: Hop, options: DownloadOptions): Promise<Outcome> {
  let file: FileSink | null = null;
  let decoding: DecodingSink | null = null;
  let mayBeAll = false;
  const sinkFor = (status: number, headers: ResponseHeaders): Taking => {
    const { toPath, expectedSize } = options;
    mayBeAll = mayBeTheFile(headers, expectedSize);
    const encoding = hop.asSent === true ? PLAIN : encodingOf(headers);
    if (status !== 200 || (encoding.is === 'unknown' && !mayBeAll)) return new OpeningSink();
    file = new FileSink(`${toPath}.${core.random.id(8)}.part`, expectedSize ?? null);
    if (encoding.is !== 'coded') return file;
    const most = expectedSize ?? MOST_DECODED;
    return (decoding = new DecodingSink({ file, decoders: encoding.decoders(), name: encoding.name, most }));
  };
  const { priority, signal } = options;
  const name = judgingOf(core, hop).request;
  try {
    const request = requestOf(core, hop, options);
    const result = await takeTurn(core, { name, request, sinkFor, attempt: hop.attempt, priority, signal });
    const outcome = await settle(core, { hop, result, file }, options);
    return decoding !== null && mayBeAll && isUndecoded(outcome) ? { kind: 'miscalled' } : outcome;
  } finally {
    // What decodes disposes of its file.
    await disposeOf(decoding ?? file);
  }
}

/** True when all went well but for what the bytes are. */
function isUndecoded(outcome: Outcome): boolean {
  if (outcome.kind !== 'failed') return false;
  const { result } = outcome;
  return result.kind === 'answered' || result.reason === 'too-large' || result.reason === 'refused-by-sink';
}

interface Attempt {
  readonly hop: Hop;
  readonly result: Exchange<Taking>;
  readonly file: FileSink | null;
}

async function settle(core: Core, attempt: Attempt, options: DownloadOptions): Promise<Outcome> {
  const { hop, result, file } = attempt;
  const undecoded = await endDecoding(result, options);
  if (file?.failure) throw notKept(file.failure, options);
  if (result.kind === 'failed') return { kind: 'failed', error: broken(core, hop, result), result };
  const problem = judge(core, hop, result);
  if (problem || !file) return problem ?? { kind: 'failed', error: failed(hop, { what: 'brought no body' }), result };
  if (undecoded !== null) {
    const what = `brought bytes that are not the file: ${undecoded.message}`;
    return { kind: 'failed', error: failed(hop, { what, status: 200, cause: undecoded }), result };
  }
  const wrong = wrongSize(file.size, result, options.expectedSize);
  if (wrong) return { kind: 'failed', error: failed(hop, { what: wrong, status: 200, retryable: true }), result };
  const sha256 = await keep(file, options);
  const contentType = headerOf(result.headers, 'content-type');
  return { kind: 'done', download: { sha256, size: file.size, contentType } };
}

/** Why the bytes that came could not be decoded; null where they were, and where there was nothing to decode. */
async function endDecoding(result: Exchange<Taking>, { signal }: DownloadOptions): Promise<Error | null> {
  return result.kind === 'answered' && result.sink instanceof DecodingSink ? result.sink.end(signal) : null;
}

async function keep(file: FileSink, options: DownloadOptions): Promise<string> {
  try {
    return await file.keep(options.toPath);
  } catch (error) {
    throw notKept(error, options);
  }
}

/** The system names no file where it has no room for more of one. */
function notKept(error: unknown, { toPath }: DownloadOptions): AppError {
  return toAppError(namingFolder(error, { folder: dirname(toPath), called: 'folder' }));
}

async function disposeOf(file: AsyncDisposable | null): Promise<void> {
  await file?.[Symbol.asyncDispose]();
}

function judge(core: Core, hop: Hop, result: Answered<Taking>): Outcome | null {
  const { status, headers, sink } = result;
  if (REDIRECTS.has(status)) {
    const location = locationOf(headers);
    // An empty one would be the address that was just asked.
    const to = location !== '' && URL.canParse(location, hop.url.href) ? new URL(location, hop.url) : null;
    if (to && isHttp(to)) return { kind: 'redirect', to };
    return {
      kind: 'failed',
      error: failed(hop, { what: `answered ${status}, a redirect to no address`, status }),
      result,
    };
  }
  if (status !== 200) {
    const text = sink instanceof OpeningSink ? core.credentials.shown(sink.text(), SHOWN_LENGTH) : '';
    const what = `answered ${status} "${text}"; expected 200 and the bytes`;
    const retryable = status === 429 || status === 408 || (status >= 500 && status !== 501);
    return { kind: 'failed', error: failed(hop, { what, status, retryable }), result };
  }
  if (!(sink instanceof OpeningSink)) return null;
  const encoding = core.credentials.shown(codingsOf(headers).join(', '), SHOWN_LENGTH);
  const what = `answered bytes encoded as ${encoding}; expected them as they are, or as gzip, deflate or br`;
  return { kind: 'failed', error: failed(hop, { what, status }), result };
}

/** Where a redirect leads; empty where it does not say. What is no ASCII is UTF-8 there, as browsers take it, and read byte by byte like every header. */
function locationOf(headers: ResponseHeaders): string {
  const said = headerOf(headers, 'location')?.trim() ?? '';
  const bytes = Buffer.from(said, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : said;
}

function wrongSize(size: number, { bytes, sink }: Answered<Taking>, expectedSize: number | undefined): string | null {
  if (expectedSize === undefined || size === expectedSize) return null;
  const decoded = sink instanceof DecodingSink ? `, decoded from ${bytes}` : '';
  return `sent ${size} bytes${decoded}; expected ${expectedSize}`;
}

function broken(core: Core, hop: Hop, result: Failed): ApiError {
  const { status, cause, reason } = result;
  const why = core.credentials.shown(networkReason(cause, hop.url.href), SHOWN_LENGTH);
  return failed(hop, {
    what: `did not bring all bytes (${reason}): ${why}`,
    status,
    retryable: reason !== 'too-large' && reason !== 'refused-by-sink',
    cause,
  });
}

function requestOf(core: Core, hop: Hop, options: DownloadOptions): ExchangeRequest {
  const { origin, pathname, search } = hop.url;
  const authorization = hop.mayAuthorize ? core.credentials.headersFor(origin) : {};
  // Bytes are kept as they are, so they must not be compressed on the way.
  const headers = { ...authorization, 'accept-encoding': 'identity', 'user-agent': 'docmirror' };
  const { downloadTimeoutMs: timeoutMs } = core.limits;
  return { origin, path: pathname + search, method: 'GET', headers, body: null, timeoutMs, signal: options.signal };
}

function judgingOf(core: Core, hop: Hop): Judging {
  const request = { operation: OPERATION, method: 'GET', target: hop.url.href };
  return { credentials: core.credentials, request, attempts: hop.attempt };
}

function parseAddress(core: Core, address: string): URL {
  const url = URL.canParse(address, core.credentials.origin) ? new URL(address, core.credentials.origin) : null;
  if (url && isHttp(url)) return url;
  const shown = url ? safeUrl(url) : '[not a url]';
  throw new AppError('DM_DOWNLOAD_FAILED', `The download address ${shown} is none; expected http or https`, {
    hint: 'The platform gave this address; report it to those who run it.',
    details: { status: null },
  });
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

interface Problem {
  readonly what: string;
  readonly status?: number | null;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

function failed(hop: Hop, problem: Problem): ApiError {
  const facts: ApiErrorFacts = {
    status: problem.status ?? null,
    operation: OPERATION,
    method: 'GET',
    target: safeUrl(hop.url),
    attempts: hop.attempt,
    retryable: problem.retryable ?? false,
    sent: false,
  };
  const text = {
    what: problem.what,
    hint: HINTS.DM_DOWNLOAD_FAILED,
    ...(problem.cause ? { cause: problem.cause } : {}),
  };
  return new ApiError('DM_DOWNLOAD_FAILED', text, facts);
}
