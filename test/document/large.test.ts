// Texts that made a reader go over what follows again and again: the work grows with the text, or these never end in time.
import { describe, expect, it } from 'vitest';
import { documentNodes, openingOf, sectionsOf } from '../../src/document/index.ts';

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

  it('show the beginning of a section without half of a character', () => {
    const opening = openingOf({ text: `${'x'.repeat(999)}😀 and more` });
    expect(opening).toBe(`${'x'.repeat(999)}…`);
    expect(openingOf({ text: 'short 😀' })).toBe('short 😀');
  });
});
