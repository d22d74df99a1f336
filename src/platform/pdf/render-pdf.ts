import type { DocumentNode } from '../../document/index.ts';
import { drawBlocks } from './draw-blocks.ts';
import { drawRuns } from './draw-text.ts';
import { frame, type Drawing } from './drawing.ts';
import { createFonts } from './fonts.ts';
import { readPicture } from './picture.ts';
import { plainRun } from './runs.ts';

export interface PdfPage {
  title: string;
  nodes: readonly DocumentNode[];
}

export interface PdfContent {
  title: string;
  /** Milliseconds since the epoch; the same content with the same time gives the same bytes. */
  createdAt: number;
  pages: readonly PdfPage[];
  /** Bytes of a file by its address in the text; only PNG and JPEG are shown. */
  picture(src: string): Buffer | undefined;
}

const MARGIN = 56;
const FOOTER_SIZE = 8;
const FOOTER_COLOR = '#6b7480';

/** A PDF with every page on paper of its own, numbered, and a table of contents for the reader's sidebar. */
export async function renderPdf(content: PdfContent): Promise<Buffer> {
  // Large, and most processes that load this room draw nothing.
  const { default: PDFDocument } = await import('pdfkit');
  const time = new Date(content.createdAt);
  const info = { Title: content.title, CreationDate: time, ModDate: time };
  const pdf = new PDFDocument({ size: 'A4', margin: MARGIN, info, bufferPages: true, autoFirstPage: false, font: '' });
  const drawing: Drawing = {
    pdf,
    fonts: createFonts(pdf),
    picture: (src) => readPicture(content.picture(src)),
    gapEnd: 0,
  };
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  for (const page of content.pages) drawPage(drawing, page);
  if (content.pages.length === 0) {
    pdf.addPage();
    drawRuns(drawing, [plainRun(content.title)], { ...frame(drawing, 0), size: 10 });
  }
  drawFooters(drawing, content.title);
  pdf.end();
  await done;
  return Buffer.concat(chunks);
}

function drawPage(drawing: Drawing, { title, nodes }: PdfPage): void {
  const { pdf } = drawing;
  pdf.addPage();
  pdf.outline.addItem(title);
  drawRuns(drawing, [plainRun(title)], { ...frame(drawing, 0), size: 24, bold: true });
  pdf.y += 10;
  drawing.gapEnd = pdf.y;
  drawBlocks(drawing, nodes);
}

function drawFooters(drawing: Drawing, title: string): void {
  const { pdf } = drawing;
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    // Below the margin, where nothing asks for another page.
    pdf.page.margins.bottom = 0;
    const style = { ...frame(drawing, 0), size: FOOTER_SIZE, color: FOOTER_COLOR };
    const y = pdf.page.height - MARGIN / 2 - FOOTER_SIZE;
    pdf.y = y;
    drawRuns(drawing, [plainRun(title.slice(0, 80))], style);
    pdf.y = y;
    drawRuns(drawing, [plainRun(`${page + 1} / ${count}`)], { ...style, align: 'right' });
  }
}
