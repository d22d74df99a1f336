import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { AppError, readEnvironment } from '../base/index.ts';
import { exportSnapshot, type ExportProgress, type ExportResult } from '../export/index.ts';
import { lastSound, readMirror, resolveSnapshot, type Mirror, type Snapshot } from '../mirror/index.ts';
import type { Kit } from './kit.ts';
import { OWN_FOLDERS } from './places.ts';

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
  refuseOwnFolder(request.to, config.dataDir);
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

/** What lies there is the mirror's own, under names of its own: nobody would look for an export there, and one could be taken for it. */
function refuseOwnFolder(to: string, dataDir: string): void {
  const [own] = relative(real(dataDir), real(to)).split(sep);
  if (own === undefined || !OWN_FOLDERS.includes(own)) return;
  throw new AppError('DM_USAGE', `--to ${to} is in ${join(dataDir, own)}, where the mirror keeps what is its own`, {
    hint: `Name a folder outside of it. The export of the last complete snapshot is in ${join(dataDir, 'content')}.`,
  });
}

/** Where a path leads that need not be there yet, links followed. */
function real(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : resolve(real(above), relative(above, path));
}

/** The snapshot that is meant; without a word about it the last complete one, else the last sealed one. */
export function chosenSnapshot(mirror: Mirror, spec: string | undefined): Snapshot {
  if (spec !== undefined) return resolveSnapshot(mirror, spec);
  return lastSound(mirror) ?? resolveSnapshot(mirror, 'latest');
}
