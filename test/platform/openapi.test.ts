import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { at, createWorld, listAll, serveBytes, spaceWithPages, type World } from './world.ts';

const YAML = `openapi: 3.1.0
info: { title: Pets, version: "1", description: About pets }
paths:
  /pets/{id}:
    get:
      tags: [pets]
      summary: One pet
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses: { "200": { description: A pet } }
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string } } }
`;
const NEXT = YAML.replace('version: "1"', 'version: "2"');

async function create(world: World, source: object, slug = 'pets') {
  const path = { organizationId: world.organization };
  const made = await world.call('createOpenApiSpec', { path, body: { slug, source } });
  await world.platform.settle();
  return made;
}

function specPath(world: World, more: Record<string, string> = {}) {
  return { organizationId: world.organization, specSlug: 'pets', ...more };
}

async function read(world: World) {
  return (await world.call('getOpenApiSpec', { path: specPath(world) })).body;
}

describe('platform/openapi', () => {
  it('takes a text, is pending, and then complete with a version that holds it', async () => {
    await using world = await createWorld();
    const made = await create(world, { text: YAML });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ object: 'openapi-spec', slug: 'pets', processingState: 'pending' });
    expect(made.body.lastVersion).toBeUndefined();
    const spec = await read(world);
    expect(spec).toMatchObject({ processingState: 'complete', permissions: { view: true, edit: true } });
    expect(spec.lastProcessErrorCode).toBeUndefined();
    const latest = await world.call('getLatestOpenApiSpecVersion', { path: specPath(world) });
    expect(latest.body.id).toBe(spec.lastVersion);
    const content = await world.call('getLatestOpenApiSpecVersionContent', { path: specPath(world) });
    expect(content.body.filesystem).toMatchObject({ 'openapi.yaml': { specification: { info: { title: 'Pets' } } } });
    expect(new URL(content.body.url).origin).toBe(new URL(world.platform.filesUrl).origin);
    expect(await (await fetch(content.body.url)).text()).toBe(YAML);
    const versionId = latest.body.id;
    const version = await world.call('getOpenApiSpecVersion', { path: specPath(world, { versionId }) });
    expect(version.body).toEqual(latest.body);
    const same = await world.call('getOpenApiSpecVersionContent', { path: specPath(world, { versionId }) });
    expect(same.body.filesystem).toEqual(content.body.filesystem);
  });

  it('makes a version for each new text, newest first, and none for the same text', async () => {
    await using world = await createWorld();
    const put = async (source: object) => {
      const answer = await world.call('putOpenApiSpec', { path: specPath(world), body: { source } });
      await world.platform.settle();
      return [answer.status, answer.body.processingState];
    };
    expect(await put({ text: YAML })).toEqual([201, 'pending']);
    expect(await put({ text: YAML })).toEqual([200, 'pending']);
    expect(await put({ text: NEXT })).toEqual([200, 'pending']);
    await using server = await serveBytes(
      Buffer.from(JSON.stringify({ openapi: '3.0.0', info: { title: 'J', version: '3' }, paths: {} })),
    );
    expect(await put({ url: server.url })).toEqual([200, 'pending']);
    const spec = await read(world);
    expect(spec.sourceURL).toBe(server.url);
    const versions = await listAll(world, 'listOpenApiSpecVersions', { path: specPath(world), query: { limit: 2 } });
    expect(versions).toHaveLength(3);
    expect(at(versions, 0).id).toBe(spec.lastVersion);
    const names = await Promise.all(
      versions.map(async ({ id }) => {
        const path = specPath(world, { versionId: id });
        const { filesystem } = (await world.call('getOpenApiSpecVersionContent', { path })).body;
        return Object.keys(filesystem);
      }),
    );
    expect(names).toEqual([['openapi.json'], ['openapi.yaml'], ['openapi.yaml']]);
  });

  it('says why a source did not become a version, and keeps the versions that are there', async () => {
    await using world = await createWorld();
    await create(world, { text: YAML });
    const version = (await read(world)).lastVersion;
    const after = async (source: object) => {
      await world.call('putOpenApiSpec', { path: specPath(world), body: { source } });
      await world.platform.settle();
      return read(world);
    };
    for (const text of ['neither: [', 'just words', '{"openapi": "3.1.0"}', '{"openapi": "9.9", "info": {}}', '[1]']) {
      expect(await after({ text }), text).toMatchObject({
        processingState: 'complete',
        lastProcessErrorCode: 'PARSE_ERROR',
      });
    }
    expect(await after({ url: 'http://127.0.0.1:1/x' })).toMatchObject({ lastProcessErrorCode: 'FETCH_ERROR' });
    expect(await after({ url: 'http://10.0.0.1/x' })).toMatchObject({ lastProcessErrorCode: 'FETCH_ERROR' });
    expect(await after({ text: YAML })).toMatchObject({ lastVersion: version });
    expect((await read(world)).lastProcessErrorCode).toBeUndefined();
  });

  it('takes the text beside an address that is null: the text was lost; and refuses one beside an address that is none', async () => {
    await using world = await createWorld();
    expect((await create(world, { url: null, text: YAML })).status).toBe(201);
    const spec = await read(world);
    expect(spec.lastProcessErrorCode).toBeUndefined();
    expect([spec.sourceURL, spec.lastVersion]).toEqual([undefined, expect.any(String)]);
    for (const url of [5, 'no address']) {
      const refused = await world.call('putOpenApiSpec', {
        path: specPath(world),
        body: { source: { url, text: NEXT } },
      });
      expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringMatching(/^source\/url: must/)]);
    }
    await using server = await serveBytes(Buffer.from(NEXT));
    const both = { url: server.url, text: YAML };
    expect((await world.call('putOpenApiSpec', { path: specPath(world), body: { source: both } })).status).toBe(200);
    expect((await read(world)).sourceURL).toBe(server.url);
  });

  it('gives up on an address that never answers', async () => {
    const clock = manualClock(Date.parse('2025-01-01T00:00:00Z'));
    await using world = await createWorld({ clock });
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const asked = new Promise((resolve) => server.once('request', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await world.call('putOpenApiSpec', { path: specPath(world), body: { source: { url } } });
    await asked;
    expect(await read(world)).toMatchObject({ processingState: 'progress' });
    await clock.advance(60_000);
    await world.platform.settle();
    expect(await read(world)).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'FETCH_TIMEOUT' });
  });

  it('fetches an address again every six hours', async () => {
    const clock = manualClock(Date.parse('2025-01-01T00:00:00Z'));
    await using world = await createWorld({ clock });
    let text = YAML;
    const server = createServer((_, response) => response.end(text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    await create(world, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    const first = (await read(world)).lastVersion;
    text = NEXT;
    await clock.advance(6 * 3_600_000);
    await world.platform.settle();
    expect((await read(world)).lastVersion).not.toBe(first);
  });

  it('goes on after a stop with what was not processed', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platform-openapi-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const database = path.join(folder, 'platform.db');
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const asked = new Promise((resolve) => server.once('request', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    {
      await using world = await createWorld({ database });
      await world.call('putOpenApiSpec', { path: specPath(world), body: { source: { url } } });
      await asked;
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await using world = await createWorld({ database });
    await world.platform.settle();
    expect(await read(world)).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'FETCH_ERROR' });
  });

  it('refuses names that are taken or not plain, lists and deletes', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    await create(world, { text: YAML });
    expect((await create(world, { text: YAML })).status).toBe(409);
    expect((await create(world, { text: YAML }, 'Not Plain')).status).toBe(400);
    expect((await create(world, {}, 'empty')).status).toBe(400);
    const odd = { ...path, specSlug: 'Not_plain' };
    expect((await world.call('putOpenApiSpec', { path: odd, body: { source: { text: YAML } } })).status).toBe(400);
    await create(world, { text: NEXT }, 'cats');
    const all = await listAll(world, 'listOpenApiSpecs', { path, query: { limit: 1 } });
    expect(all.map(({ slug }) => slug)).toEqual(['pets', 'cats']);
    expect((await world.call('deleteOpenApiSpec', { path: specPath(world) })).status).toBe(205);
    expect((await world.call('deleteOpenApiSpec', { path: specPath(world) })).status).toBe(404);
    expect((await world.call('getLatestOpenApiSpecVersion', { path: specPath(world) })).status).toBe(404);
  });

  it('says of a name what is wrong with it: one of 101 letters was told of the pattern, which it matches', async () => {
    await using world = await createWorld();
    const message = async (specSlug: string): Promise<string> => {
      const path = specPath(world, { specSlug });
      return (await world.call('putOpenApiSpec', { path, body: { source: { text: YAML } } })).body.error.message;
    };
    expect(await message('Not_plain')).toMatch(/^specSlug: must match /);
    expect(await message('x'.repeat(101))).toBe('specSlug: must not have more than 100 characters');
  });

  it('lets readers read and not write', async () => {
    await using world = await createWorld();
    await create(world, { text: YAML });
    const person = { displayName: 'Pat', email: 'pat@example.com', organization: world.organization };
    const { token } = world.platform.createUser({ ...person, role: 'edit' });
    const seen = await world.call('getOpenApiSpec', { path: specPath(world), token });
    expect(seen.body.permissions).toEqual({ view: true, edit: false });
    expect((await world.call('deleteOpenApiSpec', { path: specPath(world), token })).status).toBe(403);
  });
});

