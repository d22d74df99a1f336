// Attributes of block tags as the platform writes them, with `\"` for a quotation mark, and as people do.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { documentNodes, markdownOfNodes } from '../../src/document/index.ts';

const tab = (title: string): string => `{% tabs %}\n{% tab title=${title} %}\nx\n{% endtab %}\n{% endtabs %}`;

/** Titles of the tabs in the one block that a text has. */
function titlesIn(markdown: string): unknown[] {
  const [tabs, another] = documentNodes(markdown);
  expect([tabs?.type, another]).toEqual(['tabs', undefined]);
  return (tabs?.nodes ?? []).map(({ type, data }) => [type, data?.['title']]);
}

describe('document/attributes', () => {
  it.each([
    [String.raw`"\"Kalervo\""`, '"Kalervo"'],
    [String.raw`"as \"where a = 'b'\""`, `as "where a = 'b'"`],
    [String.raw`"c:\\shell.cmd"`, String.raw`c:\shell.cmd`],
    [String.raw`"C:\Users\me"`, String.raw`C:\Users\me`],
    [String.raw`"C:\"`, 'C:\\'],
    [String.raw`'a \"b\"'`, String.raw`a \"b\"`],
  ])('reads %s: a tab whose title has quotation marks was shown as text, and its end, too', (written, title) => {
    expect(titlesIn(tab(written))).toEqual([['tabs-item', title]]);
  });

  it('reads attributes behind a path that ends with a stroke', () => {
    const markdown = '{% code title="C:\\" overflow="wrap" %}\nx\n{% endcode %}';
    const attributes = { title: 'C:\\', overflow: 'wrap' };
    expect(documentNodes(markdown)).toMatchObject([{ data: { name: 'code', attributes } }]);
  });

  it('writes whatever a value has so that it reads back: an apostrophe beside quotation marks became another sign', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\', '=', '%}', '`') });
    fc.assert(
      fc.property(value, value, (title, icon) => {
        const item = { object: 'block', type: 'tabs-item', data: { title, icon }, nodes: [] };
        const nodes = [{ object: 'block', type: 'tabs', nodes: [item] }];
        expect(documentNodes(markdownOfNodes(nodes))).toEqual(nodes);
      }),
    );
  });
});
