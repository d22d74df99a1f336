// The composition root: configuration -> everything wired.
import { createMutex, type Clock, type Logger, type Mutex, type ProcessLock, type Random } from './base/index.ts';
import type { Config, PlatformConfig } from './config/index.ts';
import { demoOf, type Demo } from './app/demo.ts';
import type { CheckOptions, CheckReport } from './app/check.ts';
import type { RunningDaemon } from './app/running/daemon.ts';
import type { DrillOptions, DrillReport } from './app/drill.ts';
import type { Embedded, EmbeddedOptions } from './app/running/embedded-platform.ts';
import type { Exported, ExportRequest } from './app/export.ts';
import type { Finding } from './app/doctor/finding.ts';
import { createKit, type Kit, type RequestWatch } from './app/kit.ts';
import type { LateTeller } from './app/running/late-teller.ts';
import { lockDaemon } from './app/running/one-process.ts';
import type { Probed } from './app/running/probe.ts';
import type { Remapped, RemapOptions } from './app/restoring/remap.ts';
import type { Applied } from './app/restoring/restore-in-place.ts';
import type { PlannedUndo, PlanOptions, RestoreOptions, UndoOptions } from './app/restoring/restore.ts';
import type { Acceptance, ForgetOptions, Forgotten } from './app/retention.ts';
import type { SyncAndTellOptions } from './app/running/sync-and-tell.ts';
import type { WholeStatus } from './app/running/status-now.ts';
import type { SyncFlags, SyncResult } from './app/sync.ts';
import { checkOut, namingTarget } from './app/restoring/target.ts';
import { tellsSomebody } from './app/running/tells-somebody.ts';
import { holderOf, readMirror, type Drift, type Mirror, type Pruned } from './mirror/index.ts';
import type { Plan, VerifyReport } from './restore/index.ts';
import type { Report, StatusServer } from './status/index.ts';
import type { Forecast } from './walker/index.ts';

export type { CheckProgress, CheckReport } from './app/check.ts';
export type { RunningDaemon } from './app/running/daemon.ts';
export type { Finding } from './app/doctor/finding.ts';
export type { Seed } from './app/running/embedded-platform.ts';
export type { Exported } from './app/export.ts';
export type { Acceptance, Forgotten } from './app/retention.ts';
export type { RequestWatch } from './app/kit.ts';
export type { Probed } from './app/running/probe.ts';
export type { Applied } from './app/restoring/restore-in-place.ts';
export type { SyncFlags, SyncResult } from './app/sync.ts';
export type { WholeStatus } from './app/running/status-now.ts';
export type { Demo, Drift, Forecast };

export interface AppParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Is told of requests to platforms; nobody is when absent. */
  readonly watch?: RequestWatch;
  /** What one daemon of the process does at a time; one of the app's own when absent. */
  readonly heavy?: Mutex;
}

