// Tables: columns as wide as what stands in them asks for, rows that may go on on the next page.
import type { DocumentNode } from '../../document/index.ts';
import { drawLine, lineHeight, linesOf, type TextStyle } from './draw-text.ts';
import { bottomOf, frame, GROUND, LINE, makeRoom, measureAt, SIZE, type Drawing } from './drawing.ts';
import type { Line } from './layout.ts';
import { runsOf, stringOf, type Run } from './runs.ts';

const TEXT = SIZE - 1;
const INSET = 4;
const NARROWEST = 24;

interface Cell {
  runs: Run[];
  align: string;
}

interface Column {
  left: number;
  width: number;
}

export function drawTable(drawing: Drawing, table: DocumentNode, depth: number): void {
  const parts = (table.nodes ?? []).map(({ type, nodes = [] }) => ({ isHead: type === 'table-head', rows: nodes }));
  const rows = parts.flatMap(({ isHead, rows: found }) =>
    found.map(({ nodes = [] }) => ({ isHead, cells: nodes.map(cellOf) })),
  );
  const count = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (count === 0) return;
  const columns = columnsOf(
    drawing,
    rows.map(({ cells }) => cells),
    { count, depth },
  );
  for (const { isHead, cells } of rows) drawRow(drawing, columns, { isHead, cells });
  drawing.pdf.fillColor('#1a1a1a');
}

function cellOf({ nodes = [], data = {} }: DocumentNode): Cell {
  return { runs: runsOf(nodes), align: stringOf(data['align']) };
}

/** Every column gets its widest word, and the rest is shared by how much text there is. */
function columnsOf(
  drawing: Drawing,
  rows: readonly Cell[][],
  { count, depth }: { count: number; depth: number },
): Column[] {
  const { left, width } = frame(drawing, depth);
  const measure = measureAt(drawing, TEXT);
  const wanted = Array.from({ length: count }, (_, i) => {
    const texts = rows.map((cells) => (cells[i]?.runs ?? []).map(({ text }) => text).join(''));
    const most = Math.max(0, ...texts.map((text) => text.length));
    const widest = texts.find((text) => text.length === most) ?? '';
    return Math.max(NARROWEST, measure.widthOf({ text: widest.slice(0, 200), font: 'text-bold' }) + 2 * INSET + 1);
  });
  const sum = wanted.reduce((all, one) => all + one, 0);
  const even = width / count;
  // Narrow columns keep what they want; the wide ones share what is left.
  const kept = wanted.filter((one) => one <= even).reduce((all, one) => all + one, 0);
  const large = sum - kept;
  let at = left;
  return wanted.map((one) => {
    const share = sum <= width || one <= even ? one : (one / large) * (width - kept);
    const column = { left: at, width: share };
    at += share;
    return column;
  });
}

function drawRow(
  drawing: Drawing,
  columns: readonly Column[],
  { isHead, cells }: { isHead: boolean; cells: readonly Cell[] },
): void {
  const step = lineHeight(TEXT);
  const styles = columns.map(({ left, width }, i): TextStyle => ({
    left: left + INSET,
    width: width - 2 * INSET,
    size: TEXT,
    bold: isHead,
    align: cells[i]?.align ?? '',
  }));
  const lines = styles.map((style, i) => linesOf(drawing, cells[i]?.runs ?? [], style));
  const most = Math.max(1, ...lines.map((all) => all.length));
  makeRoom(drawing, Math.min(most, 3) * step + 2 * INSET);
  for (let from = 0; from < most;) {
    const room = Math.max(1, Math.floor((bottomOf(drawing) - drawing.pdf.y - 2 * INSET) / step));
    const shown = lines.map((all) => all.slice(from, from + room));
    drawBand(drawing, { columns, styles, isHead }, shown);
    from += room;
    if (from < most) makeRoom(drawing, step * room + 2 * INSET);
  }
}

function drawBand(
  drawing: Drawing,
  { columns, styles, isHead }: { columns: readonly Column[]; styles: readonly TextStyle[]; isHead: boolean },
  lines: readonly Line[][],
): void {
  const { pdf } = drawing;
  const top = pdf.y;
  const height = Math.max(1, ...lines.map((all) => all.length)) * lineHeight(TEXT) + 2 * INSET;
  columns.forEach(({ left, width }, i) => {
    if (isHead) pdf.rect(left, top, width, height).fill(GROUND);
    pdf.lineWidth(0.75).rect(left, top, width, height).stroke(LINE);
    const style = styles[i];
    lines[i]?.forEach((line, row) => {
      pdf.y = top + INSET + row * lineHeight(TEXT);
      if (style) drawLine(drawing, line, style);
    });
  });
  pdf.y = top + height;
}
