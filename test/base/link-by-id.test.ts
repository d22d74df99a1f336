// Links by id in texts, for ids of any signs: the API document calls them opaque.
import { expect, it } from 'vitest';
import { addressById, readLinkById, rewriteLinks } from '../../src/base/index.ts';

const IDS = [
  'a1B2',
  'pg:1=',
  'pg+1@x;v=1',
  'a.b~(1)',
  'a(b',
  'a)b',
  'sp 1 é%41&?#',
  '50%',
  'a&amp;b',
  'a&b',
  '[a]<b>"\\`|^{}',
  'a\nb\tc',
  '日本',
];

it.each(IDS)(
  'base/markdown-links reads the id %j in the address that was written of it: links to it led nowhere',
  (id) => {
    for (const link of [
      { to: 'page', space: null, id },
      { to: 'page', space: `of ${id}`, id },
      { to: 'file', space: null, id },
      { to: 'file', space: id, id: 'x' },
      { to: 'space', space: id, id },
    ] as const) {
      const address = addressById(link);
      expect(readLinkById(`${address}?a=1#top`)).toEqual({ ...link, rest: '?a=1#top' });
      const found: unknown[] = [];
      rewriteLinks(`See [it](${address}#top), <a href="${address}">it</a>.`, (_target, byId) => {
        found.push(byId);
        return undefined;
      });
      expect(found).toEqual([
        { ...link, rest: '#top' },
        { ...link, rest: '' },
      ]);
    }
  },
);

it('base/markdown-links writes an id as it is where every sign of it may stand in an address', () => {
  expect(addressById({ to: 'page', space: 'sp:1=', id: 'pg.1~(2)' })).toBe('/spaces/sp:1=/pages/pg.1~(2)');
  expect(addressById({ to: 'space', space: 'a&b', id: 'a&b' })).toBe('/spaces/a&b');
});
