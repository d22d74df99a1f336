import type { QueryResult, Recipe } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { count } from './units.ts';

/** A list of rows, each by the names of its columns. */
export function queryDocument({ columns, rows }: QueryResult): unknown {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, plain(row[i])])));
}

export function queryView({ columns, rows }: QueryResult, look: Look): string {
  const shown = table(
    rows,
    columns.map((title, i) => ({
      title,
      value: (row) => text(row[i]),
      align: rows.every((row) => typeof row[i] === 'number' || row[i] === null) ? 'right' : 'left',
    })),
    look,
  );
  return `${shown}\n${look.style.dim(count(rows.length, 'row'))}`;
}

export function recipesView(recipes: readonly Recipe[], look: Look): string {
  const columns = [
    { title: 'recipe', value: (row: Recipe) => row.name },
    { title: 'tells', value: (row: Recipe) => row.about },
  ];
  return `${table(recipes, columns, look)}\n\nRun one: docmirror query --recipe NAME`;
}

/** RFC 4180, with a line of names; nothing for null. */
export function queryCsv({ columns, rows }: QueryResult): string {
  const lines = [columns, ...rows.map((row) => row.map(text))];
  return lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n');
}

function csvCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function text(value: unknown): string {
  const shown = plain(value);
  return shown === null ? '' : String(shown);
}

/** Bytes as hexadecimal digits. */
function plain(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
