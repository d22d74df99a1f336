// Tables that people ask by name and that only grow, so that `query --at` can show them as they stood. What a table forgets as
// it goes on, as `unreachable` and `freshness` do, cannot be told for an earlier snapshot.

interface PinnedTable {
  readonly name: string;
  /** SQL of the table as it stood at a snapshot, for a temporary view that hides it. */
  readonly sql: (at: number) => string;
}

export const pinnedTables: readonly PinnedTable[] = [
  { name: 'tombstones', sql: (at) => `select * from main.tombstones where snapshot <= ${at}` },
  { name: 'drift', sql: (at) => `select * from main.drift where first_seen <= ${at}` },
];
