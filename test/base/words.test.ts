import { expect, it } from 'vitest';
import { bytes, few } from '../../src/base/index.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [99_940, '99.9 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [999_999, '1.0 MB'],
  [1_500_000_000, '1.5 GB'],
])('base/words says %i bytes as %s: one fewer than a million was 1000 KB', (count, said) => {
  expect(bytes(count)).toBe(said);
});

it.each([
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c'], 'a, b and 1 more'],
  [Array.from({ length: 1202 }, (_, i) => String(i)), '0, 1 and 1,200 more'],
])('base/words names the first of %j and counts the others', (names, said) => {
  expect(few(names, 2)).toBe(said);
});
