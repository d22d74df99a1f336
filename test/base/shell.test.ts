import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { shellWord } from '../../src/base/index.ts';

const throughShell = (text: string): string =>
  execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });

describe('base/shell', () => {
  it.each(['a/plan-1.json', 'http://127.0.0.1:8700', 'a:b=c@d%e+f,g'])('leaves the plain word %s as it is', (word) => {
    expect(shellWord(word)).toBe(word);
  });

  it.each(['mend ü.json', "it's", '', '$HOME; *', 'two\nlines', '~'])(
    'quotes %j so that a shell gives it back',
    (word) => {
      expect([shellWord(word) === word, throughShell(word)]).toEqual([false, word]);
    },
  );

  it('gives a shell back any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(!text.includes('\0'));
        expect(throughShell(text)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});
