// The daemons of all configured platforms in one process: each with its own mirror, limiter, schedule and status page.
import type { App, RunningDaemon } from '../app.ts';
import { toAppError, type Logger, type ProcessLock } from '../base/index.ts';
import { requirePlatform, withFlags, type Config } from '../config/index.ts';

interface One {
  readonly name: string | null;
  readonly app: App;
  readonly daemon: RunningDaemon;
}

export interface Daemons extends AsyncDisposable {
  /** Status pages, in the order of the configuration; the name is null without a list of platforms. */
  readonly pages: readonly { readonly name: string | null; readonly url: string }[];
  run(signal: AbortSignal): Promise<void>;
  /** Works by other configurations from the next jobs on. A configuration that cannot be read is logged, and nothing changes. */
  reload(read: () => readonly Config[]): void;
}

/** Throws DM_CONFIG_MISSING for a platform without address or token, DM_ALREADY_RUNNING before any page is opened, and DM_PORT_IN_USE. */
export async function openDaemons(app: App, configs: readonly Config[]): Promise<Daemons> {
  for (const config of configs) requirePlatform(config);
  const locked: { readonly own: App; readonly lock: ProcessLock }[] = [];
  const open: One[] = [];
  try {
    for (const config of configs) {
      const own = app.withConfig(config);
      locked.push({ own, lock: await leading(own, () => own.lockDaemon('daemon')) });
    }
    for (const { own, lock } of locked) {
      open.push({ name: own.config.name, app: own, daemon: await leading(own, () => own.openDaemon(lock)) });
    }
  } catch (error) {
    await close(open);
    for (const { lock } of locked) lock[Symbol.dispose]();
    throw error;
  }
  return {
    pages: open.map(({ name, daemon }) => ({ name, url: daemon.url })),
    run: async (signal) => {
      await Promise.all(open.map(({ daemon }) => daemon.run(signal)));
    },
    reload: (read) => reload(app.log, open, read),
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

async function close(open: readonly One[]): Promise<void> {
  // At once: all of them together have the time that an end may take.
  await Promise.all(
    open.map(async ({ app, daemon }) => {
      await daemon[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    }),
  );
}

function reload(log: Logger, open: readonly One[], read: () => readonly Config[]): void {
  try {
    const configs = read();
    for (const config of configs) requirePlatform(config);
    const names = configs.map(({ name }) => name);
    const added = names.filter((name) => !open.some((one) => one.name === name));
    const removed = open.filter(({ name }) => !names.includes(name)).map(({ name }) => name);
    if (added.length + removed.length > 0) log.warn({ added, removed }, 'platforms come and go with a restart only');
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
