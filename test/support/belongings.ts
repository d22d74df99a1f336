// An organization in which everything beside the texts is as people made it: each act is told by its name and by numbers that pick what
// it is about.
import fc from 'fast-check';
import type { Act, Acting, Chosen } from './belonging.ts';
import { ACROSS_ACTS } from './belongings-across.ts';
import { PEOPLE_ACTS } from './belongings-people.ts';
import { PLACE_ACTS } from './belongings-places.ts';
import { SITE_ACTS } from './belongings-sites.ts';
import { TALK_ACTS } from './belongings-talk.ts';
import { addCollection, addSpace, importFiles, PNG } from './content.ts';
import { isRefused } from './refused.ts';
import type { TestWorld } from './world.ts';

const ACTS = { ...ACROSS_ACTS, ...PEOPLE_ACTS, ...PLACE_ACTS, ...SITE_ACTS, ...TALK_ACTS } satisfies Record<
  string,
  Act
>;

export interface Belonging extends Chosen {
  readonly act: keyof typeof ACTS;
}

export interface Settled {
  readonly bin: string[];
  readonly tokens: string[];
}

const number = fc.nat({ max: 60 });

const ACT_NAMES = Object.keys(ACTS) as (keyof typeof ACTS)[];

/** What people did, in turn: few different things at a time, so that they meet. */
export const belongings: fc.Arbitrary<Belonging[]> = fc
  .uniqueArray(fc.constantFrom(...ACT_NAMES), { minLength: 1, maxLength: 8 })
  .chain((names) =>
    fc.array(fc.record({ act: fc.constantFrom(...names), one: number, other: number, word: number }), {
      minLength: 1,
      maxLength: 14,
    }),
  );

const PAGES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n  * [Deep](deep.md)\n',
  'README.md': '# Home\n\nSee [use](use.md).\n',
  'use.md': '# Use\n\nGo [home](README.md).\n\n![Logo](logo.png)\n',
  'deep.md': '# Deep\n\nDown here.\n',
  'logo.png': PNG,
};

/** A little of everything, so that there is something to act upon, and what was done since. */
export async function settled(world: TestWorld, all: readonly Belonging[]): Promise<Settled> {
  const { api, organization, platform } = world;
  const path = { organizationId: organization };
  const shelf = await addCollection(world, 'Shelf');
  const inner = await addCollection(world, 'Inner', shelf);
  const spaces: string[] = [];
  for (const [title, parent] of [['Alpha', inner], ['Beta', shelf], ['Gamma']] as const) {
    world.clock.advance(1000);
    spaces.push(await addSpace(world, title, parent));
  }
  for (const space of spaces) await importFiles(world, space, PAGES);
  const person = { displayName: 'Robin', email: 'robin@example.com', organization, role: 'edit' } as const;
  const { id: robin, token } = platform.createUser(person);
  await api.createTeam({ path, body: { title: 'Writers', members: [robin] } });
  await api.createCustomField({ path, body: { name: 'stage', type: 'text' } });
  const { id: siteId } = await api.createSite({ path, body: { title: 'Docs', spaces: spaces.slice(0, 2) } });
  await api.createSiteSection({ path: { ...path, siteId }, body: { spaceId: spaces[2] ?? '', title: 'More' } });
  await api.createComment({ path: { spaceId: spaces[0] ?? '' }, body: { body: { markdown: 'How often?' } } });
  const made = { bin: [], tokens: [token] };
  await settledSince(world, made, all);
  return made;
}

/** What people went on doing. What the platform refuses did not happen. */
export async function settledSince(
  world: TestWorld,
  { bin, tokens }: Settled,
  all: readonly Belonging[],
): Promise<void> {
  const path = { organizationId: world.organization };
  for (const { act, ...chosen } of all) {
    world.clock.advance(1000);
    const acting: Acting = { world, api: world.api, path, bin, tokens, ...chosen };
    try {
      await ACTS[act](acting);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
  await world.platform.settle();
}
