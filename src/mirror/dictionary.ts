// The data dictionary that lies inside the database (docs_tables, docs_columns), generated with the views.
import { viewKinds } from '../contract/index.ts';
import { columnsOf } from './columns.ts';

export interface DictionaryRow {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly { readonly name: string; readonly description: string }[];
}

const historyColumns = [
  { name: 'valid_from', description: 'number of the first snapshot with this version' },
  { name: 'valid_to', description: 'number of the first snapshot without it; null while it holds' },
  { name: 'valid_from_at', description: 'time of valid_from' },
  { name: 'valid_to_at', description: 'time of valid_to' },
];

const fixed: DictionaryRow[] = [
  { name: 'snapshots', description: 'one row for each walk: number, state, times, requests', columns: [] },
  { name: 'failures', description: 'what a walk could not read: which request, which error', columns: [] },
  { name: 'pages_search', description: 'full text of pages (FTS5): where pages_search match …', columns: [] },
  { name: 'comments_search', description: 'full text of comments (FTS5)', columns: [] },
  { name: 'docs_tables', description: 'this dictionary: tables and views', columns: [] },
  { name: 'docs_columns', description: 'this dictionary: columns', columns: [] },
];

/** Every table and view that people may rely on, with its columns. */
export function dictionaryRows(): DictionaryRow[] {
  const views = [...viewKinds()].flatMap(([view, kinds]): DictionaryRow[] => {
    const columns = columnsOf(view).map(({ name, note }) => ({ name, description: note }));
    return [
      { name: view, description: `${kinds.join(', ')}: as of the last sealed snapshot`, columns },
      {
        name: `${view}_history`,
        description: `${kinds.join(', ')}: every version`,
        columns: [...columns, ...historyColumns],
      },
    ];
  });
  return [...fixed, ...views];
}
