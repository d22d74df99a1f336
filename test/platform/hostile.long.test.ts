// What somebody sends who means harm: the platform refuses it, says so, and goes on.
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCli } from '../support/cli.ts';
import { callPlatform, createWorld, importFiles, spaceWithPages, type World } from './world.ts';

async function serve(host: string, answer: (path: string) => string): Promise<string> {
  const server = createServer((request, response) => void response.end(answer(request.url ?? '/')));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

async function importInto(world: World, url: string, source: string) {
  const { spaceId } = await spaceWithPages(world, {});
  return world.call('importContent', { path: { spaceId }, body: { url, source } });
}

/** An address of this machine that is not loopback. */
function otherAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

describe('platform/http/read-request', () => {
  it('refuses JSON that is nested thousands of levels deep with 400, not 500', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const deep = `{"body":{"document":${'{"nodes":['.repeat(20_000)}${']}'.repeat(20_000)}}}`;
    const answer = await fetch(`${world.platform.url}/v1/spaces/${spaceId}/comments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.platform.token}`, 'content-type': 'application/json' },
      body: deep,
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('nested');
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.from('{"title":"a\xff"}', 'latin1'), 'not UTF-8'],
    ['half of a character', Buffer.from('{"title":"a\\ud83d"}'), 'title: holds half of a character'],
    ['half of a character as a name', Buffer.from('{"title":"a","\\uDE00":1}'), 'half of a character'],
  ])('refuses %s, which it could only store as something else', async (_, body, problem) => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const response = await fetch(`${world.platform.url}/v1/spaces/${spaceId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${world.platform.token}` },
      body,
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(problem);
    expect((await world.call('getSpace', { path: { spaceId } })).body.title).toBe('Space');
  });

  it('checks what stands under a name with a line break: null there was answered with 500, and a claim of any kind was stored', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const path = { organizationId: world.organization, spaceId };
    const values = await world.call('updateCustomFieldValues', { path, body: { values: { 'a\nb': null } } });
    expect([values.status, values.body.error.message]).toEqual([400, 'values/a\nb: must be object']);
    const { body: site } = await world.call('createSite', { path, body: { title: 'Site' } });
    const claims = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
    for (const properties of [{ 'a\nb': null }, { unsigned: claims({ 'a\nb': 7 }) }]) {
      const body = { jsonSchema: claims(properties) };
      const put = await world.call('putSiteAdaptiveSchema', { path: { ...path, siteId: site.id }, body });
      expect([put.status, put.body.error?.message]).toEqual([400, expect.stringContaining('a\nb')]);
    }
  });

  it('takes whole characters however they are written', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const response = await fetch(`${world.platform.url}/v1/spaces/${spaceId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${world.platform.token}` },
      body: '\uFEFF{"title":"\\ud83d\\ude00 \\\\ud83d 😀"}',
    });
    expect(await response.json()).toMatchObject({ title: '😀 \\ud83d 😀' });
  });

  it('takes brackets inside of text for text', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const markdown = `\\"${'[{'.repeat(2000)}`;
    const made = await world.call('createComment', { path: { spaceId }, body: { body: { markdown } } });
    expect(made.status).toBe(200);
  });
});

describe('platform/http/listen', () => {
  it('says that it cannot listen on a host that nobody knows', async () => {
    await expect(createWorld({ host: 'no such host' })).rejects.toMatchObject({ code: 'DM_PORT_IN_USE' });
  });
});

describe('platform/import of hostile sources', () => {
  it('reads rows that stand outside of a table', async () => {
    await using world = await createWorld();
    const url = await serve('127.0.0.1', () => '<html><body><svg><tr><td>Cell</td></tr></svg><p>Text</p>');
    expect((await importInto(world, url, 'html')).status).toBe(201);
  });

  it('leaves out a file thousands of folders deep and imports the rest', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const { body } = await importFiles(world, spaceId, { [`${'d/'.repeat(2000)}a.md`]: 'x', 'b.md': '# B' });
    expect(body).toMatchObject({ importedResources: 1, totalResources: 2 });
  });

  it.each([
    ['a website of nothing but openings of links', 'website', `<html><body>${'<a '.repeat(200_000)}`],
    ['a website of nothing but openings of its main part', 'website', `<html><body>${'<main '.repeat(100_000)}`],
    ['a page of nothing but openings of titles', 'html', `<html>${'<title '.repeat(100_000)}`],
    ['a page of pictures that never end', 'html', `<html><p>${'![](data:'.repeat(50_000)}`],
  ])('reads %s without standing still', async (_, source, text) => {
    await using world = await createWorld();
    const url = await serve('127.0.0.1', () => text);
    expect((await importInto(world, url, source)).status).toBeLessThan(500);
  });

  it.each(['html', 'website'])(
    'refuses a page of the source %s with elements nested ten thousand deep',
    async (source) => {
      await using world = await createWorld();
      const url = await serve('127.0.0.1', () => `<html>${'<x-a>'.repeat(10_000)}`);
      expect((await importInto(world, url, source)).status).toBe(400);
    },
  );

  it('reads a page with a thousand elements whose end is left out', async () => {
    await using world = await createWorld();
    const list = `<ul>${'<li>one<br><img src="/a.png">'.repeat(1000)}</ul>`;
    const icons = `<svg>${'<path d="M0 0"/>'.repeat(1000)}</svg>`;
    const url = await serve('127.0.0.1', () => `<html><body>${list}${icons}`);
    expect((await importInto(world, url, 'html')).status).toBe(201);
  });

  it('counts the size of all pages of a website together', async () => {
    const page = `<html><body><p>${'x'.repeat(1000)}</p><a href="/b">b</a><a href="/c">c</a>`;
    const url = await serve('127.0.0.1', () => page);
    const { readImport } = await import('../../src/platform/import/index.ts');
    const { systemClock } = await import('../../src/base/index.ts');
    const limits = { downloadBytes: 2 * page.length + 10 };
    const read = await readImport({ url, source: 'website', clock: systemClock(), allowedHosts: [], limits });
    expect([read.imported, read.total]).toEqual([2, 3]);
  });
});

