import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { findText } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

/** What is shown of the one page with this text; marks as brackets. */
async function excerpt(text: string, words: string): Promise<string> {
  using test = await createTestMirror();
  const pages = [{ id: 'a', title: 'Title', text }];
  await test.add({ spaces: [{ id: 's', title: 'Space', pages }] });
  const [found] = atOnce(findText(test.mirror, { text: words, among: 'pages', limit: 1 }));
  return (found?.excerpt ?? '').replaceAll('\u0001', '[').replaceAll('\u0002', ']');
}

function numbered(name: string): string {
  return Array.from({ length: 40 }, (_, number) => `${name}${number}`).join(' ');
}

describe('mirror/reading/excerpt', () => {
  it('cuts one from a text that has a word 150,000 times: nothing else was answered for minutes', async () => {
    expect(await excerpt('the page '.repeat(150_000), 'the')).toMatch(/^# Title\n\n(\[the\] page ){11}\[the\]/);
  });

  it('shows the place where all the words stand, with some words before it, whatever their case and accents', async () => {
    const text = `Install it. ${numbered('a')} INSTALL the café now ${numbered('b')}`;
    const last = Array.from({ length: 16 }, (_, number) => `b${number}`).join(' ');
    expect(await excerpt(text, 'install caf')).toBe(`…a36 a37 a38 a39 [INSTALL] the [café] now ${last}…`);
  });

  it('shows a small text whole, and the beginning of one that has the words in its title alone', async () => {
    expect(await excerpt('Run it, "now".', 'run')).toBe('# Title\n\n[Run] it, "now".');
    expect(await excerpt(numbered('a'), 'title')).toBe(
      `# [Title]\n\n${numbered('a').split(' ').slice(0, 23).join(' ')}…`,
    );
  });

  it('shows the beginning of a word without end', async () => {
    const drawn = await excerpt(`Drawn: ${'x'.repeat(5000)}`, 'drawn');
    expect(drawn).toMatch(/^# Title\n\n\[Drawn\]: x+…$/);
    expect(drawn.length).toBeLessThan(1010);
    expect(await excerpt('x'.repeat(5000), 'xxx')).toMatch(/\[x+\]…$/);
  });

  it.each([3999, 4000, 7976])(
    'shows a word that stands behind %i others, and what follows it: the beginning of the text was shown',
    async (before) => {
      const text = `${'so '.repeat(before - 1)}needle, then more of it. ${numbered('b')}`;
      expect(await excerpt(text, 'needle')).toMatch(/^…so so so so \[needle\], then more of it\. b0 /);
    },
  );

  it('marks the words among very long ones: none was marked, and they were not there', async () => {
    const long = (letter: string) => `${letter.repeat(300)} `.repeat(5);
    const shown = await excerpt(`${long('a')}needle ${long('b')}`, 'needle');
    expect(shown).toMatch(/^…a+ .*\[needle\]/);
    expect(shown.length).toBeLessThan(1010);
  });
});
