import type { Snapshot } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { paintState } from './style.ts';
import { table } from './table.ts';
import { bytes, span, thousands, when } from './units.ts';

export interface SnapshotDocument {
  snapshot: number;
  state: Snapshot['state'];
  mode: Snapshot['mode'];
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
    mode: snapshot.mode,
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

export function snapshotsView(snapshots: readonly Snapshot[], look: Look): string {
  if (snapshots.length === 0) return 'No snapshot yet. Run: docmirror sync';
  return table(
    snapshots,
    [
      { title: 'snapshot', align: 'right', value: (row) => row.id },
      {
        title: 'state',
        value: (row) => row.state,
        paint: (text, row) => text.replace(row.state, paintState(row.state, look.style)),
      },
      { title: 'started', value: (row) => when(row.started_at) },
      { title: 'took', align: 'right', value: (row) => span(row.duration_ms) },
      { title: 'requests', align: 'right', value: (row) => thousands(row.requests) },
      { title: 'received', align: 'right', value: (row) => bytes(row.bytes) },
      { title: 'mode', value: (row) => row.mode },
      { title: 'why', optional: true, value: (row) => row.reason },
    ],
    look,
  );
}