describe('platform/import of texts that were read again and again', () => {
  it.each([
    ['front matter whose names are lists of names', `---\n${'? '.repeat(5000)}\n---\n\n# Title\n\nText`],
    ['comments in front of no document of HTML', `<!-${'---><!----><!-'.repeat(60)}\n\n# Title\n\nText`],
    [
      'many names in front matter',
      `---\n${Array.from({ length: 50_000 }, (_, n) => `k${n}: 1`).join('\n')}\n---\n# Title`,
    ],
  ])('takes in %s: the platform was silent for minutes', async (_, text) => {
    await using world = await createWorld();
    const url = await serve('127.0.0.1', () => text);
    expect((await importInto(world, url, 'markdown')).status).toBe(201);
    expect((await importInto(world, url, 'website')).status).toBeLessThan(500);
    const { spaceId } = await spaceWithPages(world, {});
    expect((await importFiles(world, spaceId, { 'a.md': text })).status).toBe(201);
  });

  it('takes in a page whose heading has very many blanks in it', async () => {
    await using world = await createWorld();
    const { pages } = await spaceWithPages(world, {
      A: `# #${' '.repeat(200_000)}x ##  \n\nText`,
      B: '# \n\nText',
      C: '#   # ##',
    });
    expect(Object.keys(pages)).toEqual([`#${' '.repeat(200_000)}x`, 'B', '#']);
  });

  it('takes in a table of contents whose headings open tags without end', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const heading = `## G ${'<a '.repeat(20_000)}${'id="i"'.repeat(20_000)}><a id=">"></a> x`;
    const summary = `${heading}\n\n* [A](a.md)\n\n## H <a href="#h" id="h"></a>\n\n* [B](b.md)\n`;
    const made = await importFiles(world, spaceId, { 'SUMMARY.md': summary, 'a.md': '# A', 'b.md': '# B' });
    expect(made.status).toBe(201);
    const { body } = await world.call('listPages', { path: { spaceId } });
    expect(body.pages.map(({ slug }) => slug)).toContain('h');
  });
});

describe('platform/openapi of hostile sources', () => {
  it('ends the processing of a specification that is nested thousands of levels deep, with an error code', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization, specSlug: 'deep' };
    const model = `${'{"properties":{"a":'.repeat(5000)}{}${'}}'.repeat(5000)}`;
    const head = '"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{}';
    const text = `{${head},"components":{"schemas":{"A":${model}}}}`;
    await world.call('putOpenApiSpec', { path, body: { source: { text } } });
    await world.platform.settle();
    const { body } = await world.call('getOpenApiSpec', { path });
    expect(body).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'PARSE_ERROR' });
  });
});

describe('cli platform --import-from', () => {
  const address = otherAddress();

  it.skipIf(address === undefined)('lets imports come from another address only where the flag says so', async () => {
    const url = await serve(address ?? '', () => '# Elsewhere');
    await using world = await createWorld();
    const refused = await importInto(world, url, 'markdown');
    expect([refused.status, refused.body.error.message.includes('outside the networks')]).toEqual([400, true]);

    const flags = ['--import-from', 'docs.example', '--import-from', `${address}/32`];
    const running = startCli(['platform', ...flags], { env: { DOCMIRROR_PLATFORM_TOKEN: 'tok' } });
    const line = await running.until(/\{"url".*\}/);
    const platform = JSON.parse(/\{"url".*\}/.exec(line)?.[0] ?? '') as { url: string; organizations: string[] };
    const reached = { url: platform.url, token: 'tok' };
    const organizationId = platform.organizations[0] ?? '';
    const site = await callPlatform(reached, 'createSite', { path: { organizationId }, body: { spaces: 'empty' } });
    const placed = await callPlatform(reached, 'listSiteSpaces', { path: { organizationId, siteId: site.body.id } });
    const spaceId = placed.body.items[0]?.space.id ?? '';
    const body = { url, source: 'markdown' };
    expect((await callPlatform(reached, 'importContent', { path: { spaceId }, body })).status).toBe(201);
    expect((await running.interrupt()).code).toBe(0);
  });
});
