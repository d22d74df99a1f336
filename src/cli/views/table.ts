import { createStyle, type Style } from './style.ts';
import { cutTo, oneLine, pad, widthOf } from './text.ts';

export interface TableColumn<Row> {
  title: string;
  value: (row: Row) => string | number | null;
  align?: 'left' | 'right';
  /** Left out when no row has a value. */
  optional?: boolean;
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

/** Rows under their titles, in columns that together fit the width; the widest ones are cut first. */
export function table<Row>(rows: readonly Row[], all: readonly TableColumn<Row>[], options: TableOptions): string {
  const columns = all.filter(
    ({ optional, value }) => optional !== true || rows.some((row) => (value(row) ?? '') !== ''),
  );
  const style = options.style ?? createStyle(false);
  const cells = rows.map((row) => columns.map((column) => oneLine(String(column.value(row) ?? ''))));
  const wanted = columns.map((column, i) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[i] ?? '')), widthOf(column.title)),
  );
  const widths = fit(wanted, options.width - GAP.length * (columns.length - 1));
  const shape = (text: string, i: number): string => {
    const width = widths[i] ?? 0;
    const cut = cutTo(text, width);
    const isLast = i === columns.length - 1;
    return isLast && columns[i]?.align !== 'right' ? cut : pad(cut, width, columns[i]?.align);
  };
  const head = style.dim(columns.map((column, i) => shape(column.title, i)).join(GAP));
  const body = cells.map((row, r) =>
    row
      .map((text, i) => {
        const source = rows[r];
        const shaped = shape(text, i);
        const paint = columns[i]?.paint;
        return paint && source !== undefined ? paint(shaped, source) : shaped;
      })
      .join(GAP)
      .trimEnd(),
  );
  return [head, ...body].join('\n');
}

function fit(wanted: readonly number[], available: number): number[] {
  const widths = [...wanted];
  for (let over = sum(widths) - available; over > 0; over = sum(widths) - available) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    const next = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const share = widths.filter((width) => width === widest).length;
    const target = Math.max(next, widest - Math.ceil(over / share));
    for (const [i, width] of widths.entries()) if (width === widest) widths[i] = Math.min(width, target);
    if (target === widest) break;
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
