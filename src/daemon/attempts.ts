// Sending something a few times, and why it was not sent in the end.
import {
  codeOf,
  NO_ANSWER_IN_TIME,
  proxyRefusal,
  ProxyUnreached,
  tlsReason,
  type Clock,
  type Random,
} from '../base/index.ts';
import { NoTls, socketReason } from './mail.ts';
import { Answered } from './send-http.ts';

export type Outcome =
  | { readonly how: 'sent' }
  /** `why` names no address. */
  | { readonly how: 'refused' | 'unreached'; readonly why: string; readonly attempts: number };

interface Trying {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 2000;
const CLOSED = 'the connection was closed without an answer';
const UNKNOWN_NAME = 'the name of the host is not known here';
// What the system, the library of mail and that of HTTP have but a code for, which says nothing to whoever reads a status page.
const IN_WORDS: ReadonlyMap<string, string> = new Map([
  ['ETIMEDOUT', NO_ANSWER_IN_TIME],
  ['UND_ERR_CONNECT_TIMEOUT', NO_ANSWER_IN_TIME],
  ['ECONNECTION', CLOSED],
  ['UND_ERR_SOCKET', CLOSED],
  ['ENOTFOUND', UNKNOWN_NAME],
  ['EDNS', UNKNOWN_NAME],
  ['EPROTOCOL', 'what answers there is no mail server'],
  ['CERT_HAS_EXPIRED', 'the certificate there has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate there is one for other names'],
]);

/** Tries until it is sent, is refused for good, has failed often enough, or the signal aborts; never throws. */
export async function attempt(trying: Trying, send: () => Promise<void>): Promise<Outcome> {
  for (let number = 1; ; number++) {
    try {
      trying.signal.throwIfAborted();
      await send();
      return { how: 'sent' };
    } catch (error) {
      const unsent = { why: reasonOf(error), attempts: number };
      if (error instanceof Answered && error.isFinal) return { how: 'refused', ...unsent };
      if (number >= ATTEMPTS || !(await pausedAfter(number, trying))) return { how: 'unreached', ...unsent };
    }
  }
}

/** False when there is no next attempt, because the end has come. */
async function pausedAfter(number: number, { clock, random, signal }: Trying): Promise<boolean> {
  const pause = FIRST_PAUSE_MS * 2 ** (number - 1) * (0.5 + random.next() / 2);
  await clock.sleep(pause, signal).catch(() => undefined);
  return !signal.aborted;
}

/** Neither an address nor what a server says beside its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // Of the second kind are those that say why a sending was given up.
  if (error instanceof Answered || error instanceof NoTls || error instanceof DOMException) return error.message;
  // A sending that was given up: why, and by whom, stands in its cause.
  if (codeOf(error) === 'EABORT' && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof ProxyUnreached) return `${ProxyUnreached.words}: ${reasonOf(error.cause)}`;
  if ('responseCode' in error && typeof error.responseCode === 'number')
    return `the mail server said ${error.responseCode}`;
  const reason = proxyRefusal(error) ?? socketReason(error) ?? codeOf(error) ?? error.name;
  return IN_WORDS.get(reason) ?? tlsReason(reason) ?? reason;
}
