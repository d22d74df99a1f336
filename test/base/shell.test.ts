import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/index.ts';

describe('base/shell', () => {
  it('leaves plain words as they are', () => {
    expect(shellWord('a/plan-1.json')).toBe('a/plan-1.json');
    expect(shellWord('http://127.0.0.1:8700')).toBe('http://127.0.0.1:8700');
  });

  it('quotes so that a shell gives the very word back', () => {
    for (const word of ['mend ü.json', "it's", '', '$HOME; *', 'two\nlines', '~']) {
      expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word);
    }
  });
});
