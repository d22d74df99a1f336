import { limitWords, type Accepted, type Pin, type Snapshot } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { paintState } from './style.ts';
import { table } from './table.ts';
import { cutTo } from './text.ts';
import { bytes, span, thousands, when } from './units.ts';

export interface SnapshotDocument {
  snapshot: number;
  state: Snapshot['state'];
  /** The very first walk reads everything, whatever it was asked. */
  mode: Snapshot['mode'] | 'first';
  /** What the walk was limited to; null is everything. */
  scope: unknown;
  origin: string;
  startedAt: string;
  sealedAt: string | null;
  requests: number;
  bytes: number;
  durationMs: number;
  /** How often it was cut off and continued. */
  resumed: number;
  reason: string | null;
}

export function snapshotDocument(snapshot: Snapshot): SnapshotDocument {
  return {
    snapshot: snapshot.id,
    state: snapshot.state,
    mode: modeOf(snapshot),
    scope: scopeOf(snapshot),
    origin: snapshot.origin,
    startedAt: snapshot.started_at,
    sealedAt: snapshot.sealed_at,
    requests: snapshot.requests,
    bytes: snapshot.bytes,
    durationMs: snapshot.duration_ms,
    resumed: snapshot.resumed,
    reason: snapshot.reason,
  };
}

const SHOWN_REASON = 60;

/** What people said about snapshots. */
export interface SnapshotNotes {
  readonly pinned: readonly Pin[];
  readonly accepted: readonly Accepted[];
}

/** @param notes Of some lists nobody asks. */
export function snapshotsView(
  snapshots: readonly Snapshot[],
  look: Look,
  { pinned, accepted }: SnapshotNotes = { pinned: [], accepted: [] },
): string {
  if (snapshots.length === 0) return look.named('No snapshot yet. Run: docmirror sync');
  const saidOf = (list: readonly (Pin | Accepted)[], id: number): string =>
    cutTo(list.find(({ snapshot }) => snapshot === id)?.reason ?? '', SHOWN_REASON);
  return table(
    snapshots,
    [
      { title: 'snapshot', align: 'right', keep: true, value: (row) => row.id },
      {
        title: 'state',
        keep: true,
        value: (row) => row.state,
        paint: (text, row) => text.replace(row.state, paintState(row.state, look.style)),
      },
      { title: 'started (UTC)', keep: true, value: (row) => when(row.started_at).slice(0, 16) },
      { title: 'took', align: 'right', keep: true, value: (row) => span(row.duration_ms) },
      { title: 'requests', align: 'right', keep: true, value: (row) => thousands(row.requests) },
      { title: 'received', align: 'right', keep: true, value: (row) => bytes(row.bytes) },
      { title: 'mode', value: (row) => modeOf(row) },
      { title: 'scope', optional: true, value: limitWords },
      { title: 'pinned', optional: true, value: (row) => saidOf(pinned, row.id) },
      { title: 'accepted', optional: true, value: (row) => saidOf(accepted, row.id) },
      { title: 'why', optional: true, value: (row) => (row.reason === null ? null : cutTo(row.reason, SHOWN_REASON)) },
    ],
    look,
  );
}

// Numbers are never given again: what was forgotten before the oldest one does not make it the first.
function modeOf({ id, mode }: Snapshot): SnapshotDocument['mode'] {
  return id === 1 ? 'first' : mode;
}

function scopeOf({ scope }: Snapshot): unknown {
  return scope === null ? null : JSON.parse(scope);
}
