// Files that a batch of edits brings into a change request.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, serveBytes, type World } from './world.ts';

let world: World;
let path: { spaceId: string; changeRequestId: string };

beforeEach(async () => {
  world = await createWorld();
  const { body: space } = await world.call('createSpace', {
    path: { organizationId: world.organization },
    body: { title: 'Space' },
  });
  const { body: request } = await world.call('createChangeRequest', { path: { spaceId: space.id }, body: {} });
  path = { spaceId: space.id, changeRequestId: request.id };
});

afterEach(() => world[Symbol.asyncDispose]());

const TEXT = Buffer.from('Some text\n');
const inline = { name: 'a.txt', contentType: 'text/plain', base64: TEXT.toString('base64') };

function send(...changes: unknown[]) {
  return world.call('changeContent', { path, body: { changes } });
}

async function fileNames(): Promise<string[]> {
  const { body } = await world.call('listChangeRequestFiles', { path });
  return body.items.map(({ name }) => name);
}

it('platform/content/changes counts the places of a batch among the pages that are left by then', async () => {
  const insert = (title: string, more: object = {}) => ({
    type: 'insert_page',
    title,
    document: { markdown: 'Text.' },
    ...more,
  });
  const pages = async () => (await world.call('listChangeRequestPages', { path })).body.pages;
  await send(insert('A'), insert('B'), insert('C'));
  const [first] = await pages();
  expect((await send({ type: 'delete_page', page: first?.id }, insert('D', { at: 1 }))).status).toBe(200);
  expect((await pages()).map(({ title }) => title)).toEqual(['B', 'D', 'C']);
});

describe('changeContent/insert_files', () => {
  it('takes bytes from the edit itself, and pages of the same batch name them', async () => {
    const page = { type: 'insert_page', title: 'Page', document: { markdown: '[text](./text)' } };
    const { status } = await send({ type: 'insert_files', files: [{ ...inline, ref: 'text' }] }, page);
    expect(status).toBe(200);
    const { body } = await world.call('getChangeRequestRevision', { path });
    expect(body.files).toMatchObject([{ name: 'a.txt', contentType: 'text/plain', size: TEXT.byteLength }]);
    const pageId = body.pages[0]?.id ?? '';
    const read = await world.call('getChangeRequestPage', { path: { ...path, pageId }, query: { format: 'markdown' } });
    expect(read.body.markdown).toContain(`[text](/files/${body.files[0]?.id ?? ''})`);
  });

  it.each(['text/plain\nX: y', 'документ', 'text/plain\u0000'])(
    'gives out a file whose type %j no header can hold: the file was taken, and each download of it was answered with 500',
    async (contentType) => {
      expect((await send({ type: 'insert_files', files: [{ ...inline, contentType }] })).status).toBe(200);
      const { body } = await world.call('listChangeRequestFiles', { path });
      expect(body.items).toMatchObject([{ contentType }]);
      const answer = await fetch(body.items[0]?.downloadURL ?? '');
      expect([answer.status, await answer.text()]).toEqual([200, TEXT.toString()]);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    },
  );

  it('fetches bytes from an address, and stands in the space after the merge', async () => {
    await using source = await serveBytes(TEXT);
    const { status } = await send({ type: 'insert_files', files: [{ name: 'b.txt', url: source.url }] });
    expect([status, await fileNames()]).toEqual([200, ['b.txt']]);
    await world.call('mergeChangeRequest', { path });
    const { body } = await world.call('listFiles', { path: { spaceId: path.spaceId } });
    const [file] = body.items;
    expect(Buffer.from(await (await fetch(file?.downloadURL ?? '')).arrayBuffer())).toEqual(TEXT);
  });

  it.each([
    ['neither address nor bytes', { name: 'a' }, 'exactly one of url and base64'],
    ['both', { ...inline, url: 'http://127.0.0.1/' }, 'exactly one of url and base64'],
    ['bytes without a type', { name: 'a', base64: inline.base64 }, 'contentType'],
    ['what is no base64', { ...inline, base64: 'a b!' }, 'no base64'],
    ['too many bytes', { ...inline, base64: Buffer.alloc(1_000_001).toString('base64') }, 'at most 1000000'],
    ['an address beyond the networks of imports', { name: 'a', url: 'http://192.0.2.1/a' }, 'outside the networks'],
  ])('refuses %s, and does nothing of the batch', async (_, file, message) => {
    const { status, body } = await send({ type: 'insert_files', files: [inline, file] });
    expect(status).toBe(400);
    expect(body.error.message).toContain(message);
    expect(await fileNames()).toEqual([]);
  });

  it('keeps the address that somebody gives a page: letters, digits and dots became dashes', async () => {
    await send({ type: 'insert_page', title: 'Node', slug: 'node.js_api', document: { markdown: 'Text' } });
    const { body } = await world.call('getChangeRequestRevision', { path });
    expect(body.pages[0]?.slug).toBe('node.js_api');
  });

  it('keeps slugs of siblings apart within 100 characters: the number went behind them', async () => {
    for (const _ of ['first', 'second', 'third'])
      await send({ type: 'insert_page', title: 'Long', slug: 'a'.repeat(100), document: { markdown: 'Text' } });
    const { body } = await world.call('getChangeRequestRevision', { path });
    expect(body.pages.map(({ slug }) => slug)).toEqual(
      ['', '-2', '-3'].map((end) => 'a'.repeat(100 - end.length) + end),
    );
  });
});
