// The blocks of a document, drawn one below the other.
import type { DocumentNode } from '../../document/index.ts';
import { drawTable } from './draw-table.ts';
import { drawCode, drawRuns, lineHeight } from './draw-text.ts';
import { addGap, frame, GAP, INK, LINE, makeRoom, SIZE, withBar, type Drawing } from './drawing.ts';
import { plainRun, runsOf, stringOf } from './runs.ts';

const HEADINGS = [20, 16, 13, 11, 10, 10];
const PICTURE_HEIGHT = 320;
/** A pixel of a picture on paper, in points. */
const PIXEL = 0.75;
const HINTS: Readonly<Record<string, { label: string; color: string }>> = {
  info: { label: 'Info', color: '#346ddb' },
  success: { label: 'Success', color: '#1f8a4c' },
  warning: { label: 'Warning', color: '#b45f06' },
  danger: { label: 'Danger', color: '#c5221f' },
};

export function drawBlocks(drawing: Drawing, nodes: readonly DocumentNode[], depth = 0): void {
  for (const node of nodes) {
    drawBlock(drawing, node, depth);
    addGap(drawing);
  }
}

function drawBlock(drawing: Drawing, node: DocumentNode, depth: number): void {
  const { type = '', nodes = [], data = {} } = node;
  const heading = /^heading-(\d)$/.exec(type)?.[1];
  if (heading !== undefined) return drawHeading(drawing, nodes, { level: Number(heading), depth });
  switch (type) {
    case 'paragraph':
      return drawRuns(drawing, runsOf(nodes), { ...frame(drawing, depth), size: SIZE });
    case 'expandable-title':
      return drawLabel(
        drawing,
        `▾ ${runsOf(nodes)
          .map(({ text }) => text)
          .join('')}`,
        { depth },
      );
    case 'images':
      for (const image of nodes) drawImage(drawing, image.data ?? {}, depth);
      return;
    case 'code':
    case 'html':
      return drawCode(drawing, plainRun(textOf(node), 'mono'), frame(drawing, depth));
    case 'math':
      return drawCode(drawing, plainRun(stringOf(data['formula']), 'mono'), frame(drawing, depth));
    case 'divider':
      return drawRule(drawing, depth);
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return drawList(drawing, node, depth);
    case 'table':
      return drawTable(drawing, node, depth);
    default:
      return drawHolder(drawing, node, depth);
  }
}

/** Blocks that hold others: quotes and hints with a bar on their left, others a step further in below their title. */
function drawHolder(drawing: Drawing, node: DocumentNode, depth: number): void {
  const { type, nodes = [], data = {} } = node;
  const { left } = frame(drawing, depth);
  switch (type) {
    case 'blockquote':
      return withBar(drawing, { left, color: LINE }, () => drawInside(drawing, nodes, depth + 1));
    case 'hint': {
      const { label, color } = HINTS[stringOf(data['style'])] ?? { label: 'Note', color: '#5f6b7a' };
      return withBar(drawing, { left, color }, () => {
        drawLabel(drawing, label, { depth: depth + 1, color });
        drawInside(drawing, nodes, depth + 1);
      });
    }
    case 'tabs-item':
      return withBar(drawing, { left, color: LINE }, () => {
        drawLabel(drawing, stringOf(data['title']) || 'Tab', { depth: depth + 1 });
        drawInside(drawing, nodes, depth + 1);
      });
    case 'expandable':
      return withBar(drawing, { left, color: LINE }, () => drawInside(drawing, nodes, depth + 1));
    case 'tabs':
    case 'stepper':
      return drawBlocks(drawing, nodes, depth);
    case 'stepper-step':
      return drawInside(drawing, nodes, depth + 1);
    default:
      return drawOther(drawing, node, depth);
  }
}

