import type { CheckReport } from '../../app.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { bytes, count, thousands } from './units.ts';

export function checkView(report: CheckReport, look: Look): string {
  const read = report.bytesRead === null ? '' : `, ${bytes(report.bytesRead)} read and compared`;
  const live = report.live ? `; ${liveText(report.live)}` : '';
  const where = `database, ${count(report.objects, 'object')}, ${report.export ? 'export' : 'no export'}${read}${live}`;
  if (report.passed) return `${look.style.good('Whole')}: ${where}`;
  const rows = table(
    report.problems,
    [
      { title: 'where', value: (row) => row.what },
      { title: 'which', value: (row) => row.which },
      { title: 'problem', value: (row) => row.problem },
    ],
    look,
  );
  return `${look.style.bad(count(report.problems.length, 'problem'))}: ${where}\n\n${rows}`;
}

function liveText({ snapshot, asked, same, moved }: NonNullable<CheckReport['live']>): string {
  const since = moved > 0 ? `, ${thousands(moved)} changed there since snapshot ${snapshot}` : '';
  return `of ${count(asked, 'resource')} asked of the platform ${thousands(same)} the same${since}`;
}
