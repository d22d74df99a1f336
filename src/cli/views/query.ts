import type { QueryResult, Recipe } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { count } from './units.ts';

/**
 * The JSON of a list of rows, each by the names of its columns; a name that comes again is told apart by its number (`a_2`). Made
 * here, since `JSON.stringify` has no exact large integers.
 */
export function queryJson({ columns, rows }: QueryResult): string {
  const names = toldApart(columns).map((name) => JSON.stringify(name));
  const fieldsOf = (row: readonly unknown[]): string => names.map((name, i) => `${name}:${jsonOf(row[i])}`).join(',');
  return `[${rows.map((row) => `{${fieldsOf(row)}}`).join(',')}]`;
}

function toldApart(columns: readonly string[]): string[] {
  const taken = new Set(columns);
  const seen = new Set<string>();
  return columns.map((column) => {
    let name = column;
    for (let number = 2; seen.has(name) || (name !== column && taken.has(name)); number += 1)
      name = `${column}_${number}`;
    seen.add(name);
    return name;
  });
}

function jsonOf(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(plain(value));
}

export function queryView({ columns, rows }: QueryResult, look: Look): string {
  const shown = table(
    rows,
    columns.map((title, i) => ({
      title,
      value: (row) => text(row[i]),
      align: rows.every((row) => ['number', 'bigint'].includes(typeof row[i]) || row[i] === null) ? 'right' : 'left',
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
  return `${table(recipes, columns, look)}\n\n${look.named('Run one: docmirror query --recipe NAME')}`;
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
