import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateDirectory, Secret, type AppError } from '../base/index.ts';
import { createClient } from '../client/index.ts';
import { largestObject, type Mirror } from '../mirror/index.ts';
import { startOnThread } from '../platform/index.ts';
import {
  runDrill,
  type ApplyProgress,
  type DrillOrganization,
  type DrillTarget,
  type DrillResult,
} from '../restore/index.ts';
import { inOwnMirror } from './own-mirror.ts';
import { chosenSnapshot } from './export.ts';
import { demandDrillRoom } from './drill-room.ts';
import type { Kit } from './kit.ts';
import type { Followed } from './restoring/followed.ts';
import { drillFolder } from './restoring/left-targets.ts';
import { targetObserver } from './restoring/observe-target.ts';
import { restoresFolder } from './places.ts';

export interface DrillOptions extends Followed {
  /** Number, time or `latest`; the last complete snapshot when absent. */
  readonly snapshot?: string;
  readonly onProgress?: (progress: ApplyProgress) => void;
}

export interface DrillReport extends DrillResult {
  readonly snapshot: number;
}

/** Restores a snapshot into an embedded platform that lives only for this, verifies it there and records the result. */
export async function drill(kit: Kit, options: DrillOptions): Promise<DrillReport> {
  return inOwnMirror(kit, 'drill', (mirror) => drillIn(kit, mirror, options));
}

async function drillIn(kit: Kit, mirror: Mirror, options: DrillOptions): Promise<DrillReport> {
  const { config, clock, random, log } = kit;
  const { id } = chosenSnapshot(mirror, options.snapshot);
  await demandDrillRoom(mirror, id, config);
  await ensurePrivateDirectory(restoresFolder(config));
  const broken = new AbortController();
  const report = await runDrill({
    mirror,
    snapshot: id,
    openTarget: (organizations) =>
      openTarget(kit, { organizations, largestFile: largestObject(mirror), onEnd: (error) => broken.abort(error) }),
    observeTarget: targetObserver(kit, options),
    // The ephemeral platform is on this machine and fetches from loopback only.
    contentServer: { host: '127.0.0.1', port: 0, publicUrl: null },
    workDir: drillFolder(config),
    clock,
    random,
    log,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    signal: AbortSignal.any([options.signal, broken.signal]),
  });
  return { ...report, snapshot: id };
}

interface TargetWanted {
  readonly organizations: readonly DrillOrganization[];
  /** In bytes. */
  readonly largestFile: number;
  /** Nothing answers any more. */
  readonly onEnd: (error: AppError) => void;
}

async function openTarget(
  { clock, random, log, config }: Kit,
  { organizations, largestFile, onEnd }: TargetWanted,
): Promise<DrillTarget> {
  // On the disk, so that memory does not grow with what is restored.
  const folder = drillFolder(config);
  await ensurePrivateDirectory(folder);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const platform = await startOnThread({
    log,
    database: join(folder, 'platform.db'),
    organizations,
    // What a newer platform than the contract shows it takes back as well.
    takesUnknownValues: true,
    // Nobody searches it.
    indexesLate: true,
    // A limit of its own proves nothing of the backup.
    largestFile,
    onEnd,
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const { url: baseUrl, token } = platform;
  const limits = ofThisMachine(config.limits);
  const client = createClient({ baseUrl, token: Secret.of(token), clock, random, log, limits });
  return {
    client,
    url: baseUrl,
    organizations: platform.organizations,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
      await remove();
    },
  };
}

const HOUR_MS = 3_600_000;

type Limits = Kit['config']['limits'];

/**
 * No network lies between, and a platform that ends says so by itself: an answer that is late, as on a machine that is busy or for a
 * very large space, says nothing against the backup.
 */
function ofThisMachine(limits: Limits): Limits {
  const patient = (ms: number): number => Math.max(ms, HOUR_MS);
  const waits = { timeoutMs: patient(limits.timeoutMs), downloadTimeoutMs: patient(limits.downloadTimeoutMs) };
  return { ...limits, ...waits, requestsPerSecond: 'auto' };
}
