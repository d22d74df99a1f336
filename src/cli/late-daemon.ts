// A platform of the list that cannot begin at once, such as one on a disk that is not mounted or full: the others go on as usual,
// and it is tried again until it can begin.
import type { App, RunningDaemon } from '../app.ts';
import { toAppError, type AppError, type ProcessLock } from '../base/index.ts';
import { withFlags, type Config } from '../config/index.ts';

export interface One {
  readonly name: string | null;
  readonly app: App;
  readonly daemon: RunningDaemon;
}

export interface Late {
  /** As it is now: a reload may correct it. */
  config: Config;
  /** What kept it from beginning; null when that was not tried yet. */
  readonly error: AppError | null;
  /** Aborts when its configuration was read anew: what was wrong may be right. */
  reread: AbortController;
}

export interface LateOptions {
  readonly signal: AbortSignal;
  /** Throws while others are in the way of it. */
  readonly demandTurn: () => void;
}

const AGAIN_MS = 60_000;

/** Whether the error is about the place of one platform alone. */
export function isOfItsPlace({ code }: AppError): boolean {
  return code === 'DM_DATA_DIR_UNUSABLE' || code === 'DM_DISK_FULL';
}

/** Throws, with nothing left open, what keeps it from beginning. */
async function openOne(app: App, config: Config): Promise<One> {
  const own = app.withConfig(config);
  let lock: ProcessLock | undefined;
  try {
    lock = await own.lockDaemon('daemon');
    return { name: config.name, app: own, daemon: await own.openDaemon(lock) };
  } catch (error) {
    lock?.[Symbol.dispose]();
    await own[Symbol.asyncDispose]();
    // What goes wrong for one of them names commands for that one.
    throw withFlags(error, own.config);
  }
}

/** Null when the signal aborted before. */
export async function openLate(app: App, late: Late, { signal, demandTurn }: LateOptions): Promise<One | null> {
  await using first = app.withConfig(late.config);
  await using teller = await first.tellLate(signal);
  const said = new Set<string>();
  for (let { error } = late; ;) {
    if (error !== null) {
      if (!said.has(error.message)) first.log.error({ err: error }, 'this platform cannot begin and is tried again');
      said.add(error.message);
      const awake = AbortSignal.any([signal, late.reread.signal]);
      // Whoever is slow to be told keeps nobody from beginning for longer than this.
      const slept = first.clock.sleep(AGAIN_MS, awake).catch(() => undefined);
      await Promise.all([teller.tell(error), slept]);
    }
    if (signal.aborted) return null;
    try {
      demandTurn();
      const one = await openOne(app, late.config);
      one.app.log.info({ url: one.daemon.url }, 'this platform has begun');
      await teller.over();
      return one;
    } catch (thrown) {
      error = toAppError(thrown);
    }
  }
}
