import type { CheckReport } from '../../app.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { bytes, count } from './units.ts';

export function checkView(report: CheckReport, readData: boolean, look: Look): string {
  const read = readData ? `, ${bytes(report.bytesRead)} read and compared` : '';
  const where = `database, ${count(report.objects, 'object')}, ${report.export ? 'export' : 'no export'}${read}`;
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
