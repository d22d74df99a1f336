// Sees how things stand and has the right people told. Nothing here may stop a night: what fails is logged.
import { NO_ANSWER_IN_TIME } from '../../base/index.ts';
import { createAgent } from '../../client/index.ts';
import { repeatFlags, type Config } from '../../config/index.ts';
import {
  conditionsOf,
  createMessenger,
  createNotices,
  isKnownOver,
  type Memory,
  type Message,
  type Messenger,
  type Notices,
  type Ping,
} from '../../daemon/index.ts';
import type { DiskSpace, JobState, RuntimeState } from '../../status/index.ts';
import type { Kit } from '../kit.ts';
import { createBackgroundQueue, type BackgroundQueue } from './background-queue.ts';
import { diskSpace, standingOf } from './standing.ts';

export interface TellerOptions {
  /** As it is now: settings may change. */
  readonly kit: () => Kit;
  readonly memory: Memory;
  readonly jobs: () => readonly JobState[];
  /** Is told what a channel did not take, and why; the log is when absent. */
  readonly onUnsent?: (channel: string, why: string) => void;
}

/** How long an end of the program waits for what is being sent. */
const LAST_WORDS_MS = 2500;

/** Disposing waits for what is being sent, for a moment. */
export class Teller implements AsyncDisposable {
  readonly #options: TellerOptions;
  readonly #dispatcher: ReturnType<typeof createAgent>;
  readonly #messenger: Messenger;
  readonly #notices: Notices;
  // Apart, so that a silent receiver of the one does not keep the other waiting.
  readonly #looks: BackgroundQueue;
  readonly #pings: BackgroundQueue;
  readonly #ending = new AbortController();
  /** Of the ping that says that a walk began. */
  readonly #endingStart = new AbortController();
  #disk: DiskSpace | null = null;

  constructor(options: TellerOptions) {
    const { kit, memory } = options;
    const { clock, log, config } = kit();
    this.#options = options;
    this.#dispatcher = createAgent(config.proxies);
    this.#messenger = messengerOf(options, { signal: this.#ending.signal, dispatcher: this.#dispatcher });
    this.#notices = createNotices({
      memory,
      clock,
      deliver: (message) => sendOrLog(kit(), this.#messenger, message),
      remindAfterMs: () => kit().config.notify.remindAfterMs,
    });
    this.#looks = createBackgroundQueue(log);
    this.#pings = createBackgroundQueue(log);
  }

  /** Looks how things stand, soon, and tells what is due. */
  look(): void {
    this.#looks.add(() => this.#lookNow());
  }

  async #lookNow(): Promise<void> {
    const disk = await diskSpace(this.#options.kit().config.dataDir);
    this.#disk = disk;
    const kit = this.#options.kit();
    const { freshness, notify } = kit.config;
    const seen = { ...standingOf(kit), jobs: this.#options.jobs(), disk };
    const conditions = conditionsOf(seen, { ...freshness, freeDisk: notify.freeDisk });
    await this.#notices.update(conditions, (cause, since) => isKnownOver(cause, since, seen));
  }

  ping(which: Ping, text: string): void {
    const { signal: end } = this.#ending;
    const signal = which === 'start' ? AbortSignal.any([end, this.#endingStart.signal]) : end;
    this.#pings.add(() => this.#messenger.ping(which, text, signal));
  }

  /** Resolves when all that was asked for has been done. */
  async settled(): Promise<void> {
    await Promise.all([this.#looks.settled(), this.#pings.settled()]);
  }

  /** Waits for what is being sent: all together for so long at most, and not beyond the signal. What is not sent then is given up. */
  async finish(withinMs: number, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#options.kit();
    // That the walk ended says more than that it began, and comes after it.
    using _half = clock.after(withinMs / 2, () => this.#endingStart.abort(late()));
    using _whole = clock.after(withinMs, () => this.#ending.abort(late()));
    const interrupted = (): void => this.#ending.abort(new DOMException('interrupted', 'AbortError'));
    if (signal?.aborted) interrupted();
    signal?.addEventListener('abort', interrupted, { once: true });
    await this.settled();
    signal?.removeEventListener('abort', interrupted);
  }

  state(): Required<Pick<RuntimeState, 'disk' | 'messages'>> {
    return { disk: this.#disk, messages: this.#messenger.counts() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.finish(LAST_WORDS_MS);
    await this.#dispatcher.destroy();
  }
}

function messengerOf(
  { kit, onUnsent }: TellerOptions,
  by: Pick<Parameters<typeof createMessenger>[0], 'signal' | 'dispatcher'>,
): Messenger {
  const { config, clock, random, log } = kit();
  const channels = (): Config['notify'] => kit().config.notify;
  return createMessenger({
    channels,
    name: nameOf(config),
    clock,
    random,
    log,
    ...by,
    ...(onUnsent ? { onUnsent } : {}),
  });
}

function late(): DOMException {
  return new DOMException(NO_ANSWER_IN_TIME, 'TimeoutError');
}

/** Who gets it may look after several mirrors, and copies the command from it. */
export function namedIn(config: Config, message: Message): Message {
  const named = (text: string): string => repeatFlags(text, config);
  return { ...message, means: named(message.means), run: named(message.run) };
}

/** True when somebody has it, be it by the log where no channel is set. */
async function sendOrLog({ config, log }: Kit, messenger: Messenger, message: Message): Promise<boolean> {
  const { webhook, mail } = config.notify;
  const named = namedIn(config, message);
  const isTold = (webhook === null && mail === null) || (await messenger.send(named));
  const { event, cause, what, run, reminder } = named;
  const level = event === 'recovered' ? 'info' : 'warn';
  if (isTold) log[level]({ event, cause, what, run, reminder }, event === 'recovered' ? 'over' : 'somebody must know');
  return isTold;
}

/** What messages call the mirror. */
export function nameOf({ name, platform }: Config): string {
  return name ?? (platform.baseUrl === null ? 'mirror' : new URL(platform.baseUrl).host);
}
