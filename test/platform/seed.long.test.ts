import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import type {
  AnswerOf,
  ChangeRequest,
  Page,
  Revision,
  ShareLink,
  Site,
  SiteSection,
  Space,
} from '../../src/contract/index.ts';
import { startPlatform, type EmbeddedPlatform } from '../../src/platform/index.ts';
import { seedDemo, seedScale, type SeedProgress, type SeedResult } from '../../src/platform/seed/index.ts';
import { installedPackages } from '../../src/platform/seed/demo/packages.ts';

function start(): Promise<EmbeddedPlatform> {
  return startPlatform({
    clock: systemClock(),
    random: seededRandom(1),
    log: silentLogger(),
    database: ':memory:',
    checkAnswers: true,
  });
}

async function get<T>(platform: EmbeddedPlatform, path: string): Promise<T> {
  const answer = await fetch(`${platform.url}/v1${path}`, { headers: { authorization: `Bearer ${platform.token}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function list<T>(platform: EmbeddedPlatform, path: string): Promise<T[]> {
  const separator = path.includes('?') ? '&' : '?';
  return (await get<{ items: T[] }>(platform, `${path}${separator}limit=1000`)).items;
}

function withInner(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [page, ...withInner(page.pages ?? [])]);
}

async function allSpaces(platform: EmbeddedPlatform, organization: string): Promise<Space[]> {
  const path = `/orgs/${organization}/members/${platform.owner}/spaces`;
  const spaces = (await list<{ space: Space }>(platform, path)).map(({ space }) => space);
  return spaces.sort((a, b) => (a.title < b.title ? -1 : 1));
}

async function outline(platform: EmbeddedPlatform, spaces: readonly Space[]): Promise<string[]> {
  const lines: string[] = [];
  for (const space of spaces) {
    const { pages } = await get<{ pages: Page[] }>(platform, `/spaces/${space.id}/content/pages`);
    lines.push(space.title, ...withInner(pages).map(({ type, path, title }) => `${type} ${path} ${title}`));
  }
  return lines;
}

describe('platform/seed demo', () => {
  let platform: EmbeddedPlatform;
  let result: SeedResult;
  let spaces: Space[];
  let organization = '';
  const progress: SeedProgress[] = [];

  beforeAll(async () => {
    platform = await start();
    result = await seedDemo({ platform, onProgress: (step) => progress.push(step) });
    organization = result.organizations[0] ?? '';
    spaces = await allSpaces(platform, organization);
  });
  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  it('makes at least 300 real pages in about twenty spaces', async () => {
    expect(result.pages).toBeGreaterThanOrEqual(300);
    expect(result.pages).toBeLessThanOrEqual(800);
    expect(spaces.length).toBe(result.spaces);
    expect(result.spaces).toBeGreaterThanOrEqual(18);
  });

  it('reports progress up to what it made', () => {
    expect(progress.at(-1)).toEqual({ spaces: result.spaces, totalSpaces: result.spaces, pages: result.pages });
    expect(progress).toHaveLength(result.spaces);
  });

  it('nests collections and leaves one space at the root', async () => {
    const collections = await list<{ id: string; parent?: string }>(
      platform,
      `/orgs/${organization}/collections?nested=true`,
    );
    expect(collections.some(({ parent }) => parent !== undefined)).toBe(true);
    expect(spaces.filter(({ parent }) => parent === undefined).map(({ title }) => title)).toContain('Start here');
  });

  it('has pages of every type, with emoji, descriptions, covers and files whose bytes can be read', async () => {
    const revisions: Revision[] = [];
    for (const space of spaces) revisions.push(await get<Revision>(platform, `/spaces/${space.id}/content`));
    const pages = revisions.flatMap((revision) => withInner(revision.pages));
    expect(new Set(pages.map(({ type }) => type))).toEqual(new Set(['document', 'group', 'link']));
    for (const field of ['emoji', 'description', 'cover', 'layout', 'noIndex'] as const) {
      expect(pages.some((page) => page[field] !== undefined)).toBe(true);
    }
    const files = revisions.flatMap((revision) => revision.files);
    expect(new Set(files.map(({ contentType }) => contentType))).toContain('image/svg+xml');
    const bytes = await fetch(files[0]?.downloadURL ?? '');
    expect(await bytes.text()).toContain('<svg');
  });

  it('links pages across spaces', async () => {
    const start = spaces.find(({ title }) => title === 'Start here');
    const { pages } = await get<{ pages: Page[] }>(platform, `/spaces/${start?.id}/content/pages`);
    const map = pages.find(({ title }) => title === 'Map');
    const { markdown = '' } = await get<Page>(platform, `/spaces/${start?.id}/content/page/${map?.id}?format=markdown`);
    const links = [...markdown.matchAll(/\/spaces\/(\w+)\/pages\/(\w+)/g)];
    expect(links).toHaveLength(spaces.length - 1);
    for (const [, space, page] of links.slice(0, 3)) {
      await expect(get<Page>(platform, `/spaces/${space}/content/page/${page}`)).resolves.toMatchObject({ id: page });
    }
  });

  it('has reusable contents that several pages of their space include', async () => {
    let holding = 0;
    for (const space of spaces) {
      const { reusableContents } = await get<Revision>(platform, `/spaces/${space.id}/content`);
      if (reusableContents.length === 0) continue;
      holding++;
      const links = await list<AnswerOf<'listSpaceLinks'>['items'][number]>(platform, `/spaces/${space.id}/links`);
      const includes = links.filter(({ targetReference }) => targetReference?.kind === 'reusable-content');
      expect(includes).toMatchObject([{ status: 'ok', relation: 'dependsOn' }]);
      expect(includes[0]?.locationReferences.length).toBeGreaterThan(2);
    }
    expect(holding).toBe(2);
  });

  it('has six members and a guest beside the owner, each with another role or desk', async () => {
    const members = await list<{ role: string | null }>(platform, `/orgs/${organization}/members`);
    expect(members).toHaveLength(8);
    expect(new Set(members.map(({ role }) => role)).size).toBe(7);
  });

  it('has teams with rights, custom fields with values, sign-on, translations and a guest in one space', async () => {
    const org = `/orgs/${organization}`;
    const teams = await list<AnswerOf<'getTeam'>>(platform, `${org}/teams`);
    expect(teams.map(({ members }) => members)).toEqual([3, 2, 2]);
    expect(teams[0]?.spaces).toBeGreaterThan(0);
    expect(await list(platform, `${org}/custom-fields`)).toHaveLength(6);
    const values = await get<AnswerOf<'getCustomFieldValues'>>(platform, `/spaces/${spaces[0]?.id}/custom-fields`);
    expect(values.filter(({ value }) => value !== undefined).length).toBeGreaterThan(3);
    expect(await list(platform, `${org}/saml`)).toMatchObject([{ defaultTeam: { id: teams[0]?.id } }]);
    expect(await list(platform, `${org}/translations`)).toMatchObject([{ languages: ['fr', 'de', 'pt'] }]);
    const guests = await list<AnswerOf<'getMember'>>(platform, `${org}/members?role=guest`);
    expect(guests).toMatchObject([{ spaces: 1 }]);
    expect(await list(platform, `${org}/members?sort=lastSeenAt`)).toHaveLength(6);
  });

  it('has sites in every state, with sections in and out of a group, share links and claims', async () => {
    const sites = await list<Site>(platform, `/orgs/${organization}/sites`);
    expect(sites.map(({ published, visibility }) => [published, visibility])).toEqual([
      [true, 'public'],
      [true, 'share-link'],
      [false, 'public'],
    ]);
    const [main, partner] = sites.map(({ id }) => `/orgs/${organization}/sites/${id}`);
    const sections = await list<SiteSection>(platform, `${main}/sections`);
    expect(new Set(sections.map(({ sectionGroup }) => sectionGroup === undefined))).toEqual(new Set([true, false]));
    expect(sections.some(({ siteSpaces }) => siteSpaces.length > 1)).toBe(true);
    const links = await list<ShareLink>(platform, `${partner}/share-links`);
    expect(links.map(({ active }) => active)).toEqual([true, false]);
    await expect(get(platform, `${main}/adaptive-schema`)).resolves.toMatchObject({ object: 'site-adaptive-schema' });
    await expect(get(platform, `${main}/published`)).resolves.toMatchObject({ structure: { type: 'sections' } });
  });

  it('has change requests in every state', async () => {
    for (const status of ['draft', 'open', 'archived', 'merged']) {
      const found: ChangeRequest[] = [];
      for (const space of spaces) {
        found.push(...(await list<ChangeRequest>(platform, `/spaces/${space.id}/change-requests?status=${status}`)));
      }
      expect(found.length, status).toBeGreaterThan(0);
    }
  });

  it('has comments by several authors, open and resolved, with replies and reactions', async () => {
    const comments: AnswerOf<'getComment'>[] = [];
    for (const space of spaces)
      comments.push(...(await list<AnswerOf<'getComment'>>(platform, `/spaces/${space.id}/comments?status=all`)));
    expect(comments.length).toBeGreaterThan(30);
    expect(new Set(comments.map(({ postedBy }) => postedBy.id)).size).toBe(5);
    expect(new Set(comments.map(({ status }) => status))).toEqual(new Set(['open', 'resolved']));
    expect(comments.some(({ replies }) => replies > 0)).toBe(true);
    expect(comments.some(({ reactions }) => reactions.length > 1)).toBe(true);
    expect(comments.some(({ target }) => target.page === undefined)).toBe(true);
  });

  it('makes the same of the same packages', async () => {
    await using other = await start();
    const again = await seedDemo({ platform: other });
    expect(again).toMatchObject({ spaces: result.spaces, pages: result.pages });
    const others = await allSpaces(other, again.organizations[0] ?? '');
    expect(await outline(other, others)).toEqual(await outline(platform, spaces));
  });
});

describe('platform/seed packages', () => {
  it('leaves out what is built for one system only', async () => {
    const names = (await installedPackages()).map(({ name }) => name);
    expect(names).toContain('undici');
    expect(names.filter((name) => /linux|darwin|win32/.test(name))).toEqual([]);
  });

  it('leaves out what stands in hidden folders: no import takes it, and the demo did not start with a package that has documents there', async () => {
    const documents = (await installedPackages()).flatMap((one) => one.documents);
    expect(documents.length).toBeGreaterThan(300);
    expect(documents.filter((file) => /(?:^|\/)\./.test(file))).toEqual([]);
  });
});

describe('platform/seed scale', () => {
  it('makes as many spaces and pages as asked, nested, of about 4 KB', async () => {
    await using platform = await start();
    const result = await seedScale({ platform, spaces: 3, pages: 7 });
    expect(result).toMatchObject({ spaces: 3, pages: 21 });
    const spaces = await allSpaces(platform, result.organizations[0] ?? '');
    expect(spaces).toHaveLength(3);
    for (const space of spaces) {
      const { pages } = await get<{ pages: Page[] }>(platform, `/spaces/${space.id}/content/pages`);
      const all = withInner(pages);
      expect(pages).toHaveLength(1);
      expect(all).toHaveLength(7);
      const { markdown = '' } = await get<Page>(
        platform,
        `/spaces/${space.id}/content/page/${all[6]?.id}?format=markdown`,
      );
      expect(markdown.length).toBeGreaterThan(4096);
      expect(markdown.length).toBeLessThan(6000);
    }
  });

  it('makes the same for the same seed and something else for another', async () => {
    const outlines: string[][] = [];
    for (const seed of [5, 5, 6]) {
      await using platform = await start();
      const { organizations } = await seedScale({ platform, spaces: 2, pages: 4, seed });
      outlines.push(await outline(platform, await allSpaces(platform, organizations[0] ?? '')));
    }
    expect(outlines[1]).toEqual(outlines[0]);
    expect(outlines[2]).not.toEqual(outlines[0]);
  });

  it('stops when told to', async () => {
    await using platform = await start();
    const abort = new AbortController();
    const seeding = seedScale({
      platform,
      spaces: 1000,
      pages: 1,
      signal: abort.signal,
      onProgress: ({ spaces }) => spaces === 2 && abort.abort(new Error('enough')),
    });
    await expect(seeding).rejects.toThrow();
  });
});
