// Ids of pages and files need not be unique beyond their space: a copy of a space may keep them.
import { expect, it } from 'vitest';
import { IdMap, idsWithin, leadingWithin, withinOf } from '../../src/restore/journal/id-map.ts';
import { mapLinks } from '../../src/restore/links/links.ts';
import { linksOut } from '../../src/restore/steps/content/import-archive.ts';

function ofTwoSpaces(): IdMap {
  const ids = new IdMap();
  for (const space of ['one', 'two']) {
    ids.set('space', space, `new-${space}`);
    for (const kind of ['page', 'file'] as const) ids.set(kind, `${space}/x`, `${kind}-of-${space}`);
  }
  return ids;
}

it('restore/apply leads a link into another space to the page of that one where two have the same id: it led to a page that is not there', () => {
  const ids = ofTwoSpaces();
  const text = '[a](/spaces/one/pages/x) [b](/spaces/two/pages/x#t) ![c](/spaces/one/files/x)';
  const wanted =
    '[a](/spaces/new-one/pages/page-of-one) [b](/spaces/new-two/pages/page-of-two#t) ![c](/spaces/new-one/files/file-of-one)';
  expect(mapLinks(text, { ids, own: 'one' })).toBe(wanted);
  expect(mapLinks('[d](/pages/x)', { ids, own: 'one' })).toBe('[d](/pages/page-of-one)');
  const links = linksOut({ ids }, { space: 'one' });
  expect(links.page('one', 'x', 'a.md')).toBe('/spaces/new-one/pages/page-of-one');
  expect(links.page('two', 'x', 'a.md')).toBe('/spaces/new-two/pages/page-of-two');
  expect(links.page(null, 'x', 'a.md')).toBe('/pages/page-of-one');
  expect(links.file('x', 'a.md')).toBe('/files/file-of-one');
});

it('restore/apply leaves a link into a space that stands where a page of the same id was made in another one: it led to a page that is not there', () => {
  const ids = new IdMap();
  ids.set('space', 'one', 'new-one');
  ids.set('page', 'one/x', 'page-of-one');
  ids.set('file', 'one/x', 'file-of-one');
  const links = linksOut({ ids }, { space: 'one' });
  expect([links.page('two', 'x', 'a.md'), links.file('x', 'a.md', 'two')]).toEqual([null, null]);
  ids.set('page', 'two/x', 'brought-back');
  expect(links.page('two', 'x', 'a.md')).toBe('/spaces/two/pages/brought-back');
});

it('restore/verify takes a link that names no space for one of its own: it called texts different that are not', () => {
  const ids = ofTwoSpaces();
  ids.set('change-request-page', 'one/request/x', 'proposed');
  const page = idsWithin(ids, withinOf({ kind: 'page', key: 'one/x' }));
  expect(page.byId('page', 'x')).toBe('page-of-one');
  for (const [kind, key] of [
    ['change-request-page', 'one/request/x'],
    ['change-request-comment-reply', 'one/request/comment/reply'],
  ] as const) {
    const proposed = idsWithin(ids, withinOf({ kind, key }));
    expect(proposed.byId('page', 'x')).toBe('proposed');
    expect(proposed.byId('page', 'x', 'two')).toBe('page-of-two');
  }
});

it('restore/in-place leaves a link to a page that stands where one of the same id comes back in another space: it was turned to that one', () => {
  const ids = new IdMap();
  ids.set('page', 'two/x', 'back-in-two');
  const leading = leadingWithin(ids, { space: 'one' });
  const text = '[a](/pages/x) [b](/spaces/one/pages/x) [c](/spaces/two/pages/x)';
  expect(mapLinks(text, leading)).toBe('[a](/pages/x) [b](/spaces/one/pages/x) [c](/spaces/two/pages/back-in-two)');
});

it('restore/apply leads a link into each of two spaces that an earlier restore has brought to its own page where both have the same id', () => {
  const ids = new IdMap();
  ids.addLinked({ space: { two: 'new-two', three: 'new-three' }, page: { 'two/x': 'in-two', 'three/x': 'in-three' } });
  const leading = leadingWithin(ids, { space: 'one' });
  expect(mapLinks('[b](/spaces/two/pages/x) [c](/spaces/three/pages/x)', leading)).toBe(
    '[b](/spaces/new-two/pages/in-two) [c](/spaces/new-three/pages/in-three)',
  );
});
