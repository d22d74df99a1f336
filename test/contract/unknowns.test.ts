import { expect, it } from 'vitest';
import { createUnknowns } from '../../src/contract/index.ts';

it('contract/unknowns knows that anything may say what it is, and leaves what is kept as a resource of its own to that', () => {
  const look = createUnknowns();
  expect(look('page', { object: 'page', odd: true })).toEqual([{ path: 'odd', what: 'field', value: '' }]);
  expect(look('space-member', { space: { object: 'workspace', id: 's' } })).toEqual([]);
});
