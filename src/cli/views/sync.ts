import type { SyncResult } from '../../app.ts';
import { isWithoutFields, isWithoutOrganization, refusedWords, type Snapshot } from '../../mirror/index.ts';
import type { WalkResult } from '../../walker/index.ts';
import type { Look } from '../screen.ts';
import { paintState } from './style.ts';
import { table } from './table.ts';
import { oneLine } from './text.ts';
import { bytes, count, span, thousands } from './units.ts';

export function syncDocument({ snapshot, kinds, failures }: WalkResult): unknown {
  return {
    snapshot: snapshot.id,
    state: snapshot.state,
    requests: snapshot.requests,
    bytes: snapshot.bytes,
    durationMs: snapshot.duration_ms,
    kinds,
    failures: failures.map(({ request, status, error, resource }) => ({ request, status, error, resource })),
  };
}

export interface SyncExtras {
  /** Requests of earlier runs of a walk that was continued; null when it was not. */
  readonly before?: number | null;
  /** Every kind has its line, changed or not, and all that was not read. */
  readonly whole?: boolean;
  /** What to do about a snapshot that is not complete. */
  readonly advice: readonly string[];
}

export function syncView(result: WalkResult, { before = null, whole = false, advice }: SyncExtras, look: Look): string {
  const { snapshot } = result;
  const state = paintState(snapshot.state, look.style);
  const used = `${count(snapshot.requests, 'request')}, ${bytes(snapshot.bytes)}, ${span(snapshot.duration_ms)}`;
  const continued = before === null ? '' : `; continued, ${count(before, 'request')} of these were done before`;
  return [
    `Snapshot ${snapshot.id} is ${state}: ${used}${continued}`,
    ...(snapshot.reason === null ? [] : [`  why: ${oneLine(snapshot.reason)}`]),
    ...advice,
    '',
    ...kindLines(result.kinds, whole, look),
    ...failureLines(result, whole, look),
    ...unreachableLines(result, whole, look),
    ...notOfferedLines(result),
    ...refusedLines(result),
  ].join('\n');
}

type Counts = WalkResult['kinds'][string];
type Entry = readonly [kind: string, counts: Counts];

function kindLines(kinds: WalkResult['kinds'], whole: boolean, look: Look): string[] {
  const all = Object.entries(kinds);
  const shown = whole ? all : all.filter(([, counts]) => isMoved(counts));
  const unchanged = sumOf(all, 'unchanged');
  if (shown.length === 0) return [`Nothing changed: ${count(unchanged, 'resource')} as they were`];
  const rest = all.length - shown.length;
  const more = rest === 0 ? [] : [look.style.dim(`${count(rest, 'further kind')} unchanged`)];
  return [kindTable(shown, look), ...more];
}

function isMoved({ added, changed, gone, failed, unreachable, missing }: Counts): boolean {
  return added + changed + gone + failed + unreachable + missing > 0;
}

function sumOf(entries: readonly Entry[], name: keyof Counts): number {
  return entries.reduce((sum, [, counts]) => sum + counts[name], 0);
}

const COUNTED = ['seen', 'added', 'changed', 'unchanged', 'gone'] as const;
/** Left out where there is none, so that 80 columns hold the names of the kinds whole. */
const RARELY_COUNTED = ['failed', 'unreachable', 'missing'] as const;

function kindTable(entries: readonly Entry[], look: Look): string {
  const number = (name: keyof Counts) => ({
    title: name,
    align: 'right' as const,
    value: ([, counts]: Entry) => thousands(counts[name]),
  });
  const columns = [...COUNTED, ...RARELY_COUNTED.filter((name) => sumOf(entries, name) > 0)];
  return table<Entry>(entries, [{ title: 'kind', keep: true, value: ([kind]) => kind }, ...columns.map(number)], look);
}

const SHOWN_FAILURES = 20;

function failureLines({ snapshot, failures }: WalkResult, whole: boolean, look: Look): string[] {
  if (failures.length === 0) return [];
  const shown = whole ? failures : failures.slice(0, SHOWN_FAILURES);
  const rows = table(
    shown,
    [
      { title: 'not read', value: ({ kind, resource }) => `${kind} ${resource}`.trimEnd() },
      { title: 'status', align: 'right', value: (row) => row.status },
      // The request would take the place of what was answered to it.
      { title: 'error', value: (row) => (look.width === Infinity ? row.error : withoutRequest(row)) },
    ],
    look,
  );
  return ['', rows, ...moreLines(failures.length - shown.length, snapshot.id, look)];
}

/** An error of the platform begins with its request and the name of the operation. */
function withoutRequest({ request, error }: WalkResult['failures'][number]): string {
  if (!error.startsWith(request)) return error;
  return error.slice(request.length).replace(/^ \(\w+\) /, '');
}

