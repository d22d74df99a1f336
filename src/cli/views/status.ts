import type { WholeStatus } from '../../app.ts';
import { refusedWords } from '../../mirror/index.ts';
import {
  deletedTogether,
  deletedWords,
  platformWords,
  restoresToGoOn,
  undeleteOne,
  type StatusReport,
} from '../../status/index.ts';
import type { Look } from '../screen.ts';
import { snapshotDocument, snapshotsView } from './snapshots.ts';
import { pairs } from './table.ts';
import { cutTo, oneLine } from './text.ts';
import { count, span, thousands, when } from './units.ts';
import { walkerOf } from './walker.ts';

export interface Surroundings {
  readonly dataDir: string;
  /** Who writes to the data directory now; null when nobody does. */
  readonly holder: string | null;
  readonly pages: number;
  /** Address of the platform that the settings name; none when absent. */
  readonly configured?: string | null;
  /** Flags of settings, which every command that is named repeats: without them it would be about another mirror. */
  readonly flags: string;
}

export function statusDocument(report: WholeStatus, { holder, flags }: Surroundings): unknown {
  const { at, ready, reasons, snapshotAgeMs, drillAgeMs, kinds, failures, notOffered, refused, drills } = report;
  return {
    at,
    ready,
    reasons,
    remedy: report.remedy,
    lastSnapshot: report.lastSealed && snapshotDocument(report.lastSealed),
    lastComplete: report.lastComplete && snapshotDocument(report.lastComplete),
    lastSound: report.lastSound && snapshotDocument(report.lastSound),
    accepted: report.accepted && { reason: report.accepted.reason, at: report.accepted.at },
    snapshotAgeMs,
    openSnapshot: report.open && snapshotDocument(report.open),
    holder,
    drills: drills.map(({ snapshot, at: time, passed, ofNewest, requests, duration_ms: durationMs }) => ({
      snapshot,
      at: time,
      passed,
      ofNewest,
      requests,
      durationMs,
    })),
    drillAgeMs,
    kinds,
    failures,
    notOffered,
    refused,
    deletedSpaces: report.deletedSpaces.map((space) => ({ ...space, restore: `${undeleteOne(space)}${flags}` })),
    broughtBack: report.broughtBack,
    restores: restoresToGoOn(report, holder).map(({ open, resume, undo }) => ({
      ...open,
      resume: `${resume}${flags}`,
      undo: undo === null ? null : `${undo}${flags}`,
    })),
  };
}

export function statusView(report: StatusReport, seen: Surroundings, look: Look): string {
  const { dataDir, pages, flags } = seen;
  const { style } = look;
  const verdict = report.ready ? style.good('Ready') : style.bad('Not ready');
  const [drill] = report.drills;
  const rows: [string, string][] = [
    ['data directory', dataDir],
    ['platform', platformWords(report, seen.configured ?? null)],
    ['last complete snapshot', completeWords(report)],
    ['last passed drill', report.drillAgeMs === null ? 'never' : distance(report.drillAgeMs, report.drillAhead)],
    ...(drill
      ? [
          [
            'last drill',
            `snapshot ${drill.snapshot}${drill.ofNewest ? '' : ' (not the newest complete one)'} ${drill.passed ? 'passed' : 'did not pass'}, ${when(drill.at)}`,
          ] as [string, string],
        ]
      : []),
    ['pages', thousands(pages)],
    ['not read', notRead(report)],
    ...(report.refused.length === 0
      ? []
      : [['refused, as accepted', refusedWords(report.refused)] as [string, string]]),
    ...(report.open ? [['walk', openWords(report.open.id, report, seen)] as [string, string]] : []),
  ];
  const recent = report.recent.slice(0, 5);
  return [
    verdict,
    ...report.reasons.map((reason) => `  ${reason}`),
    ...(report.remedy === null ? [] : [`  what to do: ${report.remedy}; or keep the daemon running`]),
    ...deleted(report, flags, look),
    ...broughtBack(report, look),
    ...openRestores(report, seen, look),
    '',
    pairs(rows, style),
    ...(recent.length === 0 ? [] : ['', snapshotsView(recent, look)]),
  ].join('\n');
}

/** What is out of reach failed no request, and is not read all the same. */
function notRead({ failed, lastSealed, accepted }: StatusReport): string {
  const known = accepted === null ? '' : `, accepted: ${oneLine(accepted.reason)}`;
  if (failed > 0) return `${count(failed, 'request')}${known}`;
  return lastSealed?.state === 'partial' ? `${lastSealed.reason ?? 'something'}${known}` : 'nothing';
}

/** What is lost for good in a few days is said first of all. */
function deleted({ deletedSpaces }: StatusReport, flags: string, look: Look): string[] {
  return deletedTogether(deletedSpaces).flatMap(({ spaces, together }) => {
    if (together !== null) return [...manyDeleted(spaces, look), `    ${together}${flags}`];
    return spaces.flatMap((space) => [
      look.style.warn(
        `  Space ${oneLine(space.title)} (${space.id}) ${deletedWords({ spaces: [space] }, span(space.leftMs))}`,
      ),
      `    ${undeleteOne(space)}${flags}`,
    ]);
  });
}

/** The mirror has them as deleted still. */
function broughtBack({ broughtBack: spaces }: StatusReport, { width }: Look): string[] {
  return spaces.map(({ id, title, restore }) =>
    cutTo(
      `  Space ${oneLine(title)} (${id}) was deleted, and is back by restore ${restore}: the next walk sees it`,
      width,
    ),
  );
}

const SHOWN_RESTORES = 3;

function openRestores(report: StatusReport, { holder, flags }: Surroundings, { style }: Look): string[] {
  const all = restoresToGoOn(report, holder);
  const more = all.length - SHOWN_RESTORES;
  return [
    ...all
      .slice(0, SHOWN_RESTORES)
      .flatMap(({ said, resume, undo }) => [
        style.warn(`  ${oneLine(said)}`),
        `    to go on with it: ${resume}${flags}`,
        ...(undo === null ? [] : [`    to take it back: ${undo}${flags}`]),
      ]),
    ...(more > 0 ? [`  … and ${count(more, 'further restore')}: docmirror restore list${flags}`] : []),
  ];
}

function manyDeleted(spaces: StatusReport['deletedSpaces'], { style, width }: Look): string[] {
  const organization = spaces[0]?.organization ?? null;
  const soonest = Math.min(...spaces.map(({ leftMs }) => leftMs));
  const names = spaces.map(({ title }) => oneLine(title)).join(', ');
  const where = organization === null ? '' : ` of organization ${organization}`;
  return [
    style.warn(`  ${spaces.length} spaces${where} ${deletedWords({ spaces }, span(soonest))}`),
    cutTo(`    ${names}`, width),
  ];
}

function openWords(id: number, { continuing }: StatusReport, { holder }: Surroundings): string {
  const walker = walkerOf(holder);
  if (walker !== null) return `snapshot ${id} is under way (${walker})`;
  return `snapshot ${id} was cut off; run ${continuing} to continue it`;
}

function completeWords({ lastSound, snapshotAgeMs, snapshotAhead }: StatusReport): string {
  if (lastSound === null || snapshotAgeMs === null) return 'none';
  const but = lastSound.state === 'complete' ? '' : ', but for what was accepted';
  return `${lastSound.id}, ${distance(snapshotAgeMs, snapshotAhead)}${but}`;
}

function distance(ms: number, isAhead: boolean): string {
  return isAhead ? `${span(ms)} ahead of the clock of this machine` : `${span(ms)} ago`;
}
