import type { Report } from '../../status/index.ts';
import type { Look } from '../screen.ts';
import { pairs, table } from './table.ts';
import { bytes, thousands, when } from './units.ts';

const LISTED = 10;

/** The figures in short; `file` is where the whole report was written, null when it was not. */
export function reportView(report: Report, file: string | null, look: Look): string {
  const { totals, snapshot, nights } = report;
  const last = nights.at(-1);
  const rows: [string, string][] = [
    ['snapshot', `${snapshot.id} (${snapshot.state}), ${when(snapshot.startedAt)}`],
    ['spaces', thousands(totals.spaces)],
    ['pages', `${thousands(totals.pages)}, ${bytes(totals.textBytes)} of text`],
    ['files', `${thousands(totals.files)}, ${bytes(totals.fileBytes)}`],
    ['comments', `${thousands(totals.comments)}, ${thousands(last?.openComments ?? 0)} open`],
    [
      'change requests',
      `${thousands(totals.changeRequests)}, ${thousands(last?.openChangeRequests ?? 0)} open or draft`,
    ],
    ['broken links', brokenLinks(last)],
    ['on disk', bytes((last?.databaseBytes ?? 0) + (last?.objectBytes ?? 0))],
  ];
  return [
    pairs(rows, look.style),
    '',
    'Largest spaces',
    table(
      report.spaces.slice(0, LISTED),
      [
        { title: 'space', value: (space) => space.title },
        { title: 'pages', value: (space) => thousands(space.pages), align: 'right', keep: true },
        { title: 'text', value: (space) => bytes(space.textBytes), align: 'right', keep: true },
        { title: 'files', value: (space) => bytes(space.fileBytes), align: 'right', keep: true },
      ],
      look,
    ),
    '',
    file === null
      ? look.named('With charts: docmirror report --out report.html')
      : `${look.style.good('Written')} ${file}`,
  ].join('\n');
}

function brokenLinks(night: Report['nights'][number] | undefined): string {
  const broken = night === undefined ? 0 : night.brokenLinks;
  return broken === null ? 'not known: the platform let no links be read' : thousands(broken);
}
