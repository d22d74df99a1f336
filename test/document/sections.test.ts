import { expect, it } from 'vitest';
import { sectionsOf } from '../../src/document/index.ts';

it('document/sections shows no block tag, nor one whose address holds a percent sign: a search showed it as text', () => {
  const text = 'Before {% file src="/files/f?name=annual%20report.pdf" %} and {% embed url="x" %} after {% no tag';
  expect(sectionsOf(text)).toEqual([{ title: '', anchor: '', text: 'Before  and  after {% no tag' }]);
});

it('document/sections reads the references in HTML: a search showed &#x3C; in the words of a table', () => {
  const text = '<table><tr><td>5 &#x3C; 6 &amp; c:\\*</td></tr></table>';
  expect(sectionsOf(text)[0]?.text.replaceAll(/\s+/g, ' ')).toBe('5 < 6 & c:\\*');
});
