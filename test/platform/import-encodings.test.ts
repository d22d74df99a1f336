// What people import was not always written in UTF-8.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { at, createWorld, spaceWithPages, zipOf, type World } from './world.ts';

const LATIN = Buffer.from('# Caf\xe9\n\nna\xefve\n', 'latin1');
const UTF16 = Buffer.from('\uFEFF# Café\n\nnaïve\n', 'utf16le');

async function serve(bytes: Buffer, type: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', type).end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
}

async function importInto(world: World, source: string, from: { bytes: Buffer; type?: string }) {
  const { spaceId } = await spaceWithPages(world, {});
  const url = await serve(from.bytes, from.type ?? 'application/octet-stream');
  const { status, body } = await world.call('importContent', { path: { spaceId }, body: { url, source } });
  const { pages } = (await world.call('getRevision', { path: { spaceId } })).body;
  const texts: unknown[] = [];
  for (const { id } of pages) {
    const page = await world.call('getPage', { path: { spaceId, pageId: id }, query: { format: 'markdown' } });
    texts.push(page.body.markdown);
  }
  return { status, body, texts };
}

describe('platform/import encodings', () => {
  it('keeps the letters of a text in the encoding that its marks, its server or its own head name', async () => {
    await using world = await createWorld();
    const named = '<meta charset="iso-8859-1"><title>T</title><h1>Caf\xe9</h1><p>na\xefve</p>';
    const cases = [
      { source: 'markdown', bytes: UTF16 },
      { source: 'markdown', bytes: Buffer.from(UTF16).swap16() },
      { source: 'markdown', bytes: LATIN, type: 'text/markdown; charset=ISO-8859-1' },
      // A server that says the same of everything it sends.
      { source: 'markdown', bytes: Buffer.from('# Café\n\nnaïve\n'), type: 'text/plain; charset=iso-8859-1' },
      { source: 'html', bytes: Buffer.from(named, 'latin1'), type: 'text/html' },
      { source: 'website', bytes: Buffer.from(named, 'latin1'), type: 'text/html' },
    ];
    for (const { source, ...from } of cases) {
      const { status, texts } = await importInto(world, source, from);
      expect({ status, texts: texts.map((text) => String(text).trim()) }).toEqual({
        status: 201,
        texts: ['# Café\n\nnaïve'],
      });
    }
  });

  it('refuses a text of which nobody can tell the letters, and says why', async () => {
    await using world = await createWorld();
    for (const [source, from, problem] of [
      ['markdown', { bytes: LATIN }, 'it is not UTF-8, and names no other encoding'],
      ['markdown', { bytes: LATIN, type: 'text/plain; charset=utf-8' }, 'it is not the "utf-8" that it says it is'],
      [
        'html',
        { bytes: Buffer.from('<p>caf\xe9', 'latin1'), type: 'text/html; charset=klingon' },
        '"klingon" is not known',
      ],
      ['website', { bytes: Buffer.from('<p>caf\xe9', 'latin1') }, 'it is not UTF-8'],
    ] as const) {
      const { status, body, texts } = await importInto(world, source, from);
      expect({ status, texts }).toEqual({ status: 400, texts: [] });
      expect(body.error.message).toMatch(/^url: /);
      expect(body.error.message).toContain(problem);
    }
  });

  it('does not count a garbled file of an archive as imported', async () => {
    await using world = await createWorld();
    const bytes = await zipOf({ 'good.md': '# Good', 'latin.md': LATIN, 'wide.md': UTF16 });
    const { body, texts } = await importInto(world, 'zip', { bytes });
    expect(body).toMatchObject({ importedResources: 2, totalResources: 3 });
    expect(texts.map((text) => String(text).split('\n', 1)[0])).toEqual(['# Good', '# Café']);
  });

  it('makes no version of a specification whose letters nobody can tell', async () => {
    await using world = await createWorld();
    const text = 'openapi: 3.0.3\ninfo: { title: Caf\xe9, version: "1" }\npaths: {}\n';
    const url = await serve(Buffer.from(text, 'latin1'), 'text/yaml');
    const path = { organizationId: world.organization };
    await world.call('createOpenApiSpec', { path, body: { slug: 'cafe', source: { url } } });
    await world.platform.settle();
    const { body } = await world.call('listOpenApiSpecs', { path });
    expect(at(body.items, 0)).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'PARSE_ERROR' });
  });
});
