// Ids of pages and files need not be unique beyond their space: a copy of a space may keep them.
import { expect, it } from 'vitest';
import { IdMap } from '../../src/restore/journal/id-map.ts';
import { mapLinks } from '../../src/restore/links/links.ts';
import { linksOut } from '../../src/restore/steps/content/import-archive.ts';
import { withinRequest } from '../../src/restore/compare/values.ts';

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
  expect(mapLinks(text, ids)).toBe(wanted);
  const links = linksOut({ ids }, { space: 'one' });
  expect(links.page('one', 'x', 'a.md')).toBe('/spaces/new-one/pages/page-of-one');
  expect(links.page('two', 'x', 'a.md')).toBe('/spaces/new-two/pages/page-of-two');
  expect(links.page(null, 'x', 'a.md')).toBe('/pages/page-of-one');
  expect(links.file('x', 'a.md')).toBe('/files/file-of-one');
});

it('restore/verify takes a link that names no space for one of its own: it called texts different that are not', () => {
  const ids = ofTwoSpaces();
  ids.set('change-request-page', 'one/request/x', 'proposed');
  const params = { spaceId: 'one' };
  const page = { ...NOTHING, kind: 'page', key: 'one/x', params } as const;
  expect(withinRequest(page, ids).byId('page', 'x')).toBe('page-of-one');
  const proposed = { ...NOTHING, kind: 'change-request-page', key: 'one/request/x', params } as const;
  expect(withinRequest(proposed, ids).byId('page', 'x')).toBe('proposed');
  expect(withinRequest(proposed, ids).byId('page', 'x', 'two')).toBe('page-of-two');
});

const NOTHING = { rid: 1, id: 'x', parent: null, position: 0, body: {}, text: null, object: null };
