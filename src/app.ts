// The composition root: configuration -> everything wired.
import type { Clock, Logger, Random } from './base/index.ts';
import { createClient, type ApiClient } from './client/index.ts';
import type { Config, PlatformConfig } from './config/index.ts';
import { readMirror, type Mirror, type Pruned } from './mirror/index.ts';
import type { StatusReport, StatusServer } from './status/index.ts';
import type { ApplyResult, Plan, VerifyReport } from './restore/index.ts';
import { check, type CheckOptions, type CheckReport } from './app/check.ts';
import { openDaemon, openStatusPage, type RunningDaemon } from './app/daemon.ts';
import { examine, type Finding } from './app/doctor.ts';
import { drill, type DrillOptions, type DrillReport } from './app/drill.ts';
import { startDemo, startEmbedded, type Embedded, type EmbeddedOptions } from './app/embedded-platform.ts';
import { exportTo, type Exported, type ExportRequest } from './app/export.ts';
import type { Kit } from './app/kit.ts';
import {
  applyRestore,
  planRestore,
  resumeApply,
  verify,
  type PlanOptions,
  type RestoreOptions,
} from './app/restore.ts';
import { forgetSnapshots, pruneMirror, type ForgetOptions, type Forgotten } from './app/retention.ts';
import { statusNow } from './app/status-now.ts';
import { sync, type SyncOptions, type SyncResult } from './app/sync.ts';

export type { CheckReport } from './app/check.ts';
export type { RunningDaemon } from './app/daemon.ts';
export type { Finding } from './app/doctor.ts';
export type { Seed } from './app/embedded-platform.ts';
export type { Exported } from './app/export.ts';
export type { Forgotten } from './app/retention.ts';
export type { SyncResult } from './app/sync.ts';

export interface AppParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** The verbs of Docmirror. Disposing closes the connections to every platform that was asked. */
export interface App extends AsyncDisposable, AppParts {
  readonly config: Config;
  /** The mirror for reading; needs no lease, and no platform. Throws DM_NO_SNAPSHOT when there is none. */
  reader(): Mirror;
  /** One walk, one snapshot, its export. Throws DM_CONFIG_MISSING, DM_DATA_DIR_LOCKED and what ends a walk. */
  sync(options: SyncOptions): Promise<SyncResult>;
  exportTo(request: ExportRequest): Promise<Exported>;
  check(options: CheckOptions): Promise<CheckReport>;
  /** Drops snapshots by policy. Throws DM_BRAKE while the newest one is suspect. */
  forget(options: ForgetOptions): Promise<Forgotten>;
  /** Frees what no snapshot refers to. */
  prune(): Promise<Pruned>;
  drill(options: DrillOptions): Promise<DrillReport>;
  planRestore(options: PlanOptions): Promise<Plan>;
  applyRestore(file: string, options: RestoreOptions): Promise<ApplyResult>;
  resumeRestore(restore: string, options: RestoreOptions): Promise<ApplyResult>;
  verifyRestore(restore: string, options: RestoreOptions): Promise<VerifyReport>;
  /** How the mirror stands now; without a mirror that is what it tells. */
  status(): StatusReport;
  /** Looks for what is wrong; changes nothing. */
  examine(signal: AbortSignal): Promise<Finding[]>;
  /** The status page, and the schedule once it is run. Throws DM_PORT_IN_USE. */
  openDaemon(): Promise<RunningDaemon>;
  openStatusPage(): Promise<StatusServer>;
  /** The same app for another platform, with the same data directory. */
  at(platform: PlatformConfig): App;
  /** Starts the embedded platform; it runs until it is disposed. */
  startPlatform(options: EmbeddedOptions): Promise<Embedded>;
  /** Starts the demonstration's platform, which is kept in the data directory. */
  startDemo(options: Pick<EmbeddedOptions, 'onSeed' | 'signal'>): Promise<Embedded>;
}

export function createApp(config: Config, parts: AppParts): App {
  const clients = new Map<string, ApiClient>();
  const kit: Kit = { config, ...parts, clientOf: (platform) => clientOf(clients, kit, platform) };
  return {
    config,
    ...parts,
    reader: () => readMirror({ dataDir: config.dataDir, clock: parts.clock }),
    sync: (options) => sync(kit, options),
    exportTo: (request) => exportTo(kit, request),
    check: (options) => check(kit, options),
    forget: (options) => forgetSnapshots(kit, options),
    prune: () => pruneMirror(kit),
    drill: (options) => drill(kit, options),
    planRestore: (options) => planRestore(kit, options),
    applyRestore: (file, options) => applyRestore(kit, file, options),
    resumeRestore: (restore, options) => resumeApply(kit, restore, options),
    verifyRestore: (restore, options) => verify(kit, restore, options),
    status: () => statusNow(kit),
    examine: (signal) => examine(kit, signal),
    openDaemon: () => openDaemon(kit),
    openStatusPage: () => openStatusPage(kit),
    at: (platform) => createApp({ ...config, platform }, parts),
    startPlatform: (options) => startEmbedded(kit, options),
    startDemo: (options) => startDemo(kit, options),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...clients.values()].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

function clientOf(clients: Map<string, ApiClient>, kit: Kit, { baseUrl, token }: PlatformConfig): ApiClient {
  const known = clients.get(baseUrl);
  if (known) return known;
  const { clock, random, log, config } = kit;
  const client = createClient({ baseUrl, token, clock, random, log, limits: config.limits });
  clients.set(baseUrl, client);
  return client;
}
