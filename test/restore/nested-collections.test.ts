import { expect, it } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { addRemovals } from '../../src/restore/in-place/removals.ts';
import { addCollections } from '../../src/restore/plan/containers.ts';
import { StepList } from '../../src/restore/plan/step-list.ts';
import { select } from '../../src/restore/selection/selection.ts';
import { Finder } from '../../src/restore/selection/selection-finder.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const PARTS = { content: true, values: false, changeRequests: false, comments: false, requestComments: false };

/** A reader that notes each kind that is read through. */
function watching(reader: SnapshotReader, read: string[]): SnapshotReader {
  return {
    ...reader,
    resources: (kind, within) => {
      read.push(kind);
      return reader.resources(kind, within);
    },
  };
}

it('restore/selection reads spaces and collections once for all that are nested in a collection: they were read anew for each, 47 s for 421 in a mirror of 2,000', async () => {
  using made = await createTestMirror();
  const nested = { b: 'a', c: 'a', d: 'b' };
  const collections = Object.entries(nested).map(([id, parent]) => ({ id, title: id, parent }));
  const roots = ['a', 'e'].map((id) => ({ id, title: id }));
  const spaces = ['b', 'd', 'd', 'e'].map((parent, i) => ({ id: `s${i}`, title: 'Guide', parent }));
  await made.add({ collections: [...roots, ...collections], spaces });
  const reader = readerAt(made.mirror, 1);
  const read: string[] = [];
  const watched = watching(reader, read);
  const [organization] = [...reader.resources('organization')];
  const finder = new Finder(watched, organization?.id ?? '', PARTS);
  finder.addOne('collection', 'a');
  const inside = ['collection a', 'collection b', 'collection c', 'collection d', 'space s0', 'space s1', 'space s2'];
  expect([...finder.keys].toSorted()).toEqual(inside);
  expect(read.toSorted()).toEqual(['collection', 'space']);
});

/** Titles of the collections that a plan of everything makes, each with that above it, in their order. */
async function planned(
  collections: { id: string; title: string; parent?: string }[],
): Promise<(string | undefined)[][]> {
  using made = await createTestMirror();
  await made.add({ collections, spaces: [] });
  const reader = readerAt(made.mirror, 1);
  const [organization] = [...reader.resources('organization')];
  const asked = { scope: { by: 'organization', id: organization?.id ?? '' } as const, chosen: null };
  const list = new StepList();
  addCollections({ list, reader, selection: select(reader, organization?.id ?? '', asked) });
  const creates = list.steps.filter(({ part }) => part === 'create');
  return creates.map(({ title, needs }) => [title, ...needs.map((need) => list.steps[need - 1]?.title)]);
}

it('restore/plan makes collections that stand within each other by the thousand level by level: a drill of 5,000 was in one go for more than ten minutes, and no signal ended it', async () => {
  const id = (nth: number): string => `c${nth}`;
  const collections = Array.from({ length: 2000 }, (_, nth) => ({
    id: id(nth),
    title: id(nth),
    ...(nth === 0 ? {} : { parent: id(nth - 1) }),
  }));
  const steps = await planned(collections);
  expect(steps).toEqual(collections.map(({ title, parent }) => (parent === undefined ? [title] : [title, parent])));
});

it('restore/plan makes collections that are said to stand within themselves at the root, and what stands in them there', async () => {
  const parents = { a: 'c', b: 'a', c: 'b', d: 'c', e: 'd', f: 'f', g: 'nowhere' };
  const steps = await planned(Object.entries(parents).map(([id, parent]) => ({ id, title: id, parent })));
  expect(steps).toEqual([['a'], ['b'], ['c'], ['f'], ['g'], ['d', 'c'], ['e', 'd']]);
});

it('restore/in-place reads once what stands in collections that are to go: the way back of 3,000 read all of them anew for each, for minutes', async () => {
  using made = await createTestMirror();
  const collections = ['a', 'b', 'c', 'd'].map((id, nth) => ({
    id,
    title: id,
    parent: ['', 'a', 'b', 'c'][nth] ?? '',
  }));
  await made.add({ collections, spaces: [] });
  const reader = readerAt(made.mirror, 1);
  const read: string[] = [];
  const live = watching(reader, read);
  const list = new StepList();
  addRemovals({ list, live, reader }, [...reader.resources('collection')]);
  expect(list.steps.map(({ title, part }) => [title, part])).toEqual(['d', 'c', 'b', 'a'].map((id) => [id, 'remove']));
  expect(read.toSorted()).toEqual(['collection', 'space']);
});
