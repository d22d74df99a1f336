// The daemons of all configured platforms in one process: each with its own mirror, limiter, schedule and status page.
import type { App } from '../app.ts';
import { toAppError, type AppError, type Logger, type ProcessLock } from '../base/index.ts';
import { requirePlatform, withFlags, type Config } from '../config/index.ts';
import { isOfItsPlace, openLate, type Late, type One } from './late-daemon.ts';

export interface Daemons extends AsyncDisposable {
  /** Status pages, in the order of the configuration; the name is null without a list of platforms. */
  readonly pages: readonly { readonly name: string | null; readonly url: string }[];
  run(signal: AbortSignal): Promise<void>;
  /** Works by other configurations from the next jobs on. A configuration that cannot be read is logged, and nothing changes. */
  reload(read: () => readonly Config[]): void;
}

/**
 * Of several, one whose data directory cannot be used begins later, when it can; the others go on. Throws when none can begin.
 * Throws DM_CONFIG_MISSING for a platform without address or token, DM_ALREADY_RUNNING before any page is opened, and DM_PORT_IN_USE.
 */
export async function openDaemons(app: App, configs: readonly Config[]): Promise<Daemons> {
  for (const config of configs) requirePlatform(config);
  const locked: { readonly own: App; readonly lock: ProcessLock }[] = [];
  const open: One[] = [];
  const late: Late[] = [];
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
    if (locked.length === 0 && first !== undefined) throw first.error;
    for (const { own, lock } of locked) {
      open.push({ name: own.config.name, app: own, daemon: await leading(own, () => own.openDaemon(lock)) });
    }
  } catch (error) {
    await close(open);
    for (const { lock } of locked) lock[Symbol.dispose]();
    throw error;
  }
  const runLate = async (one: Late, signal: AbortSignal): Promise<void> => {
    const begun = await openLate(app, one, signal);
    if (begun === null) return;
    late.splice(late.indexOf(one), 1);
    open.push(begun);
    await begun.daemon.run(signal);
  };
  return {
    pages: open.map(({ name, daemon }) => ({ name, url: daemon.url })),
    run: async (signal) => {
      const begun = open.map(({ daemon }) => daemon.run(signal));
      await Promise.all([...begun, ...late.map((one) => runLate(one, signal))]);
    },
    reload: (read) => reload(app.log, { open, late }, read),
    [Symbol.asyncDispose]: () => close(open),
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

async function close(open: readonly One[]): Promise<void> {
  // At once: all of them together have the time that an end may take.
  await Promise.all(
    open.map(async ({ app, daemon }) => {
      await daemon[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    }),
  );
}

interface Platforms {
  readonly open: readonly One[];
  readonly late: readonly Late[];
}

function reload(log: Logger, { open, late }: Platforms, read: () => readonly Config[]): void {
  try {
    const configs = read();
    for (const config of configs) requirePlatform(config);
    const names = configs.map(({ name }) => name);
    const waiting = late.map(({ config }) => config.name);
    const added = names.filter((name) => !open.some((one) => one.name === name) && !waiting.includes(name));
    const removed = open.filter(({ name }) => !names.includes(name)).map(({ name }) => name);
    if (added.length + removed.length > 0) log.warn({ added, removed }, 'platforms come and go with a restart only');
    for (const one of late) one.config = configs.find(({ name }) => name === one.config.name) ?? one.config;
    for (const { name, daemon } of open) {
      const config = configs.find((one) => one.name === name);
      if (config === undefined) continue;
      const needRestart = daemon.reload(config);
      log.info({ platform: name, needRestart }, 'configuration reloaded');
    }
  } catch (error) {
    log.error({ err: toAppError(error) }, 'the configuration is refused, the old one stays');
  }
}
