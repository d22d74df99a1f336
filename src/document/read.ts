// Markdown as a tree of nodes.
import { createMarkdownParser, type MarkdownToken } from '../base/index.ts';
import { addBlockRules, type BlockTag } from './block-rules.ts';
import { inlineNodes } from './read-inline.ts';
import { block, plainText, TAG_TYPES, type DocumentNode } from './nodes.ts';

const BLOCKS: Readonly<Record<string, string>> = {
  paragraph: 'paragraph',
  blockquote: 'blockquote',
  bullet_list: 'list-unordered',
  ordered_list: 'list-ordered',
  list_item: 'list-item',
  table: 'table',
  thead: 'table-head',
  tbody: 'table-body',
  tr: 'table-row',
  th: 'table-cell',
  td: 'table-cell',
  details: 'expandable',
  summary: 'expandable-title',
};

// Making a parser costs more than reading a page with it; nothing changes it afterwards.
const PARSER = createDocumentParser();

function createDocumentParser(): ReturnType<typeof createMarkdownParser> {
  const parser = createMarkdownParser();
  addBlockRules(parser);
  return parser;
}

/** The nodes of a text; every character of its content stands in one of them. */
export function documentNodes(markdown: string): DocumentNode[] {
  const root: DocumentNode = { object: 'block', nodes: [] };
  const stack = [root];
  for (const token of PARSER.parse(markdown, {})) {
    const top = stack.at(-1) ?? root;
    const nodes = (top.nodes ??= []);
    if (token.type === 'inline') for (const node of inlineNodes(token.children ?? [])) nodes.push(node);
    else if (token.nesting === 1) {
      const node = openBlock(token);
      nodes.push(node);
      stack.push(node);
    } else if (token.nesting === -1) closeBlock(stack.pop());
    else nodes.push(leafBlock(token));
  }
  return root.nodes ?? [];
}

function openBlock(token: MarkdownToken): DocumentNode {
  const name = token.type.replace(/_open$/, '');
  switch (name) {
    case 'heading':
      return block(`heading-${token.tag.slice(1)}`, {}, []);
    case 'ordered_list':
      return block('list-ordered', { start: startOf(token) }, []);
    case 'th':
    case 'td':
      return block('table-cell', { align: alignOf(token) }, []);
    case 'details':
      return block('expandable', { open: token.meta?.['open'] === true || undefined }, []);
    case 'tag':
      return tagBlock(token.meta?.['tag'] as BlockTag, []);
    default:
      return block(BLOCKS[name] ?? name, {}, []);
  }
}

function startOf(token: MarkdownToken): number | undefined {
  const start = token.attrGet('start');
  return start === null ? undefined : Number(start);
}

function alignOf(token: MarkdownToken): string | undefined {
  return /text-align:\s*(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
}

/** Some blocks are known for what they are only once their content was read. */
function closeBlock(node: DocumentNode | undefined): void {
  if (!node) return;
  const nodes = node.nodes ?? [];
  if (node.type === 'list-item') readTask(node);
  else if (node.type === 'list-unordered' && nodes.some((item) => item.data?.['checked'] !== undefined)) {
    node.type = 'list-tasks';
  } else if (node.type === 'paragraph' && nodes.length > 0 && nodes.every(({ type }) => type === 'image')) {
    node.type = 'images';
    node.nodes = nodes.map((image) => ({ ...image, object: 'block' }));
  }
}

const TASK = /^\[([ xX])\](?:\s+|$)/;

function readTask(item: DocumentNode): void {
  const [first] = item.nodes ?? [];
  const leaf = first?.type === 'paragraph' ? first.nodes?.[0]?.leaves?.[0] : undefined;
  const box = leaf && leaf.marks.length === 0 ? TASK.exec(leaf.text) : null;
  if (!leaf || !box || !first) return;
  item.data = { checked: box[1] !== ' ' };
  leaf.text = leaf.text.slice(box[0].length);
  if (leaf.text !== '') return;
  const [text, ...others] = first.nodes ?? [];
  const leaves = text?.leaves?.slice(1) ?? [];
  first.nodes = leaves.length > 0 && text ? [{ ...text, leaves }, ...others] : others;
  if (first.nodes.length === 0) item.nodes?.shift();
}

function leafBlock(token: MarkdownToken): DocumentNode {
  switch (token.type) {
    case 'hr':
      return block('divider', {});
    case 'math':
      return block('math', { formula: token.content.trim() });
    case 'tag':
      return tagBlock(token.meta?.['tag'] as BlockTag);
    case 'html_block':
      return block('html', {}, [plainText(token.content.trim())]);
    default:
      return codeBlock(token);
  }
}

function codeBlock(token: MarkdownToken): DocumentNode {
  const info = token.info.trim();
  const [syntax = ''] = info.split(/\s+/);
  return block('code', { syntax: syntax || undefined, info: info === syntax ? undefined : info }, [
    plainText(token.content.replace(/\n$/, '')),
  ]);
}

function tagBlock({ name, value, attributes }: BlockTag, nodes?: DocumentNode[]): DocumentNode {
  const type = TAG_TYPES.get(name);
  if (type !== undefined) return block(type, { ref: value, ...attributes }, nodes);
  const given = Object.keys(attributes).length > 0 ? attributes : undefined;
  return block('tag', { name, value, attributes: given }, nodes);
}
