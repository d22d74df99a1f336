import { AppError, Secret, sha256, toAppError, type Mutex, type ProcessLock } from '../../base/index.ts';
import { repeatFlags, type Config } from '../../config/index.ts';
import { createDaemon, openMemory, type Plan } from '../../daemon/index.ts';
import {
  noLiveState,
  startStatusServer,
  type LiveState,
  type StatusServer,
  type WalkState,
} from '../../status/index.ts';
import { jobsOf } from './jobs.ts';
import { createKit, type Kit, type OwnKit } from '../kit.ts';
import { daemonOf, demandPlace } from './one-process.ts';
import { memoryFile } from '../places.ts';
import { notePort } from './probe.ts';
import { replicaRoutes } from './replica-routes.ts';
import { createRequestCounter } from './request-counter.ts';
import { pinged } from './sync-and-tell.ts';
import { sync, type SyncOptions, type SyncResult } from '../sync.ts';
import { createTeller } from './tell.ts';

/** The status page, and the schedule once it is run. Disposing ends the status page and frees the lock. */
export interface RunningDaemon extends AsyncDisposable {
  /** Address of the status page. */
  readonly url: string;
  /** A walk outside the schedule that the status page shows. */
  sync(options: SyncOptions): Promise<SyncResult>;
  /** Keeps the schedule until the signal aborts, or, once it is to end after its job, until that is done and told. */
  run(signal: AbortSignal): Promise<void>;
  /** No further job begins. */
  endAfterJob(): void;
  /** What the status page shows beside the mirror. */
  state(): LiveState;
  /** Resolves when no job runs and nothing is being sent. */
  idle(): Promise<void>;
  /**
   * Works by another configuration from the next job on; what is under way ends as it began. Gives the settings whose change needs
   * a restart, which stay as they were.
   */
  reload(config: Config): string[];
}

// Deadlines come nearer and disks fill up while no job runs.
const LOOK_MS = 3_600_000;

/** Opens the status page, for whoever holds the daemon's lock. Heavy jobs take turns with those of other daemons. Throws DM_PORT_IN_USE when its address is taken. */
export async function openDaemon(kit: Kit, lock: ProcessLock, heavy: Mutex): Promise<RunningDaemon> {
  const { clock, random, log, watch } = kit;
  const counter = createRequestCounter(watch);
  const kitOf = (config: Config): OwnKit => createKit({ config, clock, random, log, watch: counter.watch });
  let current = kitOf(kit.config);
  let walk: WalkState | null = null;
  const demandHere = (): void => demandPlace(lock, kit);
  const memory = openMemory(memoryFile(kit.config), log, demandHere);
  const teller = createTeller({ kit: () => current, memory, jobs: () => daemon.state() });
  const walkWith = (own: Kit, options: SyncOptions): Promise<SyncResult> =>
    pinged(teller, async () => {
      demandHere();
      return syncWatched(own, options, (state) => (walk = state));
    });
  const planOf = (own: Kit): Plan => {
    const { timezone, jitterMs } = own.config.schedule;
    const sync = (options: SyncOptions): Promise<SyncResult> => walkWith(own, options);
    return { jobs: jobsOf({ kit: own, memory, sync, demandPlace: demandHere }), timezone, jitterMs };
  };
  const daemon = createDaemon({ ...planOf(current), clock, random, log, heavy, onChange: () => teller.look() });
  const state = (): LiveState => ({
    jobs: daemon.state(),
    walk,
    platform: current.config.name,
    ...counter.state(),
    ...teller.state(),
  });
  const page = await openStatusPage(current, state, () => current.config.retention.policy);
  await notePort(memory, page.url);
  return {
    url: page.url,
    state,
    sync: (options) => walkWith(current, options),
    idle: async () => {
      await daemon.idle();
      await teller.settled();
    },
    run: async (signal) => {
      using _looking = clock.every(LOOK_MS, () => teller.look());
      teller.look();
      await daemon.run(signal);
      if (!signal.aborted) await teller.settled();
    },
    endAfterJob: () => daemon.endAfterJob(),
    reload: (config) => {
      const [before, next] = [current, kitOf(keepFixed(current.config, config))];
      current = next;
      daemon.replace(planOf(next));
      // A walk under way goes on with the client that it has.
      void daemon.idle().then(() => before[Symbol.asyncDispose]());
      return fixedChanges(before.config, config);
    },
    [Symbol.asyncDispose]: async () => {
      await page[Symbol.asyncDispose]();
      await teller[Symbol.asyncDispose]();
      await current[Symbol.asyncDispose]();
      lock[Symbol.dispose]();
    },
  };
}

/** The status page alone, when nothing is scheduled. Throws DM_PORT_IN_USE; where the daemon shows the page already, it says so. */
export async function openStatusPageAlone(kit: Kit): Promise<StatusServer> {
  try {
    return await openStatusPage(
      kit,
      () => noLiveState,
      () => kit.config.retention.policy,
    );
  } catch (error) {
    const daemon = daemonOf(kit.config.dataDir);
    const { code, message } = toAppError(error);
    if (code !== 'DM_PORT_IN_USE' || daemon === null) throw error;
    throw new AppError(code, `${message}; the daemon of this data directory runs (${daemon})`, {
      hint: 'It shows the status page itself, so nothing more is needed. For a second one set DOCMIRROR_STATUS_PORT to a free port, 0 for any.',
      cause: error,
    });
  }
}

function openStatusPage(
  kit: Kit,
  live: () => LiveState,
  retention: () => Config['retention']['policy'],
): Promise<StatusServer> {
  const { config, clock, log } = kit;
  const { dataDir, freshness, status } = config;
  const named = (text: string): string => repeatFlags(text, config);
  const parts = { dataDir, clock, log, freshness, live, retention, named };
  return startStatusServer({ ...parts, beside: replicaRoutes(kit), ...status });
}

async function syncWatched(
  kit: Kit,
  options: SyncOptions,
  note: (walk: WalkState | null) => void,
): Promise<SyncResult> {
  try {
    return await sync(kit, {
      ...options,
      onProgress: (progress) => {
        note(progress);
        options.onProgress?.(progress);
      },
      onExport: (progress) => {
        note(null);
        options.onExport?.(progress);
      },
    });
  } finally {
    note(null);
  }
}

/** What an open page, an open file and the log stand on. */
const FIXED = ['dataDir', 'status', 'freshness', 'replica', 'log'] as const satisfies readonly (keyof Config)[];

function keepFixed(before: Config, after: Config): Config {
  const { dataDir, status, freshness, replica, log } = before;
  return { ...after, dataDir, status, freshness, replica, log };
}

function fixedChanges(before: Config, after: Config): string[] {
  return FIXED.filter((key) => shown(before[key]) !== shown(after[key]));
}

/** Secrets show themselves to nobody, so their hash is compared. */
function shown(value: unknown): string {
  return JSON.stringify(
    value,
    function secretsToo(this: Readonly<Record<string, unknown>>, key: string, part: unknown) {
      const own = this[key];
      return own instanceof Secret ? sha256(own.reveal()) : part;
    },
  );
}
