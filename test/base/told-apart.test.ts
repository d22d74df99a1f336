import { describe, expect, it } from 'vitest';
import { toldApart, valuesApart } from '../../src/base/index.ts';

describe('base/told-apart', () => {
  it.each([
    ['zero-width space', 'a\u200bb', 'ab', 'a<U+200B>b', 'ab'],
    ['direction', 'a\u202eb', 'ab', 'a<U+202E>b', 'ab'],
    ['line separator', 'a\u2028b', 'ab', 'a<U+2028>b', 'ab'],
    ['byte order mark', '\ufeffab', 'ab', '<U+FEFF>ab', 'ab'],
    ['blank that does not break', 'a\u00a0b', 'a b', 'a<U+00A0>b', 'a b'],
    ['blank at the end', 'ab ', 'ab', 'ab<U+0020>', 'ab'],
    ['accent of its own', 'e\u0301', 'é', 'e<U+0301>', 'é'],
    ['control character', 'a\rb', 'ab', 'a␍b', 'ab'],
    ['C1 control character', 'a\u009bb', 'ab', 'a<U+009B>b', 'ab'],
  ])('shows lines that differ in nothing else: %s', (_name, ...[before, after, was, is]) => {
    expect(toldApart([`-${before}`, `+${after}`], 100)).toEqual([`-${was}`, `+${is}`]);
    expect(valuesApart(before, after, 100)).toEqual([was, is]);
  });

  it('leaves signs without room where lines differ in what is seen, and in lines that stayed', () => {
    const family = '👨\u200d👩\u200d👧';
    expect(toldApart([` ${family}`, `-${family} one`, `+${family} two`], 100)).toEqual([
      ` ${family}`,
      `-${family} one`,
      `+${family} two`,
    ]);
  });

  it('shows it wherever in its place the like of a line stands', () => {
    expect(toldApart(['-same\u200b', '\\ No newline at end of file', '+new', '+same'], 100)).toEqual([
      '-same<U+200B>',
      '\\ No newline at end of file',
      '+new',
      '+same',
    ]);
  });

  it('shows a long line from where it differs on: beyond the thousandth character both looked the same', () => {
    const head = 'x'.repeat(5000);
    const [was, is] = toldApart([`-${head}one${head}`, `+${head}two${head}`], 1000);
    expect(was).toBe(`-(4,920 characters before) …${'x'.repeat(80)}one${'x'.repeat(917)}… (4,083 further characters)`);
    expect(is).toContain(`${'x'.repeat(80)}two`);
  });

  it('begins and ends no line in the middle of a sign', () => {
    const [was] = toldApart([`-${'🌍'.repeat(1000)}a`, `+${'🌍'.repeat(1000)}b`], 100);
    expect(was?.isWellFormed()).toBe(true);
    const [odd] = toldApart([`-x${'🌍'.repeat(1000)}a`, `+x${'🌍'.repeat(1000)}b`], 100);
    expect(odd?.isWellFormed()).toBe(true);
    expect(toldApart([` x${'🌍'.repeat(1000)}`], 100)[0]?.isWellFormed()).toBe(true);
  });
});
