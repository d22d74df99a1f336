import { exportSnapshot, type ExportProgress, type ExportResult } from '../export/index.ts';
import { lastComplete, readMirror, resolveSnapshot, type Mirror, type Snapshot } from '../mirror/index.ts';
import type { Kit } from './kit.ts';

export interface ExportRequest {
  /** Number, time or `latest`; the last complete snapshot, else the last sealed one, when absent. */
  readonly snapshot?: string;
  readonly to: string;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly signal: AbortSignal;
}

export interface Exported extends ExportResult {
  readonly snapshot: number;
  readonly to: string;
}

/** Writes the readable tree of one snapshot. Needs neither lease nor platform. */
export async function exportTo({ config, clock }: Kit, request: ExportRequest): Promise<Exported> {
  using mirror = readMirror({ dataDir: config.dataDir, clock });
  const { id } = chosenSnapshot(mirror, request.snapshot);
  const { to, onProgress, signal } = request;
  const result = await exportSnapshot({ mirror, snapshot: id, to, signal, ...(onProgress ? { onProgress } : {}) });
  return { snapshot: id, to, ...result };
}

/** The snapshot that is meant; without a word about it the last complete one, else the last sealed one. */
export function chosenSnapshot(mirror: Mirror, spec: string | undefined): Snapshot {
  if (spec !== undefined) return resolveSnapshot(mirror, spec);
  return lastComplete(mirror) ?? resolveSnapshot(mirror, 'latest');
}
