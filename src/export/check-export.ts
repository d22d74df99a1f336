import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sha256 } from '../base/index.ts';
import { MANIFEST, parseSums, readIfThere, readManifest, SUMS } from './manifest.ts';
import { walkFiles } from './walk-files.ts';

export interface ExportProblem {
  readonly what: 'export';
  /** Path inside the export. */
  readonly which: string;
  readonly problem: string;
}

/** Compares an export with its own lists: files that are missing, changed or not ours. Reads every byte, changes nothing. */
export async function checkExport(to: string, options: { signal?: AbortSignal } = {}): Promise<ExportProblem[]> {
  const manifest = await readManifest(to);
  if (manifest === null) return [problem(MANIFEST, 'missing: this is no export')];
  const text = await readIfThere(join(to, SUMS));
  if (text === null) return [problem(SUMS, 'missing')];
  const problems = sha256(text) === manifest.sums ? [] : [problem(SUMS, 'it is not the list that the manifest names')];
  const hashes = parseSums(text);
  for (const [path, expected] of hashes) {
    options.signal?.throwIfAborted();
    const found = await hashOf(join(to, path));
    if (found === null) problems.push(problem(path, 'missing'));
    else if (found !== expected) problems.push(problem(path, 'its bytes have another hash'));
  }
  for await (const path of walkFiles(to)) {
    if (!hashes.has(path) && path !== SUMS && path !== MANIFEST) problems.push(problem(path, 'not part of the export'));
  }
  return problems;
}

async function hashOf(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return null;
    throw error;
  }
  return hash.digest('hex');
}

function problem(which: string, what: string): ExportProblem {
  return { what: 'export', which, problem: what };
}
