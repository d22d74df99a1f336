// The blocks of a document, drawn one below the other.
import type { DocumentNode } from '../content/document/nodes.ts';
import { drawRuns, runsOf } from './draw-text.ts';

/** A PDF under way, with what blocks need to know about the world outside. */
export interface Drawing {
  pdf: PDFKit.PDFDocument;
  /** Bytes of a picture that a PDF can hold, by its address in the text; undefined when there is none. */
  picture(src: string): Buffer | undefined;
}

const SIZE = 10;
const HEADINGS = [20, 16, 13, 11, 10, 10];
const STEP = 16;
const GAP = 6;
const PICTURE_HEIGHT = 260;
const GREY = '#f3f4f6';

export function drawBlocks(drawing: Drawing, nodes: readonly DocumentNode[], depth = 0): void {
  for (const node of nodes) {
    drawBlock(drawing, node, depth);
    drawing.pdf.y += GAP;
  }
}

function drawBlock(drawing: Drawing, node: DocumentNode, depth: number): void {
  const { pdf } = drawing;
  const { type = '', nodes = [], data = {} } = node;
  const heading = /^heading-(\d)$/.exec(type)?.[1];
  if (heading !== undefined) return drawHeading(drawing, nodes, Number(heading));
  switch (type) {
    case 'paragraph':
    case 'expandable-title':
      return drawRuns(pdf, runsOf(nodes), { ...frame(pdf, depth), size: SIZE, bold: type !== 'paragraph' });
    case 'images':
      for (const image of nodes) drawImage(drawing, image.data ?? {}, depth);
      return;
    case 'code':
    case 'html':
      return drawCode(pdf, textOf(node), depth);
    case 'math':
      return drawCode(pdf, stringOf(data['formula']), depth);
    case 'divider':
      return drawRule(pdf, depth);
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return drawList(drawing, node, depth);
    case 'table':
      return drawTable(pdf, node, depth);
    default:
      return drawOther(drawing, node, depth);
  }
}

function frame(pdf: PDFKit.PDFDocument, depth: number): { indent: number; width: number } {
  const left = pdf.page.margins.left + Math.min(depth, 8) * STEP;
  return { indent: left, width: pdf.page.width - pdf.page.margins.right - left };
}

function drawHeading({ pdf }: Drawing, nodes: readonly DocumentNode[], level: number): void {
  pdf.y += GAP;
  drawRuns(pdf, runsOf(nodes), { ...frame(pdf, 0), size: HEADINGS[level - 1] ?? SIZE, bold: true });
}

/** Hints, tabs, steps, expandables and whatever else holds blocks: their label, and what they hold a step further in. */
function drawOther(drawing: Drawing, { type = '', nodes = [], data = {} }: DocumentNode, depth: number): void {
  const isPlain = type === 'blockquote' || type === 'expandable';
  const labels = [data['title'], data['url'], data['ref'], data['src'], type === 'hint' ? data['style'] : ''];
  const named = isPlain ? '' : (labels.map(stringOf).find((label) => label !== '') ?? '');
  if (named !== '') {
    const run = { text: named, font: 'text-bold' as const, strike: false };
    drawRuns(drawing.pdf, [run], { ...frame(drawing.pdf, depth), size: SIZE });
  }
  const isLine = nodes.some(({ object }) => object !== 'block');
  if (isLine) drawRuns(drawing.pdf, runsOf(nodes), { ...frame(drawing.pdf, depth + 1), size: SIZE });
  else drawBlocks(drawing, nodes, depth + 1);
}

function drawList(drawing: Drawing, list: DocumentNode, depth: number): void {
  const { pdf } = drawing;
  const start = Number(list.data?.['start'] ?? 1);
  (list.nodes ?? []).forEach((item, index) => {
    const { checked } = item.data ?? {};
    const box = checked === true ? '☑' : '☐';
    const bullet = list.type === 'list-ordered' ? `${start + index}.` : checked === undefined ? '•' : box;
    const { indent, width } = frame(pdf, depth);
    const { y } = pdf;
    const page = pdf.bufferedPageRange().count;
    pdf.font('text').fontSize(SIZE).text(bullet, indent, y, { width, lineGap: 2 });
    // The item stands beside its bullet, unless the bullet began a new page.
    if (pdf.bufferedPageRange().count === page) pdf.y = y;
    else pdf.y -= pdf.currentLineHeight(true) + 2;
    drawBlocks(drawing, item.nodes ?? [], depth + 1);
  });
}

function drawCode(pdf: PDFKit.PDFDocument, text: string, depth: number): void {
  const { indent, width } = frame(pdf, depth);
  pdf.font('mono').fontSize(SIZE - 2);
  for (const line of text.split('\n')) {
    const shown = line === '' ? ' ' : line;
    const height = pdf.heightOfString(shown, { width: width - GAP * 2 });
    if (pdf.y + height > pdf.page.height - pdf.page.margins.bottom) pdf.addPage();
    pdf.rect(indent, pdf.y, width, height).fill(GREY).fillColor('#1a1a1a');
    pdf.text(shown, indent + GAP, pdf.y, { width: width - GAP * 2 });
  }
}

function drawRule(pdf: PDFKit.PDFDocument, depth: number): void {
  const { indent, width } = frame(pdf, depth);
  pdf
    .moveTo(indent, pdf.y + GAP)
    .lineTo(indent + width, pdf.y + GAP)
    .stroke('#d0d4da');
  pdf.y += GAP;
}

function drawTable(pdf: PDFKit.PDFDocument, table: DocumentNode, depth: number): void {
  const rows = (table.nodes ?? []).flatMap(({ nodes = [] }) => nodes).map(({ nodes = [] }) => nodes.map(lineOf));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (columns === 0) return;
  const { indent, width } = frame(pdf, depth);
  pdf.font('text').fontSize(SIZE - 1);
  const filled = rows.map((row) => Array.from({ length: columns }, (_, index) => row[index] ?? ''));
  pdf.table({
    data: filled,
    position: { x: indent, y: pdf.y },
    maxWidth: width,
    defaultStyle: { padding: 3, borderColor: '#d0d4da' },
  });
  pdf.x = indent;
}

function lineOf(cell: DocumentNode): string {
  return runsOf(cell.nodes ?? [])
    .map(({ text }) => text)
    .join('');
}

function drawImage(drawing: Drawing, data: Record<string, unknown>, depth: number): void {
  const { pdf } = drawing;
  const { indent, width } = frame(pdf, depth);
  const bytes = drawing.picture(stringOf(data['src']));
  if (!bytes) {
    const alt = stringOf(data['alt']) || 'image';
    return drawRuns(pdf, [{ text: `[${alt}]`, font: 'text-italic', strike: false }], { indent, width, size: SIZE });
  }
  if (pdf.y + PICTURE_HEIGHT > pdf.page.height - pdf.page.margins.bottom) pdf.addPage();
  pdf.image(bytes, indent, pdf.y, { fit: [width, PICTURE_HEIGHT] });
  pdf.y += GAP;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textOf(node: DocumentNode): string {
  return (node.leaves ?? []).map(({ text }) => text).join('') + (node.nodes ?? []).map(textOf).join('');
}
