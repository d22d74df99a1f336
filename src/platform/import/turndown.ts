// The library that turns HTML into Markdown, and what it would lose of a text.
import { createRequire } from 'node:module';
import TurndownService from 'turndown';
import { escapeLines, escapeText } from '../../document/index.ts';
import { tables } from './tables.ts';

// The package brings no types.
const require = createRequire(import.meta.url);
const plugins = require('@joplin/turndown-plugin-gfm') as Record<
  'highlightedCodeBlock' | 'strikethrough' | 'taskListItems',
  TurndownService.Plugin
>;

/** As much of a node as is looked at; a text has a value, and no class. */
interface HtmlNode {
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly className?: string;
  readonly parentNode: HtmlNode | null;
  readonly childNodes: ArrayLike<HtmlNode>;
}

/** A service of its own for each document; rules may be added. */
export function createTurndown(): TurndownService {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  service.use([plugins.highlightedCodeBlock, plugins.strikethrough, tables, plugins.taskListItems]);
  // Its own knows nothing of tags and entities that are written out for people to read, nor of the blocks of the platform.
  service.escape = escapeAsPlain;
  // Rows and cells outside of a table, as in a drawing: what is said of tables would look for theirs.
  service.addRule('cellWithoutTable', { filter: isCellWithoutTable, replacement: (content) => content });
  service.addRule('preformatted', { filter: 'pre', replacement: (_, node: HtmlNode) => fenced(node) });
  return service;
}

function escapeAsPlain(text: string): string {
  return (
    escapeLines(escapeText(text))
      .replaceAll(/(?<!\\)\{(?=%)/g, '\\{')
      // In a cell it would be escaped once more.
      .replace(/^\\\|/, '&#124;')
      // At the end of a heading it would be taken for its mark.
      .replace(/(?<=\s)#(?=#*$)/, '\\#')
  );
}

const CELLS: ReadonlySet<string> = new Set(['TR', 'TD', 'TH', 'THEAD', 'TBODY', 'TFOOT', 'CAPTION', 'COLGROUP', 'COL']);

function isCellWithoutTable(element: HtmlNode): boolean {
  if (!CELLS.has(element.nodeName.toUpperCase())) return false;
  for (let above = element.parentNode; above !== null; above = above.parentNode)
    if (above.nodeName === 'TABLE') return false;
  return true;
}

/** Code as it is written, whether or not somebody has marked it as code inside. */
function fenced(pre: HtmlNode): string {
  const text = textOf(pre).replace(/^\n/, '').replace(/\n$/, '');
  const longest = (text.match(/^`+/gm) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${languageOf(pre)}\n${text}\n${fence}\n\n`;
}

function languageOf(pre: HtmlNode): string {
  const classes = [pre, ...Array.from(pre.childNodes)].map(({ className }) => className ?? '').join(' ');
  return /\blang(?:uage)?-([^\s`]+)/.exec(classes)?.[1] ?? '';
}

function textOf(node: HtmlNode): string {
  if (node.nodeName === 'BR') return '\n';
  return node.nodeValue ?? Array.from(node.childNodes).map(textOf).join('');
}
