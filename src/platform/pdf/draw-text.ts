// A line of nodes as text of a PDF: runs with their font, links that can be clicked.
import type { DocumentNode } from '../content/document/nodes.ts';
import { fontOf, type FontName } from './fonts.ts';

export interface Run {
  text: string;
  font: FontName;
  link?: string;
  strike: boolean;
}

const LINK_COLOR = '#0a58ca';
const TEXT_COLOR = '#1a1a1a';

/** The runs of a block's nodes in order. */
export function runsOf(nodes: readonly DocumentNode[], link?: string): Run[] {
  return nodes.flatMap((node) => {
    const { data = {} } = node;
    if (node.leaves) {
      return node.leaves.map((leaf) => {
        const marks = new Set(leaf.marks.map(({ type }) => type));
        const run: Run = {
          text: leaf.text.replaceAll('\n', ' '),
          font: fontOf(marks),
          strike: marks.has('strikethrough'),
        };
        return link === undefined ? run : { ...run, link };
      });
    }
    switch (node.type) {
      case 'link':
        return runsOf(node.nodes ?? [], textOf(data['href']));
      case 'image':
        return [plain(`[${textOf(data['alt']) || 'image'}]`)];
      case 'math':
        return [{ ...plain(textOf(data['formula'])), font: 'mono' as const }];
      case 'line-break':
        return [plain('\n')];
      default:
        return runsOf(node.nodes ?? [], link);
    }
  });
}

function plain(text: string): Run {
  return { text, font: 'text', strike: false };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Draws runs as one paragraph at the place where the document stands. */
export function drawRuns(
  pdf: PDFKit.PDFDocument,
  runs: readonly Run[],
  options: { size: number; indent: number; width: number; bold?: boolean },
): void {
  const shown = runs.filter(({ text }) => text !== '');
  if (shown.length === 0) return;
  pdf.fontSize(options.size);
  shown.forEach((run, index) => {
    const isAddress = run.link !== undefined && /^(?:https?|mailto):/i.test(run.link);
    pdf.font(options.bold === true && run.font === 'text' ? 'text-bold' : run.font);
    pdf.fillColor(run.link === undefined ? TEXT_COLOR : LINK_COLOR);
    const style = {
      continued: index < shown.length - 1,
      link: isAddress ? (run.link ?? null) : null,
      underline: run.link !== undefined,
      strike: run.strike,
      lineGap: 2,
    };
    if (index === 0) pdf.text(run.text, options.indent, pdf.y, { ...style, width: options.width });
    else pdf.text(run.text, style);
  });
  pdf.fillColor(TEXT_COLOR);
}
