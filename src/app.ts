// The composition root: configuration -> everything wired.
import type { Clock, Logger, Random } from './base/index.ts';
import { createClient, type ApiClient } from './client/index.ts';
import type { Config, PlatformConfig } from './config/index.ts';
import { readMirror, type Mirror } from './mirror/index.ts';
import type { ApplyResult, Plan, VerifyReport } from './restore/index.ts';
import { check, type CheckOptions, type CheckReport } from './app/check.ts';
import { drill, type DrillOptions, type DrillReport } from './app/drill.ts';
import { startEmbedded, type Embedded, type EmbeddedOptions } from './app/embedded-platform.ts';
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
import { sync, type SyncOptions, type SyncResult } from './app/sync.ts';

export type { CheckReport } from './app/check.ts';
export type { Seed } from './app/embedded-platform.ts';
export type { Exported } from './app/export.ts';
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
  drill(options: DrillOptions): Promise<DrillReport>;
  planRestore(options: PlanOptions): Promise<Plan>;
  applyRestore(file: string, options: RestoreOptions): Promise<ApplyResult>;
  resumeRestore(restore: string, options: RestoreOptions): Promise<ApplyResult>;
  verifyRestore(restore: string, options: RestoreOptions): Promise<VerifyReport>;
  /** Starts the embedded platform; it runs until it is disposed. */
  startPlatform(options: EmbeddedOptions): Promise<Embedded>;
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
    drill: (options) => drill(kit, options),
    planRestore: (options) => planRestore(kit, options),
    applyRestore: (file, options) => applyRestore(kit, file, options),
    resumeRestore: (restore, options) => resumeApply(kit, restore, options),
    verifyRestore: (restore, options) => verify(kit, restore, options),
    startPlatform: (options) => startEmbedded(kit, options),
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
