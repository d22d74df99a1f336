import type { DrillResult, VerifyReport } from '../../restore/index.ts';
import type { Look } from '../screen.ts';
import { pairs, table } from './table.ts';
import { oneLine } from './text.ts';
import { count, span, thousands } from './units.ts';

export function verifyDocument(report: VerifyReport): object {
  const { fidelity, differences, brokenLinks, requests, durationMs, passed } = report;
  const { betterThanClaimed, notRestored, waiting, unread, doubt } = report;
  const told = { fidelity, differences, brokenLinks, requests, durationMs, passed };
  return { ...told, betterThanClaimed, notRestored, waiting, unread, doubt };
}

/** With the number of the snapshot that was drilled. */
export function drillDocument(report: DrillResult & { readonly snapshot: number }): unknown {
  const { snapshot, ofNewest } = report;
  return { snapshot, ofNewest, ...verifyDocument(report) };
}

const SHOWN_DIFFERENCES = 20;
const SHOWN_UNREAD = 5;

export function verifyView(report: VerifyReport, title: string, look: Look): string {
  const { style } = look;
  const verdict = report.passed ? style.good('passed') : style.bad('did not pass');
  const { exact, bestEffort, lost } = report.fidelity;
  const rows: [string, string][] = [
    ['exact', share(exact)],
    ['best effort', share(bestEffort)],
    ['cannot come back', `${count(lost.fields, 'field')}, as the ledger says`],
    ['broken links', brokenLinks(report)],
  ];
  return [
    `${title} ${verdict}: ${count(report.requests, 'request')}, ${span(report.durationMs)}`,
    pairs(rows, style),
    ...nothing(report, look),
    ...differences(report, look),
    ...better(report),
    ...left(report),
    ...unmerged(report),
    ...unread(report),
  ].join('\n');
}

/** Without it, what did not pass would show no reason. */
function nothing({ passed, fidelity: { exact, bestEffort, lost } }: VerifyReport, look: Look): string[] {
  if (passed || exact.fields + bestEffort.fields + lost.fields > 0) return [];
  return [
    '',
    look.named('There was nothing to compare, which proves nothing: docmirror doctor says what the token sees'),
  ];
}

/** Fewer than the platform lists as broken, and the report counts: a link to an address comes back as it is. */
function brokenLinks({ brokenLinks: { before, after } }: VerifyReport): string {
  return `${thousands(before)} before, ${thousands(after)} after, of those that name a page, file or space`;
}

function share({ fields, equal }: { fields: number; equal: number }): string {
  const percent = fields === 0 ? '' : ` (${((100 * equal) / fields).toFixed(equal === fields ? 0 : 2)} %)`;
  return `${thousands(equal)} of ${count(fields, 'field')} equal${percent}`;
}

function differences({ differences: all }: VerifyReport, look: Look): string[] {
  if (all.length === 0) return [];
  const shown = [...all].sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN_DIFFERENCES);
  const rows = table(
    shown,
    [
      { title: 'differs', value: (row) => `${row.kind}.${row.field}` },
      { title: 'class', value: (row) => (row.class === 'exact' ? 'exact' : 'best effort') },
      { title: 'key', value: (row) => row.key },
      { title: 'expected', value: (row) => row.expected },
      { title: 'got', value: (row) => row.got },
    ],
    look,
  );
  const more = all.length - shown.length;
  return ['', rows, ...(more > 0 ? [`… and ${thousands(more)} more: --json lists them all`] : [])];
}

function rank(difference: VerifyReport['differences'][number]): number {
  return difference.class === 'exact' ? 0 : 1;
}

function left({ notRestored }: VerifyReport): string[] {
  const kinds = Object.entries(notRestored).map(([kind, number]) => count(number, kind));
  return kinds.length === 0 ? [] : ['', `Cannot come back: ${kinds.join(', ')}`];
}

/** A report of an earlier version tells nothing of it. */
function unmerged({ waiting = 0 }: Partial<VerifyReport>): string[] {
  if (waiting === 0) return [];
  const what =
    waiting === 1 ? 'its content was compared as it stands in it' : 'content was compared as it stands in them';
  return ['', `For people to review and merge: ${count(waiting, 'change request')}; ${what}`];
}

/** What is missing may be there all the same. */
function unread({ unread: all = [] }: Partial<VerifyReport>): string[] {
  if (all.length === 0) return [];
  const more = all.length - SHOWN_UNREAD;
  return [
    '',
    `Not read on the target: ${count(all.length, 'thing')}. What is missing may be there, so verify again once it can be read.`,
    ...all.slice(0, SHOWN_UNREAD).map((error) => oneLine(`  ${error}`)),
    ...(more > 0 ? [`  … and ${thousands(more)} more: --json lists them all`] : []),
  ];
}

/** Only what nobody can explain: the ledger is wrong there, to the good. */
function better({ betterThanClaimed }: VerifyReport): string[] {
  const fields = betterThanClaimed.filter(({ explained }) => explained === null);
  if (fields.length === 0) return [];
  return ['', `Better than the ledger says: ${fields.map(({ kind, field }) => `${kind}.${field}`).join(', ')}`];
}

interface Differing {
  readonly id: string;
  readonly state: string;
  /** What the next command needs too. */
  readonly flags: string;
  /** The restore that took it back; null while it was not taken back. */
  readonly undoneBy: string | null;
  /** The restore that has begun to take it back, and has not come to its end. */
  readonly halfUndoneBy: string | null;
  /** The restore that it takes back itself. */
  readonly undoes: string | null;
  /** A resume would find all that failed as it was found before. */
  readonly needsNewPlan: boolean;
}

/** Of a restore that is not at its end: it says nothing of what that has left. */
export function leftUnverified(id: string, flags: string): string {
  return `This is what was written so far. Part of the plan is left: docmirror restore resume ${id}${flags} does it; verify again then.`;
}

/** Of what failed, and would fail a resume in the same way. */
export function onlyAnew(undoes: string | null, flags: string): string {
  const anew =
    undoes === null
      ? `make a new plan with docmirror restore plan${flags}`
      : `run docmirror restore undo ${undoes}${flags}, which plans anew`;
  return `Part of the plan was not written, and no resume writes it: ${anew}.`;
}

/** What to do about differences: a resume writes what was not written, and nothing where all was. */
export function afterDifferences({
  id,
  state,
  flags,
  undoneBy,
  halfUndoneBy,
  undoes,
  needsNewPlan,
}: Differing): string {
  if (undoneBy !== null)
    return `It was taken back by restore ${undoneBy}: what it brought is not meant to be there. Make a new plan with docmirror restore plan to restore again.`;
  if (halfUndoneBy !== null)
    return `Restore ${halfUndoneBy} is taking it back, and has not come to its end: run docmirror restore resume ${halfUndoneBy}${flags}, and verify that one.`;
  if (needsNewPlan) return `Read the differences above. ${onlyAnew(undoes, flags)}`;
  const again = undoes === null ? `run docmirror restore undo ${id}${flags} and make a new plan` : 'make a new plan';
  return state === 'done'
    ? `Read the differences above. All of the plan was written, so a resume changes nothing: mend by hand what matters, or ${again}.`
    : `Read the differences above, then run docmirror restore resume ${id}${flags} for what was not written.`;
}
