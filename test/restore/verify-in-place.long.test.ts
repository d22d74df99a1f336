// A page that is mended among what others have made of its space meanwhile is verified against what its plan says.
import { expect, it } from 'vitest';
import type { VerifyReport } from '../../src/restore/index.ts';
import { addSpace, edit, importFiles, pagesOf, type Change } from '../support/content.ts';
import { bare, bareAnew, mirroredAnew, type Bare, type InPlaceChoice } from '../support/in-place.ts';
import type { TestWorld } from '../support/world.ts';

const anew = mirroredAnew();

const PAGES = {
  'SUMMARY.md': '* [Ant](ant.md)\n  * [Bee](bee.md)\n  * [Fly](fly.md)\n* [Dog](dog.md)\n* [Elk](elk.md)\n',
  'ant.md': '# Ant\n\nSmall.\n',
  'bee.md': '# Bee\n\nBuzz.\n',
  'fly.md': '# Fly\n\nUp.\n',
  'dog.md': '# Dog\n\nWoof.\n',
  'elk.md': '# Elk\n\nBig.\n',
};
const ANT_IS_A_LINK = { 'SUMMARY.md': '* [Ant](https://example.com)\n' };
const MISSING = { changed: false };
const CHANGED = { missing: false };

type Pages = Readonly<Record<string, string>>;

interface Zoo extends Bare {
  readonly space: string;
  readonly pages: Pages;
}

const zoo: () => Promise<Zoo> = bareAnew(async (world) => {
  const space = await addSpace(world, 'Zoo');
  await importFiles(world, space, PAGES);
  return { space, pages: await pagesOf(world, space) };
});

async function mended({ place }: Zoo, choice: InPlaceChoice): Promise<string> {
  const { restore, failures } = await place.apply(await place.plan(choice));
  expect(failures).toEqual([]);
  return restore;
}

function differing({ differences }: VerifyReport): string[] {
  return differences.map(({ field, class: is }) => `${field} ${is}`).toSorted();
}

const at = (page: string | undefined, change: Partial<Extract<Change, { type: 'update_page' }>>): Change => ({
  type: 'update_page',
  page: page ?? '',
  ...change,
});
const without = (page: string | undefined): Change => ({ type: 'delete_page', page: page ?? '' });
const FIRST: Change = { type: 'insert_page', title: 'New', document: { markdown: 'New.' }, at: 0 };

interface Case {
  readonly what: string;
  readonly choice: InPlaceChoice;
  readonly spoil: (pages: Pages) => Change[];
  /** What is told as a difference all the same. */
  readonly told: string[];
}

const CASES: readonly Case[] = [
  {
    what: 'comes back behind a new page',
    choice: MISSING,
    spoil: ({ Dog }) => [FIRST, without(Dog)],
    told: [],
  },
  {
    what: 'comes back among pages in another order',
    choice: MISSING,
    spoil: ({ Dog, Elk }) => [at(Elk, { at: 0 }), without(Dog)],
    told: [],
  },
  {
    what: 'is set back behind a new page',
    choice: CHANGED,
    spoil: ({ Dog }) => [FIRST, at(Dog, { title: 'Wolf' })],
    told: [],
  },
  {
    what: 'is set back while another one stays away',
    choice: CHANGED,
    spoil: ({ Ant, Dog }) => [without(Ant), at(Dog, { title: 'Wolf' })],
    told: [],
  },
  {
    what: 'comes back under another name',
    choice: MISSING,
    spoil: ({ Dog, Elk }) => [without(Dog), at(Elk, { title: 'Dog', slug: 'dog' })],
    told: ['path bestEffort', 'slug bestEffort'],
  },
  {
    what: 'is set back where it is, since what it stood below is gone',
    choice: CHANGED,
    spoil: ({ Ant, Fly }) => [at(Fly, { into: null, title: 'Flea' }), without(Ant)],
    told: ['parent bestEffort', 'path bestEffort'],
  },
];

it.each(CASES)('restore/verify passes for a page that $what', async ({ choice, spoil, told }) => {
  const all = await zoo();
  await using world = all.world;
  await edit(world, all.space, ...spoil(all.pages));
  const report = await all.place.verify(await mended(all, choice));
  expect([report.passed, differing(report)]).toEqual([true, told]);
});

