// What the query planner is told of the tables: rows, then rows for each value of an index's first columns. A middling mirror,
// the same everywhere, so that a report is planned alike on every machine and on every night. Nothing is ever counted for it.

const STATISTICS: readonly (readonly [table: string, index: string | null, rows: string])[] = [
  ['resources', 'sqlite_autoindex_resources_1', '200000 6000 1'],
  ['resources', 'resources_kind', '200000 6000'],
  ['resources', 'resources_id', '200000 3 unordered'],
  ['resources', 'resources_scope', '200000 20 15'],
  ['resources', 'resources_space', '200000 200 100'],
  ['versions', 'versions_current', '200000 1'],
  ['versions', 'versions_rid', '240000 2 1'],
  ['versions', 'versions_from', '240000 2000'],
  ['versions', 'versions_to', '40000 2000'],
  ['shared_trees', 'shared_trees_rid', '2000 2 1 1'],
  ['shared_entries', 'sqlite_autoindex_shared_entries_1', '40000 2000 2 1'],
  ['shared_entries', 'shared_entries_rid', '40000 2'],
  ['bodies', null, '400000'],
  ['snapshots', null, '100'],
];

/** Statements that write the figures; SQLite reads them when a connection is opened. */
export function statisticsSql(): string[] {
  const value = (text: string | null): string => (text === null ? 'null' : `'${text}'`);
  return [
    'analyze sqlite_schema',
    'delete from sqlite_stat1',
    ...STATISTICS.map((row) => `insert into sqlite_stat1 (tbl, idx, stat) values (${row.map(value).join(', ')})`),
  ];
}
