// Sees how things stand and has the right people told. Nothing here may stop a night: what fails is logged.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { toAppError } from '../../base/index.ts';
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
  type Seen,
} from '../../daemon/index.ts';
import { databasePath, listShrunk, readMirror } from '../../mirror/index.ts';
import type { DiskSpace, JobState, LiveState } from '../../status/index.ts';
import type { Kit } from '../kit.ts';
import { statusNow } from './status-now.ts';

export interface TellerOptions {
  /** As it is now: settings may change. */
  readonly kit: () => Kit;
  readonly memory: Memory;
  readonly jobs: () => readonly JobState[];
  /** Is told what a channel did not take, and why; the log is when absent. */
  readonly onUnsent?: (channel: string, why: string) => void;
}

/** Disposing waits for what is being sent, for a moment. */
export interface Teller extends AsyncDisposable {
  /** Looks how things stand, soon, and tells what is due. */
  look(): void;
  ping(which: Ping, text: string): void;
  /** Resolves when all that was asked for has been done. */
  settled(): Promise<void>;
  /** Waits for what is being sent: all together for so long at most, and not beyond the signal. What is not sent then is given up. */
  finish(withinMs: number, signal?: AbortSignal): Promise<void>;
  state(): Required<Pick<LiveState, 'disk' | 'messages'>>;
}

/** How long an end of the program waits for what is being sent. */
const LAST_WORDS_MS = 2500;

export function createTeller(options: TellerOptions): Teller {
  const { kit, memory } = options;
  const { clock, random, log } = kit();
  const ending = new AbortController();
  const startPing = new AbortController();
  const channels = (): Config['notify'] => kit().config.notify;
  const { onUnsent } = options;
  const dispatcher = createAgent(kit().config.proxies);
  const messenger = createMessenger({
    channels,
    name: nameOf(kit().config),
    clock,
    random,
    log,
    signal: ending.signal,
    dispatcher,
    ...(onUnsent ? { onUnsent } : {}),
  });
  const deliver = (message: Message): Promise<boolean> => sendOrLog(kit(), messenger, namedIn(kit().config, message));
  const notices = createNotices({ memory, clock, deliver, remindAfterMs: () => channels().remindAfterMs });
  let disk: DiskSpace | null = null;
  // Apart, so that a silent receiver of the one does not keep the other waiting.
  const looks = inTurn(log);
  const pings = inTurn(log);
  const look = async (): Promise<void> => {
    disk = await diskSpace(kit().config.dataDir);
    await update(kit(), notices, { ...seenOrNot(kit()), jobs: options.jobs(), disk });
  };
  const settled = async (): Promise<void> => {
    await Promise.all([looks.settled(), pings.settled()]);
  };
  const finish = async (withinMs: number, signal?: AbortSignal): Promise<void> => {
    // That the walk ended says more than that it began, and comes after it.
    using _half = clock.after(withinMs / 2, () => startPing.abort(late()));
    using _whole = clock.after(withinMs, () => ending.abort(late()));
    const interrupted = (): void => ending.abort(new DOMException('interrupted', 'AbortError'));
    if (signal?.aborted) interrupted();
    signal?.addEventListener('abort', interrupted, { once: true });
    await settled();
    signal?.removeEventListener('abort', interrupted);
  };
  return {
    look: () => looks.add(look),
    ping: (which, text) => {
      const signal = which === 'start' ? AbortSignal.any([ending.signal, startPing.signal]) : ending.signal;
      pings.add(() => messenger.ping(which, text, signal));
    },
    settled,
    finish,
    state: () => ({ disk, messages: messenger.counts() }),
    [Symbol.asyncDispose]: async () => {
      await finish(LAST_WORDS_MS);
      await dispatcher.destroy();
    },
  };
}

function late(): DOMException {
  return new DOMException('no answer in time', 'TimeoutError');
}

interface Turns {
  add(work: () => Promise<void>): void;
  /** Resolves when all that was added is done. */
  settled(): Promise<void>;
}

/** One after another; what fails is logged. */
function inTurn(log: Kit['log']): Turns {
  let work: Promise<void> = Promise.resolve();
  return {
    add: (one) => {
      work = work.then(one).catch((error: unknown) => {
        log.warn({ err: toAppError(error) }, 'could not look whether somebody must be told');
      });
    },
    settled: async () => {
      for (let last: Promise<void> | null = null; last !== work;) await (last = work);
    },
  };
}

/** Who gets it may look after several mirrors, and copies the command from it. */
function namedIn(config: Config, message: Message): Message {
  const named = (text: string): string => repeatFlags(text, config);
  return { ...message, means: named(message.means), run: named(message.run) };
}

async function sendOrLog({ config, log }: Kit, messenger: Messenger, message: Message): Promise<boolean> {
  const { event, cause, what, run, reminder } = message;
  const isTold = config.notify.webhook === null && config.notify.mail === null ? true : await messenger.send(message);
  const level = event === 'recovered' ? 'info' : 'warn';
  if (isTold) log[level]({ event, cause, what, run, reminder }, event === 'recovered' ? 'over' : 'somebody must know');
  return isTold;
}

function update({ config }: Kit, notices: Notices, seen: Seen): Promise<void> {
  const limits = { ...config.freshness, freeDisk: config.notify.freeDisk };
  return notices.update(conditionsOf(seen, limits), (cause, since) => isKnownOver(cause, since, seen));
}

type Standing = Pick<Seen, 'status' | 'shrunk' | 'now'>;

/** A mirror that cannot be read is when somebody must be told most: the jobs that failed for it are. */
function seenOrNot(kit: Kit): Standing {
  try {
    return seenIn(kit);
  } catch (error) {
    kit.log.warn({ err: toAppError(error) }, 'could not look how the mirror stands');
    return { status: null, shrunk: 0, now: kit.clock.now() };
  }
}

function seenIn(kit: Kit): Standing {
  const { config, clock } = kit;
  const status = statusNow(kit);
  if (!existsSync(databasePath(config.dataDir))) return { status, shrunk: 0, now: clock.now() };
  using mirror = readMirror({ dataDir: config.dataDir, clock });
  return { status, shrunk: listShrunk(mirror).length, now: clock.now() };
}

async function diskSpace(folder: string): Promise<DiskSpace | null> {
  if (!existsSync(folder)) return null;
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  const space = { free: bavail * bsize, size: blocks * bsize };
  return files === 0 ? space : { ...space, files: { free: ffree, size: files } };
}

/** What messages call the mirror. */
export function nameOf({ name, platform }: Config): string {
  return name ?? (platform.baseUrl === null ? 'mirror' : new URL(platform.baseUrl).host);
}
