import type { StatusReport } from '../../status/index.ts';
import type { Look } from '../screen.ts';
import { snapshotDocument, snapshotsView } from './snapshots.ts';
import { pairs } from './table.ts';
import { count, span, thousands, when } from './units.ts';

export function statusDocument(report: StatusReport): unknown {
  const { at, ready, reasons, snapshotAgeMs, drillAgeMs, kinds, failures, notOffered, drills } = report;
  return {
    at,
    ready,
    reasons,
    lastSnapshot: report.lastSealed && snapshotDocument(report.lastSealed),
    lastComplete: report.lastComplete && snapshotDocument(report.lastComplete),
    snapshotAgeMs,
    openSnapshot: report.open && snapshotDocument(report.open),
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
  };
}

export function statusView(report: StatusReport, dataDir: string, look: Look): string {
  const { style } = look;
  const verdict = report.ready ? style.good('Ready') : style.bad('Not ready');
  const [drill] = report.drills;
  const rows: [string, string][] = [
    ['data directory', dataDir],
    ['platform', report.lastSealed?.origin ?? 'none yet'],
    ['last complete snapshot', ageOf(report.lastComplete?.id, report.snapshotAgeMs)],
    ['last passed drill', report.drillAgeMs === null ? 'never' : `${span(report.drillAgeMs)} ago`],
    ...(drill
      ? [
          [
            'last drill',
            `snapshot ${drill.snapshot} ${drill.passed ? 'passed' : 'did not pass'}, ${when(drill.at)}`,
          ] as [string, string],
        ]
      : []),
    ['pages', thousands(report.kinds['page']?.seen ?? 0)],
    ['not read', count(report.failures.length, 'request')],
    ...(report.open ? [['walk', `snapshot ${report.open.id} is under way, or was cut off`] as [string, string]] : []),
  ];
  const recent = report.recent.slice(0, 5);
  return [
    verdict,
    ...report.reasons.map((reason) => `  ${reason}`),
    '',
    pairs(rows, style),
    ...(recent.length === 0 ? [] : ['', snapshotsView(recent, look)]),
  ].join('\n');
}

function ageOf(id: number | undefined, age: number | null): string {
  return id === undefined || age === null ? 'none' : `${id}, ${span(age)} ago`;
}
