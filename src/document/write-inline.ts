// Lines of text as Markdown that reads back as the same nodes. Nodes may come from anybody, so nothing about them is taken for granted.
import { isRecord } from '../base/index.ts';

type Marks = readonly string[];

/** A stretch of a line with its marks; `raw` is Markdown already, but may stand inside emphasis. */
interface Piece {
  text: string;
  marks: Marks;
  isCode: boolean;
}

const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['bold', '**'],
  ['italic', '*'],
  ['strikethrough', '~~'],
]);

/** The Markdown of the nodes of one block. */
export function inlineMarkdown(nodes: readonly unknown[]): string {
  // Pieces, and what they end with: to ask a text that grows for its end costs as much as to copy it.
  const parts: string[] = [];
  let last = '';
  for (const node of nodes) {
    const next = isRecord(node) ? nodeMarkdown(node, last) : '';
    if (next === '') continue;
    // At the beginning of a line a tag would open a block of HTML, unless the line is indented too far for one.
    if (next.startsWith('<') && last === '\n') parts.push('    ');
    if (next.startsWith('[') && last === '!') parts.push(`${parts.pop()?.slice(0, -1) ?? ''}\\!`);
    parts.push(next);
    last = next.slice(-1);
  }
  return parts.join('');
}

function nodeMarkdown(node: Record<string, unknown>, before: string): string {
  const pieces = piecesOf(node);
  if (pieces) return textMarkdown(pieces, before);
  const data = isRecord(node['data']) ? node['data'] : {};
  const inner = Array.isArray(node['nodes']) ? inlineMarkdown(node['nodes']) : '';
  switch (node['type']) {
    case 'link':
      return `[${inner}](${destination(textIn(data, 'href'))}${title(data)})`;
    case 'image':
      return imageMarkdown(data);
    case 'html':
      return textIn(data, 'html');
    case 'math':
      return `$$${textIn(data, 'formula')}$$`;
    case 'line-break':
      return '\\\n';
    default:
      return inner;
  }
}

export function imageMarkdown(data: Record<string, unknown>): string {
  return `![${escapeText(textIn(data, 'alt'))}](${destination(textIn(data, 'src'))}${title(data)})`;
}

export function textIn(data: Record<string, unknown>, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

function destination(target: string): string {
  const escaped = target.replaceAll(/&(?=#?\w+;)/g, '\\&');
  if (target !== '' && !/[\s()<>\\]/.test(target)) return escaped;
  return `<${escaped.replaceAll(/[\\<>](?!&)/g, '\\$&').replaceAll('\n', ' ')}>`;
}

function title(data: Record<string, unknown>): string {
  const text = textIn(data, 'title');
  if (text === '') return '';
  return ` "${text.replaceAll(/["\\]|&(?=#?\w+;)/g, '\\$&')}"`;
}

/** The pieces of a text node; undefined for a node of another kind. */
function piecesOf(node: Record<string, unknown>): Piece[] | undefined {
  const leaves: unknown = Array.isArray(node['leaves'])
    ? node['leaves']
    : typeof node['text'] === 'string'
      ? [node]
      : null;
  if (!Array.isArray(leaves)) return undefined;
  return leaves.filter(isRecord).map((leaf) => {
    const marks = Array.isArray(leaf['marks'])
      ? leaf['marks'].filter(isRecord).map((mark) => textIn(mark, 'type'))
      : [];
    const known = marks.filter((mark) => DELIMITERS.has(mark));
    return { text: textIn(leaf, 'text'), marks: known, isCode: marks.includes('code') };
  });
}

function textMarkdown(pieces: readonly Piece[], before: string): string {
  const open: { mark: string; delimiter: string }[] = [];
  const parts: string[] = [];
  let last = before;
  const put = (text: string): void => {
    parts.push(text);
    last = text.slice(-1) || last;
  };
  for (const [index, piece] of pieces.entries()) {
    const keep = open.findIndex(({ mark }) => !piece.marks.includes(mark));
    if (keep !== -1) for (const { delimiter } of open.splice(keep).toReversed()) put(delimiter);
    const missing = piece.marks.filter((mark) => !open.some((one) => one.mark === mark));
    // What lasts longest opens first, so that the marks nest.
    missing.sort((a, b) => lasting(pieces, index, b) - lasting(pieces, index, a));
    for (const mark of missing) {
      const delimiter = delimiterOf(mark, last, open);
      open.push({ mark, delimiter });
      put(delimiter);
    }
    put(piece.isCode ? codeSpan(piece.text) : escapeText(piece.text));
  }
  for (const { delimiter } of open.toReversed()) put(delimiter);
  return parts.join('');
}

function lasting(pieces: readonly Piece[], from: number, mark: string): number {
  let at = from;
  while (pieces[at]?.marks.includes(mark) === true) at++;
  return at;
}

// Beside an asterisk that closes something else an underscore cannot be mistaken.
function delimiterOf(mark: string, previous: string, open: readonly { delimiter: string }[]): string {
  const isAmbiguous = previous === '*' && open.length === 0;
  const delimiter = DELIMITERS.get(mark) ?? '';
  return isAmbiguous ? delimiter.replaceAll('*', '_') : delimiter;
}

function codeSpan(text: string): string {
  const runs = new Set((text.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const isPadded = /^`|`$/.test(text) || (/^\s.*\s$/.test(text) && /\S/.test(text));
  const pad = isPadded ? ' ' : '';
  return `${'`'.repeat(length)}${pad}${text.replaceAll('\n', ' ')}${pad}${'`'.repeat(length)}`;
}

const WORD = /[\p{L}\p{N}]/u;

/** Text with everything escaped that could be read as markup in the middle of a line. */
export function escapeText(text: string): string {
  return (
    text
      .replaceAll(/\\(?=[!-/:-@[-`{-~\n]|$)/g, '\\\\')
      .replaceAll(/[*`[\]]/g, '\\$&')
      .replaceAll('_', (_, at: number, whole: string) =>
        WORD.test(whole[at - 1] ?? '') && WORD.test(whole[at + 1] ?? '') ? '_' : '\\_',
      )
      .replaceAll(/<(?=[A-Za-z/!?])|&(?=#?\w+;)|~(?=~)|(?<=~)~|\$(?=\$)|(?<=\$)\$/g, '\\$&')
      .replaceAll(/\n\s*\n/g, '\n')
      .replaceAll(/(?<=\n)[ \t]/g, (space) => (space === ' ' ? '&#32;' : '&#9;'))
      // Readers trim it as if it were a plain space.
      .replaceAll(/^\u00A0|\u00A0$/g, '&nbsp;')
  );
}

/** Lines with what only means something at their beginning or end escaped. */
export function escapeLines(markdown: string): string {
  return markdown.split('\n').map(escapeLine).join('\n');
}

function escapeLine(line: string): string {
  if (/^(?:#{1,6}(?:\s|$)|>|[-+](?:\s|$)|\{%|[-=|:][-=|:\s]*$)/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
