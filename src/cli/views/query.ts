import type { Answer, Recipe } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { table, tablePieces } from './table.ts';
import { count } from './units.ts';

/**
 * The JSON of a list of rows, each by the names of its columns; a name that comes again is told apart by its number (`a_2`). Made
 * here, since `JSON.stringify` has no exact large integers.
 */
export function* queryJson({ columns, rows }: Answer): Generator<string> {
  const names = toldApart(columns).map((name) => JSON.stringify(name));
  const fieldsOf = (row: readonly unknown[]): string => names.map((name, i) => `${name}:${jsonOf(row[i])}`).join(',');
  let before = '[';
  for (const row of rows) {
    yield `${before}{${fieldsOf(row)}}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
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

export function* queryView({ columns, rows }: Answer, look: Look): Generator<string> {
  let seen = 0;
  const counted = function* (): Generator<readonly unknown[]> {
    for (const row of rows) {
      seen += 1;
      yield row;
    }
  };
  const shown = columns.map((title, i) => ({
    title,
    value: (row: readonly unknown[]) => text(row[i]),
    isNumber: (row: readonly unknown[]) => ['number', 'bigint'].includes(typeof row[i]) || row[i] === null,
  }));
  yield* tablePieces(counted(), shown, look);
  yield `\n${look.style.dim(count(seen, 'row'))}`;
}

export function recipesView(recipes: readonly Recipe[], look: Look): string {
  const columns = [
    { title: 'recipe', keep: true, value: (row: Recipe) => row.name },
    { title: 'tells', wraps: true, value: (row: Recipe) => row.about },
  ];
  return `${table(recipes, columns, look)}\n\n${look.named('Run one: docmirror query --recipe NAME')}`;
}

/** As in RFC 4180, with a line of names and nothing for null; lines end as a shell expects, so that ids can be read from them one by one. */
export function* queryCsv({ columns, rows }: Answer): Generator<string> {
  yield csvLine(columns);
  for (const row of rows) yield `\n${csvLine(row.map(text))}`;
}

/** Behind lines that are only a part of the answer: a quotation mark that is never closed, so that nobody reads it as the whole. */
export const CSV_CUT = '\n"docmirror: the answer breaks off here';

function csvLine(cells: readonly string[]): string {
  // Most readers pass over a line without anything on it: the row would be gone.
  return cells.map(csvCell).join(',') || '""';
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
