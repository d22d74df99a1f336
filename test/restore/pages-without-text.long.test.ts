// Pages that hold nothing: the platform shows no text of them, or their title alone, by how they came to hold nothing.
import { expect, it } from 'vitest';
import { addSpace, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { bareAnew } from '../support/in-place.ts';
import { planTree } from '../support/plan-tree.ts';
import type { TestWorld } from '../support/world.ts';

/** A space with pages, of which one holds nothing. */
const anew = bareAnew(async (world) => {
  const guide = await addSpace(world, 'Guide');
  await edit(world, guide, insert('Blank', ''), insert('Use', 'Of use.'), insert('More', 'More.'));
  const { Blank: blank = '', Use: use = '' } = await pagesOf(world, guide);
  return { guide, blank, use };
});

function write(page: string, markdown: string): Change {
  return { type: 'update_page', page, document: { markdown } };
}

async function textOf(world: TestWorld, spaceId: string, pageId: string): Promise<string | undefined> {
  return (await world.api.getPage({ path: { spaceId, pageId }, query: { format: 'markdown' } })).markdown;
}

it('restore/in-place empties a page that was empty: what somebody wrote into it stayed, and no plan told of it', async () => {
  const { world, place, guide, blank } = await anew();
  await using _world = world;
  await edit(world, guide, write(blank, 'Written by a vandal.'));
  const plan = await place.plan();
  expect(planTree(plan).join('\n')).toContain('page Blank  (text)');
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(await textOf(world, guide, blank)).toBe('# Blank\n');
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  expect((await place.plan()).steps).toEqual([]);
  await place.apply(await place.undo(restore, plan));
  expect(await textOf(world, guide, blank)).toBe('# Blank\n\nWritten by a vandal.');
});

it('restore/in-place has nothing to write of an emptied page whose space was deleted and came back: each plan set its text back once more', async () => {
  const { world, place, guide, use } = await anew();
  await using _world = world;
  await edit(world, guide, write(use, ''));
  await world.sync();
  await world.api.deleteSpace({ path: { spaceId: guide } });
  await place.apply(await place.plan({ snapshot: 2 }));
  expect((await place.plan({ snapshot: 2 })).steps).toEqual([]);
});
