// What a plan in place sets back is told by titles: an id tells nobody anything.
import { expect, it } from 'vitest';
import { planOutline } from '../../src/restore/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { organizedWorld } from '../support/furnished.ts';

it('restore/plan names what sites open with, groups, teams and collections: it said "id" -> "id"', async () => {
  await using world = await organizedWorld();
  const { api, organization: organizationId } = world;
  const { site, partners } = world.made;
  const [shelf, attic] = [await addCollection(world, 'Shelf'), await addCollection(world, 'Attic')];
  const spaceId = await addSpace(world, 'Moved', shelf);
  await world.sync();

  const path = { organizationId, siteId: site };
  const sections = (await api.listSiteSections({ path })).items;
  const idOf = (title: string): string => sections.find((one) => one.title === title)?.id ?? '';
  const [group] = (await api.listSiteSectionGroups({ path })).items;
  await api.updateSite({ path, body: { defaultSiteSection: idOf('Start') } });
  await api.addSectionToGroup({
    path: { ...path, siteSectionGroupId: group?.id ?? '' },
    body: { sectionId: idOf('News') },
  });
  await api.updateOrganization({
    path: { organizationId },
    body: { defaultContent: { type: 'site', site: partners } },
  });
  const { id: team } = await api.createTeam({ path: { organizationId }, body: { title: 'Readers' } });
  const [sign] = (await api.listSamlProviders({ path: { organizationId } })).items;
  await api.updateSamlProvider({
    path: { organizationId, samlProviderId: sign?.id ?? '' },
    body: { defaultTeam: team },
  });
  await api.moveSpace({ path: { spaceId }, body: { parent: attic } });

  const lines = planOutline(await inPlace(world).plan()).map((line) => line.trim());
  expect(lines.filter((line) => line.includes(' -> '))).toEqual(
    expect.arrayContaining([
      'defaultSiteSection: "Start" -> "The guide"',
      'defaultTeam: "Readers" -> "Writers"',
      'parent: "Attic" -> "Shelf"',
      'sectionGroup: "Learn" -> none',
      'defaultContent: "Partners" -> "Docs"',
    ]),
  );
  expect(lines.filter((line) => /\b[0-9A-Za-z]{20}\b/.test(line))).toEqual([]);
});
