// Texts that made a reader go over what follows again and again: the work grows with the text, or these never end in time.
import { describe, expect, it } from 'vitest';
import { documentNodes, markdownOfNodes, openingOf, sectionsOf } from '../../src/document/index.ts';

const MANY = 20_000;

describe('document/large texts', () => {
  it('give thousands of headings of the same title an anchor each, without standing still', () => {
    const sections = sectionsOf('## Fixed\n'.repeat(MANY));
    expect(new Set(sections.map(({ anchor }) => anchor)).size).toBe(MANY + 1);
    expect(sections.slice(1, 4).map(({ anchor }) => anchor)).toEqual(['fixed', 'fixed-1', 'fixed-2']);
    expect(sections.at(-1)?.anchor).toBe(`fixed-${MANY - 1}`);
  });

  it('keep anchors apart that titles name themselves', () => {
    const anchors = (titles: string[]): string[] =>
      sectionsOf(titles.map((title) => `# ${title}`).join('\n')).map(({ anchor }) => anchor);
    expect(anchors(['x', 'x', 'x-1', 'x'])).toEqual(['', 'x', 'x-1', 'x-1-1', 'x-2']);
    expect(anchors(['x-1', 'x', 'x', 'x'])).toEqual(['', 'x-1', 'x', 'x-2', 'x-3']);
  });

  it('are read when thousands of tags are never closed, as those of embeds are', () => {
    const nodes = documentNodes('{% embed url="https://a.example" %}\n'.repeat(MANY));
    expect(nodes).toHaveLength(MANY);
    expect(nodes.every((node) => node.type === 'embed' && node.nodes === undefined)).toBe(true);
  });

  // Each was looked for among all the lines behind it: a minute and more for a page of a few hundred kilobytes.
  it.each([
    ['expandables', '<details><summary>S</summary>\n\n', '</details>'],
    ['hints, but for one', '{% hint style="info" %}\n', '{% endhint %}'],
  ])('are read when thousands of %s are never closed', (_, opened, end) => {
    const nodes = documentNodes(`${opened.repeat(MANY)}${end}`);
    expect(nodes.length).toBeGreaterThan(MANY - 100);
  });

  it('are read with all that stands deeper than anybody nests blocks', () => {
    const [open, end] = ['{% hint style="info" %}\n', '{% endhint %}\n'];
    const deepest = (levels: number): string =>
      markdownOfNodes(documentNodes(`${open.repeat(levels)}deepest\n${end.repeat(levels)}`));
    expect([deepest(20), deepest(5000)]).toEqual([
      expect.stringContaining('deepest'),
      expect.stringContaining('deepest'),
    ]);
  });

  it('are read when one line has more pictures than a function takes arguments: it ended in an error of the stack', () => {
    const nodes = documentNodes('![](a)'.repeat(200_000));
    expect(nodes[0]?.nodes).toHaveLength(200_000);
  });

  it('are written when a line has very many blanks in it: a drill stood still at it', () => {
    const text = `a${' '.repeat(500_000)}b`;
    expect(markdownOfNodes(documentNodes(text))).toBe(text);
    const marked = documentNodes(`*a${' '.repeat(500_000)}b*`);
    expect(marked[0]?.nodes?.[0]?.leaves).toHaveLength(1);
  });

  it('are written when code has more runs of backticks than a function takes arguments', () => {
    const code = '`a'.repeat(200_000);
    expect(markdownOfNodes(documentNodes(`\`\`\`\n${code}\n\`\`\``))).toBe(`\`\`\`\n${code}\n\`\`\``);
  });

  it('find the anchor of a heading in one go, whatever tags are opened before it', () => {
    const open = `${'<a d '.repeat(20_000)}${'id="" id="d '.repeat(20_000)}`;
    expect(sectionsOf(`# ${open}\n\n# Named <a href="#x" id="named"></a>`).map(({ anchor }) => anchor)).toContain(
      'named',
    );
  });

  it('show the beginning of a section without half of a character', () => {
    const opening = openingOf({ text: `${'x'.repeat(999)}😀 and more` });
    expect(opening).toBe(`${'x'.repeat(999)}…`);
    expect(openingOf({ text: 'short 😀' })).toBe('short 😀');
  });
});
