// Tables of HTML as those of Markdown. What is to be known of a table is looked for once: the plugin that Turndown has for them looks for
// all rows anew at each row and column, which takes a minute for 40 KB.
import type TurndownService from 'turndown';

/** As much of a node as is looked at. */
export interface TableNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: TableNode | null;
  readonly firstChild: TableNode | null;
  readonly childNodes: ArrayLike<TableNode>;
  readonly outerHTML: string;
  readonly className?: string;
  getAttribute(name: string): string | null;
}

interface Outline {
  /** Each cell is shown as a paragraph: of a table within tables, which lays out a page, or of one cell. */
  readonly isSkipped: boolean;
  /** It stays as it is written, since a cell of Markdown cannot hold what it holds. */
  readonly isHtml: boolean;
  /** The row that names the columns; null where none does. */
  readonly heading: TableNode | null;
  /** For each column what stands below its name. */
  readonly borders: readonly string[];
}

type Replacement = (content: string, node: TableNode) => string;

// A cell of Markdown stands in one column; those behind it are empty.
const MOST_SPAN = 100;
const BLOCKS: ReadonlySet<string> = new Set(['UL', 'OL', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'HR', 'BLOCKQUOTE']);
const OUTLINED: ReadonlySet<string> = new Set([...BLOCKS, 'TABLE', 'TR']);
const BORDERS: Readonly<Record<string, string>> = { left: ':---', right: '---:', center: ':---:' };
const WRAPPER = 'joplin-table-wrapper';

/** Rules for all that tables are made of. */
export function tables(service: TurndownService): void {
  const outlines = new WeakMap<TableNode, Outline>();
  const ofTable = (table: TableNode): Outline => {
    const outline = outlines.get(table) ?? outlineOfTable(table, ofTable);
    outlines.set(table, outline);
    return outline;
  };
  const outlineOf = (node: TableNode): Outline | null => {
    const table = aboveOf(node, 'TABLE');
    return table && ofTable(table);
  };
  const add = (name: string, filter: TurndownService.TagName[], replacement: Replacement): void => {
    // The types of the library name nodes of a browser, which these are none of.
    service.addRule(name, {
      filter,
      replacement: (content, node) => replacement(content, node as unknown as TableNode),
    });
  };
  add('tableCell', ['th', 'td'], (content, node) =>
    outlineOf(node)?.isSkipped === false ? cell(content, node) : content,
  );
  add('tableRow', ['tr'], (content, node) => {
    const outline = outlineOf(node);
    if (outline === null || outline.isSkipped) return content;
    return outline.heading === node ? `\n${content}\n${borderRow(outline)}` : `\n${content}`;
  });
  add('table', ['table'], (content, node) => {
    const outline = ofTable(node);
    if (outline.isHtml) return keptTable(node);
    return outline.isSkipped ? content : `\n\n${captionOf(node)}${shownTable(content, outline)}\n\n`;
  });
  add('tableSection', ['thead', 'tbody', 'tfoot'], (content) => content);
  add('tableCaption', ['caption', 'colgroup', 'col'], () => '');
}

/** What stands in inner tables is looked at for them alone: with it, what they hold was read for each table around them. */
function outlineOfTable(table: TableNode, known: (inner: TableNode) => Outline): Outline {
  const own = [...elementsIn(table, OUTLINED)];
  const inner = own.filter(({ nodeName }) => nodeName === 'TABLE').map(known);
  const isHtml = own.some(({ nodeName }) => BLOCKS.has(nodeName)) || inner.some((one) => one.isHtml);
  if (inner.length > 0) return { isSkipped: true, isHtml, heading: null, borders: [] };
  const rows = own.filter(({ nodeName }) => nodeName === 'TR');
  const cells = rows.map((row) => Array.from(row.childNodes));
  const heading = rows[0] !== undefined && isHeading(rows[0]) ? rows[0] : null;
  return { isSkipped: rows.length === 1 && (cells[0]?.length ?? 0) <= 1, isHtml, heading, borders: bordersOf(cells) };
}

/** By what most cells of a column say; of as many, what was said as often first. */
function bordersOf(rows: readonly TableNode[][]): string[] {
  const columns: { votes: Map<string, number>; most: string }[] = [];
  for (const cells of rows) {
    for (const [nth, one] of cells.entries()) {
      const column = (columns[nth] ??= { votes: new Map(), most: '' });
      const said = alignmentOf(one);
      const votes = (column.votes.get(said) ?? 0) + 1;
      column.votes.set(said, votes);
      if (votes > (column.votes.get(column.most) ?? 0)) column.most = said;
    }
  }
  return columns.map(({ most }) => BORDERS[most] ?? '---');
}

function alignmentOf(node: TableNode): string {
  // A text that stands among the cells says nothing.
  if (node.nodeName !== 'TD' && node.nodeName !== 'TH') return '';
  const said =
    node.getAttribute('align') ?? /(?:^|;)\s*text-align\s*:\s*(\w+)/i.exec(node.getAttribute('style') ?? '')?.[1];
  const alignment = said?.toLowerCase() ?? '';
  return Object.hasOwn(BORDERS, alignment) ? alignment : '';
}

/** Of the first row: it stands in the head, or is made of headings. */
function isHeading(row: TableNode): boolean {
  if (row.parentNode?.nodeName === 'THEAD') return true;
  return Array.from(row.childNodes).every(({ nodeName }) => nodeName === 'TH');
}

function cell(content: string, node: TableNode): string {
  const shown = content.trim().replaceAll('\n', '<br>').replaceAll(/\|+/g, '\\|').padEnd(3);
  const span = Math.min(Number(node.getAttribute('colspan') ?? 1) || 1, MOST_SPAN);
  return `${node.parentNode?.firstChild === node ? '| ' : ' '}${shown}${' |    '.repeat(Math.max(0, Math.ceil(span) - 1))} |`;
}

function borderRow({ borders }: Outline): string {
  return `|${borders.map((border) => ` ${border} |`).join('')}`;
}

function shownTable(content: string, outline: Outline): string {
  const lines = content.replaceAll(/\n+/g, '\n');
  const isNamed = /\| :?---/.test(lines.trim().split('\n', 2)[1] ?? '');
  const isEmpty = outline.borders.length === 0;
  const names = isNamed || isEmpty ? '' : `|${'     |'.repeat(outline.borders.length)}\n${borderRow(outline)}`;
  return `${names}${lines}`.trimStart();
}

function captionOf(table: TableNode): string {
  const [caption] = elementsIn(table, new Set(['CAPTION']));
  return caption?.textContent ? `${caption.textContent}\n\n` : '';
}

function keptTable(table: TableNode): string {
  const around = aboveOf(table, 'DIV');
  if (around?.className?.split(/\s+/).includes(WRAPPER) === true) return table.outerHTML;
  return `\n\n<div class="${WRAPPER}">${table.outerHTML}</div>\n\n`;
}

/** Elements of these names in a table, in the order in which they are written; not those of tables within it. */
function* elementsIn(table: TableNode, names: ReadonlySet<string>): Generator<TableNode> {
  const waiting = Array.from(table.childNodes).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (names.has(next.nodeName)) yield next;
    if (next.nodeName === 'TABLE') continue;
    for (const child of Array.from(next.childNodes).toReversed()) waiting.push(child);
  }
}

function aboveOf(node: TableNode, name: string): TableNode | null {
  let above = node.parentNode;
  while (above !== null && above.nodeName !== name) above = above.parentNode;
  return above;
}
