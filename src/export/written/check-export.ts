import { join } from 'node:path';
import { isOwn } from '../assemble.ts';
import { checkIndex } from './check-index.ts';
import { exportProblem, type ExportProblem } from './export-problem.ts';
import { MANIFEST, readManifest, SUMS, type Manifest } from './manifest.ts';
import { hashOfFile, readingRoom, readSums, type SumsLine } from './sums.ts';
import { compareBytes, walkFiles } from '../files/walk-files.ts';

export interface ExportCheckOptions {
  readonly signal?: AbortSignal;
  /** Told how many files were read, of those that the export says it has. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Compares an export with its own lists: files that are missing, changed or not ours. Reads every byte, changes nothing. */
export async function checkExport(to: string, options: ExportCheckOptions = {}): Promise<ExportProblem[]> {
  const manifest = await readManifest(to);
  if (manifest === null) return [exportProblem(MANIFEST, 'missing: this is no export')];
  const sums = await hashOfFile(join(to, SUMS));
  if (sums === null) return [exportProblem(SUMS, 'missing')];
  const problems = [...listProblems(manifest, sums), ...(await checkIndex(to, manifest))];
  // Both are in the order of their bytes, so neither has to be held.
  const listed = readSums(join(to, SUMS));
  let line = await next(listed);
  let read = 0;
  const room = readingRoom();
  for (const path of walkFiles(to)) {
    options.signal?.throwIfAborted();
    if (isOwn(path)) continue;
    for (; line !== null && compareBytes(line.path, path) < 0; line = await next(listed))
      problems.push(exportProblem(line.path, 'missing'));
    if (line?.path !== path) {
      problems.push({ ...exportProblem(path, 'not part of the export'), foreign: true });
      continue;
    }
    options.onProgress?.(read++, manifest.files ?? 0);
    if ((await hashOfFile(join(to, path), room)) !== line.sha256)
      problems.push(exportProblem(path, 'its bytes have another hash'));
    line = await next(listed);
  }
  for (; line !== null; line = await next(listed)) problems.push(exportProblem(line.path, 'missing'));
  return problems;
}

function listProblems(manifest: Partial<Manifest>, sums: string): ExportProblem[] {
  if (manifest.sums === undefined) return [{ ...exportProblem(MANIFEST, 'it cannot be read any more'), heals: true }];
  return sums === manifest.sums ? [] : [exportProblem(SUMS, 'it is not the list that the manifest names')];
}

async function next(lines: AsyncGenerator<SumsLine>): Promise<SumsLine | null> {
  const line: IteratorResult<SumsLine, unknown> = await lines.next();
  return line.done === true ? null : line.value;
}
