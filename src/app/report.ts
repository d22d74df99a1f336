// The report for the command line: as data, and as one HTML file.
import { resolve } from 'node:path';
import { AppError, codeOf, writeFileAtomic } from '../base/index.ts';
import { repeatFlags } from '../config/index.ts';
import { readMirror } from '../mirror/index.ts';
import { readReportInTurns, reportHtml, type Report } from '../status/index.ts';
import type { Kit } from './kit.ts';

/** Throws DM_NO_SNAPSHOT when nothing was sealed yet. */
export async function reportNow({ config, clock }: Kit, signal?: AbortSignal): Promise<Report> {
  using mirror = readMirror({ dataDir: config.dataDir, clock });
  const report = await readReportInTurns(mirror, signal);
  if (report !== null) return report;
  throw new AppError('DM_NO_SNAPSHOT', 'There is no sealed snapshot yet', { hint: 'Run `docmirror sync` first.' });
}

export interface ReportPlace {
  readonly file: string;
  /** What names it, for whoever is told that it cannot be written. */
  readonly by: '--out' | 'report.path';
}

/** Writes it as one file that loads nothing; what stands there is replaced whole. Throws DM_USAGE where it cannot be written. */
export async function writeReport({ config }: Kit, report: Report, place: ReportPlace): Promise<string> {
  const file = resolve(place.file);
  try {
    await writeFileAtomic(file, await reportHtml(report, (text) => repeatFlags(text, config)));
    return file;
  } catch (error) {
    const why = WHY.get(codeOf(error) ?? '');
    if (why === undefined) throw error;
    throw new AppError('DM_USAGE', `${place.by} ${file} cannot be written: ${why}`, {
      hint: 'Name a file in a folder that exists and that you may write to.',
      cause: error,
    });
  }
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'its folder does not exist, or takes no files'],
  ['ENOTDIR', 'a file stands where its folder should be'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'that disk can only be read'],
]);
