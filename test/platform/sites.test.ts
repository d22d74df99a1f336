import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperationName } from '../../src/contract/index.ts';
import { at, createWorld, listAll, type Input, type World } from './world.ts';

describe('platform/handlers/sites', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const org = () => ({ organizationId: world.organization });
  const space = async (title = 'Guide'): Promise<string> =>
    (await world.call('createSpace', { path: org(), body: { title } })).body.id;
  const site = async (body: object = {}) => {
    const made = await world.call('createSite', { path: org(), body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return { ...org(), siteId: made.body.id };
  };

  it('makes a basic, public, unpublished site named after its first space', async () => {
    const [first, second] = [await space('First'), await space('Second')];
    const path = await site({ spaces: [first, second] });
    const { body } = await world.call('getSite', { path });
    expect(body).toMatchObject({
      type: 'basic',
      title: 'First',
      visibility: 'public',
      published: false,
      siteSpaces: 2,
    });
    expect(body.urls.published).toBeUndefined();
    const listed = (await world.call('listSiteSpaces', { path })).body.items;
    expect(listed.map((one) => [one.title, one.default, one.path])).toEqual([
      ['First', true, 'first'],
      ['Second', false, 'second'],
    ]);
    expect(at(listed, 0).space).toEqual((await world.call('getSpace', { path: { spaceId: first } })).body);
    expect((await world.call('getSite', { path: await site() })).body.title).toBe('New site');
  });

  it('makes a new space on demand, with a page when a sample is asked for', async () => {
    const pagesOf = async (spaces: string) => {
      const listed = await world.call('listSiteSpaces', { path: await site({ title: 'Handbook', spaces }) });
      const { space: made } = at(listed.body.items, 0);
      expect(made.title).toBe('Handbook');
      return (await world.call('listPages', { path: { spaceId: made.id } })).body.pages;
    };
    expect(await pagesOf('empty')).toEqual([]);
    expect(await pagesOf('sample')).toHaveLength(1);
  });

  it.each<[string, AnyOperationName, Input]>([
    ['spaces/0', 'createSite', { body: { spaces: ['nobody'] } }],
    ['title', 'createSite', { body: { title: 'x' } }],
    ['type', 'createSite', { body: { type: 'huge' } }],
    ['basename', 'updateSite', { body: { basename: '' } }],
    ['proxy', 'updateSite', { body: { proxy: 'https://example.com/docs' } }],
    ['defaultSiteSection', 'updateSite', { body: { defaultSiteSection: 'nobody' } }],
    ['defaultSiteSpace', 'updateSite', { body: { defaultSiteSpace: 'nobody' } }],
    ['jsonSchema', 'putSiteAdaptiveSchema', { body: {} }],
    ['jsonSchema', 'putSiteAdaptiveSchema', { body: { jsonSchema: { type: 'object', properties: {} } } }],
    ['spaceId', 'createSiteSection', { body: { spaceId: 'nobody' } }],
    ['title', 'createSiteSectionGroup', { body: {} }],
    ['sections/0', 'createSiteSectionGroup', { body: { title: 'g', sections: ['nobody'] } }],
    ['spaceId', 'createSiteSpace', { body: { spaceId: 'nobody' } }],
    ['name', 'createShareLink', { body: { name: 'x'.repeat(51) } }],
  ])('names %s in the 400 of %s %j', async (field, name, input) => {
    const { status, body } = await world.call(name, { path: await site(), ...input });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(`${field}`)]);
  });

  it('gives sites and sections titles that they can have, whatever their spaces are called', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    for (const title of ['😀', 'a', '']) {
      const { body: space } = await world.call('createSpace', { path, body: { title } });
      const site = await world.call('createSite', { path, body: { spaces: [space.id] } });
      expect([site.status, site.body.title]).toEqual([201, 'New site']);
      const at = { ...path, siteId: site.body.id };
      const { body: other } = await world.call('createSpace', { path, body: { title } });
      const section = await world.call('createSiteSection', { path: at, body: { spaceId: other.id } });
      expect([section.status, section.body.title]).toEqual([201, `Section ${title}`.trim()]);
    }
  });

  it('answers 404 for a site of another organization and for unknown parts', async () => {
    const path = await site({ spaces: [await space()] });
    const organizationId = world.platform.createOrganization({ title: 'Other' });
    expect((await world.call('getSite', { path: { ...path, organizationId } })).status).toBe(404);
    const unknown = { siteSectionId: 'x', siteSectionGroupId: 'x', siteSpaceId: 'x', shareLinkId: 'x' };
    for (const name of [
      'deleteSiteSection',
      'updateSiteSection',
      'moveSiteSection',
      'deleteSiteSectionGroup',
      'updateSiteSectionGroup',
      'moveSiteSectionGroup',
      'removeSectionFromGroup',
      'deleteSiteSpace',
      'updateSiteSpace',
      'moveSiteSpace',
      'deleteShareLink',
      'updateShareLink',
    ] as const) {
      const { status } = await world.call(name, { path: { ...path, ...unknown }, body: {} });
      expect([name, status]).toEqual([name, 404]);
    }
  });

  it('lets creators make sites, administrators change them, and readers read all but share links', async () => {
    const person = (role: 'create' | 'read') =>
      world.platform.createUser({ displayName: role, email: `${role}@x.org`, organization: world.organization, role });
    const [creator, reader] = [person('create'), person('read')];
    const path = await site({ spaces: [await space()] });
    const as = async (token: string, name: AnyOperationName, body?: object) =>
      (await world.call(name, { path, token, ...(body ? { body } : {}) })).status;
    expect(await as(creator.token, 'createSite', {})).toBe(201);
    expect(await as(creator.token, 'updateSite', { title: 'Mine' })).toBe(403);
    expect(await as(creator.token, 'createShareLink', { name: 'x' })).toBe(403);
    expect(await as(reader.token, 'createSite', {})).toBe(403);
    expect(await as(reader.token, 'listSiteSpaces')).toBe(200);
    expect(await as(reader.token, 'listShareLinks')).toBe(403);
    expect(await as(reader.token, 'deleteSite')).toBe(403);
    expect(await as(creator.token, 'deleteSite')).toBe(205);
  });

  it('leaves out the spaces that the caller must not see', async () => {
    const hidden = await space('Hidden');
    await world.call('updateSpace', { path: { spaceId: hidden }, body: { defaultLevel: null } });
    const path = await site({ spaces: [hidden, await space('Open')] });
    const { token } = world.platform.createUser({
      displayName: 'R',
      email: 'r@x.org',
      organization: world.organization,
      role: 'read',
    });
    const titles = async (who: object) => {
      const { body } = await world.call('listSiteSpaces', { path, ...who });
      return [body.count, body.items.map((one) => one.title)];
    };
    expect(await titles({})).toEqual([2, ['Hidden', 'Open']]);
    expect(await titles({ token })).toEqual([1, ['Open']]);
    expect(await titles({ query: { default: true } })).toEqual([1, ['Hidden']]);
    expect(await titles({ query: { default: false } })).toEqual([1, ['Open']]);
    // Nor can a site be made of them, or of what is in the bin.
    const person = { displayName: 'C', email: 'c@x.org', organization: world.organization, role: 'create' } as const;
    const creator = world.platform.createUser(person).token;
    const gone = await space('Gone');
    await world.call('deleteSpace', { path: { spaceId: gone } });
    for (const id of [hidden, gone]) {
      const made = await world.call('createSite', { path: org(), body: { spaces: [id] }, token: creator });
      expect([made.status, made.body.error?.message]).toEqual([400, expect.stringMatching(/^spaces\/0: /)]);
    }
    await world.call('createSiteSection', { path, body: { spaceId: hidden } });
    const sections = await world.call('listSiteSections', { path, token });
    expect(sections.body.items.map((one) => one.siteSpaces.map((s) => s.title))).toEqual([['Open'], []]);
  });

  it('finds a site by its title however its accents are encoded, as teams and members are found', async () => {
    const found = await site({ title: 'Cafe\u0301 guide' });
    const { body } = await world.call('listSites', { path: org(), query: { title: 'CAFÉ' } });
    expect(body.items.map(({ id }) => id)).toEqual([found.siteId]);
  });

  it('filters by space, title and publication, and pages through what is left', async () => {
    const guide = await space();
    const one = await site({ title: 'Straße ONE', spaces: [guide] });
    const two = await site({ title: 'straße two' });
    world.platform.publishSite(two.siteId, true);
    const ids = async (query: Record<string, string | boolean | number>) =>
      (await listAll(world, 'listSites', { path: org(), query })).map((found) => found.id);
    expect(await ids({ space: guide })).toEqual([one.siteId]);
    expect(await ids({ title: 'STRASSE' })).toEqual([]);
    expect(await ids({ title: 'straße', limit: 1 })).toEqual([one.siteId, two.siteId]);
    expect(await ids({ title: 'straße', published: true })).toEqual([two.siteId]);
    expect(await ids({ title: 'straße', published: false })).toEqual([one.siteId]);
    await world.call('deleteSpace', { path: { spaceId: guide } });
    expect(await ids({ space: guide })).toEqual([]);
  });

  it('updates what the body names, and keeps base names apart', async () => {
    const path = await site({ title: 'Docs' });
    const basename = `docs-${path.siteId}`;
    const body = {
      basename,
      proxy: 'docs.example.com/help',
      adaptiveContent: { enabled: false },
      visibility: 'unlisted',
    };
    const updated = await world.call('updateSite', { path, body });
    expect(updated.body).toMatchObject({
      title: 'Docs',
      basename,
      visibility: 'unlisted',
      proxy: { target: 'docs.example.com/help', origin: expect.stringContaining(basename) },
      adaptiveContent: { enabled: false },
    });
    const removed = await world.call('updateSite', { path, body: { proxy: null } });
    expect(removed.body.proxy).toBeUndefined();
    expect((await world.call('updateSite', { path, body: { basename } })).status).toBe(200);
    expect((await world.call('updateSite', { path: await site(), body: { basename } })).status).toBe(409);
  });

  it('is forgotten as default content when it is deleted', async () => {
    const path = await site();
    const content = (id: string) =>
      world.call('updateOrganization', { path: org(), body: { defaultContent: { type: 'site', site: id } } });
    expect((await content('nobody')).status).toBe(400);
    expect((await content(path.siteId)).body.defaultContent).toEqual({ type: 'site', site: path.siteId });
    expect((await world.call('deleteSite', { path })).status).toBe(205);
    expect((await world.call('deleteSite', { path })).status).toBe(404);
    expect((await world.call('getOrganization', { path: org() })).body.defaultContent).toBeUndefined();
  });

  it('has an adaptive schema once one is put or wanted, with its $id, which was dropped, and nothing undeclared', async () => {
    const path = await site();
    const read = () => world.call('getSiteAdaptiveSchema', { path });
    expect((await read()).status).toBe(404);
    await world.call('updateSite', { path, body: { adaptiveContent: { enabled: true } } });
    const empty = { type: 'object', properties: {}, additionalProperties: false };
    expect((await read()).body).toEqual({ object: 'site-adaptive-schema', jsonSchema: empty });
    const claim = { type: 'boolean', description: 'Beta' };
    const unsigned = { type: 'object', properties: { dark: claim }, additionalProperties: false };
    const head = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://docs.example.com/claims' };
    const jsonSchema = { ...head, ...empty, properties: { beta: claim, unsigned } };
    const more = { ...jsonSchema, title: 'Claims' };
    const put = await world.call('putSiteAdaptiveSchema', { path, body: { jsonSchema: more } });
    expect(put.body.jsonSchema).toEqual(jsonSchema);
    expect((await read()).body).toEqual(put.body);
    const again = await world.call('putSiteAdaptiveSchema', { path, body: { jsonSchema } });
    expect(String(again.body.updatedAt) > String(put.body.updatedAt)).toBe(true);
    for (const properties of [{ beta: unsigned }, { unsigned: claim }]) {
      const refused = await world.call('putSiteAdaptiveSchema', {
        path,
        body: { jsonSchema: { ...empty, properties } },
      });
      expect(refused.status).toBe(400);
    }
  });

  it('shows the published site in either structure, and nothing before it is published', async () => {
    const [guide, api] = [await space('Guide'), await space('API')];
    const path = await site({ spaces: [guide] });
    const read = () => world.call('getPublishedSite', { path });
    expect((await read()).status).toBe(404);
    world.platform.publishSite(path.siteId, true);
    const flat = (await read()).body;
    const listed = (await world.call('listSiteSpaces', { path })).body.items;
    expect(flat.site).toEqual((await world.call('getSite', { path })).body);
    expect(flat.structure).toEqual({ type: 'siteSpaces', structure: listed });
    expect(flat.customizations.site?.title).toBe('Guide');
    const second = await world.call('createSiteSection', { path, body: { spaceId: api } });
    await world.call('createSiteSectionGroup', { path, body: { title: 'More', sections: [second.body.id] } });
    const { structure } = (await read()).body;
    const { items: sections } = (await world.call('listSiteSections', { path })).body;
    const { items: groups } = (await world.call('listSiteSectionGroups', { path })).body;
    expect(structure).toEqual({ type: 'sections', structure: [at(sections, 0), at(groups, 0)] });
    world.platform.publishSite(path.siteId, false);
    expect((await read()).status).toBe(404);
    expect(() => world.platform.publishSite('nobody', true)).toThrow('does not exist');
  });

  it('shows readers its site spaces beside a group without sections, which hid all of them', async () => {
    const path = await site({ spaces: [await space('Guide')] });
    world.platform.publishSite(path.siteId, true);
    await world.call('createSiteSectionGroup', { path, body: { title: 'Later' } });
    const { structure } = (await world.call('getPublishedSite', { path })).body;
    const { items } = (await world.call('listSiteSpaces', { path })).body;
    expect(structure).toEqual({ type: 'siteSpaces', structure: items });
  });
});

