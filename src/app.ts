// The composition root: configuration -> everything wired.
import type { Clock, Logger, Random } from './base/index.ts';
import type { Config, PlatformConfig } from './config/index.ts';
import { holderOf, readMirror, type Drift, type Mirror, type Pruned } from './mirror/index.ts';
import type { Report, StatusReport, StatusServer } from './status/index.ts';
import type { Forecast } from './walker/index.ts';
import type { Plan, VerifyReport } from './restore/index.ts';
import { check, type CheckOptions, type CheckReport } from './app/check.ts';
import { openDaemon, openStatusPage, type RunningDaemon } from './app/daemon.ts';
import { examine } from './app/doctor.ts';
import type { Finding } from './app/finding.ts';
import { driftOf } from './app/doctor-places.ts';
import { drill, type DrillOptions, type DrillReport } from './app/drill.ts';
import { demoOf, type Demo } from './app/demo.ts';
import { startDemo, startEmbedded, type Embedded, type EmbeddedOptions } from './app/embedded-platform.ts';
import { exportTo, type Exported, type ExportRequest } from './app/export.ts';
import { createKit, type RequestWatch } from './app/kit.ts';
import {
  applyRestore,
  planRestore,
  planUndoing,
  resumeApply,
  verify,
  type PlannedUndo,
  type PlanOptions,
  type RestoreOptions,
  type UndoOptions,
} from './app/restore.ts';
import { remapPeople, type Remapped, type RemapOptions } from './app/remap.ts';
import { accept, forgetSnapshots, pin, pruneMirror, type ForgetOptions, type Forgotten } from './app/retention.ts';
import { reportNow, writeReport } from './app/report.ts';
import { statusNow } from './app/status-now.ts';
import { syncAndTell } from './app/sync-and-tell.ts';
import type { Applied } from './app/restore-in-place.ts';
import { checkOut, namingTarget } from './app/target.ts';
import { planSync, type SyncOptions, type SyncResult, type WalkLimits } from './app/sync.ts';

export type { CheckReport } from './app/check.ts';
export type { RunningDaemon } from './app/daemon.ts';
export type { Finding } from './app/finding.ts';
export type { Seed } from './app/embedded-platform.ts';
export type { Exported } from './app/export.ts';
export type { Forgotten } from './app/retention.ts';
export type { RequestWatch } from './app/kit.ts';
export type { Applied } from './app/restore-in-place.ts';
export type { SyncResult, WalkLimits } from './app/sync.ts';
export type { Drift, Forecast };

export interface AppParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Is told of requests to platforms; nobody is when absent. */
  readonly watch?: RequestWatch;
}