/** What leads elsewhere or is not known: its address or title, and what it holds a step further in. */
function drawOther(drawing: Drawing, { nodes = [], data = {} }: DocumentNode, depth: number): void {
  const label = [data['title'], data['url'], data['ref'], data['src']].map(stringOf).find((text) => text !== '') ?? '';
  if (/^https?:/i.test(label)) {
    drawRuns(drawing, [{ ...plainRun(label), link: label }], { ...frame(drawing, depth), size: SIZE });
  } else if (label !== '') drawLabel(drawing, label, { depth });
  drawInside(drawing, nodes, label === '' ? depth : depth + 1);
}

function drawInside(drawing: Drawing, nodes: readonly DocumentNode[], depth: number): void {
  const isLine = nodes.some(({ object }) => object !== 'block');
  if (isLine) drawRuns(drawing, runsOf(nodes), { ...frame(drawing, depth), size: SIZE });
  else drawBlocks(drawing, nodes, depth);
}

function drawLabel(drawing: Drawing, text: string, { depth, color = INK }: { depth: number; color?: string }): void {
  makeRoom(drawing, lineHeight(SIZE) * 3);
  drawRuns(drawing, [plainRun(text)], { ...frame(drawing, depth), size: SIZE, bold: true, color });
  addGap(drawing, 2);
}

/** A heading stays with what follows it. */
function drawHeading(
  drawing: Drawing,
  nodes: readonly DocumentNode[],
  { level, depth }: { level: number; depth: number },
): void {
  const size = HEADINGS[level - 1] ?? SIZE;
  makeRoom(drawing, lineHeight(size) + lineHeight(SIZE) * 3);
  drawing.pdf.y += GAP;
  drawRuns(drawing, runsOf(nodes), { ...frame(drawing, depth), size, bold: true });
}

function drawList(drawing: Drawing, list: DocumentNode, depth: number): void {
  const start = Number(list.data?.['start'] ?? 1);
  const { pdf } = drawing;
  (list.nodes ?? []).forEach((item, index) => {
    const { checked } = item.data ?? {};
    const box = checked === true ? '☑' : '☐';
    const bullet = list.type === 'list-ordered' ? `${start + index}.` : checked === undefined ? '•' : box;
    makeRoom(drawing, lineHeight(SIZE) * 2);
    const { y } = pdf;
    drawRuns(drawing, [plainRun(bullet)], { ...frame(drawing, depth), size: SIZE });
    pdf.y = y;
    drawInside(drawing, item.nodes ?? [], depth + 1);
    if (pdf.y === y) pdf.y += lineHeight(SIZE);
    addGap(drawing, GAP / 2);
  });
  if (depth > 0 || pdf.y === pdf.page.margins.top) return;
  pdf.y += GAP / 2;
  drawing.gapEnd = pdf.y;
}

function drawRule(drawing: Drawing, depth: number): void {
  const { pdf } = drawing;
  const { left, width } = frame(drawing, depth);
  makeRoom(drawing, GAP * 2);
  pdf.y += GAP;
  pdf
    .moveTo(left, pdf.y)
    .lineTo(left + width, pdf.y)
    .stroke(LINE);
  pdf.y += GAP;
}

function drawImage(drawing: Drawing, data: Record<string, unknown>, depth: number): void {
  const { pdf } = drawing;
  const { left, width } = frame(drawing, depth);
  const picture = drawing.picture(stringOf(data['src']));
  const alt = stringOf(data['alt']);
  if (!picture) {
    return drawRuns(drawing, [plainRun(`[${alt || 'image'}]`, 'text-italic')], { left, width, size: SIZE });
  }
  const scale = Math.min(PIXEL, width / picture.width, PICTURE_HEIGHT / picture.height);
  const height = picture.height * scale;
  makeRoom(drawing, height + GAP);
  const { y } = pdf;
  pdf.image(picture.bytes, left, y, { width: picture.width * scale, height });
  pdf.y = y + height + GAP;
}

function textOf(node: DocumentNode): string {
  return (node.leaves ?? []).map(({ text }) => text).join('') + (node.nodes ?? []).map(textOf).join('');
}
