// The one way of messages out of this machine: pings, a webhook, e-mail. Addresses are secrets and stand in no log.
import type { Dispatcher } from 'undici';
import type { Clock, Logger, Random, Secret } from '../base/index.ts';
import type { MessageCount } from '../status/index.ts';
import { attempt, type Outcome } from './attempts.ts';
import { sendMail, type MailChannel } from './mail.ts';
import { chatTextOf, cleaned, letterOf } from './message-text.ts';
import type { Message } from './notices.ts';
import { sendTo } from './send-http.ts';

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
  /** Of each channel that is set or was. */
  counts(): readonly MessageCount[];
}

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

const CHANNELS: readonly Channel[] = [...(['start', 'success', 'failure'] as const).map(pingChannel), WEBHOOK, MAIL];

/** What has been sent so far, and what could not be. */
interface Post {
  readonly options: MessengerOptions;
  readonly counts: Map<Channel['name'], Count>;
  /** When all attempts at an address have failed: by address, so that a corrected one is asked at once. */
  readonly unreached: WeakMap<Secret, number>;
}

type Count = Omit<MessageCount, 'channel'>;

/** A channel that fails throws nothing: it is counted, and told to `onUnsent` or else to the log. */
export function createMessenger(options: MessengerOptions): Messenger {
  const post: Post = { options, counts: new Map(), unreached: new WeakMap() };
  return {
    ping: (which, text, signal = options.signal) => ping(post, which, { text, signal }),
    send: (message) => send(post, message),
    counts: () => countsNow(post),
  };
}

interface PingText {
  readonly text: string;
  readonly signal: AbortSignal;
}

async function ping(post: Post, which: Ping, { text, signal }: PingText): Promise<void> {
  const options = { ...post.options, signal };
  const { [which]: address, method } = options.channels().ping;
  if (address === null) return;
  const body = method === 'GET' ? null : `${options.name}: ${text}\n`;
  const sending = { address, method, body, contentType: 'text/plain' };
  const outcome = await attempt(options, () => sendTo(options, sending));
  note(post, pingChannel(which), outcome);
}

async function send(post: Post, message: Message): Promise<boolean> {
  const { options } = post;
  const { webhook, mail } = options.channels();
  const sent = await Promise.all([
    webhook && sendUnlessResting(post, WEBHOOK, { address: webhook, work: () => sendJson(options, webhook, message) }),
    mail && sendUnlessResting(post, MAIL, { address: mail.url, work: () => sendLetter(options, mail, message) }),
  ]);
  return sent.includes(true);
}

interface Work {
  readonly address: Secret;
  readonly work: () => Promise<void>;
}

/** True when it was sent. */
async function sendUnlessResting(post: Post, channel: Channel, { address, work }: Work): Promise<boolean> {
  const { options, unreached } = post;
  const since = unreached.get(address);
  if (since !== undefined && Math.abs(options.clock.now() - since) < REST_MS) return false;
  const outcome = await attempt(options, work);
  note(post, channel, outcome);
  if (outcome.how === 'unreached') unreached.set(address, options.clock.now());
  return outcome.how === 'sent';
}

/** Counts it, and says what was not sent. */
function note({ options, counts }: Post, { name: channel }: Channel, outcome: Outcome): void {
  const { sent, failed } = counts.get(channel) ?? { sent: 0, failed: 0 };
  if (outcome.how === 'sent') {
    counts.set(channel, { sent: sent + 1, failed, unsent: null });
    return;
  }
  const { why, attempts } = outcome;
  counts.set(channel, { sent, failed: failed + 1, unsent: { at: options.clock.now(), why } });
  if (options.onUnsent) options.onUnsent(channel, why);
  else options.log.warn({ channel, why, attempts }, 'a message could not be sent');
}

/**
 * Each channel that is set, from 0 on: Prometheus sees no increase in a series that begins above 0, such as one of the first message
 * that could not be sent. Nobody waits for what went through one that was taken out of the settings.
 */
function countsNow({ options, counts }: Post): MessageCount[] {
  const channels = options.channels();
  return CHANNELS.flatMap(({ name: channel, addressIn }) => {
    const isSet = addressIn(channels) !== null;
    const count = counts.get(channel) ?? (isSet ? { sent: 0, failed: 0, unsent: null } : null);
    return count === null ? [] : [{ channel, ...count, unsent: isSet ? (count.unsent ?? null) : null }];
  });
}

function sendJson(options: MessengerOptions, address: Secret, message: Message): Promise<void> {
  const body = JSON.stringify({ mirror: options.name, ...cleaned(message), text: chatTextOf(options.name, message) });
  return sendTo(options, { address, method: 'POST', body, contentType: 'application/json' });
}

/** Whoever of the receivers is refused gets none of them, though the others do: it would be noticed by nobody. */
async function sendLetter(options: MessengerOptions, mail: MailChannel, message: Message): Promise<void> {
  const refused = await sendMail(options, mail, letterOf(options.name, message));
  if (refused > 0)
    options.log.warn({ channel: 'mail', refused }, 'the mail server refused some receivers of a message');
}
