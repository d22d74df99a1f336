// Ids with signs that stand in addresses with escapes: the API document calls ids opaque.
import { expect, it } from 'vitest';
import { AppAddresses } from '../../src/export/index.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { IdMap } from '../../src/restore/journal/id-map.ts';
import { turnedInPlace } from '../../src/restore/links/address-links.ts';
import { isAmong, withLinksAlike } from '../../src/restore/links/links.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

it('restore/links turns an address that has the id of what was made anew with escapes: in place such links kept leading nowhere', async () => {
  let own = '';
  const { world } = await bare(async (world) => {
    own = await addSpace(world, 'Own');
    await edit(world, own, insert('There', 'Text'));
  });
  await using _world = world;
  const { There: page = '' } = await pagesOf(world, own);
  const app = `https://app.example.com/s/${own}%3D`;
  // A platform whose ids of spaces have such signs, and whose app shows pages by their paths.
  const reader = readerAt(world.mirror, 1);
  const addresses = new AppAddresses({
    ...reader,
    *outline(kind, within, options) {
      for (const one of reader.outline(kind, within?.slice(0, -1), options)) {
        const [id, shown] = one.id === own ? [`${own}=`, app] : [one.id, `${app}/there`];
        yield { ...one, id, body: { ...one.body, urls: { app: shown } } };
      }
    },
  });
  const ids = new IdMap();
  ids.addAll({ space: { [`${own}=`]: 'anew=' }, page: { [`${own}=/${page}`]: 'page 2' } });
  const text = turnedInPlace(`[it](${app}/there#top) [whole](${app})`, { addresses, ids, own: '' });
  expect(text).toBe('[it](/spaces/anew=/pages/page%202#top) [whole](/spaces/anew=)');
});

it('restore/verify takes an id that is written with escapes for the same: a restore that was right did not pass', () => {
  const [plain, escaped] = ['[a](/pages/pg:1=#x) ![b](/files/f:2=)', '[a](/pages/pg%3A1%3D#x) ![b](/files/f%3A2%3D)'];
  expect(withLinksAlike(escaped)).toBe(plain);
  expect(withLinksAlike(plain)).toBe(plain);
  expect(withLinksAlike('[a](/pages/1) `[c](/pages/pg%3A1)` [d](https://e.test/pages/pg%3A1)')).toBe(
    '[a](/pages/1) `[c](/pages/pg%3A1)` [d](https://e.test/pages/pg%3A1)',
  );
});

it('restore/in-place takes a text for set back whose ids the platform writes with escapes: each plan set such pages back again', () => {
  const wanted = 'See [a](/spaces/s:1=/pages/p:1=#x).';
  expect(isAmong([null, wanted], 'See [a](/spaces/s%3A1%3D/pages/p%3A1%3D#x).')).toBe(true);
  expect(isAmong([null, wanted], wanted)).toBe(true);
  expect(isAmong([wanted], 'See [a](/spaces/s%3A1%3D/pages/p%3A2%3D#x).')).toBe(false);
  expect([isAmong([wanted], null), isAmong([null], null)]).toEqual([false, true]);
});
