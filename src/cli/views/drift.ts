import type { Drift } from '../../app.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';

export function driftView(drift: readonly Drift[], look: Look): string {
  if (drift.length === 0) return 'All that the platform sent is in the contract.';
  return table(
    drift,
    [
      { title: 'kind', value: ({ kind }) => kind },
      { title: 'where', value: ({ path }) => path },
      { title: 'unknown', value: ({ what }) => what },
      { title: 'value', value: ({ value }) => value },
      { title: 'first seen', value: (row) => row.first_seen_at },
      { title: 'snapshot', align: 'right', value: (row) => row.first_seen },
      { title: 'versions', align: 'right', value: ({ times }) => times },
    ],
    look,
  );
}
