// A mend in place that loses its connection before or after any of its writes, and is then resumed, ends where an undisturbed one does.
import { describe, expect, it } from 'vitest';
import { addCollection, edit, insert, pagesOf } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import type { TestWorld } from '../support/world.ts';

const WRITES = [
  'restoreSpace',
  'moveSpace',
  'moveCollection',
  'createCollection',
  'updateCollection',
  'createChangeRequest',
  'importChangeRequestContent',
  'changeContent',
  'mergeChangeRequest',
  'createComment',
  'createCommentReply',
  'updateComment',
  'deleteComment',
  'deleteCollection',
] as const;

interface Ruined extends AsyncDisposable {
  readonly world: TestWorld;
  readonly place: InPlace;
}

/** A mirrored platform, and what somebody did to it since. */
async function ruin(): Promise<Ruined> {
  const world = await furnishedWorld();
  const { made } = world;
  const shelf = await addCollection(world, 'Shelf');
  await world.api.moveSpace({ path: { spaceId: made.news }, body: { parent: shelf } });
  await world.sync();
  const use = made.pages['Use'] ?? '';
  await edit(
    world,
    made.guide,
    { type: 'update_page', page: use, document: { markdown: '# Use\n\nVandalised.' } },
    { type: 'delete_page', page: made.pages['Linux'] ?? '' },
    insert('Casino', 'Win.'),
  );
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'Click here' } } });
  await world.api.updateCollection({ path: { collectionId: made.collection }, body: { title: 'Bad' } });
  const elsewhere = await addCollection(world, 'Elsewhere', made.collection);
  await world.api.moveCollection({ path: { collectionId: made.nested }, body: { parent: elsewhere } });
  await world.api.deleteCollection({ path: { collectionId: shelf } });
  return { world, place: inPlace(world), [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** Titles of pages, comments and collections: what doubles and losses would show in. */
async function endOf({ world, place }: Ruined): Promise<string[]> {
  const left = await place.differences(1);
  const told = left.filter((line) => !/ (change-request|link|revision|page-document)/.test(line));
  const { items } = await world.api.listCollections({ path: { organizationId: world.organization } });
  const timeless = told.map((line) => line.replaceAll(/\d{2}:\d{2} UTC/g, 'TIME'));
  return [...timeless.toSorted(), ...items.map(({ title }) => title)];
}

describe('restore/in-place resume', async () => {
  await using whole = await ruin();
  const plan = await whole.place.plan({ added: true });
  expect((await whole.place.apply(plan)).failures).toEqual([]);
  const undisturbed = await endOf(whole);

  it.each(['lost', 'killed'] as const)(
    'ends the same when every write is %s, unsent and then processed',
    async (cut) => {
      await using ruined = await ruin();
      const { world, place } = ruined;
      const plan = await place.plan({ added: true });
      const { before, after, result } = await place.endure(plan, cut);
      expect([before, after, result.failures]).toEqual([new Set(WRITES), new Set(WRITES), []]);
      expect(await endOf(ruined)).toEqual(undisturbed);
      const mended = plan.steps.find(({ part }) => part === 'pages')?.key ?? '';
      expect(Object.keys(await pagesOf(world, mended)).toSorted()).toEqual(['Home', 'Install', 'Linux', 'Use']);
    },
  );
});
