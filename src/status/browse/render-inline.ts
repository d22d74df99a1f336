// One line of a document as HTML.
import type { DocumentLeaf, DocumentNode } from '../../document/index.ts';
import type { Addresses } from './addresses.ts';
import { escaped, tag } from './markup.ts';
import { renderHtmlTag, renderLinked } from './render-html.ts';
import { renderImage, renderLink, text } from './render-links.ts';

const MARKS: Readonly<Record<string, string>> = { bold: 'strong', italic: 'em', strikethrough: 's', code: 'code' };

export function renderLine(nodes: readonly DocumentNode[], addresses: Addresses): string {
  return renderLinked(nodes, markupOf, {
    addresses,
    render: (some, within) => some.map((node) => renderInline(node, within)).join(''),
  });
}

function markupOf({ type, data = {} }: DocumentNode): string | undefined {
  return type === 'html' ? text(data['html']) : undefined;
}

function renderInline(node: DocumentNode, addresses: Addresses): string {
  if (node.leaves) return node.leaves.map(renderLeaf).join('');
  const { type = '', data = {}, nodes = [] } = node;
  switch (type) {
    case 'link': {
      const inner = renderLine(nodes, { ...addresses, isInLink: true });
      return addresses.isInLink === true ? inner : renderLink(text(data['href']), inner, addresses);
    }
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
