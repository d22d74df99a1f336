import { createStyle, type Style } from './style.ts';
import { cutTo, inCell, pad, widthOf, wrapTo } from './text.ts';

export interface TableColumn<Row> {
  title: string;
  value: (row: Row) => string | number | null;
  align?: 'left' | 'right';
  /** To the right where it is true of every row, without `align`. */
  isNumber?: (row: Row) => boolean;
  /** Left out when no row has a value. */
  optional?: boolean;
  /** Cut only when cutting the others is not enough. */
  keep?: boolean;
  /** Of the last one, which explains: on a terminal goes on in lines of its own where it would be cut. */
  wraps?: boolean;
  /** Applied after the text was cut and filled up. */
  paint?: (text: string, row: Row) => string;
}

export interface TableOptions {
  /** Columns of the terminal; Infinity where nobody looks, and then nothing is cut. */
  width: number;
  style?: Style;
}

const GAP = '  ';
const NARROWEST = 6;
/** Nothing is cut where nobody looks, but a single title of two thousand signs fills up no line of the others. */
const WIDEST = 120;
/** In less, the words of an explanation would stand one below the other: it is cut there. */
const NARROWEST_WRAPPED = 20;

/**
 * Rows under their titles, in columns that together fit the width; the widest ones are cut first. Columns that have no place at
 * all are left out, and a last line says how many.
 */
export function table<Row>(rows: Iterable<Row>, all: readonly TableColumn<Row>[], options: TableOptions): string {
  return [...tablePieces(rows, all, options)].join('');
}

/** Characters of the rows that are held to find the widths. */
const HEAD = 4 * 1024 * 1024;

/**
 * `table` for any number of rows, in pieces to be written one behind the other. Where there are more rows than are held, the first
 * ones decide on the widths: what is wider later is cut on a terminal, and stands whole and out of line elsewhere, as there does
 * what is very wide.
 */
export function* tablePieces<Row>(
  rows: Iterable<Row>,
  all: readonly TableColumn<Row>[],
  options: TableOptions,
): Generator<string> {
  let layout: Layout<Row> | null = null;
  const head: Row[] = [];
  let size = 0;
  for (const row of rows) {
    if (layout !== null) {
      yield `\n${layout.line(row)}`;
      continue;
    }
    head.push(row);
    for (const { value } of all) size += String(value(row) ?? '').length + 1;
    if (size <= HEAD) continue;
    layout = layoutOf(head, all, options);
    yield* titled(layout, head);
    head.length = 0;
  }
  const isShort = layout === null;
  layout ??= layoutOf(head, withValues(head, all), options);
  if (isShort) yield* titled(layout, head);
  if (layout.note !== null) yield `\n${layout.note}`;
}

/** Only for all rows: a later one may have a value. */
function withValues<Row>(rows: readonly Row[], all: readonly TableColumn<Row>[]): TableColumn<Row>[] {
  return all.filter(({ optional, value }) => optional !== true || rows.some((row) => (value(row) ?? '') !== ''));
}

interface Layout<Row> {
  readonly titles: string;
  readonly line: (row: Row) => string;
  /** How many columns have no place. */
  readonly note: string | null;
}

function* titled<Row>({ titles, line }: Layout<Row>, rows: readonly Row[]): Generator<string> {
  yield titles;
  for (const row of rows) yield `\n${line(row)}`;
}

function layoutOf<Row>(rows: readonly Row[], given: readonly TableColumn<Row>[], options: TableOptions): Layout<Row> {
  const { width, style = createStyle(false) } = options;
  const columns = given.slice(0, Math.max(1, Math.floor((width + GAP.length) / (NARROWEST + GAP.length))));
  const room = width - GAP.length * (columns.length - 1);
  const wanted = widthsWanted(rows, columns, width);
  const widths = isCut(width)
    ? fit(wanted, room, (i) => columns[i]?.keep === true)
    : wanted.map((one) => Math.min(one, WIDEST));
  const aligns = columns.map(({ align, isNumber }) => align ?? (isNumber && rows.every(isNumber) ? 'right' : 'left'));
  const shape = (text: string, i: number): string => {
    const cut = isCut(width) ? cutTo(text, widths[i] ?? 0) : text;
    return i === columns.length - 1 && aligns[i] === 'left' ? cut : pad(cut, widths[i] ?? 0, aligns[i]);
  };
  const painted = ({ value, paint, wraps }: TableColumn<Row>, i: number, row: Row): string => {
    const isWrapped = wraps === true && isCut(width) && (widths[i] ?? 0) >= NARROWEST_WRAPPED;
    const text = isWrapped ? wrapped(value(row), widths, i) : shape(cellOf(value(row), width), i);
    return paint ? paint(text, row) : text;
  };
  const hidden = given.length - columns.length;
  const words = `… ${hidden} further ${hidden === 1 ? 'column does' : 'columns do'} not fit here; a pipe and --json show all`;
  return {
    titles: style.dim(columns.map(({ title }, i) => shape(cellOf(title, width), i)).join(GAP)),
    line: (row) =>
      columns
        .map((column, i) => painted(column, i, row))
        .join(GAP)
        .trimEnd(),
    note: hidden === 0 ? null : style.dim(cutTo(words, width)),
  };
}

function isCut(width: number): boolean {
  return width !== Number.POSITIVE_INFINITY;
}

/** The text of the last column, each further line below the first. */
function wrapped(value: string | number | null, widths: readonly number[], last: number): string {
  const before = sum(widths.slice(0, last)) + GAP.length * last;
  return wrapTo(inCell(String(value ?? '')), widths[last] ?? 0).join(`\n${' '.repeat(before)}`);
}

function widthsWanted<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[], width: number): number[] {
  return columns.map(({ title, value }) => {
    let widest = widthOf(cellOf(title, width));
    for (const row of rows) widest = Math.max(widest, widthOf(cellOf(value(row), width)));
    return widest;
  });
}

function cellOf(value: string | number | null, width: number): string {
  const text = inCell(String(value ?? ''));
  // Whole documents stand in cells: what no line can show needs no measuring.
  return isCut(width) ? cutTo(text, width) : text;
}

/** Takes from the widest until all fit: from those that may be cut first, then from every one. */
function fit(wanted: readonly number[], available: number, isKept: (i: number) => boolean): number[] {
  const first = shrink(wanted, available, (i) => !isKept(i));
  return sum(first) <= available ? first : shrink(first, available, () => true);
}

function shrink(wanted: readonly number[], available: number, mayShrink: (i: number) => boolean): number[] {
  const widths = [...wanted];
  for (let over = sum(widths) - available; over > 0; over = sum(widths) - available) {
    const open = widths.filter((width, i) => mayShrink(i) && width > NARROWEST);
    if (open.length === 0) break;
    const widest = Math.max(...open);
    const next = Math.max(NARROWEST, ...open.filter((width) => width < widest));
    const share = open.filter((width) => width === widest).length;
    const target = Math.max(next, widest - Math.ceil(over / share));
    for (const [i, width] of widths.entries()) if (width === widest && mayShrink(i)) widths[i] = target;
  }
  return widths;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

/** Names and values, one pair on each line, the values in one column. */
export function pairs(rows: readonly (readonly [name: string, value: string])[], style: Style): string {
  const width = Math.max(...rows.map(([name]) => widthOf(name)));
  return rows.map(([name, value]) => `  ${style.dim(pad(name, width))}  ${value}`).join('\n');
}
