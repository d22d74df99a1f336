// The daemons of all configured platforms in one process: each with its own mirror, limiter, schedule and status page.
import type { App } from '../app.ts';
import { toAppError, type AppError, type ProcessLock } from '../base/index.ts';
import { requirePlatform, withFlags, type Config } from '../config/index.ts';
import { isOfItsPlace, type One } from './late-daemon.ts';
import { closeAll, createListedPlatforms, type LateAtStart } from './listed-platforms.ts';

export interface Daemons extends AsyncDisposable {
  /** Status pages at the start, in the order of the configuration; the name is null without a list of platforms. */
  readonly pages: readonly { readonly name: string | null; readonly url: string }[];
  run(signal: AbortSignal): Promise<void>;
  /** Works by other configurations from the next jobs on. A configuration that cannot be read is logged, and nothing changes. */
  reload(read: () => readonly Config[]): void;
}

/**
 * Of several, one whose data directory cannot be used begins later, when it can; the others go on. Throws when none can begin, but
 * waits where a full disk alone is in the way.
 * Throws DM_CONFIG_MISSING for a platform without address or token, DM_ALREADY_RUNNING before any page is opened, and DM_PORT_IN_USE.
 */
export async function openDaemons(app: App, configs: readonly Config[]): Promise<Daemons> {
  for (const config of configs) requirePlatform(config);
  const locked: { readonly own: App; readonly lock: ProcessLock }[] = [];
  const open: One[] = [];
  const late: LateAtStart[] = [];
  try {
    for (const config of configs) {
      const own = app.withConfig(config);
      try {
        locked.push({ own, lock: await leading(own, () => own.lockDaemon('daemon')) });
      } catch (thrown) {
        late.push({ config, error: ofItsPlace(thrown) });
        await own[Symbol.asyncDispose]();
      }
    }
    const [first] = late;
    const isFull = late.some(({ error }) => error?.code === 'DM_DISK_FULL');
    if (locked.length === 0 && first?.error && !isFull) throw first.error;
    for (const { own, lock } of locked) {
      open.push({ name: own.config.name, app: own, daemon: await leading(own, () => own.openDaemon(lock)) });
    }
  } catch (error) {
    await closeAll(open);
    for (const { lock } of locked) lock[Symbol.dispose]();
    throw error;
  }
  const platforms = createListedPlatforms(app, open, late);
  return {
    pages: open.map(({ name, daemon }) => ({ name, url: daemon.url })),
    run: (signal) => platforms.run(signal),
    reload: (read) => {
      try {
        platforms.change(read());
      } catch (error) {
        app.log.error({ err: toAppError(error) }, 'the configuration is refused, the old one stays');
      }
    },
    [Symbol.asyncDispose]: () => platforms[Symbol.asyncDispose](),
  };
}

/** What goes wrong for one of them names commands for that one. */
async function leading<T>({ config }: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withFlags(error, config);
  }
}

/** The error, when the others may go on without this one; throws it otherwise. */
function ofItsPlace(thrown: unknown): AppError {
  const error = toAppError(thrown);
  if (!isOfItsPlace(error)) throw error;
  return error;
}
