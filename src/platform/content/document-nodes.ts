// Markdown as a tree of nodes: blocks with their kind, and their text with its marks.
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/** A block or inline node of a document; leaves carry text. */
export interface DocumentNode {
  object: 'block' | 'inline' | 'text';
  type?: string;
  data?: Record<string, unknown>;
  nodes?: DocumentNode[];
  leaves?: { object: 'leaf'; text: string; marks: { object: 'mark'; type: string }[] }[];
}

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
};
const MARKS: Readonly<Record<string, string>> = { strong: 'bold', em: 'italic', s: 'strikethrough' };

/** The nodes of a text; every character of its content stands in one of them. */
export function documentNodes(markdown: string): DocumentNode[] {
  const root: DocumentNode = { object: 'block', nodes: [] };
  const stack = [root];
  for (const token of new MarkdownIt().parse(markdown, {})) {
    const top = stack.at(-1) ?? root;
    const add = (node: DocumentNode): number => (top.nodes ??= []).push(node);
    if (token.type === 'inline') top.nodes = inlineNodes(token.children ?? []);
    else if (token.nesting === 1) {
      const node = openBlock(token);
      add(node);
      stack.push(node);
    } else if (token.nesting === -1) stack.pop();
    else add(leafBlock(token));
  }
  return root.nodes ?? [];
}

function openBlock(token: Token): DocumentNode {
  const name = token.type.replace(/_open$/, '');
  const type = name === 'heading' ? `heading-${token.tag.slice(1)}` : (BLOCKS[name] ?? name);
  return { object: 'block', type, nodes: [] };
}

function leafBlock(token: Token): DocumentNode {
  if (token.type === 'hr') return { object: 'block', type: 'divider' };
  const type = token.type === 'html_block' ? 'html' : 'code';
  const syntax = token.info.trim().split(/\s+/)[0] ?? '';
  return {
    object: 'block',
    type,
    ...(syntax === '' ? {} : { data: { syntax } }),
    nodes: [textNode(token.content, [])],
  };
}

function textNode(text: string, marks: readonly string[]): DocumentNode {
  return {
    object: 'text',
    leaves: [{ object: 'leaf', text, marks: marks.map((type) => ({ object: 'mark', type })) }],
  };
}

function inlineNodes(tokens: readonly Token[]): DocumentNode[] {
  const root: DocumentNode = { object: 'block', nodes: [] };
  const stack = [root];
  const marks: string[] = [];
  for (const token of tokens) {
    const top = stack.at(-1) ?? root;
    const name = token.type.replace(/_(open|close)$/, '');
    if (name === 'link' && token.nesting === 1) {
      const link: DocumentNode = { object: 'inline', type: 'link', data: { href: token.attrGet('href') }, nodes: [] };
      (top.nodes ??= []).push(link);
      stack.push(link);
    } else if (name === 'link') stack.pop();
    else if (token.nesting === 1) marks.push(MARKS[name] ?? name);
    else if (token.nesting === -1) marks.pop();
    else (top.nodes ??= []).push(inlineLeaf(token, marks));
  }
  return root.nodes ?? [];
}

function inlineLeaf(token: Token, marks: readonly string[]): DocumentNode {
  if (token.type === 'image') {
    return { object: 'inline', type: 'image', data: { src: token.attrGet('src'), alt: token.content } };
  }
  if (token.type === 'code_inline') return textNode(token.content, [...marks, 'code']);
  if (token.type === 'softbreak' || token.type === 'hardbreak') return textNode('\n', marks);
  return textNode(token.content, marks);
}
