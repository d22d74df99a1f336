// The one way of messages out of this machine: pings, a webhook, e-mail. Addresses are secrets and stand in no log.
import { request, type Dispatcher } from 'undici';
import { safeText, within, type Clock, type Logger, type Random, type Secret } from '../base/index.ts';
import type { MessageCount } from '../status/index.ts';
import { NO_TLS, sendMail, socketReason, type MailChannel } from './mail.ts';
import type { Message } from './notices.ts';

export interface Channels {
  readonly ping: {
    readonly start: Secret | null;
    readonly success: Secret | null;
    readonly failure: Secret | null;
    readonly method: 'GET' | 'POST';
  };
  readonly webhook: Secret | null;
  readonly mail: MailChannel | null;
}

export type Ping = 'start' | 'success' | 'failure';

export interface MessengerOptions {
  /** Asked each time: settings may change. */
  readonly channels: () => Channels;
  /** Stands in every message, so that somebody with several mirrors knows which one it is. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** What pings and webhooks go out by. */
  readonly dispatcher: Dispatcher;
  /** Is told what a channel did not take, and why; the log is when absent. */
  readonly onUnsent?: (channel: string, why: string) => void;
}

/** What cannot be sent is logged and counted; nothing here throws. */
export interface Messenger {
  /** Asks the dead-man switch, with a line of text; not beyond the signal. */
  ping(which: Ping, text: string, signal?: AbortSignal): Promise<void>;
  /** Sends to every channel; true when one of them took it. Always false without channels. */
  send(message: Message): Promise<boolean>;
  counts(): readonly MessageCount[];
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 2000;
const TIMEOUT_MS = 15_000;
// What was not reached by any of the attempts is not asked anew for each message that waits with the first.
const REST_MS = 5 * 60_000;

interface Channel {
  readonly name: string;
  /** Null when it is not set. */
  readonly addressIn: (channels: Channels) => Secret | null;
}

const WEBHOOK: Channel = { name: 'webhook', addressIn: ({ webhook }) => webhook };
const MAIL: Channel = { name: 'mail', addressIn: ({ mail }) => mail?.url ?? null };

function pingChannel(which: Ping): Channel {
  return { name: `ping ${which}`, addressIn: ({ ping }) => ping[which] };
}

interface Outcome {
  readonly how: 'sent' | 'refused' | 'unreached';
  /** Why it was not sent; null when it was. */
  readonly why: string | null;
}

export function createMessenger(options: MessengerOptions): Messenger {
  const { name, clock } = options;
  const counts = new Map<string, Omit<MessageCount, 'channel'> & Pick<Channel, 'addressIn'>>();
  // By address, so that a corrected one is asked at once.
  const unreached = new WeakMap<Secret, number>();
  const attempt = async (own: MessengerOptions, channel: Channel, work: () => Promise<void>): Promise<Outcome> => {
    const outcome = await withRetries(own, channel.name, work);
    const { sent, failed } = counts.get(channel.name) ?? { sent: 0, failed: 0 };
    const { addressIn } = channel;
    const { why } = outcome;
    const unsent = why === null ? null : { at: clock.now(), why };
    const count = { sent: sent + Number(why === null), failed: failed + Number(why !== null), unsent, addressIn };
    counts.set(channel.name, count);
    return outcome;
  };
  const tell = async (channel: Channel, address: Secret, work: () => Promise<void>): Promise<boolean> => {
    const since = unreached.get(address);
    if (since !== undefined && Math.abs(clock.now() - since) < REST_MS) return false;
    const { how } = await attempt(options, channel, work);
    if (how === 'unreached') unreached.set(address, clock.now());
    return how === 'sent';
  };
  return {
    ping: async (which, text, signal = options.signal) => {
      const { [which]: address, method } = options.channels().ping;
      if (address === null) return;
      const body = method === 'GET' ? null : `${name}: ${text}\n`;
      const own = { ...options, signal };
      await attempt(own, pingChannel(which), () => sendTo(own, { address, method, body, contentType: 'text/plain' }));
    },
    send: async (message) => {
      const { webhook, mail } = options.channels();
      const sent = await Promise.all([
        webhook && tell(WEBHOOK, webhook, () => sendJson(options, webhook, message)),
        mail && tell(MAIL, mail.url, () => sendLetter(options, mail, message)),
      ]);
      return sent.includes(true);
    },
    counts: () => {
      const channels = options.channels();
      // Nobody waits for a channel that was taken out of the settings.
      return [...counts].map(([channel, { sent, failed, unsent, addressIn }]) => ({
        channel,
        sent,
        failed,
        unsent: addressIn(channels) === null ? null : (unsent ?? null),
      }));
    },
  };
}

async function withRetries(options: MessengerOptions, channel: string, work: () => Promise<void>): Promise<Outcome> {
  for (let number = 1; ; number++) {
    try {
      options.signal.throwIfAborted();
      await work();
      return { how: 'sent', why: null };
    } catch (error) {
      const isRefused = error instanceof Answered && error.isFinal;
      if (isRefused || number >= ATTEMPTS || !(await pausedAfter(number, options))) {
        const why = reasonOf(error);
        if (options.onUnsent) options.onUnsent(channel, why);
        else options.log.warn({ channel, why, attempts: number }, 'a message could not be sent');
        return { how: isRefused ? 'refused' : 'unreached', why };
      }
    }
  }
}

/** False when there is no next attempt, because the end has come. */
async function pausedAfter(number: number, { clock, random, signal }: MessengerOptions): Promise<boolean> {
  const pause = FIRST_PAUSE_MS * 2 ** (number - 1) * (0.5 + random.next() / 2);
  await clock.sleep(pause, signal).catch(() => undefined);
  return !signal.aborted;
}

/** The receiver answered that it has not taken it. */
class Answered extends Error {
  /** It wants nothing of it: to send it again would change nothing. */
  readonly isFinal: boolean;

