// A document as a tree: blocks hold blocks or a line of text, a line holds text with its marks and inline nodes.

export interface DocumentLeaf {
  object: 'leaf';
  text: string;
  marks: { object: 'mark'; type: string }[];
}

/** A block or inline node of a document; only text nodes carry leaves. */
export interface DocumentNode {
  object: 'block' | 'inline' | 'text';
  type?: string;
  data?: Record<string, unknown>;
  nodes?: DocumentNode[];
  leaves?: DocumentLeaf[];
}

/** A block; members that are empty are left out. */
export function block(type: string, data: Record<string, unknown>, nodes?: DocumentNode[]): DocumentNode {
  return withData({ object: 'block', type }, data, nodes);
}

/** A node inside a line. */
export function inline(type: string, data: Record<string, unknown>, nodes?: DocumentNode[]): DocumentNode {
  return withData({ object: 'inline', type }, data, nodes);
}

function withData(node: DocumentNode, data: Record<string, unknown>, nodes?: DocumentNode[]): DocumentNode {
  const known = Object.entries(data).filter(([, value]) => value !== undefined && value !== null);
  return {
    ...node,
    ...(known.length > 0 ? { data: Object.fromEntries(known) } : {}),
    ...(nodes ? { nodes } : {}),
  };
}

/** Text without marks, as code and raw HTML have it. */
export function plainText(text: string): DocumentNode {
  return { object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] };
}

/** Block tags (`{% hint %}`) that have a type of their own; every other tag is a block of type `tag`. */
export const TAG_TYPES: ReadonlyMap<string, string> = new Map([
  ['hint', 'hint'],
  ['tabs', 'tabs'],
  ['tab', 'tabs-item'],
  ['stepper', 'stepper'],
  ['step', 'stepper-step'],
  ['embed', 'embed'],
  ['content-ref', 'content-ref'],
  ['include', 'reusable-content'],
  ['file', 'file'],
]);
