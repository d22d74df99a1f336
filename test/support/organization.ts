// What an organization has besides content: people in teams, fields with values, sign-on, a specification, and sites.
import { addSpace, importFiles } from './content.ts';
import type { TestWorld } from './world.ts';

export interface Organized {
  /** Spaces by title; each has one page. */
  readonly spaces: Readonly<Record<string, string>>;
  readonly team: string;
  /** A site whose group of sections stands between two sections. */
  readonly site: string;
  /** A site without sections, for those with a key. */
  readonly partners: string;
  readonly people: Readonly<Record<string, string>>;
}

const SPEC = JSON.stringify({ openapi: '3.1.0', info: { title: 'Answers', version: '1' }, paths: {} });
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----';
const CLAIMS = {
  type: 'object' as const,
  properties: { isBeta: { type: 'boolean' as const, description: 'Takes part' } },
  additionalProperties: false as const,
};

/** Every kind of an organization that a restore brings back, with every field of it set. */
export async function organize(world: TestWorld): Promise<Organized> {
  const path = { organizationId: world.organization };
  const people = addPeople(world);
  const spaces: Record<string, string> = {};
  for (const title of ['Start', 'Guide', 'Answers', 'Reference', 'News']) {
    // Spaces come back in the order in which they were made, and two can be made within one millisecond.
    world.clock.advance(1);
    spaces[title] = await addSpace(world, title);
    await importFiles(world, spaces[title] ?? '', { 'README.md': `# ${title}\n\nWhat it is about.\n` });
  }
  const { id: team } = await world.api.createTeam({
    path,
    body: { title: 'Writers', members: [people['robin'] ?? '', people['kim'] ?? ''] },
  });
  await world.api.createSamlProvider({
    path,
    body: {
      label: 'Company',
      ssoURL: 'https://sign-on.example.com/saml',
      entityID: 'https://sign-on.example.com',
      certificate: CERTIFICATE,
      defaultTeam: team,
      defaultRole: 'comment',
    },
  });
  await world.api.createTranslationSettings({ path, body: { title: 'Languages of Europe' } });
  await world.api.createOpenApiSpec({
    path,
    body: { slug: 'fetched', source: { url: 'http://127.0.0.1:9/api.json' } },
  });
  await world.api.createOpenApiSpec({ path, body: { slug: 'given', source: { text: SPEC } } });
  await addFields(world, spaces);
  const site = await addSite(world, spaces);
  const partners = await addPartnerSite(world, spaces);
  await world.api.updateOrganization({
    path,
    body: {
      title: 'Answers of the world',
      emailDomains: ['example.com'],
      hostname: 'answers',
      defaultRole: 'read',
      defaultContent: { type: 'site', site },
      logo: 'https://example.com/logo.png',
      ai: true,
      inviteLinks: false,
    },
  });
  await world.api.setMemberSso({ path: { ...path, userId: people['kim'] ?? '' } });
  world.platform.createInvite({ organization: world.organization, role: 'read' });
  await world.platform.settle();
  return { spaces, team, site, partners, people };
}

const PEOPLE = [
  ['robin', 'edit'],
  ['kim', 'comment'],
  ['noor', 'review'],
] as const;

function addPeople({ platform, organization }: TestWorld): Record<string, string> {
  const made = PEOPLE.map(([name, role]) => {
    const person = { displayName: name, email: `${name}@example.com`, organization, role };
    return [name, platform.createUser(person).id] as const;
  });
  return Object.fromEntries(made);
}

async function addFields(world: TestWorld, spaces: Readonly<Record<string, string>>): Promise<void> {
  const path = { organizationId: world.organization };
  const options = ['stable', 'new'];
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'select:single', title: 'Stage', options } });
  await world.api.createCustomField({ path, body: { name: 'words', type: 'tags', description: 'To be found by' } });
  await world.api.createCustomField({ path, body: { name: 'days', type: 'number', placeholder: '3' } });
  await world.api.createCustomField({ path, body: { name: 'unused', type: 'boolean' } });
  const values = { stage: { value: 'new' }, words: { value: ['how', 'why'] }, days: { value: 0 } };
  await world.api.updateCustomFieldValues({ path: { spaceId: spaces['Guide'] ?? '' }, body: { values } });
}

