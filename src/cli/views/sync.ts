import type { SyncResult } from '../../app.ts';
import type { WalkResult } from '../../walker/index.ts';
import type { Look } from '../screen.ts';
import { paintState } from './style.ts';
import { table } from './table.ts';
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

export function syncView(result: WalkResult, look: Look): string {
  const { snapshot } = result;
  const state = paintState(snapshot.state, look.style);
  const used = `${count(snapshot.requests, 'request')}, ${bytes(snapshot.bytes)}, ${span(snapshot.duration_ms)}`;
  const reason = snapshot.reason === null ? [] : [`  why: ${snapshot.reason}`];
  return [
    `Snapshot ${snapshot.id} is ${state}: ${used}`,
    ...reason,
    '',
    kindTable(result.kinds, look),
    ...failureLines(result, look),
    ...notOfferedLines(result),
  ].join('\n');
}

export function kindTable(kinds: WalkResult['kinds'], look: Look): string {
  const number = (name: keyof WalkResult['kinds'][string]) => ({
    title: name,
    align: 'right' as const,
    value: ([, counts]: Entry) => counts[name],
  });
  return table<Entry>(
    Object.entries(kinds),
    [
      { title: 'kind', value: ([kind]) => kind },
      number('seen'),
      number('added'),
      number('changed'),
      number('unchanged'),
      number('gone'),
      number('failed'),
      number('unreachable'),
    ],
    look,
  );
}

type Entry = [kind: string, counts: WalkResult['kinds'][string]];

const SHOWN_FAILURES = 20;

function failureLines({ failures }: WalkResult, look: Look): string[] {
  if (failures.length === 0) return [];
  const shown = failures.slice(0, SHOWN_FAILURES);
  const rows = table(
    shown,
    [
      { title: 'not read', value: (row) => row.resource },
      { title: 'status', align: 'right', value: (row) => row.status },
      { title: 'error', value: (row) => row.error },
    ],
    look,
  );
  const more = failures.length - shown.length;
  const rest = more > 0 ? [`… and ${more} more: docmirror query "select * from failures"`] : [];
  return ['', rows, ...rest];
}

function notOfferedLines({ notOffered }: WalkResult): string[] {
  if (notOffered.length === 0) return [];
  return ['', `Not offered by this platform: ${notOffered.map(({ kind }) => kind).join(', ')}`];
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
