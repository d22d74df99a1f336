// A tree of nodes as Markdown that reads back as the same tree.
import { isRecord } from '../base/index.ts';
import { TAG_TYPES } from './nodes.ts';
import { escapeLines, imageMarkdown, inlineMarkdown, textIn } from './write-inline.ts';

type Node = Record<string, unknown>;

const TAG_NAMES: ReadonlyMap<unknown, string> = new Map(Array.from(TAG_TYPES, ([name, type]) => [type, name]));

/** The Markdown of a document's nodes; nodes of kinds that nobody knows give the text that they hold. */
export function markdownOfNodes(nodes: readonly unknown[]): string {
  return blocks(nodes);
}

function blocks(nodes: readonly unknown[], options: { separator?: string; marker?: number } = {}): string {
  const parts: string[] = [];
  let line: Node[] = [];
  let before: Node | undefined;
  const endLine = (): void => {
    const text = trimmed(escapeLines(inlineMarkdown(line)));
    if (text !== '') parts.push(text);
    line = [];
  };
  let marker = options.marker ?? 0;
  for (const node of nodes.filter(isRecord)) {
    if (isInline(node)) {
      line.push(node);
      continue;
    }
    endLine();
    // Two lists in a row would be one, so they take turns with their markers.
    if (before) marker = isList(node) && isList(before) && isOrdered(node) === isOrdered(before) ? 1 - marker : 0;
    const text = blockMarkdown(node, marker);
    if (text !== '') parts.push(text);
    before = node;
  }
  endLine();
  return parts.join(options.separator ?? '\n\n');
}

function isInline(node: Node): boolean {
  return (
    node['object'] === 'inline' ||
    node['object'] === 'text' ||
    node['object'] === 'leaf' ||
    typeof node['text'] === 'string'
  );
}

function isList(node: Node): boolean {
  return typeof node['type'] === 'string' && node['type'].startsWith('list-') && node['type'] !== 'list-item';
}

function isOrdered(node: Node): boolean {
  return node['type'] === 'list-ordered';
}

function childrenOf(node: Node): unknown[] {
  return Array.isArray(node['nodes']) ? node['nodes'] : [];
}

function dataOf(node: Node): Node {
  return isRecord(node['data']) ? node['data'] : {};
}

function blockMarkdown(node: Node, marker: number): string {
  const data = dataOf(node);
  const children = childrenOf(node);
  switch (node['type']) {
    case 'divider':
      return '---';
    case 'blockquote':
      return prefixed(blocks(children), '> ', '> ');
    case 'code':
      return codeMarkdown(data, rawText(node));
    case 'html':
      return rawText(node);
    case 'math':
      return `$$\n${textIn(data, 'formula')}\n$$`;
    case 'images':
      return children
        .filter(isRecord)
        .map((image) => imageMarkdown(dataOf(image)))
        .join('');
    case 'table':
      return tableMarkdown(node);
    case 'expandable':
      return expandableMarkdown(node);
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return listMarkdown(node, marker);
    default:
      return otherMarkdown(node);
  }
}

function otherMarkdown(node: Node): string {
  const { type } = node;
  const heading = typeof type === 'string' ? /^heading-([1-6])$/.exec(type)?.[1] : undefined;
  if (heading !== undefined) return headingMarkdown(Number(heading), childrenOf(node));
  if (type === 'tag' || TAG_NAMES.has(type)) return tagMarkdown(node);
  return blocks(childrenOf(node));
}

