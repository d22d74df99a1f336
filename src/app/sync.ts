import { AppError, count, isAbort, readEnvironment, toAppError } from '../base/index.ts';
import { inDataDirectory, requirePlatform, type PlatformConfig } from '../config/index.ts';
import type { KindName } from '../contract/index.ts';
import { exportSnapshot, type ExportProgress, type ExportResult } from '../export/index.ts';
import {
  continuingSync,
  demandWriter,
  isOnlyUnlisted,
  isSound,
  lackAccepted,
  mirrorIfThere,
  notePromise,
  openedSnapshot,
  takeLease,
  visitsLeft,
  type Mirror,
} from '../mirror/index.ts';
import {
  forecastWalk,
  UNKNOWN_FORECAST,
  walk,
  type Forecast,
  type WalkProgress,
  type WalkResult,
  type WalkScope,
  type WalkSettings,
} from '../walker/index.ts';
import type { Kit } from './kit.ts';
import { openOwnMirror } from './own-mirror.ts';
import { refuseLostMirror } from './lost-mirror.ts';
import { dropTargets } from './restoring/left-targets.ts';
import { contentFolder } from './places.ts';

export interface SyncOptions {
  /** Reads everything again, moved or not. */
  readonly full?: boolean;
  /** Ids; the configured ones, or all, when absent. */
  readonly organizations?: readonly string[];
  /** Ids; when given, only these spaces are visited. */
  readonly spaces?: readonly string[];
  /** Ids; when given, only the spaces of these collections are visited. */
  readonly collections?: readonly string[];
  /** Names of kinds; when given, only these and those they stand below. */
  readonly kinds?: readonly KindName[];
  /** Draw and keep the PDF of each change request that moved. */
  readonly pdfs?: boolean;
  /** The platform has a new address since the last snapshot. */
  readonly moved?: boolean;
  /** Take the rights of the token as they are now for what they should be. */
  readonly acceptRights?: boolean;
  /** Where this walk ends, instead of the configured places. */
  readonly maxRequests?: number;
  readonly maxDurationMs?: number;
  /** Told once the data directory is held, so that the walk is not refused for another process any more. */
  readonly onBegin?: () => void;
  readonly onProgress?: (progress: WalkProgress) => void;
  readonly onExport?: (progress: ExportProgress) => void;
  readonly signal: AbortSignal;
}

/** What became of the export: `kept` is the one of an earlier snapshot, because this one is not complete. */
export type ExportOutcome =
  | { readonly state: 'written'; readonly result: ExportResult }
  | { readonly state: 'kept' }
  | { readonly state: 'off' }
  | { readonly state: 'failed'; readonly error: AppError };

export interface SyncResult extends WalkResult {
  /** Requests of earlier runs, when this walk was cut off before and continued; else null. */
  readonly before: number | null;
  /** It is complete, or lacks nothing but what a person accepted. */
  readonly isSound: boolean;
  /** It lacks besides what listings show no more: another walk tells whether that is gone. */
  readonly isUnconfirmed: boolean;
  readonly export: ExportOutcome;
}

/** Walks the platform once under the lease of the data directory, seals one snapshot and exports it when it is complete. */
export async function sync(kit: Kit, options: SyncOptions): Promise<SyncResult> {
  return inDataDirectory(kit.config, () => walkAndExport(kit, options));
}

async function walkAndExport(kit: Kit, options: SyncOptions): Promise<SyncResult> {
  const platform = requirePlatform(kit.config);
  using _lease = await takeLease(kit.config.dataDir, 'sync');
  options.onBegin?.();
  await refuseLostMirror(kit);
  await dropTargets(kit);
  using mirror = await openOwnMirror(kit);
  notePromise(mirror, kit.config.walk.rereadNights);
  const open = openedSnapshot(mirror);
  const result = await walkInto(kit, mirror, { ...options, platform }).catch((error: unknown) =>
    sayKept(mirror, error),
  );
  const { snapshot, kinds } = result;
  return {
    ...result,
    before: open?.id === snapshot.id ? open.requests : null,
    isSound: isSound(mirror, snapshot),
    isUnconfirmed: isOnlyUnlisted(snapshot, kinds, lackAccepted(mirror, snapshot.id) !== null),
    export: await exportAfter(kit, { mirror, result, options }),
  };
}

