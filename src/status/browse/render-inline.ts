// One line of a document as HTML.
import type { DocumentLeaf, DocumentNode } from '../../document/index.ts';
import type { Addresses } from './addresses.ts';
import { escaped, openTag, tag } from './markup.ts';

const MARKS: Readonly<Record<string, string>> = { bold: 'strong', italic: 'em', strikethrough: 's', code: 'code' };

export function renderLine(nodes: readonly DocumentNode[], addresses: Addresses): string {
  return nodes.map((node) => renderInline(node, addresses)).join('');
}

function renderInline(node: DocumentNode, addresses: Addresses): string {
  if (node.leaves) return node.leaves.map(renderLeaf).join('');
  const { type = '', data = {}, nodes = [] } = node;
  switch (type) {
    case 'link':
      return renderLink(text(data['href']), renderLine(nodes, { ...addresses, isInLink: true }), addresses);
    case 'image':
      return renderImage(data, addresses);
    case 'math':
      return tag('code', { class: 'math' }, escaped(text(data['formula'])));
    case 'line-break':
      return '<br>';
    case 'html':
      return renderHtmlTag(text(data['html']), addresses);
    default:
      return renderLine(nodes, addresses);
  }
}

function renderLeaf({ text: words, marks }: DocumentLeaf): string {
  return marks.reduce((inner, { type }) => {
    const name = MARKS[type];
    return name === undefined ? inner : tag(name, {}, inner);
  }, escaped(words));
}

export function renderLink(address: string, inner: string, { link }: Addresses): string {
  const target = link(address);
  const shown = inner === '' ? escaped(address) : inner;
  if (target === null) return tag('span', { class: 'dead', title: `This link leads nowhere: ${address}` }, shown);
  return tag(
    'a',
    { href: target.href, ...(target.outside ? { rel: 'noopener noreferrer', class: 'outside' } : {}) },
    shown,
  );
}

/** A picture of this mirror; one that is elsewhere is not fetched, but can be followed. */
export function renderImage(data: Readonly<Record<string, unknown>>, addresses: Addresses): string {
  const address = text(data['src']);
  const alt = text(data['alt']);
  const src = addresses.image(address);
  if (src !== null) return openTag('img', { src, alt, title: text(data['title']) || null, loading: 'lazy' });
  const target = addresses.link(address);
  const words = target?.outside
    ? `Picture elsewhere: ${alt || address}`
    : `Picture not in the mirror: ${alt || address}`;
  const isLed = target !== null && addresses.isInLink !== true;
  return tag('span', { class: 'missing' }, isLed ? renderLink(address, escaped(words), addresses) : escaped(words));
}

/** Tags that only format are dropped, their words stay; what could do something is shown as the text that it is. */
const HARMLESS =
  /^<\/?(?:a|abbr|b|big|center|cite|code|del|dfn|div|em|figcaption|figure|font|i|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|small|source|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul|h[1-6])(?=[\s/>])/i;

export function renderHtmlTag(markup: string, addresses: Addresses): string {
  if (/^<br\b/i.test(markup)) return '<br>';
  if (/^<hr\b/i.test(markup)) return '<hr>';
  if (/^<img\b/i.test(markup))
    return renderImage({ src: attribute(markup, 'src'), alt: attribute(markup, 'alt') }, addresses);
  if (markup.startsWith('<!--') || HARMLESS.test(markup)) return '';
  return tag('code', { class: 'soft' }, escaped(markup));
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: '\u00A0',
};

function attribute(markup: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(markup);
  return plain(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
}

/** Text with the references that people write read. */
export function plain(markup: string): string {
  return markup.replaceAll(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (all, name: string) => NAMED[name] ?? all);
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
