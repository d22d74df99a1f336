// A document as HTML: every kind of block readable, none that can run or load anything.
import { anchorOf, namedAnchor, type DocumentNode } from '../../document/index.ts';
import type { Addresses } from './addresses.ts';
import { escaped, tag } from './markup.ts';
import { renderHtmlBlock } from './render-html.ts';
import { renderLine } from './render-inline.ts';
import { renderImage, renderLink, text } from './render-links.ts';
import { renderTable } from './render-table.ts';

interface Rendering {
  readonly addresses: Addresses;
  /** Anchors that are taken, each once in a page, with the number of the last one that was made of it. */
  readonly anchors: Map<string, number>;
  /** Groups of tabs so far. */
  groups: number;
}

/** HTML of a document's nodes. The title of the page is the only `h1`, so headings begin at `h2`. */
export function renderDocument(nodes: readonly DocumentNode[], addresses: Addresses): string {
  return renderBlocks(nodes, { addresses, anchors: new Map(), groups: 0 });
}

function renderBlocks(nodes: readonly DocumentNode[], rendering: Rendering): string {
  return nodes.map((node) => renderBlock(node, rendering)).join('\n');
}

/** What a block holds: blocks, or a line of text. */
function renderInside(nodes: readonly DocumentNode[], rendering: Rendering): string {
  const isLine = nodes.some(({ object }) => object !== 'block');
  return isLine ? renderLine(nodes, rendering.addresses) : renderBlocks(nodes, rendering);
}

function renderBlock(node: DocumentNode, rendering: Rendering): string {
  const { type = '', nodes = [], data = {} } = node;
  const { addresses } = rendering;
  if (node.object !== 'block') return renderLine([node], addresses);
  switch (type) {
    case 'paragraph':
      return tag('p', {}, renderLine(nodes, addresses));
    case 'images':
      return nodes.map((image) => tag('figure', {}, renderImage(image.data ?? {}, addresses))).join('');
    case 'code':
      return renderCode(node);
    case 'math':
      return tag('pre', { class: 'math' }, tag('code', {}, escaped(text(data['formula']))));
    case 'html':
      return renderHtmlBlock(wordsOf(node), addresses);
    case 'divider':
      return '<hr>';
    case 'blockquote':
      return tag('blockquote', {}, renderBlocks(nodes, rendering));
    case 'table':
      return renderTable(node, addresses);
    case 'list-ordered':
      return tag('ol', { start: Number(data['start'] ?? 1) || 1 }, renderItems(nodes, rendering));
    case 'list-unordered':
      return tag('ul', {}, renderItems(nodes, rendering));
    case 'list-tasks':
      return tag('ul', { class: 'tasks' }, renderItems(nodes, rendering));
    default:
      return /^heading-\d$/.test(type) ? renderHeading(node, rendering) : renderHolder(node, rendering);
  }
}

function renderHeading({ type = '', nodes = [] }: DocumentNode, { addresses, anchors }: Rendering): string {
  const level = Math.min(6, Number(type.slice(-1)) + 1);
  const markup = nodes.filter((node) => node.type === 'html').map((node) => text(node.data?.['html']));
  const wanted = namedAnchor(markup.join('')) ?? anchorOf(nodes.map(wordsOf).join(''));
  let number = anchors.get(wanted) ?? 0;
  let id = wanted;
  while (anchors.has(id)) id = `${wanted}-${++number}`;
  anchors.set(wanted, number).set(id, id === wanted ? number : 0);
  return tag(`h${level}`, { id }, renderLine(nodes, addresses));
}

function renderCode(node: DocumentNode): string {
  const syntax = text(node.data?.['syntax']);
  const label = syntax === '' ? '' : tag('span', { class: 'syntax' }, escaped(syntax));
  return tag('div', { class: 'code' }, label + tag('pre', {}, tag('code', {}, escaped(wordsOf(node)))));
}

function renderItems(items: readonly DocumentNode[], rendering: Rendering): string {
  return items
    .map((item) => {
      const checked = item.data?.['checked'];
      const box =
        checked === undefined
          ? ''
          : `<input type="checkbox" disabled aria-label="${checked === true ? 'done' : 'not done'}"${checked === true ? ' checked' : ''}> `;
      return tag('li', {}, box + renderInside(item.nodes ?? [], rendering));
    })
    .join('');
}

const HINTS: Readonly<Record<string, string>> = {
  info: 'Info',
  success: 'Success',
  warning: 'Warning',
  danger: 'Danger',
};

/** Blocks that hold others. */
function renderHolder(node: DocumentNode, rendering: Rendering): string {
  const { type, nodes = [], data = {} } = node;
  switch (type) {
    case 'hint': {
      const style = text(data['style']);
      const label = HINTS[style];
      const look = label === undefined ? 'note' : style;
      const title = tag('p', { class: 'label' }, label ?? 'Note');
      return tag('div', { class: `hint ${look}`, role: 'note' }, title + renderBlocks(nodes, rendering));
    }
    case 'tabs':
      return renderTabs(nodes, rendering);
    case 'stepper':
      return tag(
        'ol',
        { class: 'steps' },
        nodes.map((step) => tag('li', {}, renderInside(step.nodes ?? [], rendering))).join(''),
      );
    case 'expandable': {
      const title = nodes.find((child) => child.type === 'expandable-title');
      const summary = tag('summary', {}, renderLine(title?.nodes ?? [], rendering.addresses));
      const rest = nodes.filter((child) => child !== title);
      return tag('details', { open: data['open'] === true }, summary + renderBlocks(rest, rendering));
    }
    default:
      return renderOther(node, rendering);
  }
}

/** One at a time, as tabs are; the browser does it without a script. */
function renderTabs(tabs: readonly DocumentNode[], rendering: Rendering): string {
  const name = `tabs-${++rendering.groups}`;
  const shown = tabs.map((item, index) => {
    if (item.type !== 'tabs-item') return renderBlock(item, rendering);
    const summary = tag('summary', {}, escaped(text(item.data?.['title']) || `Tab ${index + 1}`));
    return tag('details', { name, open: index === 0 }, summary + renderBlocks(item.nodes ?? [], rendering));
  });
  return tag('div', { class: 'tabs' }, shown.join(''));
}

/** What leads elsewhere, or is not known: its name or address, and what it holds. */
function renderOther({ type = 'block', nodes = [], data = {} }: DocumentNode, rendering: Rendering): string {
  const inside = renderInside(nodes, rendering);
  const attributes = typeof data['attributes'] === 'object' ? { ...data['attributes'] } : {};
  // A block that is written as a tag is called what that is, whether or not anything is known of it.
  const called = type === 'tag' ? text(data['name']) : '';
  const facts: Record<string, unknown> = { ...data, ...(called === '' ? {} : { name: '' }), ...attributes };
  const address = [facts['url'], facts['src'], facts['ref'], facts['value']].map(text).find((one) => one !== '') ?? '';
  const title = [facts['title'], facts['name']].map(text).find((one) => one !== '') ?? '';
  if (address === '' && title === '' && called === '') return inside;
  const words = title === '' || title === address ? '' : escaped(title);
  const led = address === '' ? escaped(title) : renderLink(address, words, rendering.addresses);
  const kind = (called || type.replaceAll('-', ' ')) + (led === '' ? '' : ': ');
  return tag('div', { class: 'card' }, tag('span', { class: 'soft' }, escaped(kind)) + led + inside);
}

export function wordsOf(node: DocumentNode): string {
  return (node.leaves ?? []).map((leaf) => leaf.text).join('') + (node.nodes ?? []).map(wordsOf).join('');
}
