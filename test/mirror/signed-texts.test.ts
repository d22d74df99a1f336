// What tells texts apart that differ in the signatures of addresses alone.
import { expect, it } from 'vitest';
import { SignedTexts } from '../../src/mirror/reading/signed-texts.ts';

// The work grew with the square of the length: a text of 120,000 signs took eleven seconds, in which a walk did nothing else.
it('a changed text is told from one that is signed anew, whatever its length', () => {
  const text = '://'.repeat(200_000);
  const signed = new SignedTexts({ outline: () => [].values() });
  expect(signed.isSignedOtherwise({ kind: 'page', key: 's1/p1' }, [`${text}a`, `${text}b`])).toBe(false);
});

// To read 20,000 files took half a second for each page of their space, in which a walk did nothing else.
it('the files of a space are read once for all of its pages', () => {
  const asked: string[] = [];
  const outline = (kind: string, within = ''): IterableIterator<never> => {
    asked.push(`${kind} ${within}`);
    return [].values();
  };
  const signed = new SignedTexts({ outline });
  for (const key of ['s1/p1', 's1/p2', 's2/p1'])
    signed.isSignedOtherwise({ kind: 'page', key }, ['https://a.test/x?1', 'https://a.test/x?2']);
  expect(asked).toEqual(['file s1', 'file s2']);
});
