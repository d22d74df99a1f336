// In place: pages that have come into a change request since the snapshot, by people or by a restore.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf, type Change } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { TestWorld } from '../support/world.ts';

const PAGES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n  * [Deep](deep.md)\n* [Last](last.md)\n',
  'README.md': '# Home\n\nSee [use](use.md).\n',
  'use.md': '# Use\n\nGo.\n',
  'deep.md': '# Deep\n\nDown here.\n',
  'last.md': '# Last\n\nThe end.\n',
};

let world: TestWorld;
let place: InPlace;
let path: { spaceId: string; changeRequestId: string };
let pages: Readonly<Record<string, string>>;

beforeEach(async () => {
  world = await TestWorld.create();
  place = inPlace(world);
  const spaceId = await addSpace(world, 'Manual');
  await importFiles(world, spaceId, PAGES);
  pages = await pagesOf(world, spaceId);
  const { id } = await addRequest(world, spaceId, { subject: 'Proposal', changes: [insert('New', 'Proposed.')] });
  path = { spaceId, changeRequestId: id };
  await world.sync();
  world.clock.advance(60_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const without = (title: string): Change => ({ type: 'delete_page', page: pages[title] ?? '' });

/** Titles in the change request, in their order. */
async function proposed(): Promise<string[]> {
  return flatten((await world.api.getChangeRequestRevision({ path })).pages).map(({ title }) => title);
}

function propose(...changes: Change[]): Promise<unknown> {
  return world.api.changeContent({ path, body: { changes } });
}

async function applied(plan: Plan): Promise<string> {
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const { passed, differences } = await place.verify(restore);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  return restore;
}

function said(plan: Plan): string[] {
  return planTree(plan).filter((line) => line.includes('change-request-revision') || line.includes('    - page'));
}

it('restore/undo takes a page out of a change request again that the restore has put into it: it stayed there, and all stood behind it', async () => {
  await edit(world, path.spaceId, without('Home'));
  await world.api.pullIntoChangeRequest({ path });
  const before = ['Use', 'Deep', 'Last', 'New'];
  expect(await proposed()).toEqual(before);
  const plan = await place.plan();
  const restore = await applied(plan);
  expect(await proposed()).toEqual(['Home', ...before]);
  const back = await place.undo(restore, plan);
  expect(said(back)).toContain('- change-request-revision Proposal  (1 page taken away from it)');
  await applied(back);
  expect(await proposed()).toEqual(before);
});

it('restore/in-place --delete takes away what somebody has put into a change request, and its undo brings that back: neither was told', async () => {
  await propose(insert('Theirs', 'Put in since.', { into: pages['Use'] ?? '' }));
  expect(said(await place.plan())).toEqual([]);
  const plan = await place.plan({ added: true });
  expect(said(plan)).toEqual([
    '- change-request-revision Proposal  (1 page taken away from it)',
    '    - page Theirs  (not in the snapshot)',
  ]);
  const restore = await applied(plan);
  expect(await proposed()).toEqual(['Home', 'Use', 'Deep', 'Last', 'New']);
  expect((await place.plan({ added: true })).steps).toEqual([]);
  await applied(await place.undo(restore, plan));
  expect(await proposed()).toEqual(['Home', 'Use', 'Deep', 'Theirs', 'Last', 'New']);
});

it('restore/in-place --delete leaves in a change request what an import has made of a page that stood where one came back', async () => {
  await propose(without('Last'));
  await propose({ type: 'insert_page', title: 'Last', document: { markdown: 'Put in its place.' } });
  await applied(await place.plan({ added: true }));
  expect((await proposed()).toSorted()).toEqual(['Deep', 'Home', 'Last', 'New', 'Use']);
});
