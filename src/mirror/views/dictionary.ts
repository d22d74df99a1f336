// The data dictionary that lies inside the database (docs_tables, docs_columns), generated with the views.
import { viewKinds } from '../../contract/index.ts';
import type { Column } from './columns.ts';
import type { DictionaryRow } from './dictionary-row.ts';
import { tableRows } from './dictionary-tables.ts';
import { reportViews } from './report-views.ts';
import { isPartlySuperseded } from './views.ts';

const historyColumns = [
  { name: 'valid_from', description: 'number of the first snapshot with this version' },
  { name: 'valid_to', description: 'number of the first snapshot without it; null while it holds' },
  { name: 'valid_from_at', description: 'time of valid_from' },
  { name: 'valid_to_at', description: 'time of valid_to' },
];

/** A view of a kind or several, and its columns. */
export interface ViewColumns {
  readonly view: string;
  readonly columns: readonly Column[];
}

/** Every table and view that people may rely on, with its columns. */
export function dictionaryRows(shown: readonly ViewColumns[]): DictionaryRow[] {
  const views = shown.flatMap(({ view, columns: of }): DictionaryRow[] => {
    const kinds = viewKinds().get(view) ?? [];
    const columns = of.map(({ name, note }) => ({ name, description: note }));
    return [
      { name: view, description: `${kinds.join(', ')}: as of the last sealed snapshot${superseded(view)}`, columns },
      {
        name: `${view}_history`,
        description: `${kinds.join(', ')}: every version`,
        columns: [...columns, ...historyColumns],
      },
    ];
  });
  return [...tableRows(), ...reportViews, ...views];
}

/** Of what is superseded, other tools than Docmirror read nothing. */
function superseded(view: string): string {
  if (!isPartlySuperseded(view)) return '';
  return '; where a merged or archived change request shows a text that its space has edited since, docmirror query alone reads it';
}
