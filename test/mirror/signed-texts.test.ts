// What tells texts apart that differ in the signatures of addresses alone.
import { expect, it } from 'vitest';
import { isSignedOtherwise } from '../../src/mirror/reading/signed-texts.ts';

// The work grew with the square of the length: a text of 120,000 signs took eleven seconds, in which a walk did nothing else.
it('a changed text is told from one that is signed anew, whatever its length', () => {
  const text = '://'.repeat(200_000);
  const reader = { outline: () => [].values() };
  expect(isSignedOtherwise(reader, { kind: 'page', key: 's1/p1' }, [`${text}a`, `${text}b`])).toBe(false);
});
