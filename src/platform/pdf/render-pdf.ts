import PDFDocument from 'pdfkit';
import type { DocumentNode } from '../content/document/nodes.ts';
import { drawBlocks } from './draw-blocks.ts';
import { registerFonts } from './fonts.ts';

export interface PdfPage {
  title: string;
  nodes: readonly DocumentNode[];
}

export interface PdfContent {
  title: string;
  /** Milliseconds since the epoch; the same content with the same time gives the same bytes. */
  createdAt: number;
  pages: readonly PdfPage[];
  /** Bytes of a PNG or JPEG by its address in the text. */
  picture(src: string): Buffer | undefined;
}

const PNG = '89504e470d0a1a0a';
const JPEG = 'ffd8ff';

/** A PDF with every page on paper of its own, and a table of contents for the reader's sidebar. */
export async function renderPdf(content: PdfContent): Promise<Buffer> {
  const time = new Date(content.createdAt);
  const info = { Title: content.title, CreationDate: time, ModDate: time };
  const pdf = new PDFDocument({ size: 'A4', margin: 56, info, bufferPages: true, autoFirstPage: false, font: '' });
  registerFonts(pdf);
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const picture = (src: string): Buffer | undefined => {
    const bytes = content.picture(src);
    const start = bytes?.subarray(0, 8).toString('hex') ?? '';
    return start === PNG || start.startsWith(JPEG) ? bytes : undefined;
  };
  for (const page of content.pages) {
    pdf.addPage();
    pdf.outline.addItem(page.title);
    pdf.font('text-bold').fontSize(24).text(page.title);
    pdf.y += 10;
    drawBlocks({ pdf, picture }, page.nodes);
  }
  if (content.pages.length === 0) pdf.addPage().font('text').fontSize(10).text(content.title);
  pdf.end();
  await done;
  return Buffer.concat(chunks);
}
