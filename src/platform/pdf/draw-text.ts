// Lines of text on paper.
import { GROUND, INK, makeRoom, measureAt, type Drawing, type Frame } from './drawing.ts';
import { boldOf } from './fonts.ts';
import { layoutRuns, type Line, type Piece } from './layout.ts';
import type { Run } from './runs.ts';

const LINK_COLOR = '#0a58ca';
const LINE_HEIGHT = 1.4;
/** Where the baseline is, as a share of the size: the same for all fonts, so that they stand on one line. */
const BASELINE = 1.03;

export interface TextStyle extends Frame {
  size: number;
  bold?: boolean;
  color?: string;
  align?: string;
}

export function lineHeight(size: number): number {
  return size * LINE_HEIGHT;
}

/** Draws runs as one paragraph at the place where the document stands. */
export function drawRuns(drawing: Drawing, runs: readonly Run[], style: TextStyle): void {
  for (const line of linesOf(drawing, runs, style)) {
    makeRoom(drawing, lineHeight(style.size));
    drawLine(drawing, line, style);
    drawing.pdf.y += lineHeight(style.size);
  }
}

export function linesOf(drawing: Drawing, runs: readonly Run[], { size, width, bold }: TextStyle): Line[] {
  const shown = bold === true ? runs.map((run) => ({ ...run, font: boldOf(run.font) })) : runs;
  return shown.some(({ text }) => text !== '') ? layoutRuns(measureAt(drawing, size), shown, width) : [];
}

/** One line; the document stays where it stands. */
export function drawLine(drawing: Drawing, line: Line, style: TextStyle): void {
  const { pdf, fonts } = drawing;
  const { y } = pdf;
  const widths = line.pieces.map((piece) => measureAt(drawing, style.size).widthOf(piece));
  const spare = style.width - widths.reduce((sum, width) => sum + width, 0);
  let x = style.left + spare * shareBefore(line, style.align);
  line.pieces.forEach((piece, i) => {
    const width = widths[i] ?? 0;
    if (piece.run.isCode) pdf.rect(x - 1, y + 1, width + 2, lineHeight(style.size) - 2).fill(GROUND);
    fonts.use(piece.font, style.size);
    pdf.fillColor(piece.run.link === undefined ? (style.color ?? INK) : LINK_COLOR);
    pdf.text(piece.text, x, y + (BASELINE - fonts.ascent(piece.font)) * style.size, looksOf(piece));
    x += width;
  });
  pdf.fillColor(INK);
  pdf.y = y;
}

function looksOf({ run }: Piece): PDFKit.Mixins.TextOptions {
  const { link } = run;
  const isAddress = link !== undefined && /^(?:https?|mailto):/i.test(link);
  return {
    lineBreak: false,
    link: isAddress ? link : null,
    underline: link !== undefined,
    strike: run.strike,
  };
}

function shareBefore(line: Line, align: string | undefined): number {
  if (align === 'center') return 0.5;
  if (align === 'right') return line.isRight ? 0 : 1;
  return line.isRight ? 1 : 0;
}

/** Text as it is, with every blank, on a ground of its own. */
export function drawCode(drawing: Drawing, run: Run, { left, width }: Frame): void {
  const size = 8;
  const inset = 6;
  const { pdf } = drawing;
  const style = { left: left + inset, width: width - 2 * inset, size };
  const ground = (height: number): void => {
    pdf.rect(left, pdf.y, width, height).fill(GROUND);
  };
  // Lines that are blank are lines too, which runs are not.
  const lines = run.text
    .replace(/\n$/, '')
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((text) => (text.trim() === '' ? [null] : linesOf(drawing, [{ ...run, text }], style)));
  makeRoom(drawing, lineHeight(size) + 2 * inset);
  ground(inset);
  pdf.y += inset;
  for (const line of lines) {
    makeRoom(drawing, lineHeight(size));
    ground(lineHeight(size) + 0.5);
    if (line) drawLine(drawing, line, style);
    pdf.y += lineHeight(size);
  }
  ground(inset);
  pdf.y += inset;
  pdf.fillColor(INK);
}