describe('platform/handlers/share-links', () => {
  it('open the addresses of a site for whoever has an active key', async () => {
    await using world = await createWorld();
    const org = { organizationId: world.organization };
    const { body: space } = await world.call('createSpace', { path: org, body: { title: 'Guide' } });
    const other = await world.call('createSpace', { path: org });
    const made = await world.call('createSite', { path: org, body: { visibility: 'share-link', spaces: [space.id] } });
    const path = { ...org, siteId: made.body.id, spaceId: space.id };
    world.platform.publishSite(path.siteId, true);
    const link = await world.call('createShareLink', { path, body: { name: 'Partners' } });
    expect(link.body).toMatchObject({ name: 'Partners', active: true });
    const shareKey = new URL(link.body.urls.published ?? '').searchParams.get('k') ?? '';
    const published = async (query: Record<string, string>) => {
      const { body } = await world.call('listSiteSpaces', { path, query });
      return at(body.items, 0).urls.published;
    };
    expect(await published({})).toBeUndefined();
    expect(await published({ shareKey })).toMatch(new RegExp(`/guide\\?k=${shareKey}$`));
    const opened = await world.call('getSpace', { path, query: { shareKey } });
    expect(opened.body.urls.published).toBe(await published({ shareKey }));
    expect((await world.call('getPublishedSite', { path, query: { shareKey } })).body.site.urls.published).toBe(
      link.body.urls.published,
    );
    expect((await world.call('getPublishedSite', { path })).body.site.urls.published).toBeUndefined();
    expect((await world.call('getSpace', { path: { spaceId: other.body.id }, query: { shareKey } })).status).toBe(403);

    const linkPath = { ...path, shareLinkId: link.body.id };
    const off = await world.call('updateShareLink', { path: linkPath, body: { active: false } });
    expect(off.body).toEqual({ ...link.body, active: false });
    for (const key of [shareKey, 'guessed']) {
      for (const name of ['listSiteSections', 'listSiteSpaces', 'getPublishedSite', 'getSpace'] as const) {
        expect((await world.call(name, { path, query: { shareKey: key } })).status).toBe(403);
      }
    }
    const renamed = await world.call('updateShareLink', { path: linkPath, body: { name: 'Friends' } });
    expect(renamed.body).toMatchObject({ name: 'Friends', active: false });
    await world.call('updateShareLink', { path: linkPath, body: { active: true } });
    expect(await published({ shareKey })).toBeDefined();
    expect((await world.call('listShareLinks', { path })).body).toMatchObject({
      count: 1,
      items: [{ name: 'Friends' }],
    });
    expect((await world.call('deleteShareLink', { path: linkPath })).status).toBe(205);
    expect((await world.call('listSiteSpaces', { path, query: { shareKey } })).status).toBe(403);
  });
});
