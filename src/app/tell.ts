// Sees how things stand and has the right people told. Nothing here may stop a night: what fails is logged.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { toAppError } from '../base/index.ts';
import type { Config } from '../config/index.ts';
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
} from '../daemon/index.ts';
import { databasePath, listShrunk, readMirror } from '../mirror/index.ts';
import type { DiskSpace, JobState, LiveState } from '../status/index.ts';
import type { Kit } from './kit.ts';
import { statusNow } from './status-now.ts';

export interface TellerOptions {
  /** As it is now: settings may change. */
  readonly kit: () => Kit;
  readonly memory: Memory;
  readonly jobs: () => readonly JobState[];
}

/** Disposing waits for what is being sent, for a moment. */
export interface Teller extends AsyncDisposable {
  /** Looks how things stand, soon, and tells what is due. */
  look(): void;
  ping(which: Ping, text: string): void;
  /** Resolves when all that was asked for has been done. */
  settled(): Promise<void>;
  state(): Required<Pick<LiveState, 'disk' | 'messages'>>;
}

/** How long an end of the program waits for what is being sent. */
const LAST_WORDS_MS = 2500;

export function createTeller(options: TellerOptions): Teller {
  const { kit, memory } = options;
  const { clock, random, log } = kit();
  const ending = new AbortController();
  const channels = (): Config['notify'] => kit().config.notify;
  const messenger = createMessenger({
    channels,
    name: nameOf(kit().config),
    clock,
    random,
    log,
    signal: ending.signal,
  });
  const deliver = (message: Message): Promise<boolean> => sendOrLog(kit(), messenger, message);
  const notices = createNotices({ memory, clock, deliver, remindAfterMs: () => channels().remindAfterMs });
  let disk: DiskSpace | null = null;
  let work: Promise<void> = Promise.resolve();
  const soon = (one: () => Promise<void>): void => {
    work = work.then(one).catch((error: unknown) => {
      log.warn({ err: toAppError(error) }, 'could not look whether somebody must be told');
    });
  };
  const look = async (): Promise<void> => {
    disk = await diskSpace(kit().config.dataDir);
    await update(kit(), notices, { ...seenOrNot(kit()), jobs: options.jobs(), disk });
  };
  return {
    look: () => soon(look),
    ping: (which, text) => soon(() => messenger.ping(which, text)),
    settled: async () => {
      for (let last: Promise<void> | null = null; last !== work;) await (last = work);
    },
    state: () => ({ disk, messages: messenger.counts() }),
    [Symbol.asyncDispose]: async () => {
      using _end = clock.after(LAST_WORDS_MS, () => ending.abort());
      await work;
    },
  };
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
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

function nameOf({ name, platform }: Config): string {
  return name ?? (platform.baseUrl === null ? 'mirror' : new URL(platform.baseUrl).host);
}
