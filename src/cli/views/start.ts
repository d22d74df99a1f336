import { join } from 'node:path';
import type { Demo, SyncResult } from '../../app.ts';
import { pathFromHere, shellWord } from '../../base/index.ts';
import { kindNames, kindOf } from '../../contract/index.ts';
import type { VerifyReport } from '../../restore/index.ts';
import type { StatusReport } from '../../status/index.ts';
import type { Look } from '../screen.ts';
import { paintState } from './style.ts';
import { pairs } from './table.ts';
import { syncDocument } from './sync.ts';
import { count, span, thousands } from './units.ts';
import { verifyDocument } from './verify.ts';

export interface Started {
  readonly sync: SyncResult;
  readonly drill:
    | { readonly state: 'done'; readonly report: VerifyReport }
    | { readonly state: 'fresh'; readonly ageMs: number }
    | { readonly state: 'failed' };
  /** Whether the mirror is fresh and proven after both. */
  readonly status: Pick<StatusReport, 'ready' | 'reasons' | 'remedy'>;
  /** Pages with a text of their own. */
  readonly documents: number;
  /** The readable tree is there, of this snapshot or of an earlier one. */
  readonly isExported: boolean;
  /** Where the demonstration's platform answers; null when another one is mirrored. */
  readonly demo: Demo | null;
  /** Address of the status page. */
  readonly url: string;
  readonly dataDir: string;
  readonly platform: string | null;
}

export function startDocument({ sync, drill, status, url, dataDir, platform }: Started): unknown {
  const drilled = drill.state === 'done' ? verifyDocument(drill.report) : { state: drill.state };
  const { ready, reasons } = status;
  const walked = { sync: syncDocument(sync), export: sync.export.state, drill: drilled };
  return { platform, dataDir, statusPage: url, ready, reasons, ...walked };
}

// What a person wants to hear of, in this order, by the view that shows it; the rest stands on the status page.
const TOLD = [
  ['organization', 'organizations'],
  ['collection', 'collections'],
  ['space', 'spaces'],
  ['page', 'pages'],
  ['file', 'files'],
  ['change request', 'change_requests'],
  ['comment', 'comments'],
  ['comment reply', 'comment_replies'],
  ['member', 'members'],
] as const;

/** The summary after the first walk: what was mirrored, where it lies, what to try. */
export function startView(started: Started, look: Look): string {
  const { sync, url, dataDir, demo } = started;
  const { style } = look;
  const rows: [string, string][] = [
    ['Mirrored', mirrored(started)],
    [
      'Snapshot',
      `${sync.snapshot.id}, ${paintState(sync.snapshot.state, style)}${sync.snapshot.reason === null ? '' : `: ${sync.snapshot.reason}`}`,
    ],
    ['Drill', drillWords(started, look)],
    ['Database', join(dataDir, 'mirror.db')],
    ['Readable', exportWords(started)],
    ...(demo ? [['Platform', `${demo.url} (embedded; its token is in ${demo.tokenFile})`] as [string, string]] : []),
    ['Status page', style.bold(url)],
  ];
  return [
    '',
    ...verdict(started, look),
    '',
    pairs(rows, style),
    '',
    'Try, in another terminal:',
    `  npx docmirror query "select title, path, length(markdown) as size from pages order by size desc limit 5"${where(started)}`,
    `  npx docmirror query "select title from pages_search where pages_search match 'install*' limit 5"${where(started)}`,
    ...(demo ? [`  npx docmirror sync ${demo.flags}${where(started)}`] : []),
    '',
    'The daemon now keeps the schedule. Ctrl-C ends it.',
    '',
  ].join('\n');
}

/** As `docmirror status` says it. */
function verdict({ status: { ready, reasons, remedy } }: Started, { style }: Look): string[] {
  if (ready) return [style.bold(style.good('Ready.'))];
  const todo = remedy === null ? [] : [`  what to do: ${remedy}; or keep the daemon running`];
  return [style.bold(style.bad('Not ready')), ...reasons.map((reason) => `  ${reason}`), ...todo];
}

function where({ dataDir }: Started): string {
  return dataDir === join(process.cwd(), 'data') ? '' : ` --data-dir ${shellWord(pathFromHere(dataDir))}`;
}

function mirrored({ sync, documents }: Started): string {
  const told = TOLD.flatMap(([word, view]) => {
    const kinds = kindNames.filter((kind) => kindOf(kind).view === view);
    const seen = kinds.reduce((sum, kind) => sum + (sync.kinds[kind]?.seen ?? 0), 0);
    if (seen === 0) return [];
    // What a partial walk has not come by is among the documents that are held.
    const rest = word === 'page' && sync.snapshot.state === 'complete' ? seen - documents : 0;
    const detail = rest === 0 ? '' : ` (${count(documents, 'document')}, ${thousands(rest)} groups and links)`;
    return [`${count(seen, word)}${detail}`];
  });
  return told.length === 0 ? 'nothing was read' : told.join(', ');
}

function drillWords({ drill }: Started, { style }: Look): string {
  switch (drill.state) {
    case 'failed':
      return style.bad('failed, see above');
    case 'fresh':
      return `passed ${span(drill.ageMs)} ago, still fresh`;
    case 'done': {
      const { fidelity, brokenLinks, durationMs, passed } = drill.report;
      const { equal, fields } = fidelity.exact;
      const verdict = passed ? style.good('passed') : style.bad('did not pass');
      const links =
        brokenLinks.after <= brokenLinks.before
          ? 'no new broken link'
          : `${brokenLinks.after - brokenLinks.before} newly broken links`;
      return `${verdict} in ${span(durationMs)}: restored into a fresh platform, ${thousands(equal)} of ${count(fields, 'field')} equal, ${links}`;
    }
  }
}

function exportWords({ sync, dataDir, isExported }: Started): string {
  const folder = join(dataDir, 'content');
  if (sync.export.state === 'written') return `${folder} (${count(sync.export.result.pages, 'Markdown page')})`;
  if (sync.export.state === 'off') return `${folder} (export is off)`;
  return `${folder} (${isExported ? 'left as it was' : 'not there yet: a complete snapshot writes it'})`;
}
