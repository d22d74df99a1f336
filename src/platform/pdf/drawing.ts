// A PDF under way: where it stands, and how much room there is.
import type { Fonts } from './fonts.ts';
import type { Measure } from './layout.ts';
import type { Picture } from './picture.ts';

export interface Drawing {
  pdf: PDFKit.PDFDocument;
  fonts: Fonts;
  /** A picture that a PDF can hold, by its address in the text; undefined when there is none. */
  picture(src: string): Picture | undefined;
  /** Where the last gap ended: gaps do not add up. */
  gapEnd: number;
}

export const SIZE = 10;
export const GAP = 6;
export const INK = '#1a1a1a';
export const LINE = '#d0d4da';
export const GROUND = '#f3f4f6';
const STEP = 16;
const DEEPEST = 8;

export interface Frame {
  left: number;
  width: number;
}

/** The room of blocks so many steps inside others. */
export function frame({ pdf }: Drawing, depth: number): Frame {
  const left = pdf.page.margins.left + Math.min(depth, DEEPEST) * STEP;
  return { left, width: pdf.page.width - pdf.page.margins.right - left };
}

export function bottomOf({ pdf }: Drawing): number {
  return pdf.page.height - pdf.page.margins.bottom;
}

/** Goes on to the next page when so much does not fit on this one. */
export function makeRoom(drawing: Drawing, height: number): void {
  const { pdf } = drawing;
  if (pdf.y + height <= bottomOf(drawing) || pdf.y <= pdf.page.margins.top) return;
  pdf.addPage();
  drawing.gapEnd = pdf.y;
}

export function addGap(drawing: Drawing, height: number = GAP): void {
  const { pdf } = drawing;
  if (pdf.y === drawing.gapEnd) return;
  pdf.y += height;
  drawing.gapEnd = pdf.y;
}

export function measureAt({ pdf, fonts }: Drawing, size: number): Measure {
  return {
    fonts,
    widthOf: ({ text, font }) => {
      fonts.use(font, size);
      return pdf.widthOfString(text);
    },
  };
}

/** Draws something with a bar on its left, on every page that it takes. */
export function withBar(drawing: Drawing, { left, color }: { left: number; color: string }, draw: () => void): void {
  const { pdf } = drawing;
  makeRoom(drawing, SIZE * 5);
  const from = { page: lastPage(pdf), y: pdf.y };
  draw();
  // The gap below what was drawn is outside.
  const to = { page: lastPage(pdf), y: pdf.y === drawing.gapEnd ? pdf.y - GAP : pdf.y };
  for (let page = from.page; page <= to.page; page++) {
    pdf.switchToPage(page);
    const top = page === from.page ? from.y : pdf.page.margins.top;
    const end = page === to.page ? to.y : bottomOf(drawing);
    pdf.rect(left, top, 3, Math.max(0, end - top)).fill(color);
  }
  pdf.fillColor(INK);
  pdf.y = to.y + 1;
}

function lastPage(pdf: PDFKit.PDFDocument): number {
  return pdf.bufferedPageRange().count - 1;
}
