import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charactersOf } from '../../src/base/index.ts';

const SIGNS = [
  'a',
  '1',
  '\n',
  'e\u0301',
  '#\ufe0f\u20e3',
  '👩‍💻',
  '👍🏽',
  '🇩🇪',
  '日',
  '한',
  'ᄀ',
  'ᅡ',
  'हि',
  '\ud83d',
] as const;

describe('base/characters', () => {
  it('are those of one look at the whole text, wherever a window of it ends', () => {
    const whole = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const signs = fc.array(fc.constantFrom(...SIGNS), { maxLength: 700, size: 'max' });
    fc.assert(
      fc.property(signs, (parts) => {
        const text = parts.join('');
        expect([...charactersOf(text)]).toEqual(Array.from(whole.segment(text), ({ segment }) => segment));
      }),
    );
  });

  it('come of one that is longer than what is looked at a time, in parts: so many signs above a letter would never end', () => {
    const text = `e${'\u0301'.repeat(1000)}x`;
    const parts = [...charactersOf(text)];
    expect(parts.join('')).toBe(text);
    expect(parts.length).toBeLessThan(10);
  });

  // The work grew with the square of the length: a page of 400,000 signs took six minutes.
  it('come of a text of any length', () => {
    expect([...charactersOf('é'.repeat(500_000))]).toHaveLength(500_000);
  });
});
