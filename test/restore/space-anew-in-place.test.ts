// A space that its platform has purged, made anew in place: what links to it from elsewhere, and the site that showed it.
import { expect, it } from 'vitest';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bare, mirroredAnew, type InPlace, type InPlaceChoice } from '../support/in-place.ts';
import type { Plan } from '../../src/restore/index.ts';
import type { TestWorld } from '../support/world.ts';

const anew = mirroredAnew();

const PURGED = 7 * 86_400_000 + 3_600_000;

async function mend(place: InPlace, choice: InPlaceChoice = {}): Promise<Plan> {
  const plan = await place.plan(choice);
  const { failures, restore } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).differences.filter((one) => one.class === 'exact')).toEqual([]);
  return plan;
}

function told({ steps }: Plan): string[] {
  return steps.map(({ action, kind, title, note }) => `${action} ${kind} ${title}: ${note}`);
}

it('restore/in-place says which links stay broken when only the space is asked for, and turns them later', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  world.clock.advance(PURGED);
  const plan = await mend(place, { scope: `space:${made.guide}` });
  expect(told(plan)).toContainEqual(expect.stringMatching(/^noOp page First: .*its link stays broken/));
  expect(
    (await world.api.listSpaceLinks({ path: { spaceId: made.news }, query: { status: 'broken' } })).items,
  ).toHaveLength(1);
  expect(told(await mend(place))).toContainEqual(expect.stringMatching(/^update revision News: links of 1 page/));
  expect((await world.api.listSpaceLinks({ path: { spaceId: made.news }, query: { status: 'broken' } })).items).toEqual(
    [],
  );
  expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});

it('restore/in-place writes no page for a link to what did not come back with a space that was made anew', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await edit(world, made.guide, insert('Late', 'Not in the snapshot.'));
  const { Late: late = '' } = await pagesOf(world, made.guide);
  await edit(world, made.news, insert('Linking', `See [late](/spaces/${made.guide}/pages/${late}).`));
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  world.clock.advance(PURGED);
  await mend(place);
  expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});

it('restore/in-place leads links of a space that is made anew to a page that an earlier restore brought back into one that stands: they kept its old id', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const { guide: spaceId, news } = made;
  const [, page = ''] = /\/pages\/(\w+)/.exec(await firstOf(world, news)) ?? [];
  await edit(world, spaceId, { type: 'delete_page', page });
  await mend(place, { scope: `page:${page}` });
  await world.api.deleteSpace({ path: { spaceId: news } });
  world.clock.advance(PURGED);
  const { api, organization: organizationId } = world;
  await mend(place, { scope: `space:${news}`, snapshot: 1 });
  const { items } = await api.searchOrganization({ path: { organizationId }, query: { query: 'First' } });
  const text = await firstOf(world, items.find(({ title }) => title === 'News')?.id ?? '');
  const [, now = ''] = /\/pages\/(\w+)/.exec(text) ?? [];
  expect(now).not.toBe(page);
  expect(Object.values(await pagesOf(world, spaceId))).toContain(now);
});

async function firstOf({ api }: Pick<TestWorld, 'api'>, spaceId: string): Promise<string> {
  const { First: pageId = '' } = await pagesOf({ api }, spaceId);
  return (await api.getPage({ path: { spaceId, pageId }, query: { format: 'markdown' } })).markdown ?? '';
}

it('restore/in-place shows a space that was made anew in the site, the section and the group that showed it', async () => {
  const sections: Record<string, string> = {};
  const spaces: Record<string, string> = {};
  let siteId = '';
  const { world, place } = await bare(async (world) => {
    const { organization: organizationId } = world;
    siteId = (await world.api.createSite({ path: { organizationId }, body: { title: 'Docs', spaces: [] } })).id;
    const path = { organizationId, siteId };
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      spaces[title] = await addSpace(world, title);
      sections[title] = (await world.api.createSiteSection({ path, body: { spaceId: spaces[title], title } })).id;
    }
    const inside = ['Two', 'Three', 'Four'].map((title) => sections[title] ?? '');
    await world.api.createSiteSectionGroup({ path, body: { title: 'More', sections: inside } });
  });
  await using _world = world;
  const path = { organizationId: world.organization, siteId };
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: sections['Three'] ?? '' } });
  await world.api.deleteSpace({ path: { spaceId: spaces['Three'] ?? '' } });
  world.clock.advance(PURGED);
  await mend(place, { scope: `space:${spaces['Three'] ?? ''}` });
  const plan = await mend(place);
  expect(told(plan)).toContainEqual('update site-section Three: into group More');
  const [group] = (await world.api.listSiteSectionGroups({ path })).items;
  expect(group?.sections.map(({ title }) => title)).toEqual(['Two', 'Three', 'Four']);
  expect((await world.api.listSiteSections({ path })).items).toHaveLength(4);
});

it('restore/in-place knows what was lost, made anew and lost again, whichever snapshot it is planned from', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const lose = async (): Promise<void> => {
    const { Use: page = '' } = await pagesOf(world, made.guide);
    await edit(world, made.guide, { type: 'delete_page', page });
  };
  await lose();
  await mend(place);
  const { snapshot } = await world.sync();
  await lose();
  await mend(place, { snapshot: snapshot.id });
  expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});
