import type { StatusReport } from '../../status/index.ts';
import type { Look } from '../screen.ts';
import { snapshotDocument, snapshotsView } from './snapshots.ts';
import { pairs } from './table.ts';
import { cutTo, oneLine } from './text.ts';
import { count, span, thousands, when } from './units.ts';

export interface Surroundings {
  readonly dataDir: string;
  /** Who writes to the data directory now; null when nobody does. */
  readonly holder: string | null;
  readonly pages: number;
}

export function statusDocument(report: StatusReport, { holder }: Surroundings): unknown {
  const { at, ready, reasons, snapshotAgeMs, drillAgeMs, kinds, failures, notOffered, drills } = report;
  return {
    at,
    ready,
    reasons,
    remedy: report.remedy,
    lastSnapshot: report.lastSealed && snapshotDocument(report.lastSealed),
    lastComplete: report.lastComplete && snapshotDocument(report.lastComplete),
    snapshotAgeMs,
    openSnapshot: report.open && snapshotDocument(report.open),
    holder,
    drills: drills.map(({ snapshot, at: time, passed, requests, duration_ms: durationMs }) => ({
      snapshot,
      at: time,
      passed,
      requests,
      durationMs,
    })),
    drillAgeMs,
    kinds,
    failures,
    notOffered,
    deletedSpaces: report.deletedSpaces.map((space) => ({ ...space, restore: undelete(space) })),
  };
}

export function statusView(report: StatusReport, { dataDir, holder, pages }: Surroundings, look: Look): string {
  const { style } = look;
  const verdict = report.ready ? style.good('Ready') : style.bad('Not ready');
  const [drill] = report.drills;
  const rows: [string, string][] = [
    ['data directory', dataDir],
    ['platform', report.lastSealed?.origin ?? 'none yet'],
    ['last complete snapshot', completeWords(report)],
    ['last passed drill', report.drillAgeMs === null ? 'never' : distance(report.drillAgeMs, report.drillAhead)],
    ...(drill
      ? [
          [
            'last drill',
            `snapshot ${drill.snapshot} ${drill.passed ? 'passed' : 'did not pass'}, ${when(drill.at)}`,
          ] as [string, string],
        ]
      : []),
    ['pages', thousands(pages)],
    ['not read', notRead(report)],
    ...(report.open ? [['walk', openWords(report.open.id, report.continuing, holder)] as [string, string]] : []),
  ];
  const recent = report.recent.slice(0, 5);
  return [
    verdict,
    ...report.reasons.map((reason) => `  ${reason}`),
    ...(report.remedy === null ? [] : [`  what to do: ${report.remedy}; or keep the daemon running`]),
    ...deleted(report, look),
    '',
    pairs(rows, style),
    ...(recent.length === 0 ? [] : ['', snapshotsView(recent, look)]),
  ].join('\n');
}

/** What is out of reach failed no request, and is not read all the same. */
function notRead({ failures, lastSealed }: StatusReport): string {
  if (failures.length > 0) return count(failures.length, 'request');
  return lastSealed?.state === 'partial' ? (lastSealed.reason ?? 'something') : 'nothing';
}

/** More spaces than these that went in one night have one command together. */
const SINGLY = 3;

/** What is lost for good in a few days is said first of all. */
function deleted({ deletedSpaces }: StatusReport, look: Look): string[] {
  const nights = [...new Set(deletedSpaces.map(({ lastSeen }) => lastSeen))];
  return nights.flatMap((night) => {
    const spaces = deletedSpaces.filter(({ lastSeen }) => lastSeen === night);
    if (spaces.length > SINGLY) return together(spaces, night, look);
    return spaces.flatMap((space) => [
      look.style.warn(
        `  Space ${space.title} (${space.id}) was deleted; it can be undeleted for ${span(space.leftMs)}`,
      ),
      `    ${undelete(space)}`,
    ]);
  });
}

function together(spaces: StatusReport['deletedSpaces'], night: number, { style, width }: Look): string[] {
  const soonest = Math.min(...spaces.map(({ leftMs }) => leftMs));
  const names = spaces.map(({ title }) => oneLine(title)).join(', ');
  return [
    style.warn(`  ${spaces.length} spaces were deleted; all of them can be undeleted for ${span(soonest)}`),
    cutTo(`    ${names}`, width),
    `    docmirror restore plan --snapshot ${night} --in-place missing --scope kind:space --out undelete.json`,
  ];
}

function undelete({ id, lastSeen }: StatusReport['deletedSpaces'][number]): string {
  return `docmirror restore plan --snapshot ${lastSeen} --in-place missing --scope space:${id} --out undelete.json`;
}

function openWords(id: number, continuing: string | null, holder: string | null): string {
  if (holder !== null) return `snapshot ${id} is under way (${holder})`;
  return `snapshot ${id} was cut off; run ${continuing} to continue it`;
}

function completeWords({ lastComplete, snapshotAgeMs, snapshotAhead }: StatusReport): string {
  return lastComplete === null || snapshotAgeMs === null
    ? 'none'
    : `${lastComplete.id}, ${distance(snapshotAgeMs, snapshotAhead)}`;
}

function distance(ms: number, isAhead: boolean): string {
  return isAhead ? `${span(ms)} ahead of the clock of this machine` : `${span(ms)} ago`;
}
