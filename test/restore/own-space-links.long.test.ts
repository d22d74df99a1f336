// A link may name the very space that its page stands in: it comes back naming the new one, as it stood.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, insert, pagesOf } from '../support/content.ts';
import { bare, bareAnew } from '../support/in-place.ts';
import type { TestWorld } from '../support/world.ts';
import { createTarget } from '../support/restore.ts';

async function addOwn(world: TestWorld): Promise<string> {
  const own = await addSpace(world, 'Own');
  await edit(world, own, insert('There', 'Text'));
  const link = `See [there](/spaces/${own}/pages/${(await pagesOf(world, own))['There'] ?? ''}#top).`;
  await edit(world, own, insert('Linking', link), insert('Other', link));
  const { There = '', Linking: into = '', Other: page = '' } = await pagesOf(world, own);
  await edit(world, own, insert('Below', link, { into }), insert('Child', link, { into: There }));
  const document = { markdown: `# Other\n\nProposed. ${link}` };
  await addRequest(world, own, { subject: 'Proposal', changes: [{ type: 'update_page', page, document }] });
  return own;
}

/** A page that stands links to one that only the change request has, and to one that has another's name by now. */
async function addProposed(world: TestWorld): Promise<void> {
  const spaceId = await addSpace(world, 'Proposed');
  await edit(world, spaceId, insert('Linking', 'Nothing yet'), insert('Ant', 'Of ants'), insert('Bee', 'Of bees'));
  const { Ant = '', Bee = '' } = await pagesOf(world, spaceId);
  const { id } = await addRequest(world, spaceId, { subject: 'Proposal', changes: [insert('New', 'Text')] });
  const path = { spaceId, changeRequestId: id };
  const { pages } = await world.api.getChangeRequestRevision({ path });
  const { Linking: page = '', New = '' } = Object.fromEntries(flatten(pages).map((one) => [one.title, one.id]));
  const of = (one: string): string => `[it](/spaces/${spaceId}/pages/${one}) and [again](/pages/${one})`;
  const document = { markdown: `# Linking\n\nSee ${of(New)}, ${of(Ant)}.` };
  await world.api.changeContent({ path, body: { changes: [{ type: 'update_page', page, document }] } });
  await edit(
    world,
    spaceId,
    { type: 'update_page', page: Ant, title: 'Bee', slug: 'bee' },
    { type: 'update_page', page: Bee, title: 'Ant', slug: 'ant' },
  );
}

it.each([
  { link: 'link that names its own space', add: addOwn },
  { link: 'link to a page that a change request proposes', add: addProposed },
])('restore/verify fails for no $link: the drill of such a space never passed', async ({ add }) => {
  const { world } = await bare(add);
  await using _world = world;
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const { differences, passed } = await target.verify(restore);
  expect(differences.filter(({ field }) => field === 'markdown')).toEqual([]);
  expect(passed).toBe(true);
});

const linkedAnew = bareAnew(async (world) => ({ own: await addOwn(world) }));

it.each([
  { gone: ['Below', 'Other'], what: 'that link' },
  { gone: ['Child'], what: 'below what it links to' },
  { gone: ['There', 'Below'], what: 'and what they link to' },
  { gone: ['Linking', 'There', 'Other'], what: 'that link, and all they link to' },
])(
  'restore/in-place brings pages back ($what), each link naming its own space, and leaves other texts as they are',
  async ({ gone }) => {
    const { world, place, own } = await linkedAnew();
    await using _world = world;
    const before = await pagesOf(world, own);
    for (const title of gone) await edit(world, own, { type: 'delete_page', page: before[title] ?? '' });
    const { restore, failures } = await place.apply(await place.plan());
    expect(failures).toEqual([]);
    const { differences, passed } = await place.verify(restore);
    expect(differences.filter(({ field }) => field === 'markdown')).toEqual([]);
    expect(passed).toBe(true);
    const texts = Object.entries(await pagesOf(world, own)).map(async ([title, pageId]) => {
      const query = { format: 'markdown' as const };
      return [title, (await world.api.getPage({ path: { spaceId: own, pageId }, query })).markdown] as const;
    });
    const link = `(/spaces/${own}/pages/${(await pagesOf(world, own))['There'] ?? ''}#top)`;
    for (const [title, text] of await Promise.all(texts)) if (title !== 'There') expect(text).toContain(link);
  },
);