it('restore/verify passes for what came back at the top, since the page above it is a link now', async () => {
  const all = await zoo();
  await using world = all.world;
  await edit(world, all.space, without(all.pages['Fly']), at(all.pages['Bee'], { into: null, title: 'Wasp' }));
  await importFiles(world, all.space, ANT_IS_A_LINK);
  const report = await all.place.verify(await mended(all, {}));
  const told = ['parent bestEffort', 'parent bestEffort', 'path bestEffort', 'path bestEffort'];
  expect([report.passed, differing(report)]).toEqual([true, told]);
});

it.each<[string, (pages: Pages) => Change, string[]]>([
  ['moved since', ({ Dog }) => at(Dog, { at: 0 }), ['position exact']],
  ['put below another since', ({ Dog, Ant }) => at(Dog, { into: Ant ?? null }), ['parent exact', 'path bestEffort']],
  ['renamed since', ({ Dog }) => at(Dog, { slug: 'wolf' }), ['path bestEffort', 'slug exact']],
])('restore/verify does not pass for a page that was brought back and %s', async (_what, spoil, told) => {
  const all = await zoo();
  await using world = all.world;
  await edit(world, all.space, FIRST, without(all.pages['Dog']));
  const restore = await mended(all, MISSING);
  await edit(world, all.space, spoil(await pagesOf(world, all.space)));
  const report = await all.place.verify(restore);
  expect([report.passed, differing(report)]).toEqual([false, told]);
});

it.each<[string, (pages: Pages) => Change, string[]]>([
  ['renamed since', ({ Dog }) => at(Dog, { title: 'Cow' }), ['markdown exact', 'title exact']],
  ['written anew since', ({ Dog }) => at(Dog, { document: { markdown: 'Mew.' } }), ['markdown exact']],
  ['described otherwise since', ({ Dog }) => at(Dog, { description: 'Cat' }), ['description exact']],
  ['put below another since', ({ Dog, Ant }) => at(Dog, { into: Ant ?? null }), ['parent exact', 'path bestEffort']],
])('restore/verify does not pass for a page that was set back and %s', async (_what, spoil, told) => {
  const all = await zoo();
  await using world = all.world;
  await edit(world, all.space, at(all.pages['Dog'], { title: 'Wolf' }));
  const restore = await mended(all, CHANGED);
  await edit(world, all.space, spoil(all.pages));
  const report = await all.place.verify(restore);
  expect([report.passed, differing(report)]).toEqual([false, told]);
});

it('restore/verify does not pass for a page that came back under another name, and was renamed since', async () => {
  const all = await zoo();
  await using world = all.world;
  await edit(world, all.space, without(all.pages['Dog']), at(all.pages['Elk'], { title: 'Dog', slug: 'dog' }));
  const restore = await mended(all, MISSING);
  const { pages } = await world.api.getRevision({ path: { spaceId: all.space } });
  const back = pages.find(({ title, slug }) => title === 'Dog' && slug !== 'dog');
  await edit(world, all.space, at(back?.id, { slug: 'hound' }));
  const report = await all.place.verify(restore);
  expect([report.passed, differing(report)]).toEqual([false, ['path bestEffort', 'slug exact']]);
});

it('restore/verify does not pass for a page that came back below another one, and was moved since', async () => {
  const all = await zoo();
  await using world = all.world;
  await edit(world, all.space, without(all.pages['Fly']), at(all.pages['Bee'], { into: null }));
  await importFiles(world, all.space, ANT_IS_A_LINK);
  const restore = await mended(all, MISSING);
  const { Fly: back, Dog } = await pagesOf(world, all.space);
  expect(await all.place.verify(restore)).toMatchObject({ passed: true });
  await edit(world, all.space, at(back, { into: Dog ?? null }));
  const report = await all.place.verify(restore);
  expect([report.passed, differing(report)]).toEqual([false, ['parent exact', 'path bestEffort']]);
});

it('restore/verify does not pass for a collection that was set back, and described otherwise since', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const path = { collectionId: made.nested };
  await world.api.updateCollection({ path, body: { title: 'Worse', description: 'Worse' } });
  const { restore } = await place.apply(await place.plan(CHANGED));
  expect(await place.verify(restore)).toMatchObject({ passed: true });
  await world.api.updateCollection({ path, body: { description: 'Worse still' } });
  const report = await place.verify(restore);
  expect([report.passed, differing(report)]).toEqual([false, ['description exact']]);
});