  constructor(status: number) {
    super(`the receiver answered ${status}`);
    this.isFinal = status < 500 && status !== 408 && status !== 429;
  }
}

/** Neither an address nor what a server says beside its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // Of the second kind are those that say why a sending was given up.
  if (error instanceof Answered || error instanceof DOMException) return error.message;
  // A sending that was given up: why, and by whom, stands in its cause.
  if ('code' in error && error.code === 'EABORT' && error.cause !== undefined) return reasonOf(error.cause);
  if ('code' in error && error.code === 'ETLS') return NO_TLS;
  if ('responseCode' in error && typeof error.responseCode === 'number')
    return `the mail server said ${error.responseCode}`;
  return socketReason(error) ?? ('code' in error && typeof error.code === 'string' ? error.code : error.name);
}

interface Sending {
  readonly address: Secret;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly contentType: string;
}

async function sendTo({ clock, signal, dispatcher }: MessengerOptions, sending: Sending): Promise<void> {
  const { address, method, body, contentType } = sending;
  const { origin, pathname, search, username, password } = new URL(address.reveal());
  const statusCode = await within({ clock, ms: TIMEOUT_MS, signal }, async (either) => {
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
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function sendJson(options: MessengerOptions, address: Secret, message: Message): Promise<void> {
  const body = JSON.stringify({ mirror: options.name, ...cleaned(message), text: textOf(options.name, message) });
  return sendTo(options, { address, method: 'POST', body, contentType: 'application/json' });
}

/** Whoever of the receivers is refused gets none of them, though the others do: it would be noticed by nobody. */
async function sendLetter(options: MessengerOptions, mail: MailChannel, message: Message): Promise<void> {
  const refused = await sendMail(options, mail, letterOf(options.name, message));
  if (refused > 0)
    options.log.warn({ channel: 'mail', refused }, 'the mail server refused some receivers of a message');
}

/** Messages hold what platforms answered: no address with a secret in it, no credential. */
function cleaned(message: Message): Message {
  const { what, means, run } = message;
  return { ...message, what: safeText(what), means: safeText(means), run: safeText(run) };
}

/** A message as people read it: what, what it means, what to run. */
function textOf(name: string, message: Message): string {
  const { what, means, run, since, reminder } = cleaned(message);
  return `${name}: ${what}\n${means}\nRun: ${run}\n${reminder ? 'Still so, since' : 'Since'} ${since}`;
}

function letterOf(name: string, message: Message): { subject: string; text: string } {
  const { what, reminder } = cleaned(message);
  const subject = `[docmirror ${name}] ${reminder ? 'Still: ' : ''}${what}`.slice(0, 200);
  return { subject, text: textOf(name, message) };
}
