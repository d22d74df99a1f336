import { isAbort, toAppError, type AppError } from '../base/index.ts';
import { requirePlatform, type PlatformConfig } from '../config/index.ts';
import { exportSnapshot, type ExportProgress, type ExportResult } from '../export/index.ts';
import { openMirror, takeLease, type Mirror } from '../mirror/index.ts';
import { walk, type WalkProgress, type WalkResult, type WalkScope } from '../walker/index.ts';
import type { Kit } from './kit.ts';
import { contentFolder } from './places.ts';

export interface SyncOptions {
  /** Reads everything again, moved or not. */
  readonly full?: boolean;
  /** Ids; the configured ones, or all, when absent. */
  readonly organizations?: readonly string[];
  /** Ids; when given, only these spaces are visited. */
  readonly spaces?: readonly string[];
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
  readonly export: ExportOutcome;
}

/** Walks the platform once under the lease of the data directory, seals one snapshot and exports it when it is complete. */
export async function sync(kit: Kit, options: SyncOptions): Promise<SyncResult> {
  const platform = requirePlatform(kit.config);
  using _lease = await takeLease(kit.config.dataDir, 'sync');
  using mirror = await openMirror({ dataDir: kit.config.dataDir, clock: kit.clock });
  const result = await walkInto(kit, mirror, { ...options, platform });
  return { ...result, export: await exportAfter(kit, { mirror, result, options }) };
}

function walkInto(kit: Kit, mirror: Mirror, options: SyncOptions & { platform: PlatformConfig }): Promise<WalkResult> {
  const { config, clock, log } = kit;
  return walk({
    mirror,
    client: kit.clientOf(options.platform),
    clock,
    log,
    mode: options.full === true ? 'full' : 'incremental',
    scope: scopeOf(kit, options),
    settings: { ...config.walk, lanes: config.limits.concurrency },
    origin: options.platform.baseUrl,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    signal: options.signal,
  });
}

function scopeOf({ config }: Kit, { organizations, spaces }: SyncOptions): WalkScope {
  return {
    organizations: organizations ?? config.scope.organizations,
    onlySpaces: spaces ?? null,
    extraSpaces: spaces === undefined ? config.scope.spaces : [],
  };
}

interface Walked {
  readonly mirror: Mirror;
  readonly result: WalkResult;
  readonly options: SyncOptions;
}

/** The snapshot is sealed by now: a failed export is told beside it and takes nothing away from it. */
async function exportAfter({ config }: Kit, { mirror, result, options }: Walked): Promise<ExportOutcome> {
  if (!config.export.enabled) return { state: 'off' };
  if (result.snapshot.state !== 'complete') return { state: 'kept' };
  try {
    const exported = await exportSnapshot({
      mirror,
      snapshot: result.snapshot.id,
      to: contentFolder(config),
      ...(options.onExport ? { onProgress: options.onExport } : {}),
      signal: options.signal,
    });
    return { state: 'written', result: exported };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { state: 'failed', error: toAppError(error) };
  }
}
