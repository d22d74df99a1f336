// Runs of one sign that lead to nothing: read once more from each of their signs, they held everything up for minutes.
import { describe, expect, it } from 'vitest';
import { rewriteLinks, safeText, safeUrl, toldApart } from '../../src/base/index.ts';

const RUN = 500_000;

describe('base, long runs of one sign', () => {
  it.each([
    ['blanks', ' '.repeat(RUN)],
    ['lines', '\n'.repeat(RUN)],
    ['colons', ':'.repeat(RUN)],
    ['brackets', '('.repeat(RUN)],
  ])('hides what is secret behind %s in one go: a refusal with as many stopped the daemon', (_, run) => {
    expect(safeText(`${run}-Authorization: Bearer abc`)).toBe(`${run}-`);
    expect(safeText(`a${run}Authorization: Bearer abc`)).toBe('a');
  });

  it('finds the end of an address before marks of a sentence in one go', () => {
    expect(safeText(`see http://a.example/${'!'.repeat(RUN)}x!`)).toBe(`see http://a.example/${'!'.repeat(RUN)}x!`);
  });

  it('hides very many parameters of an address in one go: a file with such an address stopped a walk', () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
    const hidden = safeUrl(`https://a.example/?page=2&${names.map((name) => `${name}=secret`).join('&')}&page=3`);
    expect(hidden).toBe(`https://a.example/?page=2&${names.map((name) => `${name}=hidden`).join('&')}&page=3`);
  });

  it('hides a parameter once that is given twice', () => {
    expect(safeUrl('https://a.example/?key=a&limit=1&key=b#c')).toBe('https://a.example/?key=hidden&limit=1');
    expect(safeUrl('https://a.example/?query=a%20b')).toBe('https://a.example/?query=a%20b');
  });

  it('tells lines apart that hold very many blanks', () => {
    const blanks = ' '.repeat(RUN);
    expect(toldApart([`-${blanks}a`, `+${blanks}a `], RUN * 2)[1]).toMatch(/a<U\+0020>$/);
  });

  it('reads code between very many backticks: every export ended in an error about the size of a pattern', () => {
    const ticks = '`'.repeat(RUN);
    const text = `${ticks}[a](/pages/x)${ticks} [b](/pages/x) \`c\`\` [d](/pages/x)`;
    expect(rewriteLinks(text, () => '/y')).toBe(`${ticks}[a](/pages/x)${ticks} [b](/y) \`c\`\` [d](/y)`);
  });

  it('looks for the target of a definition in one go: an export stood still at it', () => {
    expect(rewriteLinks(`[a]: x "\n[b]:${'\t'.repeat(RUN)}\v\n"\n\n[c]: /pages/x`, () => '/y')).toMatch(/\[c\]: \/y$/);
  });
});