it('restore/verify does not pass for a value that was set back in a custom field, and changed since', async () => {
  const give = ({ api }: TestWorld, spaceId: string, value: number): Promise<unknown> =>
    api.updateCustomFieldValues({ path: { spaceId }, body: { values: { days: { value } } } });
  let space = '';
  const { world, place } = await bare(async (world) => {
    space = await addSpace(world, 'Zoo');
    await world.api.createCustomField({
      path: { organizationId: world.organization },
      body: { name: 'days', type: 'number' },
    });
    await give(world, space, 3);
  });
  await using _world = world;
  await give(world, space, 4);
  const { restore } = await place.apply(await place.plan(CHANGED));
  expect(await place.verify(restore)).toMatchObject({ passed: true });
  await give(world, space, 5);
  const report = await place.verify(restore);
  expect([report.passed, differing(report)]).toEqual([false, ['value exact']]);
});

it('restore/verify does not pass while something that was to go still stands', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await edit(world, made.guide, FIRST);
  await world.api.createCollection({ path: { organizationId: world.organization }, body: { title: 'New' } });
  await world.api.createComment({ path: { spaceId: made.news }, body: { body: { markdown: 'New' } } });
  await world.api.createChangeRequest({ path: { spaceId: made.news }, body: { subject: 'New' } });
  const plan = await place.plan({ missing: false, changed: false, added: true });
  const failing = ['deleteCollection', 'changeContent', 'deleteComment', 'updateChangeRequest'] as const;
  world.platform.faults = failing.map((operation) => ({ operation, effect: { status: 503 } }));
  const { restore } = await place.apply(plan);
  world.platform.faults = [];
  const before = await place.verify(restore);
  const left = before.differences.map(({ kind, got }) => `${kind} ${got}`).toSorted();
  const still = ['change-request', 'collection', 'comment', 'page'].map((kind) => `${kind} still there`);
  expect([before.passed, left]).toEqual([false, still]);
  expect((await place.resume(restore)).failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});

interface Section {
  readonly path: { readonly organizationId: string; readonly siteId: string };
  readonly id: string;
}

/** A section of a site that shows the guide. */
async function sectioned({ api, organization: organizationId }: TestWorld, spaceId: string): Promise<Section> {
  const { id: siteId } = await api.createSite({ path: { organizationId }, body: { title: 'Docs' } });
  const path = { organizationId, siteId };
  return { path, id: (await api.createSiteSection({ path, body: { spaceId, title: 'More' } })).id };
}

it('restore/verify passes for a section that was set back and shows what somebody added to it: "expected" had one place less', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const { path, id } = await sectioned(world, made.guide);
  const { snapshot } = await world.sync();
  const own = { ...path, siteSectionId: id };
  await world.api.updateSiteSection({ path: own, body: { title: 'Worse' } });
  await world.api.createSiteSpace({ path, body: { spaceId: made.news, sectionId: id } });
  const { restore } = await place.apply(await place.plan({ snapshot: snapshot.id }));
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});

it('restore/verify does not pass for a section that lacks what the plan brought to it, or has what it was to lose', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const { path, id } = await sectioned(world, made.guide);
  const added = { path, body: { spaceId: made.news, sectionId: id } };
  const { id: siteSpaceId } = await world.api.createSiteSpace(added);
  const { snapshot } = await world.sync();
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: id }, body: { title: 'Worse' } });
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId } });
  const { restore } = await place.apply(await place.plan({ snapshot: snapshot.id }));
  const [lost] = (await world.api.listSiteSpaces({ path })).items.filter(({ space }) => space?.id === made.news);
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: lost?.id ?? '' } });
  const report = await place.verify(restore);
  expect([report.passed, differing(report)]).toEqual([false, ['* exact', 'siteSpaces exact']]);
});

it('restore/verify passes for an undo that left a space out of the bin, since somebody wrote in it: its section was said to show too much', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const { path, id } = await sectioned(world, made.guide);
  await world.api.createSiteSpace({ path, body: { spaceId: made.news, sectionId: id } });
  const { snapshot } = await world.sync();
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: id }, body: { title: 'Worse' } });
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  const plan = await place.plan({ snapshot: snapshot.id });
  const { restore } = await place.apply(plan);
  world.clock.advance(60_000);
  await edit(world, made.guide, FIRST);
  const back = await place.undo(restore, plan);
  // The restore has set what the section opens with, too.
  expect(back.steps.map(({ action, kind, part }) => `${action} ${kind} ${part}`)).toEqual([
    'update site-section fields',
    'update site-section defaults',
    'unsupported space none',
  ]);
  expect(await place.verify((await place.apply(back)).restore)).toMatchObject({ passed: true, differences: [] });
});