function headingMarkdown(level: number, nodes: unknown[]): string {
  const text = trimmed(inlineMarkdown(nodes));
  // Only a heading that is underlined can have several lines.
  if (text.includes('\n') && level <= 2) return `${escapeLines(text)}\n${level === 1 ? '===' : '---'}`;
  const line = text.replaceAll(/\\?\n/g, ' ').replace(/(^|\s)(#+)$/, '$1\\$2');
  return `${'#'.repeat(level)} ${line}`.trimEnd();
}

// Spaces at the edges of a block would be lost, and after a backslash change its meaning.
function trimmed(text: string): string {
  return text.replace(/^[ \t\n]+/, '').replace(/(?<![ \t\n])[ \t\n]+$/, '');
}

function codeMarkdown(data: Node, text: string): string {
  const info = textIn(data, 'info') || textIn(data, 'syntax');
  const mark = info.includes('`') ? '~' : '`';
  const runs = text.match(mark === '`' ? /`+/g : /~+/g) ?? [];
  const fence = mark.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${fence}${info}\n${text === '' ? '' : `${text}\n`}${fence}`;
}

/** The text of a node as it stands, without escapes. */
function rawText(node: unknown): string {
  if (!isRecord(node)) return '';
  if (typeof node['text'] === 'string') return node['text'];
  return [node['leaves'], node['nodes']]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .map(rawText)
    .join('');
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : line === '' ? others.trimEnd() : others}${line}`)
    .join('\n');
}

function listMarkdown(list: Node, marker: number): string {
  const items = childrenOf(list).filter(isRecord);
  const start = startOf(list);
  const ordered = isOrdered(list);
  const isTight = items.every((item) => childrenOf(item).every((child, at) => isTightChild(child, at)));
  const lines = items.map((item, index) => {
    const bullet = ordered ? `${start + index}${marker === 0 ? '.' : ')'}` : marker === 0 ? '-' : '*';
    const text = itemMarkdown(item, { isTight, marker });
    return text === '' ? bullet : prefixed(text, `${bullet} `, ' '.repeat(bullet.length + 1));
  });
  return lines.join(isTight ? '\n' : '\n\n');
}

function startOf(list: Node): number {
  const start = dataOf(list)['start'] ?? 1;
  return typeof start === 'number' && Number.isSafeInteger(start) && start >= 0 ? start : 0;
}

/** A paragraph, and lists below it that can follow without a blank line. */
function isTightChild(child: unknown, at: number): boolean {
  if (!isRecord(child)) return false;
  if (at === 0) return child['type'] === 'paragraph';
  return at === 1 && isList(child) && !isOrdered(child) && childrenOf(child).every((item) => hasText(item));
}

function hasText(item: unknown): boolean {
  if (!isRecord(item)) return false;
  const [first] = childrenOf(item).filter(isRecord);
  return first?.['type'] === 'paragraph' && childrenOf(first).length > 0;
}

function itemMarkdown(item: Node, { isTight, marker }: { isTight: boolean; marker: number }): string {
  const children = childrenOf(item);
  const [first] = children.filter(isRecord);
  // A bullet right after a bullet is another one, or three of them would be a divider.
  const inner = isList(first ?? {}) ? 1 - marker : 0;
  const text = blocks(children, { separator: isTight ? '\n' : '\n\n', marker: inner });
  const checked = dataOf(item)['checked'];
  if (typeof checked === 'boolean') {
    const gap = first?.['type'] === 'paragraph' ? ' ' : '\n\n';
    return `[${checked ? 'x' : ' '}]${gap}${text}`.trimEnd();
  }
  // After a bullet three dashes would be a divider that holds the bullet.
  return first?.['type'] === 'divider' ? text.replace('---', '___') : text;
}

function tableMarkdown(table: Node): string {
  const rows = childrenOf(table)
    .filter(isRecord)
    .flatMap(childrenOf)
    .filter(isRecord)
    .map((row) => childrenOf(row).filter(isRecord));
  const [head = [], ...body] = rows;
  const rule = head.map((cell) => RULES.get(textIn(dataOf(cell), 'align')) ?? '---');
  return [head.map(cellMarkdown), rule, ...body.map((row) => row.map(cellMarkdown))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

const RULES: ReadonlyMap<string, string> = new Map([
  ['left', ':---'],
  ['center', ':---:'],
  ['right', '---:'],
]);

function cellMarkdown(cell: Node): string {
  const text = trimmed(inlineMarkdown(childrenOf(cell))).replaceAll(/\\?\n/g, ' ');
  return text.replaceAll('|', '\\|');
}

function expandableMarkdown(node: Node): string {
  const children = childrenOf(node).filter(isRecord);
  const summary = children.find((child) => child['type'] === 'expandable-title');
  const body = blocks(children.filter((child) => child !== summary));
  const title = trimmed(inlineMarkdown(summary ? childrenOf(summary) : [])).replaceAll(/\\?\n/g, ' ');
  const open = dataOf(node)['open'] === true ? ' open' : '';
  return [`<details${open}>`, `<summary>${title}</summary>`, body, '</details>']
    .filter((part) => part !== '')
    .join('\n\n');
}

function tagMarkdown(node: Node): string {
  const data = dataOf(node);
  const name = TAG_NAMES.get(node['type']) ?? textIn(data, 'name');
  const known = node['type'] === 'tag';
  const { ref, ...rest } = data;
  const value = known ? data['value'] : ref;
  const attributes = known ? (isRecord(data['attributes']) ? data['attributes'] : {}) : rest;
  const parts = [name, ...(typeof value === 'string' ? [quoted(value)] : [])];
  for (const [key, one] of Object.entries(attributes)) parts.push(`${key}=${quoted(attributeText(one))}`);
  const opening = `{% ${parts.join(' ')} %}`;
  if (!Array.isArray(node['nodes'])) return opening;
  const body = blocks(node['nodes']);
  return [opening, ...(body === '' ? [] : [body]), `{% end${name} %}`].join('\n');
}

function attributeText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quoted(value: string): string {
  if (value.includes('"') && !value.includes("'")) return `'${value}'`;
  // A stroke stands for itself before all else.
  return `"${value.replaceAll(/"|\\(?=["\\]|$)/g, String.raw`\$&`)}"`;
}
