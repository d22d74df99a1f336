// One request to a receiver of pings or messages. Its address is a secret, and stands in no log.
import { request, type Dispatcher } from 'undici';
import { decodePercent, withTimeout, type Clock, type Secret } from '../base/index.ts';

const TIMEOUT_MS = 15_000;

/** The receiver answered that it has not taken it. */
export class Answered extends Error {
  /** It wants nothing of it: to send it again would change nothing. */
  readonly isFinal: boolean;

  constructor(status: number) {
    super(`the receiver answered ${status}`);
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
export async function sendTo({ clock, signal, dispatcher }: Way, sending: Sending): Promise<void> {
  const { address, method, body, contentType } = sending;
  const { origin, pathname, search, username, password } = new URL(address.reveal());
  const statusCode = await withTimeout({ clock, ms: TIMEOUT_MS, signal }, async (either) => {
    const answer = await request(`${origin}${pathname}${search}`, {
      method,
      body,
      dispatcher,
      signal: either,
      headers: {
        'user-agent': 'docmirror',
        ...(body === null ? {} : { 'content-type': contentType }),
        ...(username === '' ? {} : { authorization: basic(username, password) }),
      },
    });
    await answer.body.dump();
    return answer.statusCode;
  });
  if (statusCode >= 300) throw new Answered(statusCode);
}

function basic(username: string, password: string): string {
  const text = `${decodePercent(username)}:${decodePercent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