/** Whoever interrupts a walk is told what of it is kept. */
function sayKept(mirror: Mirror, error: unknown): never {
  // Such as a download whose folder is gone: that the whole place is gone says more.
  if (toAppError(error).code === 'DM_INTERNAL') demandWriter(mirror);
  const open = isAbort(error) ? openedSnapshot(mirror) : undefined;
  if (open === undefined) throw error;
  const message = `The walk of snapshot ${open.id} was interrupted; ${count(open.requests, 'request')} done and kept, ${count(visitsLeft(mirror), 'visit')} left`;
  throw new AppError('DM_INTERRUPTED', message, {
    hint: `Run ${continuingSync(mirror, open)} to continue it. Readers see the last sealed snapshot meanwhile.`,
    cause: error,
  });
}

async function walkInto(
  kit: Kit,
  mirror: Mirror,
  options: SyncOptions & { platform: PlatformConfig },
): Promise<WalkResult> {
  const { clock, log } = kit;
  return walk({
    mirror,
    client: await kit.clientOf(options.platform),
    clock,
    log,
    mode: options.full === true ? 'full' : 'incremental',
    scope: scopeOf(kit, options),
    settings: settingsOf(kit, options),
    acceptRights: options.acceptRights === true,
    origin: options.platform.baseUrl,
    moved: options.moved === true,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    signal: options.signal,
  });
}

/** More visits than requests, so that the next request is ready while answers are taken in; each holds an answer in memory. */
const LANES_PER_REQUEST = 16;

/** A walk whose time is over still waits for what it has asked for: no more than the rate lets through in so long. */
const ASKING_SECONDS = 2;

/** Settings of a walk that nothing but the configuration limits. */
export function wholeWalk(config: Kit['config']): WalkSettings {
  const { concurrency, requestsPerSecond } = config.limits;
  const inTime = requestsPerSecond === 'auto' ? concurrency : Math.ceil(requestsPerSecond * ASKING_SECONDS);
  const asking = Math.min(concurrency, inTime);
  return { ...config.walk, lanes: concurrency * LANES_PER_REQUEST, asking };
}

function settingsOf({ config }: Kit, { pdfs, maxRequests, maxDurationMs }: SyncFlags): WalkSettings {
  return {
    ...wholeWalk(config),
    pdfs: pdfs === true,
    ...(maxRequests === undefined ? {} : { maxRequests }),
    ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
  };
}

/** What decides which walk is made; the rest of the options follows it. */
export type SyncFlags = Omit<SyncOptions, 'onProgress' | 'onExport' | 'signal'>;

export function scopeOf(
  { config }: Pick<Kit, 'config'>,
  { organizations, spaces, collections, kinds }: SyncFlags,
): WalkScope {
  const isWhole = spaces === undefined && collections === undefined;
  return {
    organizations: organizations ?? config.scope.organizations,
    limited: organizations !== undefined,
    onlySpaces: spaces ?? null,
    onlyCollections: collections ?? null,
    extraSpaces: isWhole ? config.scope.spaces : [],
    kinds: kinds ?? null,
    invites: config.scope.invites,
  };
}

/** What the next walk would ask and how long that would take, from what is mirrored; nothing is sent, and nothing is made. */
export async function planSync(kit: Kit, options: SyncFlags): Promise<Forecast> {
  const { requestsPerSecond } = kit.config.limits;
  const planned = {
    clock: kit.clock,
    origin: kit.config.platform.baseUrl,
    mode: options.full === true ? 'full' : 'incremental',
    scope: scopeOf(kit, options),
    settings: settingsOf(kit, options),
    acceptRights: options.acceptRights === true,
    mostPerSecond: requestsPerSecond === 'auto' ? null : requestsPerSecond,
  } as const;
  await refuseLostMirror(kit);
  using mirror = mirrorIfThere({ dataDir: kit.config.dataDir, clock: kit.clock });
  return mirror === null ? UNKNOWN_FORECAST : forecastWalk({ ...planned, mirror });
}

interface Walked {
  readonly mirror: Mirror;
  readonly result: WalkResult;
  readonly options: SyncOptions;
}

/** The snapshot is sealed by now: a failed export is told beside it and takes nothing away from it. */
async function exportAfter({ config }: Kit, { mirror, result, options }: Walked): Promise<ExportOutcome> {
  if (!config.export.enabled) return { state: 'off' };
  if (!isSound(mirror, result.snapshot)) return { state: 'kept' };
  try {
    demandWriter(mirror);
    const exported = await exportSnapshot({
      mirror,
      snapshot: result.snapshot.id,
      to: contentFolder(config),
      ownOnly: true,
      ...(config.export.git ? { git: readEnvironment() } : {}),
      ...(options.onExport ? { onProgress: options.onExport } : {}),
      signal: options.signal,
    });
    // It went to whatever is at that path now.
    demandWriter(mirror);
    return { state: 'written', result: exported };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { state: 'failed', error: toAppError(error) };
  }
}
