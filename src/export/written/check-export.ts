import { join } from 'node:path';
import { isOwn } from '../assemble.ts';
import { MANIFEST, readManifest, SUMS } from './manifest.ts';
import { hashOfFile, readingRoom, readSums, type SumsLine } from './sums.ts';
import { compareBytes, walkFiles } from '../files/walk-files.ts';

export interface ExportProblem {
  readonly what: 'export';
  /** Path inside the export. */
  readonly which: string;
  readonly problem: string;
  /** It stands among the files of the export, and none of its lists names it: somebody's own. */
  readonly foreign?: true;
}

export interface ExportCheckOptions {
  readonly signal?: AbortSignal;
  /** Told how many files were read, of those that the export says it has. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Compares an export with its own lists: files that are missing, changed or not ours. Reads every byte, changes nothing. */
export async function checkExport(to: string, options: ExportCheckOptions = {}): Promise<ExportProblem[]> {
  const manifest = await readManifest(to);
  if (manifest === null) return [problem(MANIFEST, 'missing: this is no export')];
  const sums = await hashOfFile(join(to, SUMS));
  if (sums === null) return [problem(SUMS, 'missing')];
  const problems = sums === manifest.sums ? [] : [problem(SUMS, 'it is not the list that the manifest names')];
  // Both are in the order of their bytes, so neither has to be held.
  const listed = readSums(join(to, SUMS));
  let line = await next(listed);
  let read = 0;
  const room = readingRoom();
  for (const path of walkFiles(to)) {
    options.signal?.throwIfAborted();
    if (isOwn(path)) continue;
    for (; line !== null && compareBytes(line.path, path) < 0; line = await next(listed))
      problems.push(problem(line.path, 'missing'));
    if (line?.path !== path) {
      problems.push({ ...problem(path, 'not part of the export'), foreign: true });
      continue;
    }
    options.onProgress?.(read++, manifest.files ?? 0);
    if ((await hashOfFile(join(to, path), room)) !== line.sha256)
      problems.push(problem(path, 'its bytes have another hash'));
    line = await next(listed);
  }
  for (; line !== null; line = await next(listed)) problems.push(problem(line.path, 'missing'));
  return problems;
}

async function next(lines: AsyncGenerator<SumsLine>): Promise<SumsLine | null> {
  const line: IteratorResult<SumsLine, unknown> = await lines.next();
  return line.done === true ? null : line.value;
}

function problem(which: string, what: string): ExportProblem {
  return { what: 'export', which, problem: what };
}
