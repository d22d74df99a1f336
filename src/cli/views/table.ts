import { createStyle, type Style } from './style.ts';
import { cutTo, inCell, pad, widthOf } from './text.ts';

export interface TableColumn<Row> {
  title: string;
  value: (row: Row) => string | number | null;
  align?: 'left' | 'right';
  /** Left out when no row has a value. */
  optional?: boolean;
  /** Cut only when cutting the others is not enough. */
  keep?: boolean;
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

/**
 * Rows under their titles, in columns that together fit the width; the widest ones are cut first. Columns that have no place at
 * all are left out, and a last line says how many.
 */
export function table<Row>(rows: readonly Row[], all: readonly TableColumn<Row>[], options: TableOptions): string {
  const given = all.filter(({ optional, value }) => optional !== true || rows.some((row) => (value(row) ?? '') !== ''));
  const columns = given.slice(0, Math.max(1, Math.floor((options.width + GAP.length) / (NARROWEST + GAP.length))));
  const style = options.style ?? createStyle(false);
  const titles = columns.map(({ title }) => cellOf(title, options.width));
  const cells = rows.map((row) => columns.map((column) => cellOf(column.value(row), options.width)));
  const wanted = titles.map((title, i) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[i] ?? '')), widthOf(title)),
  );
  const room = options.width - GAP.length * (columns.length - 1);
  const widths = fit(wanted, room, (i) => columns[i]?.keep === true);
  const shape = (text: string, i: number): string => {
    const cut = cutTo(text, widths[i] ?? 0);
    const isLast = i === columns.length - 1;
    return isLast && columns[i]?.align !== 'right' ? cut : pad(cut, widths[i] ?? 0, columns[i]?.align);
  };
  const head = style.dim(titles.map(shape).join(GAP));
  const painted = (text: string, i: number, row: Row | undefined): string => {
    const paint = columns[i]?.paint;
    return paint && row !== undefined ? paint(shape(text, i), row) : shape(text, i);
  };
  const body = cells.map((row, r) =>
    row
      .map((text, i) => painted(text, i, rows[r]))
      .join(GAP)
      .trimEnd(),
  );
  const hidden = given.length - columns.length;
  const note =
    hidden === 0
      ? []
      : [style.dim(cutTo(`… ${hidden} further columns do not fit here; a pipe and --json show all`, options.width))];
  return [head, ...body, ...note].join('\n');
}

function cellOf(value: string | number | null, width: number): string {
  const text = inCell(String(value ?? ''));
  // Whole documents stand in cells: what no line can show needs no measuring.
  return width === Number.POSITIVE_INFINITY ? text : cutTo(text, width);
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
