import { join } from 'node:path';
import type { Demo, SyncResult } from '../../app.ts';
import { pathFromHere, shellWord } from '../../base/index.ts';
import type { VerifyReport } from '../../restore/index.ts';
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
  /** Pages with a text of their own. */
  readonly documents: number;
  /** Where the demonstration's platform answers; null when another one is mirrored. */
  readonly demo: Demo | null;
  /** Address of the status page. */
  readonly url: string;
  readonly dataDir: string;
  readonly platform: string | null;
}

export function startDocument({ sync, drill, url, dataDir, platform }: Started): unknown {
  const drilled = drill.state === 'done' ? verifyDocument(drill.report) : { state: drill.state };
  return { platform, dataDir, statusPage: url, sync: syncDocument(sync), export: sync.export.state, drill: drilled };
}

// What a person wants to hear of, in this order; the rest stands on the status page.
const TOLD = [
  ['organization', 'organization'],
  ['collection', 'collection'],
  ['space', 'space'],
  ['page', 'page'],
  ['file', 'file'],
  ['change-request', 'change request'],
  ['comment', 'comment'],
  ['comment-reply', 'comment reply'],
  ['member', 'member'],
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
    style.bold(style.good('Ready.')),
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

function where({ dataDir }: Started): string {
  return dataDir === join(process.cwd(), 'data') ? '' : ` --data-dir ${shellWord(pathFromHere(dataDir))}`;
}

function mirrored({ sync, documents }: Started): string {
  const told = TOLD.flatMap(([kind, word]) => {
    const seen = sync.kinds[kind]?.seen ?? 0;
    if (seen === 0) return [];
    const rest = kind === 'page' ? seen - documents : 0;
    const detail = rest === 0 ? '' : ` (${count(documents, 'document')}, ${thousands(rest)} groups and links)`;
    return [`${count(seen, word)}${detail}`];
  });
  return told.join(', ');
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

function exportWords({ sync, dataDir }: Started): string {
  const folder = join(dataDir, 'content');
  if (sync.export.state === 'written') return `${folder} (${count(sync.export.result.pages, 'Markdown page')})`;
  return `${folder} (${sync.export.state === 'off' ? 'export is off' : 'left as it was'})`;
}
