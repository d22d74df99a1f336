import { expect, it } from 'vitest';
import { sectionsOf } from '../../src/document/index.ts';

it('document/sections shows no block tag, nor one whose address holds a percent sign: a search showed it as text', () => {
  const text = 'Before {% file src="/files/f?name=annual%20report.pdf" %} and {% embed url="x" %} after {% no tag';
  expect(sectionsOf(text)).toEqual([{ title: '', anchor: '', text: 'Before  and  after {% no tag' }]);
});
