// The platforms of the list while the daemon runs: each from when it is taken up until it has ended, which is when it is taken out of
// the list, or when the process ends.
import type { App } from '../app.ts';
import { AppError } from '../base/index.ts';
import { requirePlatform, sharedPlace, type Config } from '../config/index.ts';
import { openLate, type Late, type One } from './late-daemon.ts';

export interface ListedPlatforms extends AsyncDisposable {
  /** Resolves when the signal has aborted and all of them have ended. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Another list: what is new in it begins, what is no more in it ends after its present job, the others work by their settings from
   * the next job on. Throws DM_CONFIG_MISSING, with nothing changed, for a platform without address or token.
   */
  change(configs: readonly Config[]): void;
}

export type LateAtStart = Pick<Late, 'config' | 'error'>;

interface Listed extends Late {
  /** Null until it has begun. */
  one: One | null;
  /** Aborts when it is taken out of the list. */
  readonly leaving: AbortController;
  ended: Promise<void>;
}

export function createListedPlatforms(app: App, begun: readonly One[], late: readonly LateAtStart[]): ListedPlatforms {
  const all = new Set<Listed>([
    ...begun.map((one) => listed({ config: one.app.config, error: null, one })),
    ...late.map(({ config, error }) => listed({ config, error, one: null })),
  ]);
  let begin = (one: Listed): void => void all.add(one);
  return {
    run: (signal) =>
      new Promise<void>((resolve, reject) => {
        let working = 0;
        begin = (one) => {
          all.add(one);
          working += 1;
          one.ended = live(app, { one, all }, signal).then(() => {
            working -= 1;
            if (working === 0) resolve();
          });
          one.ended.catch(reject);
        };
        for (const one of all) begin(one);
      }),
    change: (configs) => {
      for (const config of configs) requirePlatform(config);
      for (const config of change(app, all, configs)) begin(listed({ config, error: null, one: null }));
    },
    [Symbol.asyncDispose]: () => closeAll([...all].flatMap(({ one }) => one ?? [])),
  };
}

/** At once: all of them together have the time that an end may take. */
export async function closeAll(open: readonly One[]): Promise<void> {
  await Promise.all(
    open.map(async ({ app, daemon }) => {
      await daemon[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    }),
  );
}

function listed(start: Pick<Listed, 'config' | 'error' | 'one'>): Listed {
  return { ...start, reread: new AbortController(), leaving: new AbortController(), ended: Promise.resolve() };
}

interface Among {
  readonly one: Listed;
  readonly all: Set<Listed>;
}

/** From its beginning, which may take until its place is free, to its end; one that was taken out of the list is closed by then. */
async function live(app: App, { one, all }: Among, signal: AbortSignal): Promise<void> {
  const { leaving } = one;
  const until = AbortSignal.any([signal, leaving.signal]);
  if (one.one === null) {
    await Promise.all([...all].filter((other) => isBefore(other, one)).map(({ ended }) => ended));
    const demand = (): void => demandTurn(one.config, all);
    one.one = until.aborted ? null : await openLate(app, one, { signal: until, demandTurn: demand });
  }
  if (one.one !== null) await runUntilLeft(one.one, leaving.signal, signal);
  if (signal.aborted) return;
  all.delete(one);
  if (one.one !== null) await closeAll([one.one]);
  app.log.info({ platform: one.config.name, dataDir: one.config.dataDir }, 'this platform has ended, its data stays');
}

/** Whether the other one is about to end, and has the place that this one takes. */
function isBefore(other: Listed, one: Listed): boolean {
  return other !== one && other.leaving.signal.aborted && sharedPlace(placeOf(other), one.config) !== null;
}

/** A reload leaves those of its settings as they were. */
function placeOf({ one, config }: Listed): Config {
  return one?.app.config ?? config;
}

async function runUntilLeft({ daemon }: One, leaving: AbortSignal, signal: AbortSignal): Promise<void> {
  const endAfterJob = (): void => daemon.endAfterJob();
  if (leaving.aborted) endAfterJob();
  leaving.addEventListener('abort', endAfterJob, { once: true });
  await daemon.run(signal);
}

/** Throws what is in the way of one that is to begin beside those that run: they keep what they have until a restart. */
function demandTurn(config: Config, all: ReadonlySet<Listed>): void {
  for (const { one } of all) {
    const place = one && sharedPlace(one.app.config, config);
    if (one === null || place === null) continue;
    const [value, code] =
      place === 'dataDir'
        ? ([config.dataDir, 'DM_ALREADY_RUNNING'] as const)
        : ([config.status.port, 'DM_PORT_IN_USE'] as const);
    const message = `${place} ${value} of the platform ${String(config.name)} is still that of ${one.name ?? 'the one before the list'}, which runs; expected one of its own`;
    throw new AppError(code, message, {
      hint: `Set ${place} in its entry to another one, or restart the daemon, which gives each its place in the list anew.`,
    });
  }
}

/** What is to begin; the rest of the change is made. */
function change({ log }: App, all: ReadonlySet<Listed>, configs: readonly Config[]): Config[] {
  const added = new Map(configs.map((config) => [config.name, config]));
  for (const one of all) {
    if (one.leaving.signal.aborted) continue;
    const { name } = one.config;
    const config = added.get(name);
    added.delete(name);
    if (config === one.config) continue;
    if (config !== undefined) {
      reread(one, config);
      const needRestart = one.one?.daemon.reload(config) ?? [];
      log.info({ platform: name, needRestart }, 'configuration reloaded');
    } else {
      log.info({ platform: name }, 'this platform is taken out of the list and ends after its present job');
      one.leaving.abort();
    }
  }
  return [...added.values()];
}

function reread(one: Listed, config: Config): void {
  one.config = config;
  one.reread.abort();
  one.reread = new AbortController();
}