/** The verbs of Docmirror. Disposing closes the connections to every platform that was asked. */
export interface App extends AsyncDisposable, AppParts {
  readonly config: Config;
  /** The mirror for reading; needs no lease, and no platform. Throws DM_NO_SNAPSHOT when there is none. */
  reader(): Mirror;
  /** One walk, one snapshot, its export. Throws DM_CONFIG_MISSING, DM_DATA_DIR_LOCKED and what ends a walk. */
  sync(options: SyncOptions): Promise<SyncResult>;
  /** What the next walk would ask; nothing is sent. Throws DM_NO_SNAPSHOT when there is no mirror. */
  planSync(options: WalkLimits): Forecast;
  /** What the platform was seen to send beyond the contract; none without a mirror. */
  drift(): Drift[];
  exportTo(request: ExportRequest): Promise<Exported>;
  check(options: CheckOptions): Promise<CheckReport>;
  /** Drops snapshots by policy. Throws DM_BRAKE while the newest one is suspect. */
  forget(options: ForgetOptions): Promise<Forgotten>;
  /** Takes what a suspect or partial snapshot shows for meant: later ones are measured by it. Throws DM_SNAPSHOT_UNKNOWN, DM_USAGE. */
  accept(snapshot: number, reason: string): Promise<void>;
  /** Keeps a snapshot whatever a policy says, for a reason; with null, no longer. */
  pin(snapshot: number, reason: string | null): Promise<void>;
  /** Frees what no snapshot refers to. */
  prune(): Promise<Pruned>;
  drill(options: DrillOptions): Promise<DrillReport>;
  planRestore(options: PlanOptions): Promise<Plan>;
  applyRestore(file: string, options: RestoreOptions): Promise<Applied>;
  resumeRestore(restore: string, options: RestoreOptions): Promise<Applied>;
  /** Reads what stands now and plans to take a restore back; applying the plan does it. */
  planUndo(restore: string, options: UndoOptions): Promise<PlannedUndo>;
  /** Corrects who is who after a restore. Throws DM_USAGE, DM_RESTORE_UNKNOWN. */
  remapPeople(restore: string, options: RemapOptions): Promise<Remapped>;
  verifyRestore(restore: string, options: RestoreOptions): Promise<VerifyReport>;
  /** How the mirror stands now; without a mirror that is what it tells. */
  status(): StatusReport;
  /** How the documentation stands, and how it got there. Throws DM_NO_SNAPSHOT. */
  report(): Report;
  /** Writes a report as one HTML file and gives its path. Throws DM_USAGE where it cannot be written. */
  writeReport(report: Report, out: string): Promise<string>;
  /** Who writes to the data directory now; null when nobody does. */
  holder(): string | null;
  /** Looks for what is wrong; changes nothing. */
  examine(signal: AbortSignal): Promise<Finding[]>;
  /** The status page, and the schedule once it is run. Throws DM_PORT_IN_USE. */
  openDaemon(): Promise<RunningDaemon>;
  openStatusPage(): Promise<StatusServer>;
  /** Another app with the same parts, for a configuration of its own. */
  withConfig(config: Config): App;
  /** The same app for another platform, with the same data directory; `invites` are further ones to mirror. */
  at(platform: PlatformConfig, more?: { readonly invites: readonly string[] }): App;
  /** Starts the embedded platform; it runs until it is disposed. */
  startPlatform(options: EmbeddedOptions): Promise<Embedded>;
  /** Where the demonstration's platform is found while it runs; null when there never was one in the data directory. */
  demo(): Demo | null;
  /** Starts the demonstration's platform, which is kept in the data directory. */
  startDemo(options: Pick<EmbeddedOptions, 'onSeed' | 'signal'>): Promise<Embedded>;
}

export function createApp(config: Config, parts: AppParts): App {
  const kit = createKit({ config, ...parts });
  return {
    config,
    ...parts,
    reader: () => readMirror({ dataDir: config.dataDir, clock: parts.clock }),
    sync: (options) => syncAndTell(kit, options),
    planSync: (options) => planSync(kit, options),
    drift: () => driftOf(kit),
    exportTo: (request) => exportTo(kit, request),
    check: (options) => check(kit, options),
    forget: (options) => forgetSnapshots(kit, options),
    accept: (snapshot, reason) => accept(kit, snapshot, reason),
    pin: (snapshot, reason) => pin(kit, snapshot, reason),
    prune: () => pruneMirror(kit),
    drill: (options) => drill(kit, options),
    planRestore: async (options) => {
      await checkOut(options.out);
      return namingTarget(kit, () => planRestore(kit, options));
    },
    applyRestore: (file, options) => namingTarget(kit, () => applyRestore(kit, file, options)),
    resumeRestore: (restore, options) => namingTarget(kit, () => resumeApply(kit, restore, options)),
    planUndo: (restore, options) => namingTarget(kit, () => planUndoing(kit, restore, options)),
    remapPeople: (restore, options) => namingTarget(kit, () => remapPeople(kit, restore, options)),
    verifyRestore: (restore, options) => namingTarget(kit, () => verify(kit, restore, options)),
    status: () => statusNow(kit),
    report: () => reportNow(kit),
    writeReport,
    holder: () => holderOf(config.dataDir),
    examine: (signal) => examine(kit, signal),
    openDaemon: () => openDaemon(kit),
    openStatusPage: () => openStatusPage(kit),
    withConfig: (other) => {
      const log = other.name === null ? parts.log : parts.log.child({ platform: other.name });
      return createApp(other, { ...parts, log });
    },
    at: (platform, { invites } = { invites: [] }) => {
      const scope = { ...config.scope, invites: [...config.scope.invites, ...invites] };
      return createApp({ ...config, platform, scope }, parts);
    },
    startPlatform: (options) => startEmbedded(kit, options),
    startDemo: (options) => startDemo(kit, options),
    demo: () => demoOf(config),
    [Symbol.asyncDispose]: () => kit[Symbol.asyncDispose](),
  };
}
