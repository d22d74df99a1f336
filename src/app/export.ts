import { readEnvironment } from '../base/index.ts';
import { exportSnapshot, type ExportProgress, type ExportResult } from '../export/index.ts';
import { lastComplete, readMirror, resolveSnapshot, type Mirror, type Snapshot } from '../mirror/index.ts';
import type { Kit } from './kit.ts';

export interface ExportRequest {
  /** Number, time or `latest`; the last complete snapshot, else the last sealed one, when absent. */
  readonly snapshot?: string;
  readonly to: string;
  /** Commit the tree to the git repository beside it. */
  readonly git?: boolean;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly signal: AbortSignal;
}

export interface Exported extends ExportResult {
  readonly snapshot: number;
  readonly to: string;
  readonly durationMs: number;
}

/** Writes the readable tree of one snapshot. Needs neither lease nor platform. */
export async function exportTo({ config, clock }: Kit, request: ExportRequest): Promise<Exported> {
  using mirror = readMirror({ dataDir: config.dataDir, clock });
  const began = clock.monotonic();
  const { id } = chosenSnapshot(mirror, request.snapshot);
  const { to, git, onProgress, signal } = request;
  const result = await exportSnapshot({
    mirror,
    snapshot: id,
    to,
    signal,
    ...(git === true ? { git: readEnvironment() } : {}),
    ...(onProgress ? { onProgress } : {}),
  });
  return { snapshot: id, to, ...result, durationMs: Math.round(clock.monotonic() - began) };
}

/** The snapshot that is meant; without a word about it the last complete one, else the last sealed one. */
export function chosenSnapshot(mirror: Mirror, spec: string | undefined): Snapshot {
  if (spec !== undefined) return resolveSnapshot(mirror, spec);
  return lastComplete(mirror) ?? resolveSnapshot(mirror, 'latest');
}