/** The verbs of Docmirror. Disposing closes the connections to every platform that was asked. */
export interface App extends AsyncDisposable, AppParts {
  readonly config: Config;
  /** The mirror for reading; needs no lease, and no platform. Throws DM_NO_SNAPSHOT when there is none. */
  reader(): Mirror;
  /** One walk, one snapshot, its export. Throws DM_CONFIG_MISSING, DM_DATA_DIR_LOCKED and what ends a walk. */
  sync(options: SyncAndTellOptions): Promise<SyncResult>;
  /** What the next walk would ask; nothing is sent. Throws DM_NO_SNAPSHOT when there is no mirror. */
  planSync(options: SyncFlags): Promise<Forecast>;
  /** What the platform was seen to send beyond the contract; none without a mirror. */
  drift(): Promise<Drift[]>;
  exportTo(request: ExportRequest): Promise<Exported>;
  check(options: CheckOptions): Promise<CheckReport>;
  /** Drops snapshots by policy. Throws DM_BRAKE while the newest one is suspect. */
  forget(options: ForgetOptions): Promise<Forgotten>;
  /** Takes what a suspect snapshot shows for meant, or what the newest one, which is partial, lacks for known. Throws DM_SNAPSHOT_UNKNOWN, DM_USAGE. */
  accept(snapshot: number, reason: string): Promise<Acceptance>;
  /** Takes it back, of later ones that lack nothing else as well; true when the snapshot was accepted. */
  unaccept(snapshot: number): Promise<boolean>;
  /** Keeps a snapshot whatever a policy says, for a reason. */
  pin(snapshot: number, reason: string): Promise<void>;
  /** Lets policies decide about it again; true when it was pinned. */
  unpin(snapshot: number): Promise<boolean>;
  /** Frees what no snapshot refers to. */
  prune(signal: AbortSignal): Promise<Pruned>;
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
  status(): Promise<WholeStatus>;
  /** Asks the status page that runs for this configuration. */
  probe(signal: AbortSignal): Promise<Probed>;
  /** How the documentation stands, and how it got there. Throws DM_NO_SNAPSHOT. */
  report(): Promise<Report>;
  /** Writes a report as one HTML file and gives its path. Throws DM_USAGE where it cannot be written. */
  writeReport(report: Report, out: string): Promise<string>;
  /** Who writes to the data directory now; null when nobody does. */
  holder(): string | null;
  /** Looks for what is wrong; changes nothing. */
  examine(signal: AbortSignal): Promise<Finding[]>;
  /** Makes this process the daemon of the data directory. Throws DM_ALREADY_RUNNING, with nothing changed, while another one is. */
  lockDaemon(purpose: 'daemon' | 'start'): Promise<ProcessLock>;
  /** The status page, and the schedule once it is run; it frees the lock at its end. Throws DM_PORT_IN_USE. */
  openDaemon(lock: ProcessLock): Promise<RunningDaemon>;
  /** Has people told of a daemon that cannot begin yet. */
  tellLate(signal: AbortSignal): Promise<LateTeller>;
  openStatusPage(): Promise<StatusServer>;
  /** Another app with the same parts, for a configuration of its own. */
  withConfig(config: Config): App;
  /** The same app for another platform, with the same data directory; `invites` are further ones to mirror. */
  at(platform: PlatformConfig, more?: { readonly invites: readonly string[] }): App;
  /** Starts the embedded platform; it runs until it is disposed. Throws DM_PORT_IN_USE, DM_ALREADY_RUNNING. */
  startPlatform(options: EmbeddedOptions): Promise<Embedded>;
  /** Where the demonstration's platform is found while it runs; null when there never was one in the data directory. */
  demo(): Demo | null;
  /** Starts the demonstration's platform, which is kept in the data directory. */
  startDemo(options: Pick<EmbeddedOptions, 'onSeed' | 'signal'>): Promise<Embedded>;
}

// Loaded when they are called for: each command needs a few rooms, and all of them take half a second and 40 MiB.
const verbs = {
  check: () => import('./app/check.ts'),
  daemon: () => import('./app/running/daemon.ts'),
  late: () => import('./app/running/late-teller.ts'),
  doctor: () => import('./app/doctor/doctor.ts'),
  drift: () => import('./app/drift.ts'),
  drill: () => import('./app/drill.ts'),
  export: () => import('./app/export.ts'),
  platform: () => import('./app/running/embedded-platform.ts'),
  page: () => import('./app/running/status-page.ts'),
  probe: () => import('./app/running/probe.ts'),
  remap: () => import('./app/restoring/remap.ts'),
  report: () => import('./app/report.ts'),
  restore: () => import('./app/restoring/restore.ts'),
  retention: () => import('./app/retention.ts'),
  status: () => import('./app/running/status-now.ts'),
  sync: () => import('./app/sync.ts'),
  syncAndTell: () => import('./app/running/sync-and-tell.ts'),
} as const;

