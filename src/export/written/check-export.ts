import { join } from 'node:path';
import { codeOf } from '../../base/index.ts';
import { isOwn, OWN } from '../assemble.ts';
import { foldName } from '../layout/names.ts';
import { checkIndex } from './check-index.ts';
import { exportProblem, type ExportProblem } from './export-problem.ts';
import { MANIFEST, readManifest, SUMS, type Manifest } from './manifest.ts';
import { isSameFile } from './spelling.ts';
import { hashOfFile, readingRoom, readSums, type SumsLine } from './sums.ts';
import { compareBytes, walkFiles } from '../files/walk-files.ts';

export interface ExportCheckOptions {
  readonly signal?: AbortSignal;
  /** Told how many files were read, of those that the export says it has. */
  readonly onProgress?: (done: number, total: number) => void;
}

// Each takes another export that was written while this one was read.
const MOST_TRIES = 5;

/**
 * Compares an export with its own lists: files that are missing, changed or not ours. Reads every byte, changes nothing. Where another
 * process puts a new export in its place meanwhile, that one is compared: the list of one and the files of the other fit together nowhere.
 */
export async function checkExport(to: string, options: ExportCheckOptions = {}): Promise<ExportProblem[]> {
  for (let tries = 1; ; tries++) {
    const note = await hashOfFile(join(to, MANIFEST));
    const isReplaced = async (): Promise<boolean> =>
      tries < MOST_TRIES && (await hashOfFile(join(to, MANIFEST))) !== note;
    try {
      const problems = await checkTree(to, options);
      if (problems.length === 0 || !(await isReplaced())) return problems;
    } catch (error) {
      // A file that was listed may be gone with its folder before it is opened.
      if (codeOf(error) !== 'ENOENT' || !(await isReplaced())) throw error;
    }
  }
}

async function checkTree(to: string, options: ExportCheckOptions): Promise<ExportProblem[]> {
  const manifest = await readManifest(to);
  if (manifest === null) return [exportProblem(MANIFEST, 'missing: this is no export')];
  const sums = await hashOfFile(join(to, SUMS));
  if (sums === null) return [exportProblem(SUMS, 'missing')];
  const lists = [...listProblems(manifest, sums), ...(await checkIndex(to, manifest))];
  const problems: ExportProblem[] = [];
  const missing: SumsLine[] = [];
  const foreign: string[] = [];
  // Both are in the order of their bytes, so neither has to be held.
  const listed = readSums(join(to, SUMS));
  let line = await next(listed);
  let read = 0;
  const room = readingRoom();
  for (const path of walkFiles(to)) {
    options.signal?.throwIfAborted();
    if (isOwn(path)) continue;
    for (; line !== null && compareBytes(line.path, path) < 0; line = await next(listed)) missing.push(line);
    if (line?.path !== path) {
      foreign.push(path);
      continue;
    }
    options.onProgress?.(read++, manifest.files ?? 0);
    if ((await hashOfFile(join(to, path), room)) !== line.sha256) problems.push(exportProblem(path, CHANGED));
    line = await next(listed);
  }
  for (; line !== null; line = await next(listed)) missing.push(line);
  return [...lists, ...[...problems, ...(await notListed(to, { missing, foreign }))].toSorted(byPlace)];
}

const CHANGED = 'its bytes have another hash';

function byPlace(one: ExportProblem, other: ExportProblem): number {
  return compareBytes(one.which, other.which);
}

interface Unmatched {
  readonly missing: readonly SumsLine[];
  /** Paths. */
  readonly foreign: readonly string[];
}

/** Of what is not listed by its name and what is listed besides, the same files under names that the file system writes its own way are none. */
async function notListed(to: string, { missing, foreign }: Unmatched): Promise<ExportProblem[]> {
  const written = new Map([...OWN, ...missing.map(({ path }) => path)].map((path) => [foldName(path), path]));
  const others: string[] = [];
  const respelled = new Set<string>();
  for (const path of foreign) {
    const own = written.get(foldName(path));
    if (own !== undefined && isSameFile(join(to, own), join(to, path))) respelled.add(own);
    else others.push(path);
  }
  const problems = others.map((path) => ({ ...exportProblem(path, 'not part of the export'), foreign: true as const }));
  const held = missing.filter(({ path }) => respelled.has(path));
  const lost = missing.filter(({ path }) => !respelled.has(path)).map(({ path }) => exportProblem(path, 'missing'));
  return [...problems, ...lost, ...(await changedAmong(to, held))];
}

async function changedAmong(to: string, lines: readonly SumsLine[]): Promise<ExportProblem[]> {
  const problems: ExportProblem[] = [];
  for (const { path, sha256 } of lines)
    if ((await hashOfFile(join(to, path))) !== sha256) problems.push(exportProblem(path, CHANGED));
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
