// A table of a document, in a frame that scrolls sideways on narrow screens.
import type { DocumentNode } from '../../document/index.ts';
import type { Addresses } from './addresses.ts';
import { tag } from './markup.ts';
import { renderLine } from './render-inline.ts';

const ALIGNED: ReadonlySet<unknown> = new Set(['left', 'center', 'right']);

export function renderTable({ nodes = [] }: DocumentNode, addresses: Addresses): string {
  const parts = nodes.map((part) => {
    const isHead = part.type === 'table-head';
    const rows = (part.nodes ?? []).map((row) => renderRow(row, isHead ? 'th' : 'td', addresses));
    return tag(isHead ? 'thead' : 'tbody', {}, rows.join(''));
  });
  return tag('div', { class: 'scroll' }, tag('table', {}, parts.join('')));
}

function renderRow({ nodes = [] }: DocumentNode, cell: 'th' | 'td', addresses: Addresses): string {
  const cells = nodes.map(({ nodes: line = [], data = {} }) => {
    const align = ALIGNED.has(data['align']) ? `align-${String(data['align'])}` : null;
    return tag(cell, { class: align }, renderLine(line, addresses));
  });
  return tag('tr', {}, cells.join(''));
}