/** Sections Start, [Learn: Guide, Answers], News; Guide shows a second space, and is what the site opens with. */
async function addSite(world: TestWorld, spaces: Readonly<Record<string, string>>): Promise<string> {
  const { id: siteId } = await world.api.createSite({
    path: { organizationId: world.organization },
    body: { title: 'Docs', type: 'premium', visibility: 'unlisted' },
  });
  const path = { organizationId: world.organization, siteId };
  const sections: Record<string, string> = {};
  for (const title of ['Start', 'Guide', 'Answers', 'News']) {
    const made = await world.api.createSiteSection({ path, body: { spaceId: spaces[title] ?? '', title } });
    sections[title] = made.id;
  }
  const [start = '', guide = '', answers = '', news = ''] = Object.values(sections);
  const second = await world.api.createSiteSpace({
    path,
    body: { spaceId: spaces['Reference'] ?? '', sectionId: guide },
  });
  const own = { ...path, siteSectionId: guide };
  const looks = {
    icon: 'book',
    description: 'How to',
    condition: 'visitor.claims.isBeta',
    defaultSiteSpace: second.id,
  };
  await world.api.updateSiteSection({ path: own, body: { title: 'The guide', ...looks } });
  // Each has the path that the other was made with.
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: start }, body: { path: 'between' } });
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: news }, body: { path: 'start' } });
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: start }, body: { path: 'news' } });
  await world.api.updateSiteSpace({
    path: { ...path, siteSpaceId: second.id },
    body: { condition: 'visitor.claims.isBeta' },
  });
  const group = await world.api.createSiteSectionGroup({
    path,
    body: { title: 'Learn', icon: 'school', sections: [answers, guide] },
  });
  const before = { type: 'site-section' as const, id: news };
  await world.api.moveSiteSectionGroup({
    path: { ...path, siteSectionGroupId: group.id },
    body: { position: { before } },
  });
  await world.api.putSiteAdaptiveSchema({ path, body: { jsonSchema: CLAIMS } });
  await world.api.updateSite({
    path,
    body: {
      basename: 'docs',
      proxy: 'example.com/docs',
      adaptiveContent: { enabled: true },
      defaultSiteSection: guide,
    },
  });
  return siteId;
}

async function addPartnerSite(world: TestWorld, spaces: Readonly<Record<string, string>>): Promise<string> {
  const shown = [spaces['News'] ?? '', spaces['Start'] ?? ''];
  const { id: siteId } = await world.api.createSite({
    path: { organizationId: world.organization },
    body: { title: 'Partners', visibility: 'share-link', spaces: shown },
  });
  const path = { organizationId: world.organization, siteId };
  const { items } = await world.api.listSiteSpaces({ path });
  const start = items.find(({ space }) => space.title === 'Start')?.id ?? '';
  await world.api.updateSiteSpace({ path: { ...path, siteSpaceId: start }, body: { path: 'begin' } });
  await world.api.updateSite({ path, body: { defaultSiteSpace: start } });
  await world.api.createShareLink({ path, body: { name: 'Partners' } });
  const { id: shareLinkId } = await world.api.createShareLink({ path, body: { name: 'Last year' } });
  await world.api.updateShareLink({ path: { ...path, shareLinkId }, body: { active: false } });
  return siteId;
}

/** The same people on a target, as they are once they were invited again. */
export function invite(
  { platform, organization }: { platform: TestWorld['platform']; organization: string },
  names: readonly string[],
): Record<string, string> {
  const made = names.map((name) => {
    const person = { displayName: name, email: `${name}@example.com`, organization, role: null };
    return [name, platform.createUser(person).id] as const;
  });
  return Object.fromEntries(made);
}
