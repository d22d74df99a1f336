import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import type { AnyOperationName } from '../../src/contract/index.ts';
import { createRateLimit } from '../../src/platform/http/rate.ts';
import { at, callPlatform, createWorld, importFiles, spaceWithPages, type World } from './world.ts';

async function raw(world: World, target: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${world.platform.token}`, 'content-type': 'application/json' };
  return fetch(`${world.platform.url}${target}`, { ...init, headers });
}

/** Of this machine, as others find it; by itself where there is no network. */
function addressOfMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

describe('platform/http/listen', () => {
  it('names an address that others find where it listens on every one: files were to be had at "http://0.0.0.0" alone, which is to each machine itself', async () => {
    await using world = await createWorld({ host: '0.0.0.0' });
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, { 'README.md': '![](.gitbook/assets/a.png)\n', '.gitbook/assets/a.png': 'png' });
    const { items } = (await world.call('listFiles', { path: { spaceId } })).body;
    const addresses = [world.platform.url, items[0]?.downloadURL ?? ''];
    expect(addresses.map((address) => new URL(address).hostname)).toEqual([addressOfMachine(), addressOfMachine()]);
    expect(await (await fetch(addresses[1] ?? '')).text()).toBe('png');
  });
});

describe('platform/http/api-app', () => {
  it('answers the error body for unknown routes, wrong methods and broken bodies', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const rows: [Response, number][] = [
      [await raw(world, '/v1/nothing'), 404],
      [await raw(world, '/v1/orgs', { method: 'PUT' }), 405],
      [await raw(world, '/v1/spaces/%zz'), 404],
      [await raw(world, `/v1/spaces/${spaceId}`, { method: 'PATCH', body: '{"title":' }), 400],
      [await raw(world, `/v1/spaces/${spaceId}`, { method: 'PATCH', body: '[]' }), 400],
      [await raw(world, `/v1/spaces/${spaceId}`, { method: 'PATCH', body: 'x'.repeat(17 * 1024 * 1024) }), 413],
    ];
    for (const [response, status] of rows) {
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ error: { code: status, message: expect.any(String) } });
      expect(response.headers.get('x-ratelimit-limit')).toBe('1000000');
    }
    expect(rows[1]?.[0].headers.get('allow')).toBe('GET, HEAD');
  });

  it('says in words what is possible instead of a wrong method: "GET, HEAD is"', async () => {
    await using world = await createWorld();
    const said = async (path: string, method: string): Promise<string> => {
      const { error } = (await (await raw(world, path, { method })).json()) as { error: { message: string } };
      return error.message;
    };
    expect(await said('/v1/orgs', 'PUT')).toBe('PUT is not possible here; GET, HEAD are');
    const { spaceId } = await spaceWithPages(world, {});
    expect(await said(`/v1/spaces/${spaceId}/restore`, 'GET')).toBe('GET is not possible here; POST is');
  });

  it('answers HEAD as GET without the body, and counts it as what it is', async () => {
    await using world = await createWorld();
    const [get, head] = [await raw(world, '/v1/orgs'), await raw(world, '/v1/orgs', { method: 'HEAD' })];
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect((await raw(world, '/v1/orgs/nothing', { method: 'HEAD' })).status).toBe(404);
    const seen = await raw(world, '/_platform/requests');
    const { items } = (await seen.json()) as { items: { method: string; target: string }[] };
    expect(items.filter(({ target }) => target === '/v1/orgs').map(({ method }) => method)).toEqual(['GET', 'HEAD']);
  });

  it('says where to find what was made', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const imported = await importFiles(world, spaceId, { 'a.md': '# A' });
    expect(imported.headers.get('location')).toBe(`${world.platform.url}/v1/spaces/${spaceId}/content`);
    const path = { organizationId: world.organization };
    const { body: site } = await world.call('createSite', { path, body: { title: 'Site' } });
    const at = { ...path, siteId: site.id };
    const { body: section } = await world.call('createSiteSection', { path: at, body: { spaceId } });
    const group = await world.call('createSiteSectionGroup', { path: at, body: { title: 'Group' } });
    const inGroup = { ...at, siteSectionGroupId: group.body.id };
    const added = await world.call('addSectionToGroup', { path: inGroup, body: { sectionId: section.id } });
    expect(added.headers.get('location')).toBe(group.headers.get('location'));
    expect(added.headers.get('location')).toMatch(new RegExp(`/section-groups/${group.body.id}$`));
  });

  it('says how to authenticate, and that nothing follows a deletion', async () => {
    await using world = await createWorld();
    const stranger = await world.call('listOrganizations', { token: 'nobody' });
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const { spaceId } = await spaceWithPages(world, {});
    const deleted = await world.call('deleteSpace', { path: { spaceId } });
    expect([deleted.status, deleted.headers.get('content-length')]).toEqual([205, '0']);
  });

  it('names the field that is out of bounds', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const message = async (body: unknown): Promise<string> =>
      (await world.call('updateSpace', { path: { spaceId }, body })).body.error.message;
    expect(await message({ title: 'x'.repeat(51) })).toBe('title: must not have more than 50 characters');
    expect(await message({ editMode: 'open' })).toBe('editMode: must be one of live, locked');
    const reply = await world.call('createComment', { path: { spaceId }, body: {} });
    expect(reply.body.error.message).toBe('body: is required');
  });

  it('names the field of the alternative that was meant', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const path = { spaceId, organizationId: world.organization };
    const wrong: [AnyOperationName, unknown, string][] = [
      ['createOpenApiSpec', { slug: 'a', source: { text: '' } }, 'source/text: must not have fewer than 1 characters'],
      ['createOpenApiSpec', { slug: 'a', source: {} }, 'source/url: is required'],
      ['createComment', { body: { document: { object: 'document' } } }, 'body/document/nodes: is required'],
      ['createComment', { body: { markdown: 1 } }, 'body/markdown: must be string'],
      ['moveSpace', { position: { before: { type: 'collection' } } }, 'position/before/collection: is required'],
      ['moveSpace', { parent: 5 }, 'parent: must be string'],
      ['moveSpace', { position: { before: { type: 'space', id: 'x' } } }, 'position/before/space: is required'],
      [
        'moveSpace',
        { position: { before: { type: 'page', page: 'x' } } },
        'position/before/type: must be one of space, collection',
      ],
      ['createSite', { spaces: 'new' }, 'spaces: must be one of sample, empty'],
      ['createSite', { spaces: ['a', 5] }, 'spaces/1: must be string'],
      ['updateOrganization', { defaultContent: { type: 'space', site: 'x' } }, 'defaultContent/type: must be site'],
    ];
    for (const [name, body, message] of wrong)
      expect((await world.call(name, { path, body })).body.error.message).toBe(message);
  });

  it('ignores unknown fields of a body and unknown query parameters', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const reply = await world.call('updateSpace', {
      path: { spaceId },
      query: { nonsense: 1 },
      body: { title: 'New', nonsense: 1 },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).not.toHaveProperty('nonsense');
  });

  it('refuses with 429 once the rate of the second is used up, and says when it resets', async () => {
    const clock = manualClock(Date.parse('2026-01-01T00:00:00.250Z'));
    await using world = await createWorld({ clock, rate: 2 });
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await world.call('listOrganizations'));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 429]);
    expect(replies.map((reply) => reply.headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(replies[2]?.headers.get('x-ratelimit-reset')).toBe(String(Date.parse('2026-01-01T00:00:01Z') / 1000));
    await clock.advance(1000);
    expect((await world.call('listOrganizations')).status).toBe(200);
  });

  it('keeps a bounded log of requests, with counts by operation', async () => {
    await using world = await createWorld();
    await world.call('listOrganizations', { query: { limit: 5 } });
    await world.call('getSpace', { path: { spaceId: 'x' } });
    expect(world.platform.requestLog.recent()).toEqual(
      [
        { operation: 'listOrganizations', method: 'GET', target: '/v1/orgs?limit=5', status: 200 },
        { operation: 'getSpace', method: 'GET', target: '/v1/spaces/x?', status: 404 },
      ].map((entry) => ({ ...entry, target: entry.target.replace(/\?$/, '') })),
    );
    expect(world.platform.requestLog.counts()).toEqual({ listOrganizations: 1, getSpace: 1 });
    world.platform.clearRequestLog();
    expect(world.platform.requestLog.recent()).toEqual([]);
  });

  it('keeps every one of many updates that run at once', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const bodies = Array.from({ length: 40 }, (_, i) => ({ body: { markdown: `c${i}` } }));
    await Promise.all(bodies.map((body) => world.call('createComment', { path: { spaceId }, body })));
    expect((await world.call('getSpace', { path: { spaceId } })).body.comments).toBe(40);
    const requests = await Promise.all(bodies.map(() => world.call('createChangeRequest', { path: { spaceId } })));
    expect(new Set(requests.map((reply) => reply.body.number)).size).toBe(40);
  });
});

describe('platform/http/rate', () => {
  it('allows one request in 1/rate seconds for a rate below one', async () => {
    const clock = manualClock(0);
    const limit = createRateLimit(clock, 0.25);
    expect([limit.take().allowed, limit.take().allowed]).toEqual([true, false]);
    await clock.advance(4000);
    expect(limit.take().allowed).toBe(true);
  });
});

describe('platform/http/files-app', () => {
  it('serves bytes without a token from the second origin until the address expires', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const bytes = Buffer.from('89504e470d0a1a0a00', 'hex');
    await importFiles(world, spaceId, { 'a.md': '![x](assets/a b.png)', 'assets/a b.png': bytes });
    const { body } = await world.call('listFiles', { path: { spaceId } });
    const file = at(body.items, 0);
    expect(file.downloadURL.startsWith(world.platform.filesUrl)).toBe(true);
    expect(world.platform.filesUrl).not.toBe(world.platform.url);
    const response = await fetch(file.downloadURL);
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength));
    expect(response.headers.get('content-type')).toBe('image/png');
    const etag = response.headers.get('etag') ?? '';
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect((await fetch(file.downloadURL, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(file.downloadURL.replace(/signature=../, 'signature=zz'))).status).toBe(403);
    expect((await fetch(file.downloadURL.replace('image%2Fpng', 'text%2Fhtml'))).status).toBe(403);
    world.clock.advance(3_600_001);
    expect((await fetch(file.downloadURL)).status).toBe(403);
    const again = await world.call('getFile', { path: { spaceId, fileId: file.id } });
    expect((await fetch(again.body.downloadURL)).status).toBe(200);
  });
});

describe('platform/http/files-app, for names of dots alone', () => {
  it.each(['.', '..'])(
    'gives %j an address that leads to its bytes: it was answered 404, and no walk was complete',
    async (name) => {
      await using world = await createWorld();
      const { spaceId } = await spaceWithPages(world, {});
      const { body: request } = await world.call('createChangeRequest', { path: { spaceId } });
      const path = { spaceId, changeRequestId: request.id };
      const files = [{ name, base64: Buffer.from('bytes').toString('base64'), contentType: 'text/plain' }];
      await world.call('changeContent', { path, body: { changes: [{ type: 'insert_files', files }] } });
      const { body } = await world.call('listChangeRequestFiles', { path });
      const file = at(body.items, 0);
      expect(file.name).toBe(name);
      expect(await (await fetch(file.downloadURL)).text()).toBe('bytes');
    },
  );
});

describe('platform/http/files-app, for whoever goes on with a download that was cut off', () => {
  it.each([
    ['bytes=0-3', [206, 'bytes 0-3/10', '0123']],
    ['bytes=7-', [206, 'bytes 7-9/10', '789']],
    ['bytes=-2', [206, 'bytes 8-9/10', '89']],
    ['bytes=-99', [206, 'bytes 0-9/10', '0123456789']],
    ['bytes=9-99', [206, 'bytes 9-9/10', '9']],
    ['bytes=10-', [416, 'bytes */10', '']],
    // Several parts, and what is no range, may be left unheeded.
    ['bytes=0-1,4-5', [200, null, '0123456789']],
    ['bytes=3-1', [200, null, '0123456789']],
    ['lines=0-1', [200, null, '0123456789']],
  ])('answers %s with %j', async (range, expected) => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, { 'a.md': '[x](assets/x.bin)', 'assets/x.bin': '0123456789' });
    const { downloadURL } = at((await world.call('listFiles', { path: { spaceId } })).body.items, 0);
    const answer = await fetch(downloadURL, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual(expected);
    const etag = answer.headers.get('etag') ?? '"none"';
    const other = await fetch(downloadURL, { headers: { range, 'if-range': `${etag.slice(0, -1)}x"` } });
    expect([other.status, await other.text()], 'a part of another file').toEqual([200, '0123456789']);
    const head = await fetch(downloadURL, { method: 'HEAD', headers: { range } });
    const told = ['content-length', 'accept-ranges'].map((name) => head.headers.get(name));
    expect([head.status, ...told]).toEqual([200, '10', 'bytes']);
  });
});

describe('platform/people', () => {
  it('keeps a connection while its own process is busy: a seed that packed 20,000 pages met ECONNRESET with its next request', async () => {
    await using world = await createWorld();
    const { headers } = await raw(world, '/v1/orgs');
    expect(headers.get('connection')).toBe('keep-alive');
    expect(headers.get('keep-alive')).toBe('timeout=600');
  });

  it('gives created users a token of their own', async () => {
    await using world = await createWorld();
    const person = world.platform.createUser({
      displayName: 'P',
      email: 'p@example.com',
      organization: world.organization,
      role: 'read',
    });
    const reply = await callPlatform({ url: world.platform.url, token: person.token }, 'listOrganizations');
    expect(reply.body.items).toHaveLength(1);
  });

  it('starts without an organization when told so', async () => {
    await using world = await createWorld({ organization: null });
    expect(world.platform.organizations()).toEqual([]);
    expect((await world.call('listOrganizations')).body).toEqual({ count: 0, items: [] });
  });
});
