import { AppError } from '../base/index.ts';
import { createDaemon, type Job } from '../daemon/index.ts';
import { listDrills, listSnapshots, readMirror, type Mirror, type Snapshot } from '../mirror/index.ts';
import { noLiveState, startStatusServer, type StatusServer, type WalkState } from '../status/index.ts';
import { drill } from './drill.ts';
import type { Kit } from './kit.ts';
import { replicaRoutes } from './replica-routes.ts';
import { sync, type SyncOptions, type SyncResult } from './sync.ts';

/** The status page, and the schedule once it is run. Disposing ends the status page. */
export interface RunningDaemon extends AsyncDisposable {
  /** Address of the status page. */
  readonly url: string;
  /** A walk outside the schedule that the status page shows. */
  sync(options: SyncOptions): Promise<SyncResult>;
  /** Keeps the schedule until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Opens the status page. Throws DM_PORT_IN_USE when its address is taken. */
export async function openDaemon(kit: Kit): Promise<RunningDaemon> {
  const { config, clock, random, log } = kit;
  let walk: WalkState | null = null;
  const watchedSync = async (options: SyncOptions): Promise<SyncResult> => {
    try {
      return await sync(kit, {
        ...options,
        onProgress: (progress) => {
          walk = progress;
          options.onProgress?.(progress);
        },
        onExport: (progress) => {
          walk = null;
          options.onExport?.(progress);
        },
      });
    } finally {
      walk = null;
    }
  };
  const jobs = [syncJob(kit, watchedSync), drillJob(kit)];
  const { timezone, jitterMs } = config.schedule;
  const daemon = createDaemon({ jobs, timezone, jitterMs, clock, random, log });
  const page = await openStatusPage(kit, () => ({ jobs: daemon.state(), walk }));
  return {
    url: page.url,
    sync: watchedSync,
    run: (signal) => daemon.run(signal),
    [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
  };
}

/** The status page alone, when nothing is scheduled. */
export function openStatusPage(kit: Kit, live = () => noLiveState): Promise<StatusServer> {
  const { config, clock, log } = kit;
  const { dataDir, freshness, status } = config;
  return startStatusServer({ dataDir, clock, log, freshness, live, beside: replicaRoutes(kit), ...status });
}

function syncJob(kit: Kit, run: (options: SyncOptions) => Promise<SyncResult>): Job {
  return {
    name: 'sync',
    pattern: kit.config.schedule.sync,
    lastDone: () => lastOf(kit, (mirror) => listSnapshots(mirror).findLast(isWholeWalk)?.started_at),
    run: async (signal) => {
      const { snapshot, export: exported } = await run({ signal });
      const seen = { snapshot: snapshot.id, state: snapshot.state, requests: snapshot.requests, why: snapshot.reason };
      if (snapshot.state === 'complete') kit.log.info(seen, 'snapshot sealed');
      else kit.log.warn(seen, 'snapshot sealed, but it is not complete');
      if (exported.state === 'failed') throw exported.error;
    },
  };
}

function drillJob(kit: Kit): Job {
  return {
    name: 'drill',
    pattern: kit.config.schedule.drill,
    lastDone: () => lastOf(kit, (mirror) => listDrills(mirror, 1)[0]?.at),
    run: async (signal) => {
      const report = await drill(kit, { signal });
      if (report.passed) return;
      throw new AppError('DM_DRILL_FAILED', `The drill of snapshot ${report.snapshot} did not pass`, {
        hint: 'Run docmirror drill to see what differs.',
        details: { snapshot: report.snapshot, fidelity: report.fidelity },
      });
    },
  };
}

/** A walk of single spaces does not count as the night's walk. */
function isWholeWalk({ state, scope }: Snapshot): boolean {
  const sealed = state === 'complete' || state === 'partial' || state === 'suspect';
  return sealed && (scope === null || (JSON.parse(scope) as { onlySpaces?: unknown }).onlySpaces === null);
}

function lastOf({ config, clock }: Kit, find: (mirror: Mirror) => string | undefined): number | null {
  try {
    using mirror = readMirror({ dataDir: config.dataDir, clock });
    const found = find(mirror);
    return found === undefined ? null : Date.parse(found);
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_NO_SNAPSHOT') return null;
    throw error;
  }
}
