import type { CheckReport } from '../../app.ts';
import { MANIFEST } from '../../export/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { oneLine } from './text.ts';
import { bytes, count, thousands } from './units.ts';

export function checkView(report: CheckReport, look: Look): string {
  const read = report.bytesRead === null ? '' : `, ${bytes(report.bytesRead)} read and compared`;
  const live = report.live ? `; ${liveText(report.live)}` : '';
  const where = `database, ${count(report.objects, 'object')}, ${report.export ? 'export' : 'no export'}${read}${live}`;
  const own = ownFiles(report.foreign);
  if (report.passed) return `${look.style.good('Whole')}: ${where}${own}`;
  const rows = table(
    report.problems,
    [
      { title: 'where', value: (row) => row.what },
      { title: 'which', value: (row) => row.which },
      { title: 'problem', value: (row) => row.problem },
    ],
    look,
  );
  return `${look.style.bad(count(report.problems.length, 'problem'))}: ${where}${own}\n\n${rows}`;
}

/** In a list that nobody has to scroll through; all of them stand in the JSON. */
function ownFiles(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_SHOWN).map((path) => `\n  your own, left alone: ${oneLine(path)}`);
  const more = paths.length - shown.length;
  return shown.join('') + (more > 0 ? `\n  and ${thousands(more)} more of your own` : '');
}

const MOST_SHOWN = 20;

/** What to do about what is damaged: each kind of it is made whole in another way. */
export function checkAdvice({ problems }: Pick<CheckReport, 'problems'>): string {
  const seen = new Set(problems.map(({ what }) => what));
  const advice = [
    ...(LOST.some((what) => seen.has(what)) ? [COPY] : []),
    ...(READ_AGAIN.some((what) => seen.has(what)) ? [REREAD] : []),
    ...exportAdvice(problems),
  ];
  return advice.join(' ');
}

const LOST = ['database', 'manifest', 'reference'] as const;
const READ_AGAIN = ['object', 'body', 'platform'] as const;
const COPY =
  'What is wrong with the database no walk can mend: put back a copy of the data directory, or move it away and begin a new one with docmirror sync.';
const REREAD =
  'Run docmirror sync --full: it reads all again, and what the platform still has as it was is whole then; the rest only a copy of the data directory brings back.';
const REWRITE = 'Delete the files of the export that are named: the next docmirror sync writes them from the mirror.';
const ANEW = `Move content/ away: without its ${MANIFEST} no sync writes there. The next docmirror sync writes it anew; put back what was your own in it.`;

function exportAdvice(problems: CheckReport['problems']): string[] {
  const named = problems.filter(({ what }) => what === 'export');
  if (named.some(({ which }) => which === MANIFEST)) return [ANEW];
  return named.length > 0 ? [REWRITE] : [];
}

function liveText({ snapshot, asked, same, moved }: NonNullable<CheckReport['live']>): string {
  const since = moved > 0 ? `, ${thousands(moved)} changed there since snapshot ${snapshot}` : '';
  return `of ${count(asked, 'resource')} asked of the platform ${thousands(same)} the same${since}`;
}
