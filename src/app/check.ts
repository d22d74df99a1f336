import { existsSync } from 'node:fs';
import { checkExport, type ExportProblem } from '../export/index.ts';
import { checkMirror, readMirror, type CheckProblem } from '../mirror/index.ts';
import type { Kit } from './kit.ts';
import { contentFolder } from './places.ts';

export interface CheckOptions {
  /** Reads every stored byte and compares it with its hash. */
  readonly readData: boolean;
  readonly signal: AbortSignal;
}

export interface CheckReport {
  readonly passed: boolean;
  readonly problems: readonly (CheckProblem | ExportProblem)[];
  readonly objects: number;
  readonly bodies: number;
  readonly bytesRead: number;
  /** Whether there was an export to check. */
  readonly export: boolean;
}

/** Integrity of database, objects and export. Reports all problems, changes nothing; needs neither lease nor platform. */
export async function check({ config, clock }: Kit, { readData, signal }: CheckOptions): Promise<CheckReport> {
  using mirror = readMirror({ dataDir: config.dataDir, clock });
  const found = await checkMirror(mirror, { readData });
  const folder = contentFolder(config);
  const exported = existsSync(folder);
  const problems = [...found.problems, ...(exported ? await checkExport(folder, { signal }) : [])];
  const { objects, bodies, bytesRead } = found;
  return { passed: problems.length === 0, problems, objects, bodies, bytesRead, export: exported };
}