describe('platform/openapi computed pages', () => {
  async function withComputedPage(world: World) {
    await create(world, { text: YAML });
    const { spaceId } = await spaceWithPages(world, { Intro: 'text' });
    const pageId = world.platform.addComputedPage({ space: spaceId, spec: 'pets', title: 'Reference' });
    return { spaceId, pageId };
  }

  it('stand in the tree as documents for each tag and the models, or as the one entry that they come from', async () => {
    await using world = await createWorld();
    const { spaceId, pageId } = await withComputedPage(world);
    const shown = await world.call('listPages', { path: { spaceId } });
    const entry = at(shown.body.pages, 1);
    expect(entry).toMatchObject({
      id: pageId,
      type: 'document',
      path: 'reference',
      computed: { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } } },
      computedSeed: expect.any(String),
      pages: [
        { type: 'document', path: 'reference/pets', computed: { props: { doc: 'operations', page: 'pets' } } },
        { type: 'document', path: 'reference/models', computed: { props: { doc: 'models' } } },
      ],
    });
    const source = await world.call('getRevision', { path: { spaceId }, query: { computed: false } });
    const stored = at(source.body.pages, 1);
    expect(stored).toMatchObject({ id: pageId, type: 'computed', pages: [] });
    expect(stored.computedSeed).toBeUndefined();
    const change = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const path = { spaceId, changeRequestId: change.body.id };
    const proposed = await world.call('listChangeRequestPages', { path });
    expect(proposed.body.pages).toEqual(shown.body.pages);
  });

  it('have a text, which follows the specification', async () => {
    await using world = await createWorld();
    const { spaceId, pageId } = await withComputedPage(world);
    const text = async (id: string) => {
      const query = { format: 'markdown' };
      return (await world.call('getPage', { path: { spaceId, pageId: id }, query })).body.markdown;
    };
    expect(await text(pageId)).toBe('# Reference\n\nVersion 1\n\nAbout pets');
    const { pages } = (await world.call('listPages', { path: { spaceId } })).body;
    const [operations, models] = at(pages, 1).pages ?? [];
    expect(await text(operations?.id ?? '')).toContain('## One pet\n\n`GET /pets/{id}`\n\n| Parameter | In |');
    expect(await text(models?.id ?? '')).toContain('"type": "object"');
    await world.call('putOpenApiSpec', { path: specPath(world), body: { source: { text: NEXT } } });
    await world.platform.settle();
    expect(await text(pageId)).toContain('Version 2');
    const plain = await world.call('getPage', { path: { spaceId, pageId }, query: { computed: false } });
    expect(plain.body).toMatchObject({ type: 'computed' });
  });

  it('have a path each, where tags differ in signs alone or one is called as the models are: two pages had one path', async () => {
    await using world = await createWorld();
    const operation = (tag: string) => `get: { tags: ["${tag}"], responses: { "200": { description: ok } } }`;
    const tags = ['Pets', 'pets!', 'models'];
    const paths = tags.map((tag, i) => `  /p${i}:\n    ${operation(tag)}\n`).join('');
    await create(world, { text: YAML.replace('paths:\n', `paths:\n${paths}`) });
    const { spaceId } = await spaceWithPages(world, {});
    world.platform.addComputedPage({ space: spaceId, spec: 'pets', title: 'Reference' });
    const { pages } = (await world.call('listPages', { path: { spaceId } })).body;
    const inside = at(pages, 0).pages ?? [];
    expect(inside.map(({ title, path: own }) => [title, own])).toEqual([
      ['Pets', 'reference/pets'],
      ['pets!', 'reference/pets-2'],
      ['models', 'reference/models'],
      ['pets', 'reference/pets-3'],
      ['Models', 'reference/models-2'],
    ]);
    expect(new Set(inside.map(({ id }) => id)).size).toBe(5);
  });

  it('are found by a search, by what they say now: what everybody could read was found by nobody', async () => {
    await using world = await createWorld();
    const { spaceId, pageId } = await withComputedPage(world);
    const find = async (query: string) => {
      const inSpace = (await world.call('searchSpace', { path: { spaceId }, query: { query } })).body.items;
      const path = { organizationId: world.organization };
      const [inOrganization] = (await world.call('searchOrganization', { path, query: { query } })).body.items;
      expect(inOrganization?.pages ?? []).toEqual(inSpace);
      return inSpace.map((page) => `${page.path}: ${page.sections?.map(({ title }) => title).join()}`);
    };
    expect(await find('pet')).toEqual([
      'reference/pets: pets,One pet',
      'reference/models: Pet',
      'reference: Reference',
    ]);
    expect(await find('version 2')).toEqual([]);
    await world.call('putOpenApiSpec', { path: specPath(world), body: { source: { text: NEXT } } });
    await world.platform.settle();
    expect(await find('version 2')).toEqual(['reference: Reference']);
    const again = await world.call('searchSpace', { path: { spaceId }, query: { query: 'version 2' } });
    expect(at(again.body.items, 0)).toMatchObject({ id: pageId, sections: [{ body: 'Version 2\nAbout pets' }] });
    await world.call('deleteOpenApiSpec', { path: specPath(world) });
    expect(await find('pet')).toEqual([]);
    expect(await find('reference')).toEqual(['reference: Reference']);
  });

  it('take comments, each of them', async () => {
    await using world = await createWorld();
    const { spaceId } = await withComputedPage(world);
    const { pages } = (await world.call('listPages', { path: { spaceId } })).body;
    const page = at(at(pages, 1).pages, 0);
    const body = { page: page.id, body: { markdown: 'Which pets?' } };
    const comment = await world.call('createComment', { path: { spaceId }, body });
    expect(comment.status).toBe(200);
    const target = { page: { id: page.id, title: 'pets', path: 'reference/pets', outdated: false } };
    expect(comment.body).toMatchObject({ target });
    const listed = await world.call('listComments', { path: { spaceId } });
    expect(listed.body.items).toMatchObject([{ target }]);
  });

  it('have their links listed, and are there for links: to list those of one was a 404, and a link to one counted as broken', async () => {
    await using world = await createWorld();
    const described = YAML.replace('About pets', '"[site](https://example.com/pets) and [lost](/pages/nobody)"');
    await create(world, { text: described });
    const { spaceId } = await spaceWithPages(world, {});
    const pageId = world.platform.addComputedPage({ space: spaceId, spec: 'pets', title: 'Reference' });
    const { pages } = (await world.call('listPages', { path: { spaceId } })).body;
    const tagId = at(at(pages, 0).pages, 0).id;
    const other = await spaceWithPages(world, { Links: `[a](/spaces/${spaceId}/pages/${tagId})` });
    expect((await world.call('listSpaceLinks', { path: { spaceId: other.spaceId } })).body.items).toMatchObject([
      { status: 'ok', targetReference: { kind: 'page' } },
    ]);
    const source = { status: 'ok', relation: 'dependsOn', targetReference: { openAPISpec: { slug: 'pets' } } };
    const ofTag = await world.call('listPageLinks', { path: { spaceId, pageId: tagId } });
    expect(ofTag.status).toBe(200);
    expect(ofTag.body.items).toMatchObject([source]);
    const ofEntry = await world.call('listPageLinks', { path: { spaceId, pageId } });
    expect(ofEntry.body.items).toMatchObject([
      source,
      { status: 'broken', targetReference: { kind: 'page', page: { id: 'nobody' } } },
      { status: 'ok', targetReference: { kind: 'url', url: 'https://example.com/pets' } },
    ]);
    const ofSpace = await world.call('listSpaceLinks', { path: { spaceId } });
    expect(ofSpace.body.stats).toEqual({ total: 3, broken: { total: 1 } });
  });

  it('are an empty page without the specification, and survive copies and merges', async () => {
    await using world = await createWorld();
    const { spaceId, pageId } = await withComputedPage(world);
    const copy = await world.call('duplicateSpace', { path: { spaceId } });
    const copied = await world.call('listPages', { path: { spaceId: copy.body.id } });
    expect(at(copied.body.pages, 1).pages).toHaveLength(2);
    const change = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const path = { spaceId, changeRequestId: change.body.id };
    await world.call('changeContent', {
      path,
      body: { changes: [{ type: 'insert_page', document: { markdown: '# New' } }] },
    });
    expect((await world.call('mergeChangeRequest', { path })).body.result).toBe('merge');
    await world.call('deleteOpenApiSpec', { path: specPath(world) });
    const gone = (await world.call('listPages', { path: { spaceId } })).body;
    expect(gone.pages.find(({ id }) => id === pageId)).toMatchObject({ type: 'document', pages: [] });
  });
});
