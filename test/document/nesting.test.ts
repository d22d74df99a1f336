// Blocks inside of each other: what opens behind a bullet or in a quote must not hide where the block around it ends.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { documentNodes, markdownOfNodes, type DocumentNode } from '../../src/document/index.ts';

const hint = (inside: string): string => `{% hint style="info" %}\n${inside}\n{% endhint %}`;
const tabs = (inside: string): string => `{% tabs %}\n{% tab title="T" %}\n${inside}\n{% endtab %}\n{% endtabs %}`;
const details = (inside: string): string => `<details>\n\n<summary>S</summary>\n\n${inside}\n\n</details>`;
const behind = (bullet: string) => (inside: string) =>
  bullet + inside.replaceAll('\n', `\n${' '.repeat(bullet.length)}`);
const quoted = (inside: string): string => `> ${inside.replaceAll('\n', '\n> ')}`;
const WRAPPERS = [hint, tabs, details, behind('- '), behind('1. '), behind('12) '), quoted];

function expectRoundTrip(markdown: string): void {
  const nodes = documentNodes(markdown);
  const written = markdownOfNodes(nodes);
  expect(documentNodes(written)).toEqual(nodes);
  expect(markdownOfNodes(documentNodes(written))).toBe(written);
}

/** Types from the outermost block inwards, always the first one. */
function firstTypes(nodes: readonly DocumentNode[] | undefined): string[] {
  const [first] = nodes ?? [];
  return first?.type === undefined ? [] : [first.type, ...firstTypes(first.nodes)];
}

describe('document/blocks around', () => {
  it.each([
    ['code right behind a bullet', hint('- ```js\n  x\n  ```'), ['hint', 'list-unordered', 'list-item', 'code']],
    ['code right behind a number', tabs('1. ~~~\n   {% endtab %}\n   ~~~'), ['tabs', 'tabs-item', 'list-ordered']],
    ['code in a quote', hint('> ```\n> {% endhint %}\n> ```'), ['hint', 'blockquote', 'code']],
    ['code that its list item leaves open', hint('- ```\n  x'), ['hint', 'list-unordered', 'list-item', 'code']],
    ['code of one line between three backticks', hint('```x``` and y'), ['hint', 'paragraph']],
    [
      'a block of the same kind behind a bullet',
      hint(`- ${behind('  ')(hint('x')).trim()}`),
      ['hint', 'list-unordered', 'list-item', 'hint'],
    ],
    ['two dollars alone', hint('$$'), ['hint', 'paragraph']],
    ['a block of the same kind in a quote', hint(quoted(hint('x'))), ['hint', 'blockquote', 'hint']],
    [
      'a block that a list item leaves open',
      hint('- {% hint style="info" %}\n  x'),
      ['hint', 'list-unordered', 'list-item', 'hint'],
    ],
  ])('are not cut short by %s', (_, markdown, types) => {
    const nodes = documentNodes(`${markdown}\n\nafter`);
    expect(nodes.map(({ type }) => type)).toEqual([types[0], 'paragraph']);
    expect(firstTypes(nodes).slice(0, types.length)).toEqual(types);
    expectRoundTrip(markdown);
  });

  it('hold any others, however deep, and are written as they were read', () => {
    const leaf = fc.constantFrom<string>(
      'word',
      '```js\na\n\nb\n```',
      '~~~\n```\n{% endhint %}\n~~~',
      '| a |\n| --- |\n| b |',
      '$$\nx\n$$',
      '---',
    );
    const nested = fc.tuple(leaf, fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(nested, { minLength: 1, maxLength: 3 }), (parts) =>
        expectRoundTrip(parts.map(([inner, around]) => around.reduce((text, wrap) => wrap(text), inner)).join('\n\n')),
      ),
      { numRuns: 500 },
    );
  });
});
