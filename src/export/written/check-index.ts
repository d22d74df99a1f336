// The index of an export is what the next one is made by: what it has wrongly would be written into the next list of sums.
import { createHash } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, endOfTurn, openToRead } from '../../base/index.ts';
import { INDEX } from './export-index.ts';
import { exportProblem, type ExportProblem } from './export-problem.ts';
import type { Manifest } from './manifest.ts';
import { sumsText, type SumsLine } from './sums.ts';

type Driver = ReturnType<typeof openToRead>;

const LIST = 'select path, lower(hex(sha256)) as sha256 from files order by path';
const TURN_ROWS = 1000;

const DAMAGED = exportProblem(INDEX, 'it is damaged as a database');

/** Reads all of the index, and compares it with the list of sums that it was written with; nothing where there is none, or no file. */
export async function checkIndex(to: string, manifest: Partial<Manifest>): Promise<ExportProblem[]> {
  const path = join(to, INDEX);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  try {
    // SQLite tells of a file that is closed to this user as of one that cannot be opened.
    accessSync(path, constants.R_OK);
    const driver = openToRead(path);
    try {
      return await problemsOf(driver, manifest);
    } finally {
      driver.close();
    }
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_') !== true) throw error;
    return [DAMAGED];
  }
}

async function problemsOf(driver: Driver, manifest: Partial<Manifest>): Promise<ExportProblem[]> {
  const found: unknown = driver.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') return [DAMAGED];
  const told = driver.prepare<[], string>("select value from meta where name = 'sums'").pluck().get();
  // Of another list where the export was cut off between the two, which the next one sees by itself.
  if (told === undefined || told !== manifest.sums || told === (await hashOfList(driver))) return [];
  return [exportProblem(INDEX, 'it names other files or hashes than SHA256SUMS, and the next export would go by it')];
}

async function hashOfList(driver: Driver): Promise<string> {
  const hash = createHash('sha256');
  let rows = 0;
  for (const line of driver.prepare<[], SumsLine>(LIST).iterate()) {
    hash.update(sumsText([line]));
    if (++rows % TURN_ROWS === 0) await endOfTurn();
  }
  return hash.digest('hex');
}
