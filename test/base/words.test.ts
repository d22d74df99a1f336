import { expect, it } from 'vitest';
import { bytes } from '../../src/base/index.ts';

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
