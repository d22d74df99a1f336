// Tables that people ask by name and that only grow, so that `query --at` can show them as they stood. What a table forgets as
// it goes on, as `unreachable` and `freshness` do, cannot be told for an earlier snapshot.
import { LAST_SEALED } from './views.ts';

interface PinnedTable {
  readonly name: string;
  /** SQL of the table as it stood at a snapshot, for a temporary view that hides it. */
  readonly sql: (at: number) => string;
}

export const pinnedTables: readonly PinnedTable[] = [
  { name: 'tombstones', sql: (at) => `select * from main.tombstones where snapshot <= ${at}` },
  {
    name: 'drift',
    // The times are counted on: how many there were at an earlier snapshot is not known any more.
    sql: (
      at,
    ) => `select kind, path, what, value, first_seen, first_seen_at, iif(${LAST_SEALED} <= ${at}, times, null) as times
    from main.drift where first_seen <= ${at}`,
  },
];
