// One line of text as nodes: runs of text with marks, and links, images, formulas and raw HTML between them.
import type { MarkdownToken } from '../base/index.ts';
import { inline, type DocumentLeaf, type DocumentNode } from './nodes.ts';

const MARKS: Readonly<Record<string, string>> = { strong: 'bold', em: 'italic', s: 'strikethrough' };

interface Frame {
  node: DocumentNode | null;
  nodes: DocumentNode[];
}

export function inlineNodes(tokens: readonly MarkdownToken[]): DocumentNode[] {
  const root: Frame = { node: null, nodes: [] };
  const stack = [root];
  const marks: string[] = [];
  for (const token of tokens) {
    const top = stack.at(-1) ?? root;
    const name = token.type.replace(/_(open|close)$/, '');
    if (name === 'link' && token.nesting === 1) {
      const link = inline('link', { href: token.attrGet('href') ?? '', title: token.attrGet('title') });
      top.nodes.push(link);
      stack.push({ node: link, nodes: [] });
    } else if (name === 'link') closeLink(stack);
    else if (token.nesting === 1) marks.push(MARKS[name] ?? name);
    else if (token.nesting === -1) marks.pop();
    else addLeaf(top.nodes, token, marks);
  }
  return root.nodes.map(withTidyMarks);
}

function closeLink(stack: Frame[]): void {
  const frame = stack.pop();
  if (frame?.node) frame.node.nodes = frame.nodes.map(withTidyMarks);
}

function addLeaf(nodes: DocumentNode[], token: MarkdownToken, marks: readonly string[]): void {
  switch (token.type) {
    case 'image': {
      const alt = altText(token.children ?? []);
      nodes.push(
        inline('image', { src: token.attrGet('src') ?? '', alt: alt || undefined, title: token.attrGet('title') }),
      );
      return;
    }
    case 'html_inline':
      nodes.push(inline('html', { html: token.content }));
      return;
    case 'math_inline':
      nodes.push(inline('math', { formula: token.content }));
      return;
    case 'hardbreak':
      nodes.push(inline('line-break', {}));
      return;
    case 'softbreak':
      return addText(nodes, '\n', marks);
    case 'code_inline':
      return addText(nodes, token.content, [...marks, 'code']);
    default:
      return addText(nodes, token.content, marks);
  }
}

/** Text joins the text before it, and the leaf before it when the marks are the same. */
function addText(nodes: DocumentNode[], text: string, marks: readonly string[]): void {
  if (text === '') return;
  const types = [...new Set(marks)].sort();
  const last = nodes.at(-1);
  const leaves = last?.leaves ?? [];
  if (!last?.leaves) nodes.push({ object: 'text', leaves });
  addLeafTo(leaves, text, types);
}

function addLeafTo(leaves: DocumentLeaf[], text: string, types: readonly string[]): void {
  const leaf = leaves.at(-1);
  if (text === '') return;
  if (leaf && leaf.marks.map(({ type }) => type).join() === types.join()) leaf.text += text;
  else leaves.push({ object: 'leaf', text, marks: types.map((type) => ({ object: 'mark', type })) });
}

function altText(tokens: readonly MarkdownToken[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
      return token.children ? altText(token.children) : token.content;
    })
    .join('');
}

// Emphasis cannot begin or end at a space, so spaces at the edges of a marked run carry no mark: one text, one tree.
function withTidyMarks(node: DocumentNode): DocumentNode {
  if (!node.leaves) return node;
  const pieces = node.leaves.flatMap(({ text, marks }) => {
    const types = marks.map(({ type }) => type);
    if (types.length === 0 || types.includes('code')) return [{ text, types }];
    const words = text.trim();
    const start = text.length - text.trimStart().length;
    const parts = [text.slice(0, start), words, text.slice(start + words.length)];
    return parts.map((part) => ({ text: part, types })).filter((piece) => piece.text !== '');
  });
  const types = new Set(pieces.flatMap((piece) => piece.types));
  types.delete('code');
  for (const type of types) {
    for (const [index, piece] of pieces.entries()) {
      if (/\S/.test(piece.text) || piece.types.includes('code')) continue;
      if (edgeOf(pieces, index, type)) piece.types = piece.types.filter((one) => one !== type);
    }
  }
  const leaves: DocumentLeaf[] = [];
  for (const { text, types: left } of pieces) addLeafTo(leaves, text, left);
  return { ...node, leaves };
}

/** True when nothing but space lies between the piece and an end of its run of this mark. */
function edgeOf(pieces: readonly { text: string; types: string[] }[], index: number, type: string): boolean {
  const toEdge = (step: number): boolean => {
    for (let at = index + step; ; at += step) {
      const piece = pieces[at];
      if (!piece?.types.includes(type)) return true;
      if (/\S/.test(piece.text) || piece.types.includes('code')) return false;
    }
  };
  return toEdge(1) || toEdge(-1);
}
