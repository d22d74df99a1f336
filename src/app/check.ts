import { existsSync } from 'node:fs';
import { AppError, safeUrl, toAppError } from '../base/index.ts';
import { ApiError } from '../client/index.ts';
import { requirePlatform } from '../config/index.ts';
import { checkExport, checkNote, type ExportProblem } from '../export/index.ts';
import {
  checkMirror,
  isAccepted,
  lastSealed,
  readMirror,
  spotCheck,
  type MirrorCheckOptions,
  type MirrorCheckProgress,
  type CheckProblem,
  type LivePlatform,
  type Mirror,
  type SpotCheck,
} from '../mirror/index.ts';
import type { Kit } from './kit.ts';
import { refuseLostMirror } from './lost-mirror.ts';
import { contentFolder } from './places.ts';

export interface CheckOptions {
  /** Reads every stored byte, or a portion of them, and compares it with its hash. */
  readonly readData: MirrorCheckOptions['readData'];
  /** How many resources, chosen by chance, to compare with the platform; 0 for none. */
  readonly live?: number;
  readonly onProgress?: (progress: CheckProgress) => void;
  readonly signal: AbortSignal;
}

/** How far a check is with one of its parts. */
export type CheckProgress = MirrorCheckProgress | (Omit<MirrorCheckProgress, 'part'> & { readonly part: 'export' });

export interface CheckReport {
  readonly passed: boolean;
  readonly problems: readonly (CheckProblem | ExportProblem | LiveProblem)[];
  readonly objects: number;
  /** Null unless stored bytes were read. */
  readonly bodies: number | null;
  readonly bytesRead: number | null;
  /** Whether there was an export to check. */
  readonly export: boolean;
  /** Null where the next complete sync writes the export; else where it lies, and the suspect snapshot that keeps it, null for the setting. */
  readonly exportKept: { readonly folder: string; readonly suspect: number | null } | null;
  /** Paths in the export of files that somebody else put there: they may stay, and are no problem. */
  readonly foreign: readonly string[];
  /** What the platform itself said; null when it was not asked. */
  readonly live: Omit<SpotCheck, 'problems'> | null;
}

interface LiveProblem {
  readonly what: 'platform';
  readonly which: string;
  readonly problem: string;
  /** True where it could not be asked for, which says nothing of the mirror. */
  readonly unread?: true;
}

/**
 * Integrity of database, objects and export. Reports all problems, changes nothing; needs no lease, and a platform only to
 * compare with it. Throws DM_DATABASE_DAMAGED where the database was lost or nothing of it can be read, DM_CONFIG_MISSING where no platform is named that
 * is to be asked, and DM_TOKEN_REFUSED where nothing else is to be told.
 */
export async function check(kit: Kit, options: CheckOptions): Promise<CheckReport> {
  await refuseLostMirror(kit);
  return checkAll(kit, options).catch((error: unknown) => sayUnreadable(error, kit.config.dataDir));
}

/** The usual advice for a damaged database is to run this very command. */
function sayUnreadable(error: unknown, dataDir: string): never {
  const known = toAppError(error);
  if (known.code !== 'DM_DATABASE_DAMAGED') throw error;
  throw new AppError(
    known.code,
    `The database cannot be checked, it is damaged too much: ${known.message} (data directory ${dataDir})`,
    {
      hint: 'Move the data directory away, then put a copy of it in its place, or begin a new one with docmirror sync. The pages in content/ and the files in objects/ can be read without the database.',
      cause: error,
    },
  );
}

async function checkAll(kit: Kit, { readData, live = 0, onProgress, signal }: CheckOptions): Promise<CheckReport> {
  using mirror = readMirror({ dataDir: kit.config.dataDir, clock: kit.clock });
  // Whoever has named no platform learns it before all is read.
  const platform = live > 0 ? await platformOf(kit, signal) : null;
  const found = await checkMirror(mirror, { readData, signal, ...(onProgress ? { onProgress } : {}) });
  const folder = contentFolder(kit.config);
  const exported = existsSync(folder);
  const told = (done: number, total: number): void => onProgress?.({ part: 'export', done, total });
  const all = exported ? await checkExport(folder, { signal, onProgress: told }) : [];
  if (exported) all.push(...((await checkNote(folder, mirror).catch(nullIfDamaged)) ?? []));
  const foreign = all.filter((one) => one.foreign === true).map(({ which }) => which);
  const stored = [...found.problems, ...all.filter((one) => one.foreign !== true)];
  const asking = { count: live, platform, isWhole: stored.length === 0 };
  const spots = await look(kit, mirror, asking);
  const problems = [...stored, ...spots.problems];
  const read =
    readData !== false ? { bodies: found.bodies, bytesRead: found.bytesRead } : { bodies: null, bytesRead: null };
  const { objects } = found;
  const content = { export: exported, exportKept: exportKept(kit, mirror), foreign };
  return { passed: problems.length === 0, problems, objects, ...read, ...content, live: spots.live };
}

function exportKept({ config }: Kit, mirror: Mirror): CheckReport['exportKept'] {
  const folder = contentFolder(config);
  if (!config.export.enabled) return { folder, suspect: null };
  const suspect = unlessDamaged(() => {
    const newest = lastSealed(mirror);
    return newest?.state === 'suspect' && !isAccepted(mirror, newest.id) ? newest.id : null;
  });
  return suspect === null ? null : { folder, suspect };
}

/** Null where the database cannot be read for it, which is told by then. */
function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    return nullIfDamaged(error);
  }
}

function nullIfDamaged(error: unknown): null {
  if (toAppError(error).code === 'DM_DATABASE_DAMAGED') return null;
  throw error;
}

const NOT_COMPARED: CheckProblem = {
  what: 'database',
  which: 'mirror.db',
  problem: 'what is there could not be compared with the platform, since the database is damaged',
};

function unasked({ config }: Kit, { message }: ApiError): LiveProblem {
  const which = safeUrl(requirePlatform(config).baseUrl);
  return { what: 'platform', which, problem: `could not be asked: ${message}`, unread: true };
}

async function platformOf(kit: Kit, signal: AbortSignal): Promise<LivePlatform> {
  const { livePlatform } = await import('./restoring/live-platform.ts');
  return livePlatform(kit, signal);
}

interface Asking {
  readonly count: number;
  /** Null where it is not asked. */
  readonly platform: LivePlatform | null;
  /** Of what is stored, nothing is damaged. */
  readonly isWhole: boolean;
}

async function look(
  kit: Kit,
  mirror: Mirror,
  { count, platform, isWhole }: Asking,
): Promise<Pick<CheckReport, 'live'> & { problems: (CheckProblem | LiveProblem)[] }> {
  if (platform === null) return { live: null, problems: [] };
  const asked = spotCheck(mirror, { count, random: kit.random, live: platform });
  const found = await asked.catch((error: unknown) => {
    // Where something is damaged that is told, and this beside it.
    if (error instanceof ApiError && !isWhole) return unasked(kit, error);
    return nullIfDamaged(error) ?? NOT_COMPARED;
  });
  if ('problem' in found) return { live: null, problems: [found] };
  const { problems, ...live } = found;
  return {
    live,
    problems: problems.map(({ kind, key, ...found }) => ({
      what: 'platform' as const,
      which: `${kind} ${key}`,
      ...found,
    })),
  };
}
