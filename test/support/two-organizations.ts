// Two organizations of one platform that look alike: the same titles, paths and collections, and links from the one into the other.
import { addCollection, addSpace, edit, importFiles, insert, pagesOf } from './content.ts';
import { TestWorld } from './world.ts';

export interface Twin {
  readonly organization: string;
  readonly collections: Readonly<Record<(typeof SHELVES)[number], string>>;
  /** In the first collection; its page Ant is linked to from the other organization. */
  readonly space: string;
  readonly ant: string;
  /** Outside of all, with a page that links into the other organization. */
  readonly linking: string;
}

const SHELVES = ['One', 'Two', 'Three'] as const;

/** Each with a member of its own, and the owner in both. */
export async function twoOrganizations(): Promise<{ world: TestWorld; first: Twin; second: Twin }> {
  const world = await TestWorld.create();
  const other = world.platform.createOrganization({ title: 'Second organization' });
  const [first, second] = [await furnishTwin(world, world.organization), await furnishTwin(world, other)];
  await linkInto(world, first, second);
  await linkInto(world, second, first);
  return { world, first, second };
}

async function furnishTwin(world: TestWorld, organization: string): Promise<Twin> {
  const maker = { api: world.api, organization };
  const [One, Two, Three] = [
    await addCollection(maker, 'One'),
    await addCollection(maker, 'Two'),
    await addCollection(maker, 'Three'),
  ];
  const space = await addSpace(maker, 'Same', One);
  const linking = await addSpace(maker, 'Linking');
  await importFiles(world, space, { 'SUMMARY.md': '* [Ant](ant.md)\n', 'ant.md': `# Ant\n\nOf ${organization}.\n` });
  world.platform.createUser({ displayName: 'Robin', email: 'robin@example.com', organization, role: 'edit' });
  const { Ant: ant = '' } = await pagesOf(world, space);
  return { organization, collections: { One, Two, Three }, space, ant, linking };
}

async function linkInto(world: TestWorld, from: Twin, { space, ant }: Twin): Promise<void> {
  await edit(world, from.linking, insert('Across', `See [the ant](/spaces/${space}/pages/${ant}).`));
}

/** The token is shown the first organization, and of the second one its spaces alone, as a guest is. */
export async function asGuest(world: TestWorld, { first, second }: { first: Twin; second: Twin }): Promise<void> {
  const { items } = await world.api.listOrganizations({});
  const body = { object: 'list', items: items.filter(({ id }) => id === first.organization) };
  world.platform.faults = [
    { operation: 'listOrganizations', effect: { status: 200, body } },
    { pathPattern: `/orgs/${second.organization}`, effect: { status: 403 } },
    { pathPattern: `/collections/(${Object.values(second.collections).join('|')})`, effect: { status: 403 } },
  ];
}
