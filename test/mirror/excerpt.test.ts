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
    expect(await excerpt(`Drawn: ${'x'.repeat(5000)}`, 'drawn')).toHaveLength('…'.length + 1000);
  });
});
