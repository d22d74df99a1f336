import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { at, createWorld, importFiles, spaceWithPages, type World } from './world.ts';

const DOT = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

const GUIDE = {
  'SUMMARY.md': '# Contents\n\n* [Start](start.md)\n  * [Install](start/install.md)\n* [End](end.md)\n',
  'start.md': '# Start\n\nSee [install](start/install.md#steps) and ![dot](assets/dot.gif).\n',
  'start/install.md': '# Install\n\nBack to [start](../start.md).\n',
  'end.md': '# End\n\nThe end.\n',
  'assets/dot.gif': DOT,
};

/** What an import is asked for whose source answers only after the work. */
async function lateSource(work: () => Promise<unknown>): Promise<{ url: string; source: string }> {
  const server = createServer((_, response) => {
    void work().then(() => response.end('# Late'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/late.md`, source: 'markdown' };
}

describe('platform/content/apply-import', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const contentOf = async (spaceId: string) => (await world.call('getRevision', { path: { spaceId } })).body;
  const markdownOf = async (spaceId: string, pageId: string): Promise<string | undefined> =>
    (await world.call('getPage', { path: { spaceId, pageId }, query: { format: 'markdown' } })).body.markdown;

  it('makes pages, files and links by id out of an archive', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    const reply = await importFiles(world, spaceId, GUIDE);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ importedResources: 4, totalResources: 4 });
    const content = await contentOf(spaceId);
    expect(content.id).toBe(reply.body.revision);
    expect(content.pages.map((page) => page.path)).toEqual(['start', 'end']);
    const start = at(content.pages, 0);
    const install = at(start.pages, 0);
    expect(install.path).toBe('start/install');
    expect(content.files).toMatchObject([{ name: 'dot.gif', contentType: 'image/gif', size: DOT.byteLength }]);
    expect(await markdownOf(spaceId, start.id)).toBe(
      `# Start\n\nSee [install](/pages/${install.id}#steps) and ![dot](/files/${at(content.files, 0).id}).\n`,
    );
  });

  it('changes nothing but the revision when the same archive comes again', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, GUIDE);
    const before = await contentOf(spaceId);
    await importFiles(world, spaceId, GUIDE);
    const after = await contentOf(spaceId);
    expect(after.id).not.toBe(before.id);
    expect(after.parents).toEqual([before.id]);
    expect(after.pages).toEqual(before.pages);
    expect(after.files.map((file) => file.id)).toEqual(before.files.map((f) => f.id));
  });

  it('updates a page in place, with a new document and its times, and leaves the others alone', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, GUIDE);
    const before = await contentOf(spaceId);
    await importFiles(world, spaceId, { ...GUIDE, 'end.md': '# End\n\nA better end.\n' });
    const after = await contentOf(spaceId);
    expect(after.pages[0]).toEqual(before.pages[0]);
    expect(at(after.pages, 1).id).toBe(at(before.pages, 1).id);
    expect(at(after.pages, 1).documentId).not.toBe(at(before.pages, 1).documentId);
    expect(at(before.pages, 1).updatedAt).toBeUndefined();
    expect(at(after.pages, 1).updatedAt).toBeDefined();
  });

  it('deletes nothing that the archive does not name', async () => {
    const { spaceId } = await spaceWithPages(world, { Kept: 'stays' });
    await importFiles(world, spaceId, { 'new.md': '# New\n\ntext' });
    const content = await contentOf(spaceId);
    expect(content.pages.map((page) => page.title)).toEqual(['Kept', 'New']);
  });

  it('gives a file of the same name new bytes under the same id', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, GUIDE);
    const before = at((await contentOf(spaceId)).files, 0);
    await importFiles(world, spaceId, { ...GUIDE, 'assets/dot.gif': Buffer.concat([DOT, Buffer.from('x')]) });
    const { files } = await contentOf(spaceId);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ id: before.id, size: DOT.byteLength + 1 });
  });

  it('brings the pages of a table of contents into its order', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, { 'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n', 'a.md': 'a', 'b.md': 'b' });
    const turned = { 'SUMMARY.md': '* [B](b.md)\n* [C](c.md)\n* [A](a.md)\n', 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' };
    await importFiles(world, spaceId, turned);
    const content = await contentOf(spaceId);
    expect(content.pages.map((page) => page.title)).toEqual(['B', 'C', 'A']);
  });

  it('refuses to import into locked content, and leaves it as it was', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    await world.call('updateSpace', { path: { spaceId }, body: { editMode: 'locked' } });
    const before = await contentOf(spaceId);
    const reply = await importFiles(world, spaceId, GUIDE);
    expect(reply.status).toBe(403);
    expect(reply.body.error.message).toContain('locked');
    expect((await contentOf(spaceId)).id).toBe(before.id);
  });

  it('imports nothing for somebody who lost the right to while it was fetched', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    const person = { displayName: 'Leaving', email: 'leaving@example.com', organization: world.organization };
    const { id, token } = world.platform.createUser({ ...person, role: 'edit' });
    const path = { organizationId: world.organization, userId: id };
    const body = await lateSource(() => world.call('deleteMember', { path }));
    const before = await contentOf(spaceId);
    expect((await world.call('importContent', { path: { spaceId }, body, token })).status).toBe(404);
    expect((await contentOf(spaceId)).id).toBe(before.id);
  });

  it('inserts no file for somebody who lost the right to while it was fetched', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    const person = { displayName: 'Gone', email: 'gone@example.com', organization: world.organization };
    const { id, token } = world.platform.createUser({ ...person, role: 'edit' });
    const request = await world.call('createChangeRequest', { path: { spaceId }, token });
    const path = { organizationId: world.organization, userId: id, spaceId, changeRequestId: request.body.id };
    const { url } = await lateSource(() => world.call('deleteMember', { path }));
    const body = { changes: [{ type: 'insert_files', files: [{ name: 'late.md', url }] }] };
    expect((await world.call('changeContent', { path, body, token })).status).toBe(404);
    expect((await world.call('listChangeRequestFiles', { path })).body.count).toBe(0);
  });

  it('imports nothing into content that was locked while it was fetched', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    const lock = { path: { spaceId }, body: { editMode: 'locked' } };
    const body = await lateSource(() => world.call('updateSpace', lock));
    const before = await contentOf(spaceId);
    expect((await world.call('importContent', { path: { spaceId }, body })).status).toBe(403);
    expect((await contentOf(spaceId)).id).toBe(before.id);
  });

  it('answers 400 for a source that is not supported', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    const body = { url: 'http://127.0.0.1:9/x', source: 'notion' };
    const reply = await world.call('importContent', { path: { spaceId }, body });
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain('zip');
  });
});
