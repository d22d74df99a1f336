// The plan as people read it.
import { expect, it } from 'vitest';
import { planOutline } from '../../src/restore/index.ts';
import { addSpace, edit } from '../support/content.ts';
import { bare, mirrored, mirroredAnew } from '../support/in-place.ts';

const anew = mirroredAnew();

it('restore/plan-outline heads the writes to a space with its title, whatever the first of them is about', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const path = { spaceId: made.guide, changeRequestId: made.requests.open };
  await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
  const lines = planOutline(await place.plan());
  expect(lines.some((line) => line.includes(`space ${made.guide}`))).toBe(false);
  expect(lines).toContain('  space Guide');
});

/** A site with a section for each title; `path` is that of the first. */
async function withSections(...titles: string[]) {
  let path = { organizationId: '', siteId: '', siteSectionId: '' };
  const { world, place } = await bare(async (world) => {
    const { organization: organizationId } = world;
    const body = { title: 'Docs', spaces: [] };
    const own = { organizationId, siteId: (await world.api.createSite({ path: { organizationId }, body })).id };
    const made: string[] = [];
    for (const title of titles) {
      const section = { spaceId: await addSpace(world, `About ${title}`), title };
      made.push((await world.api.createSiteSection({ path: own, body: section })).id);
    }
    path = { ...own, siteSectionId: made[0] ?? '' };
  });
  return { world, place, path };
}

it('restore/plan-outline names a site that stands by its title when only a part of it is written', async () => {
  const { world, place, path } = await withSections('First');
  await using _world = world;
  await world.api.updateSiteSection({ path, body: { title: 'Other' } });
  const lines = planOutline(await place.plan());
  expect(lines.some((line) => line.includes(path.siteId))).toBe(false);
  expect(lines).toContain('  site Docs');
});

it('restore/plan-outline has one line for a section that comes back, with all that is set of it: it stood there as changed, twice, before it was there', async () => {
  const { world, place, path } = await withSections('First', 'Second');
  await using _world = world;
  await world.api.deleteSiteSection({ path });
  // What no listing shows any more counts as gone when it is looked at again.
  await place.plan();
  const lines = planOutline(await place.plan());
  expect(lines.filter((line) => line.includes(' site-s'))).toEqual([
    '  + site-section First  (title, path, icon, description, condition; path and condition)',
  ]);
});

it('restore/plan-outline names the custom field whose value stays: only the space was named, and nobody knew which value to look at', async () => {
  const { world, made, place } = await mirrored(async (world) => {
    const path = { organizationId: world.organization };
    await world.api.createCustomField({ path, body: { name: 'desk', type: 'text', title: 'Desk' } });
  });
  await using _world = world;
  await world.api.updateCustomFieldValues({
    path: { spaceId: made.guide },
    body: { values: { desk: { value: 'Nobody' } } },
  });
  expect(planOutline(await place.plan())).toContain(
    '! 1 custom-field-value: desk had no value then, and no operation takes one away again (Guide)',
  );
});

it('restore/plan-outline shows collections that stand within each other by the thousand: the plan of them ended as a fault of Docmirror', async () => {
  const { world, place } = await anew();
  await using _world = world;
  const plan = await place.plan();
  const steps = Array.from({ length: 5000 }, (_, nth) => ({
    step: nth + 1,
    action: 'create' as const,
    part: 'create' as const,
    kind: 'collection' as const,
    key: `c${nth}`,
    title: `Within ${nth}`,
    note: '',
    needs: nth === 0 ? [] : [nth],
    requests: 1,
    adopts: null,
    bestEffort: [],
    lost: [],
  }));
  const lines = planOutline({ ...plan, steps });
  expect(lines.slice(0, 2)).toEqual(['+ collection Within 0', '  + collection Within 1']);
  expect([lines.length >= 5000, lines[4999]?.trim()]).toEqual([true, '+ collection Within 4999']);
});
