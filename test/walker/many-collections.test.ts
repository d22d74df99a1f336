import { expect, it } from 'vitest';
import {
  isShownByMember,
  noteRoute,
  openSnapshot,
  readerAt,
  shownByMembers,
  spacesNaming,
  unknownCollections,
  type Mirror,
} from '../../src/mirror/index.ts';
import { forecastWalk } from '../../src/walker/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { SETTINGS } from '../support/world.ts';

it('walker/forecast learns at once which collections members show, as the walk does one by one: it took 44 s for 2,000 of them', async () => {
  using made = await createTestMirror();
  const collections = ['all', 'some', 'none', 'empty'].map((id) => ({ id, title: id }));
  const spaces = ['all', 'all', 'some', 'some', 'none'].map((parent, i) => ({ id: `s${i}`, title: 'Guide', parent }));
  await made.add({ collections, spaces: [...spaces, { id: 'alone', title: 'Alone' }] });
  const { mirror } = made;
  const id = openSnapshot(mirror, { mode: 'incremental', scope: null, origin: 'http://platform.test' });
  const reader = readerAt(mirror, 1);
  for (const key of ['s0', 's1', 's2', 'alone'])
    noteRoute({ mirror, id }, reader.one('space', key)?.rid ?? 0, 'space-member');
  expect([...shownByMembers(mirror)]).toEqual(['all']);
  expect(collections.filter((one) => isShownByMember(mirror, one.id))).toMatchObject([{ id: 'all' }]);
});

it('walker/forecast goes through the collections nested in a named one as often however many they are: it took 88 s for 1,200 of them', async () => {
  const [some, more] = [await looksFor(10), await looksFor(20)];
  expect([some.requests, more.requests]).toEqual([15, 25]);
  expect(more.looks).toBeLessThan(some.looks * 2);
});

it('walker/visits/named-collection knows the spaces of each collection that is not held at once: going through all spaces for each took 8 s for 500 that had gone', async () => {
  using made = await createTestMirror();
  const spaces = ['two', 'one', 'two', 'held'].map((parent, i) => ({ id: `s${i}`, title: 'Guide', parent }));
  const collections = [{ id: 'held', title: 'Held', parent: 'above' }];
  await made.add({ collections, spaces: [...spaces, { id: 'alone', title: 'Alone' }] });
  const organization = readerAt(made.mirror, 1).one('organization', 'org')?.rid ?? 0;
  const unknown = unknownCollections(made.mirror, organization);
  // The visit of one that is found to stand above another is the same, and not made twice.
  for (const { key, spaces: named } of unknown) expect(spacesNaming(made.mirror, organization, key)).toEqual(named);
  expect(unknown).toEqual([
    { key: 'two', spaces: ['s0', 's2'] },
    { key: 'above', spaces: [] },
    { key: 'one', spaces: ['s1'] },
  ]);
});

/** Requests of a walk of a collection with so many nested in it, and how often the mirror is asked for that. */
async function looksFor(amount: number): Promise<{ requests: number; looks: number }> {
  using made = await createTestMirror();
  const nested = Array.from({ length: amount }, (_, i) => ({
    id: `c${i}`,
    title: 'In',
    parent: i === 0 ? 'all' : `c${i - 1}`,
  }));
  await made.add({ collections: [{ id: 'all', title: 'All' }, ...nested], spaces: [] });
  let looks = 0;
  const { store } = made.mirror;
  const prepare: Mirror['store']['prepare'] = (sql) => {
    looks += 1;
    return store.prepare(sql);
  };
  const mirror = { ...made.mirror, store: { ...store, prepare } };
  const scope = { organizations: null, onlySpaces: null, extraSpaces: [], onlyCollections: ['all'] };
  const asked = { mode: 'incremental', scope, settings: SETTINGS, origin: null, mostPerSecond: null } as const;
  const { requests } = forecastWalk({ ...asked, mirror, clock: mirror.clock });
  return { requests: requests ?? 0, looks };
}