export function createApp(config: Config, given: AppParts): App {
  const parts = { heavy: createMutex(), ...given };
  const kit = createKit({ config, ...parts });
  return {
    config,
    ...parts,
    reader: () => readMirror({ dataDir: config.dataDir, clock: parts.clock }),
    sync: async (options) =>
      tellsSomebody(config)
        ? (await verbs.syncAndTell()).syncAndTell(kit, options)
        : (await verbs.sync()).sync(kit, options),
    planSync: async (options) => (await verbs.sync()).planSync(kit, options),
    drift: async () => (await verbs.drift()).driftOf(kit),
    exportTo: async (request) => (await verbs.export()).exportTo(kit, request),
    check: async (options) => (await verbs.check()).check(kit, options),
    forget: async (options) => (await verbs.retention()).forgetSnapshots(kit, options),
    accept: async (snapshot, reason) => (await verbs.retention()).accept(kit, snapshot, reason),
    pin: async (snapshot, reason) => (await verbs.retention()).pin(kit, snapshot, reason),
    unaccept: async (snapshot) => (await verbs.retention()).unaccept(kit, snapshot),
    unpin: async (snapshot) => (await verbs.retention()).unpin(kit, snapshot),
    prune: async (signal) => (await verbs.retention()).pruneMirror(kit, signal),
    drill: async (options) => (await verbs.drill()).drill(kit, options),
    ...restoreVerbs(kit),
    status: async () => (await verbs.status()).statusNow(kit),
    probe: async (signal) => (await verbs.probe()).probe(kit, signal),
    report: async () => (await verbs.report()).reportNow(kit),
    writeReport: async (report, file) => (await verbs.report()).writeReport(kit, report, { file, by: '--out' }),
    holder: () => holderOf(config.dataDir),
    examine: async (signal) => (await verbs.doctor()).examine(kit, signal),
    lockDaemon: (purpose) => lockDaemon(kit, purpose),
    openDaemon: async (lock) => (await verbs.daemon()).openDaemon(kit, lock, parts.heavy),
    tellLate: async (signal) => (await verbs.late()).createLateTeller(kit, signal),
    openStatusPage: async () => (await verbs.page()).openStatusPageAlone(kit),
    withConfig: (other) => {
      const log = other.name === null ? parts.log : parts.log.child({ platform: other.name });
      return createApp(other, { ...parts, log });
    },
    at: (platform, { invites } = { invites: [] }) => {
      const scope = { ...config.scope, invites: [...config.scope.invites, ...invites] };
      return createApp({ ...config, platform, scope }, parts);
    },
    startPlatform: async (options) => (await verbs.platform()).startEmbedded(kit, options),
    startDemo: async (options) => (await verbs.platform()).startDemo(kit, options),
    demo: () => demoOf(config),
    [Symbol.asyncDispose]: () => kit[Symbol.asyncDispose](),
  };
}

type RestoreVerb = 'planRestore' | 'applyRestore' | 'resumeRestore' | 'planUndo' | 'remapPeople' | 'verifyRestore';

/** All of them write to, or read, a target that the error names. */
function restoreVerbs(kit: Kit): Pick<App, RestoreVerb> {
  return {
    planRestore: async (options) => {
      await checkOut(options.out);
      return namingTarget(kit, async () => (await verbs.restore()).planRestore(kit, options));
    },
    applyRestore: (file, options) =>
      namingTarget(kit, async () => (await verbs.restore()).applyRestore(kit, file, options)),
    resumeRestore: (restore, options) =>
      namingTarget(kit, async () => (await verbs.restore()).resumeApply(kit, restore, options)),
    planUndo: (restore, options) =>
      namingTarget(kit, async () => (await verbs.restore()).planUndoing(kit, restore, options)),
    remapPeople: (restore, options) =>
      namingTarget(kit, async () => (await verbs.remap()).remapPeople(kit, restore, options)),
    verifyRestore: (restore, options) =>
      namingTarget(kit, async () => (await verbs.restore()).verify(kit, restore, options)),
  };
}
