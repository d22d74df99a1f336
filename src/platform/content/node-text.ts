import { isRecord } from '../../base/index.ts';

/** The plain text of a document tree that a client sent: one paragraph per block. */
export function textOfNodes(nodes: readonly unknown[]): string {
  return nodes
    .map((node) => textOf(node))
    .filter((text) => text !== '')
    .join('\n\n');
}

function textOf(node: unknown): string {
  if (!isRecord(node)) return '';
  if (typeof node.text === 'string') return node.text;
  const parts = [node.leaves, node.nodes].filter((list) => Array.isArray(list)).flat() as unknown[];
  return parts.map((part) => textOf(part)).join('');
}
