import { expect, it } from 'vitest';
import { withinLimits } from '../../src/restore/within-limits.ts';

it.each([
  ['a', 'a…'],
  ['', '……'],
  ['x'.repeat(129), `${'x'.repeat(127)}…`],
  // The family is one sign of eight code units, which fit no more.
  [`${'x'.repeat(122)}👨‍👩‍👧 and more`, `${'x'.repeat(122)}…`],
  ['x'.repeat(128), undefined],
])('what is within the limits of a site instead of %j', (title, within) => {
  expect(withinLimits('createSite', { title }, ['title'])).toEqual(within === undefined ? {} : { title: within });
});
