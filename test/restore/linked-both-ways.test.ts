// Two spaces that are damaged at once, with links between them in both directions: none leads to an old id afterwards.
import { expect, it } from 'vitest';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bare, type InPlaceChoice } from '../support/in-place.ts';
import type { TestWorld } from '../support/world.ts';

interface Linked {
  readonly one: string;
  readonly other: string;
}

async function addLinked(world: TestWorld): Promise<Linked> {
  const [one, other] = [await addSpace(world, 'One'), await addSpace(world, 'Other')];
  for (const space of [one, other])
    await edit(world, space, insert('Target', 'Text'), insert('Linking', 'Nothing yet'));
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const target = (await pagesOf(world, to))['Target'] ?? '';
    const page = (await pagesOf(world, from))['Linking'] ?? '';
    const document = { markdown: `# Linking\n\nSee [there](/spaces/${to}/pages/${target}).` };
    await edit(
      world,
      from,
      { type: 'update_page', page, document },
      insert('Linking, too', `[There](/spaces/${to}/pages/${target})`),
    );
  }
  return { one, other };
}

/** The pages that are linked to and one that links are deleted, the text of another that links is written over. */
async function damage(world: TestWorld, space: string): Promise<void> {
  const { Target = '', Linking = '', 'Linking, too': too = '' } = await pagesOf(world, space);
  await edit(
    world,
    space,
    { type: 'delete_page', page: Target },
    { type: 'delete_page', page: too },
    { type: 'update_page', page: Linking, document: { markdown: '# Linking\n\nVandalised.' } },
  );
}

async function textsOf(world: TestWorld, spaceId: string): Promise<string> {
  const pages = await pagesOf(world, spaceId);
  const query = { format: 'markdown' as const };
  const texts = ['Linking', 'Linking, too'].map(async (title) => {
    const { markdown } = await world.api.getPage({ path: { spaceId, pageId: pages[title] ?? '' }, query });
    return markdown ?? '';
  });
  return (await Promise.all(texts)).join('\n');
}

it.each<[string, InPlaceChoice]>([
  ['of everything', {}],
  ['of what a condition names', { where: "title in ('Target', 'Linking', 'Linking, too')" }],
])('restore/in-place %s leaves no link to a page of another space that comes back after it', async (_name, choice) => {
  const spaces: Linked[] = [];
  const { world, place } = await bare(async (world) => spaces.push(await addLinked(world)));
  await using _world = world;
  const { one = '', other = '' } = spaces[0] ?? {};
  for (const space of [one, other]) await damage(world, space);
  const expectLinked = async (): Promise<void> => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const link = `/spaces/${to}/pages/${(await pagesOf(world, to))['Target'] ?? '-'}`;
      expect((await textsOf(world, from)).split(link)).toHaveLength(3);
    }
  };
  const plan = await place.plan(choice);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  await expectLinked();
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect((await place.apply(await place.plan(choice))).failures).toEqual([]);
  await expectLinked();
});
