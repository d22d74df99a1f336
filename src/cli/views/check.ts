import { shellWord } from '../../base/index.ts';
import type { CheckReport } from '../../app.ts';
import { MANIFEST } from '../../export/index.ts';
import { shownIn } from '../../mirror/index.ts';
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
  const shown = firstOfEach(report.problems);
  const rows = table(
    shown,
    [
      { title: 'where', value: (row) => row.what },
      { title: 'which', value: (row) => row.which },
      { title: 'snapshots', value: (row) => ('first' in row ? shownIn(row) : null), optional: true },
      { title: 'problem', value: (row) => row.problem },
    ],
    look,
  );
  const more = report.problems.length - shown.length;
  const rest = more === 0 ? '' : `\n… and ${thousands(more)} more: the same command with --json names them all`;
  return `${look.style.bad(count(report.problems.length, 'problem'))}: ${where}${own}\n\n${rows}${rest}`;
}

/** Of thousands of damaged texts some, and each that is of another kind. */
function firstOfEach(problems: CheckReport['problems']): CheckReport['problems'][number][] {
  const seen = new Map<string, number>();
  return problems.filter(({ what }) => {
    const before = seen.get(what) ?? 0;
    seen.set(what, before + 1);
    return before < MOST_OF_A_KIND;
  });
}

const MOST_OF_A_KIND = 100;

/** In a list that nobody has to scroll through; all of them stand in the JSON. */
function ownFiles(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_SHOWN).map((path) => `\n  your own, left alone: ${oneLine(path)}`);
  const more = paths.length - shown.length;
  return shown.join('') + (more > 0 ? `\n  and ${thousands(more)} more of your own` : '');
}

const MOST_SHOWN = 20;

type Advised = Pick<CheckReport, 'problems' | 'exportKept'>;

/** What to do about what is damaged: each kind of it is made whole in another way. */
export function checkAdvice(report: Advised): string {
  const { problems } = report;
  const seen = new Set(problems.map(({ what }) => what));
  const advice = [
    ...(LOST.some((what) => seen.has(what)) ? [COPY] : []),
    ...(problems.some(mendedByReading) ? [REREAD] : []),
    ...(problems.some(isUnread) ? [ASK_AGAIN] : []),
    ...(SHOWN.some((what) => seen.has(what)) ? [SHOW] : []),
    ...(seen.has('drill') ? [REHEARSE] : []),
    ...(seen.has('journal') ? [JOURNAL] : []),
    ...exportAdvice(report),
  ];
  return advice.join(' ');
}

/** What was found, in a sentence: what the platform did not answer says nothing of the mirror. */
export function checkFault({ problems }: Pick<CheckReport, 'problems'>, dataDir: string): string {
  if (!problems.every(isUnread)) return `The mirror in ${dataDir} failed its check`;
  return `${count(problems.length, 'resource')} could not be compared with the platform; nothing says that the mirror in ${dataDir} is damaged`;
}

function isUnread(one: Problem): boolean {
  return 'unread' in one;
}

function mendedByReading(one: Problem): boolean {
  return READ_AGAIN.has(one.what) && !isUnread(one);
}

type Problem = CheckReport['problems'][number];

const LOST = ['database', 'manifest', 'reference'] as const;
const SHOWN = ['search', 'view'] as const;
const READ_AGAIN: ReadonlySet<string> = new Set<Problem['what']>(['object', 'body', 'platform']);
const COPY =
  'What is wrong with the database no walk can mend: move the data directory away, then put a copy of it in its place, or begin a new one with docmirror sync.';
const REREAD =
  'Run docmirror sync --full: it reads all again, and what the platform still has as it was is whole then; the rest only a copy of the data directory brings back.';
const ASK_AGAIN =
  'Where the platform answers again (docmirror doctor), run the same command: what could not be read there was not compared.';
const SHOW = 'Run docmirror sync --full: it makes the full-text index and the views anew.';
const REHEARSE = 'Take the rows that are named out of the table drills, and run docmirror drill: they prove nothing.';

const JOURNAL =
  'Put back a copy of mirror.db of after the restore that is named: what it made where is noted nowhere else. Without one, it cannot be gone on with or taken back, and nothing more be planned into its organization (docmirror restore list); into others, all can be restored.';

function exportAdvice({ problems, exportKept }: Advised): string[] {
  const named = problems.filter((one) => one.what === 'export');
  const how = writer(exportKept);
  if (named.some(({ which, heals }) => which === MANIFEST && heals !== true))
    return [
      `Move content/ away: without its ${MANIFEST} no sync writes there. ${how} writes it anew; put back what was your own in it.`,
    ];
  return [
    ...(named.some(({ heals }) => heals !== true)
      ? [`Delete the files of the export that are named. ${how} writes them from the mirror.`]
      : []),
    ...(named.some(({ heals }) => heals === true)
      ? [`Leave ${MANIFEST} where it is. ${how} makes it what it should be.`]
      : []),
  ];
}

/** What writes the export next. */
function writer(kept: CheckReport['exportKept']): string {
  if (kept === null) return 'The next complete docmirror sync';
  const why =
    kept.suspect === null
      ? 'No sync writes there, since export.enabled is off'
      : `No sync writes there while snapshot ${kept.suspect} is suspect`;
  return `${why}: docmirror export --to ${shellWord(kept.folder)}`;
}

function liveText({ snapshot, asked, same, moved }: NonNullable<CheckReport['live']>): string {
  const since = moved > 0 ? `, ${thousands(moved)} changed there since snapshot ${snapshot}` : '';
  return `of ${count(asked, 'resource')} asked of the platform ${thousands(same)} the same${since}`;
}
