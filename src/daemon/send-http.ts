// One request to a receiver of pings or messages. Its address is a secret, and stands in no log.
import { request, type Dispatcher } from 'undici';
import { decodePercent, withTimeout, type Clock, type Secret } from '../base/index.ts';

const TIMEOUT_MS = 15_000;
// What follows an answer is read away, so that its connection serves again; one that is slow with it is cut off.
const BODY_MS = 1000;
const BODY_BYTES = 65_536;

/** The receiver answered that it has not taken it. */
export class Answered extends Error {
  /** It wants nothing of it: to send it again would change nothing. */
  readonly isFinal: boolean;

  constructor(status: number) {
    const isElsewhere = status >= 300 && status < 400;
    super(`the receiver answered ${status}${isElsewhere ? ', a redirect, which is not followed' : ''}`);
    this.isFinal = status < 500 && status !== 408 && status !== 429;
  }
}

/** What it goes out by, and how long it may take. */
export interface Way {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
}

export interface Sending {
  readonly address: Secret;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly contentType: string;
}

/** Throws Answered when the receiver has not taken it, and what the network says when it was not reached in time. */
export async function sendTo(way: Way, sending: Sending): Promise<void> {
  const { clock, signal } = way;
  const { statusCode, body } = await withTimeout({ clock, ms: TIMEOUT_MS, signal }, (either) =>
    request(addressOf(sending), { ...requestOf(sending), dispatcher: way.dispatcher, signal: either }),
  );
  // Whoever answered that it was taken has it, whatever becomes of the rest: sent again, it would be told twice.
  await withTimeout({ clock, ms: BODY_MS, signal }, (either) => body.dump({ limit: BODY_BYTES, signal: either })).catch(
    () => undefined,
  );
  if (statusCode >= 300) throw new Answered(statusCode);
}

function addressOf({ address }: Sending): string {
  const { origin, pathname, search } = new URL(address.reveal());
  return `${origin}${pathname}${search}`;
}

function requestOf({ address, method, body, contentType }: Sending): Pick<
  Dispatcher.RequestOptions,
  'method' | 'body'
> & {
  readonly headers: Record<string, string>;
} {
  const { username, password } = new URL(address.reveal());
  const headers = {
    'user-agent': 'docmirror',
    ...(body === null ? {} : { 'content-type': contentType }),
    // An access token stands there as a password without a name.
    ...(username === '' && password === '' ? {} : { authorization: basic(username, password) }),
  };
  return { method, body, headers };
}

function basic(username: string, password: string): string {
  const text = `${decodePercent(username)}:${decodePercent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
