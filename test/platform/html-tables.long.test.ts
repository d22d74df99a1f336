// Tables of HTML as those of Markdown.
import { describe, expect, it } from 'vitest';
import type TurndownService from 'turndown';
import { readHtml } from '../../src/platform/import/html.ts';
import { tables as addTables, type TableNode } from '../../src/platform/import/tables.ts';

describe('platform/import/tables', () => {
  it.each([
    ['many rows', `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(8000)}</table>`, 8002],
    ['many columns', `<table><tr>${'<td>a'.repeat(16_000)}</table>`, 3],
    ['many rows in its head', `<table><thead>${'<tr><th>a<th>b'.repeat(8000)}</thead></table>`, 8001],
    ['many rows and one that is wide', `<table>${'<tr><th>a'.repeat(5000)}<tr>${'<td>a'.repeat(5000)}</table>`, 5002],
    ['a cell over millions of columns', '<table><tr><td colspan="200000000">a</td><td>b</td></tr></table>', 3],
  ])('reads a table of %s in one go: one of 40 KB kept the platform for a minute', (_, html, lines) => {
    const { markdown } = readHtml(html);
    expect([markdown.split('\n').length, markdown.length < 1_000_000]).toEqual([lines, true]);
  });

  it.each(
    Object.entries({
      'names its columns by the head': {
        html: '<thead><tr><th>a<th>b</thead><tr><td>1<td>2',
        markdown: '| a   | b   |\n| --- | --- |\n| 1   | 2   |',
      },
      'has one line below the names, however many rows name columns, and whatever they span': {
        html: '<thead><tr><th colspan="2">a<tr><th>b<th>c</thead><tr><td>1<td>2',
        markdown: '| a   |     |\n| --- | --- |\n| b   | c   |\n| 1   | 2   |',
      },
      'has no names where no row is one of names': {
        html: '<tr><td>1<td>2',
        markdown: '|     |     |\n| --- | --- |\n| 1   | 2   |',
      },
      'aligns a column as most of its cells are': {
        html: '<tr><th align="RIGHT">a<th>b<tr><td align="right">1<td style="color: red; text-align: center">2<tr><td>1<td align="center">2',
        markdown: '| a   | b   |\n| ---: | :---: |\n| 1   | 2   |\n| 1   | 2   |',
      },
      'shows its caption above': {
        html: '<caption>About</caption><tr><th>a<tr><td>1',
        markdown: 'About\n\n| a   |\n| --- |\n| 1   |',
      },
      'of one cell is what it holds': {
        html: '<tr><td>alone',
        markdown: 'alone',
      },
      'keeps lines and bars in their cell': {
        html: '<tr><th>a<tr><td>one<br>two | three',
        markdown: '| a   |\n| --- |\n| one  <br>two \\| three |',
      },
      'around others is what it holds': {
        html: '<tr><td>one<td><table><tr><th>a<tr><td>1</table>',
        markdown: 'one\n\n| a   |\n| --- |\n| 1   |',
      },
      'with lists stays as it is written': {
        html: '<tr><td><ul><li>a</ul>',
        markdown:
          '<div class="joplin-table-wrapper"><table><tbody><tr><td><ul><li>a</li></ul></td></tr></tbody></table></div>',
      },
    }),
  )('shows a table that %s', (_, { html, markdown }) => {
    expect(readHtml(`<table>${html}</table>`).markdown).toBe(markdown);
  });

  it('looks once at what stands within many tables: the rows of the innermost were read for each table around them', () => {
    let reads = 0;
    const node = (nodeName: string, children: readonly TableNode[]): TableNode => ({
      nodeName,
      textContent: '',
      parentNode: null,
      firstChild: children[0] ?? null,
      get childNodes() {
        reads += 1;
        return children;
      },
      outerHTML: '',
      getAttribute: () => null,
    });
    const rows = Array.from({ length: 300 }, () => node('TR', [node('TD', [])]));
    const tables: TableNode[] = [node('TABLE', rows)];
    for (const _ of rows) tables.push(node('TABLE', tables.slice(-1)));
    const shown: TurndownService.Rule[] = [];
    const service = { addRule: (name: string, rule: TurndownService.Rule) => name === 'table' && shown.push(rule) };
    addTables(service as unknown as TurndownService);
    for (const table of tables) shown[0]?.replacement?.('', table as never, {});
    expect([shown.length, reads < 10 * (rows.length + tables.length)]).toEqual([1, true]);
  });
});
