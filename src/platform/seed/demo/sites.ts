// Docs sites of the demo: one with sections, groups and claims, one for partners, one that nobody has published yet.
import type { BodyOf, SiteSection } from '../../../contract/index.ts';
import type { SeedTarget } from '../target.ts';
import type { DemoWork } from './change-requests.ts';

const SECTIONS = 5;
const PARTNER_SPACES = 3;
const LOOKS: readonly BodyOf<'updateSiteSection'>[] = [
  { icon: 'book-open', description: 'What everybody reads first.' },
  { icon: 'flask', description: 'How we know that it works.' },
  { icon: 'rocket', condition: 'visitor.claims.isBeta' },
];
const CLAIMS: NonNullable<BodyOf<'putSiteAdaptiveSchema'>['jsonSchema']> = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    isBeta: { type: 'boolean', description: 'Takes part in the beta programme' },
    unsigned: {
      type: 'object',
      properties: { prefersDark: { type: 'boolean', description: 'Likes dark pages' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

/** Makes the sites; the first is what the organization shows by default. */
export async function addSites(platform: Pick<SeedTarget, 'publishSite'>, work: DemoWork): Promise<void> {
  const { caller, organization: organizationId } = work.seeding;
  const main = await addMainSite(work);
  platform.publishSite(main, true);
  platform.publishSite(await addPartnerSite(work), true);
  await caller.call('createSite', { path: { organizationId }, body: { type: 'basic', title: 'Drafts' } });
  const defaultContent = { type: 'site' as const, site: main };
  await caller.call('updateOrganization', { path: { organizationId }, body: { defaultContent } });
}

async function addMainSite(work: DemoWork): Promise<string> {
  const { caller, organization: organizationId } = work.seeding;
  const [first, ...others] = work.spaces.slice(0, SECTIONS);
  const site = await caller.call('createSite', {
    path: { organizationId },
    body: { type: 'premium', title: 'Node.js Toolbox', spaces: first ? [first.id] : [] },
  });
  const path = { organizationId, siteId: site.id };
  const sections: SiteSection[] = [];
  for (const { id: spaceId, title } of others) {
    sections.push(await caller.call('createSiteSection', { path, body: { spaceId, title } }));
  }
  for (const [i, body] of LOOKS.entries()) {
    const section = sections[i];
    if (section) await caller.call('updateSiteSection', { path: { ...path, siteSectionId: section.id }, body });
  }
  const [variant] = sections;
  if (first && variant) {
    await caller.call('createSiteSpace', { path, body: { spaceId: first.id, sectionId: variant.id } });
  }
  const grouped = sections.slice(-2).map(({ id }) => id);
  await caller.call('createSiteSectionGroup', { path, body: { title: 'Reference', icon: 'books', sections: grouped } });
  await caller.call('putSiteAdaptiveSchema', { path, body: { jsonSchema: CLAIMS } });
  await caller.call('updateSite', { path, body: { basename: 'toolbox', adaptiveContent: { enabled: true } } });
  return site.id;
}

async function addPartnerSite(work: DemoWork): Promise<string> {
  const { caller, organization: organizationId } = work.seeding;
  const spaces = work.spaces.slice(-PARTNER_SPACES).map(({ id }) => id);
  const site = await caller.call('createSite', {
    path: { organizationId },
    body: { title: 'Partner guides', visibility: 'share-link', spaces },
  });
  const path = { organizationId, siteId: site.id };
  await caller.call('createShareLink', { path, body: { name: 'Partners' } });
  const old = await caller.call('createShareLink', { path, body: { name: 'Last year' } });
  await caller.call('updateShareLink', { path: { ...path, shareLinkId: old.id }, body: { active: false } });
  return site.id;
}