function moreLines(more: number, snapshot: number, { named }: Look): string[] {
  return more > 0 ? [named(`… and ${thousands(more)} more: docmirror snapshots show ${snapshot}`)] : [];
}

function unreachableLines({ snapshot, unreachable }: WalkResult, whole: boolean, look: Look): string[] {
  if (unreachable.length === 0) return [];
  const shown = whole ? unreachable : unreachable.slice(0, SHOWN_FAILURES);
  const rows = table(
    shown,
    [
      { title: 'out of reach, kept as it was', value: ({ kind, resource }) => `${kind} ${resource}` },
      { title: 'status', align: 'right', value: (row) => row.status },
    ],
    look,
  );
  return ['', rows, ...moreLines(unreachable.length - shown.length, snapshot.id, look)];
}

function notOfferedLines({ notOffered }: WalkResult): string[] {
  if (notOffered.length === 0) return [];
  return ['', `Not offered by this platform: ${notOffered.map(({ kind }) => kind).join(', ')}`];
}

function refusedLines({ refused }: WalkResult): string[] {
  if (refused.length === 0) return [];
  return ['', `Refused to this token, as was accepted: ${refusedWords(refused)}`];
}

export interface Known {
  /** Number of the last good snapshot before. */
  readonly good: number | null;
  readonly lostRights: boolean;
  /** Something is refused to the token, or out of its reach. */
  readonly isRefused: boolean;
  /** All of that is not found. */
  readonly isNotFound: boolean;
  /** What it lacks is a few things that a person may say cannot be read. */
  readonly mayBeAccepted: boolean;
  /** Flags of settings, which every command that is named repeats. */
  readonly flags: string;
}

/** What to do about a snapshot that is not complete; nothing for one that is. */
export function adviceFor(snapshot: Snapshot, known: Known): string[] {
  const { id, state } = snapshot;
  if (state === 'suspect') return [...suspectAdvice(snapshot, known), ...lostAdvice(known)];
  return state === 'partial' ? [...partialAdvice(id, known), ...lostAdvice(known)] : [];
}

function suspectAdvice(snapshot: Snapshot, { good, flags }: Known): string[] {
  const { id } = snapshot;
  // Fields that the platform sends no more are nothing that a restore could write.
  const isUnsent = isWithoutFields(snapshot);
  const isNoneLeft = isWithoutOrganization(snapshot);
  const into = isNoneLeft ? '--to-organization ID' : '--in-place';
  const plan = `docmirror restore plan --snapshot ${good} ${into} --out restore-of-${good}.json${flags}`;
  return [
    '  what to do: look at it. Earlier snapshots and the export stay as they are.',
    ...(good === null ? [] : [`    what changed:      docmirror diff ${good} ${id}${flags}`]),
    `    all of it:         docmirror snapshots show ${id}${flags}`,
    `    if it is meant:    docmirror snapshots accept ${id} --reason "…"${flags}   until then every further snapshot is suspect too`,
    `    if it is not:      mend the platform and run docmirror sync${isUnsent ? ' --full' : ''}${flags} again`,
    ...(good === null || isUnsent
      ? []
      : [
          `    to bring it back:  ${plan}   it writes nothing yet${isNoneLeft ? '; ID is of an empty organization' : ''}`,
        ]),
  ];
}

function partialAdvice(id: number, { flags, mayBeAccepted }: Known): string[] {
  return [
    '  what to do: what was not read is kept as it was.',
    `    what was not read: docmirror snapshots show ${id}${flags}`,
    `    read it again:     docmirror sync${flags}`,
    ...(mayBeAccepted
      ? [
          `    if it stays so:    docmirror snapshots accept ${id} --reason "…"${flags}   it stays named, and fails no further night`,
        ]
      : []),
  ];
}

function lostAdvice({ lostRights, isRefused, isNotFound, flags }: Known): string[] {
  const accept = `docmirror sync --accept-rights${flags}`;
  const meant = `or ${accept} if that is meant`;
  if (lostRights) return [`    rights were lost:  give them back to the token, ${meant}`];
  if (isNotFound) return [`    not found (404):   ${accept} if the platform does not offer these, or hides them`];
  return isRefused ? [`    rights lacking:    give them to the token, ${meant}`] : [];
}

/** What became of the readable tree. */
export function exportLine(outcome: SyncResult['export']): string {
  switch (outcome.state) {
    case 'written': {
      const { pages, files, written, removed } = outcome.result;
      const moved = `${thousands(written)} written, ${thousands(removed)} removed`;
      return `\nExport: ${count(pages, 'page')} and ${count(files, 'file')} in content/, ${moved}`;
    }
    case 'kept':
      return '\nExport: left as it was; only a complete snapshot replaces it';
    case 'off':
      return '\nExport: off (export.enabled)';
    case 'failed':
      return '\nExport: failed';
  }
}
