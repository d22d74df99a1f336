// What an export says about itself: `.docmirror-export.json`. Beside it, `SHA256SUMS` has the form that `sha256sum -c` reads.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, readableJson } from '../../base/index.ts';

export const MANIFEST = '.docmirror-export.json';
export const SUMS = 'SHA256SUMS';

export interface Manifest {
  readonly format: 1;
  readonly snapshot: number;
  /** State of that snapshot. */
  readonly state: string;
  /** Address of the platform. */
  readonly origin: string;
  /** Which mirror it was written from. */
  readonly mirror: string;
  /** When the snapshot began, when it was sealed, and when this was written. */
  readonly snapshotAt: string;
  readonly sealedAt: string | null;
  readonly exportedAt: string;
  readonly files: number;
  /** SHA-256 of SHA256SUMS. */
  readonly sums: string;
}

/** True when the folder is an export, whole or not. */
export async function isExport(folder: string): Promise<boolean> {
  return (await readManifest(folder)) !== null;
}

/** What an export says about itself; null for a folder that is none. */
export async function readManifest(folder: string): Promise<Partial<Manifest> | null> {
  const text = await readIfThere(join(folder, MANIFEST));
  // A damaged manifest still says whose folder it is.
  return text === null ? null : (readableJson(text) ?? {});
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

// There is nothing, or a folder, or what is above it is no folder.
const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR']);

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (NO_FILE.has(codeOf(error) ?? '')) return null;
    throw error;
  }
}
