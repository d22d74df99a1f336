// What an export says about itself: `.docmirror-export.json`, and `SHA256SUMS` in the form that `sha256sum -c` reads.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, sha256 } from '../base/index.ts';

export const MANIFEST = '.docmirror-export.json';
export const SUMS = 'SHA256SUMS';

export interface Manifest {
  readonly format: 1;
  readonly snapshot: number;
  /** State of that snapshot. */
  readonly state: string;
  /** Address of the platform. */
  readonly origin: string;
  /** When the snapshot began, and when this was written. */
  readonly snapshotAt: string;
  readonly exportedAt: string;
  readonly files: number;
  /** SHA-256 of SHA256SUMS. */
  readonly sums: string;
}

/** True when the folder is an export, whole or not. */
export async function readManifest(folder: string): Promise<Partial<Manifest> | null> {
  const text = await readIfThere(join(folder, MANIFEST));
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    // A damaged manifest still says whose folder it is.
    return {};
  }
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The list of hashes by path, sorted. Paths come from our own allocator, so none needs escaping. */
export function sumsText(hashes: ReadonlyMap<string, string>): string {
  return [...hashes.keys()]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => `${hashes.get(path) ?? ''}  ${path}\n`)
    .join('');
}

export function parseSums(text: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, hash, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (hash !== undefined && path !== undefined) hashes.set(path, hash);
  }
  return hashes;
}

/** The hashes of an export; empty when they do not fit its manifest, so that nothing in it is trusted. */
export async function readSums(folder: string, manifest: Partial<Manifest>): Promise<Map<string, string>> {
  const text = await readIfThere(join(folder, SUMS));
  return text !== null && sha256(text) === manifest.sums ? parseSums(text) : new Map<string, string>();
}

export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
