import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, callPlatform, createWorld, importFiles, listAll, spaceWithPages, type World } from './world.ts';

const DAY_MS = 24 * 3_600_000;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

describe('platform/handlers/spaces', () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const create = async (parent?: string): Promise<string> => {
    const path = { organizationId: world.organization };
    return (await world.call('createSpace', { path, body: parent === undefined ? {} : { parent } })).body.id;
  };
  const collection = async (parent?: string): Promise<string> => {
    const path = { organizationId: world.organization };
    return (await world.call('createCollection', { path, body: parent === undefined ? {} : { parent } })).body.id;
  };
  const order = async (parent: string): Promise<string[]> => {
    const { body } = await world.call('listCollectionSpaces', { path: { collectionId: parent } });
    return body.items.map((space) => space.id);
  };
  const beside = (space: string) => ({ type: 'space', space });

  it('shows a deleted space to administrators only, and lists it to nobody', async () => {
    const parent = await collection();
    const spaceId = await create(parent);
    expect((await world.call('deleteSpace', { path: { spaceId } })).status).toBe(205);
    expect((await world.call('getSpace', { path: { spaceId } })).body.deletedAt).toBeDefined();
    const reader = world.platform.createUser({
      displayName: 'R',
      email: 'r@example.com',
      organization: world.organization,
      role: 'create',
    });
    expect((await world.call('getSpace', { path: { spaceId }, token: reader.token })).status).toBe(404);
    expect((await world.call('getRevision', { path: { spaceId } })).status).toBe(404);
    expect(await order(parent)).toEqual([]);
    expect((await world.call('deleteSpace', { path: { spaceId } })).status).toBe(404);
    expect((await world.call('updateSpace', { path: { spaceId }, body: { title: 'Again' } })).status).toBe(404);
  });

  it('restores a space within seven days and not after', async () => {
    const [first, second] = [await create(), await create()];
    for (const spaceId of [first, second]) await world.call('deleteSpace', { path: { spaceId } });
    world.clock.advance(7 * DAY_MS - 60_000);
    const restored = await world.call('restoreSpace', { path: { spaceId: first } });
    expect(restored.status).toBe(200);
    expect(restored.body.deletedAt).toBeUndefined();
    expect((await world.call('restoreSpace', { path: { spaceId: first } })).status).toBe(409);
    world.clock.advance(60_001);
    expect((await world.call('restoreSpace', { path: { spaceId: second } })).status).toBe(404);
    expect((await world.call('getSpace', { path: { spaceId: second } })).status).toBe(404);
  });

  it('puts what is moved before, after, between or at the end', async () => {
    const parent = await collection();
    const [a, b, c] = [await create(parent), await create(parent), await create(parent)];
    const move = (spaceId: string, position?: object) =>
      world.call('moveSpace', { path: { spaceId }, body: position === undefined ? {} : { position } });
    await move(c, { before: beside(a) });
    expect(await order(parent)).toEqual([c, a, b]);
    await move(c, { after: beside(a) });
    expect(await order(parent)).toEqual([a, c, b]);
    await move(b, { after: beside(a), before: beside(c) });
    expect(await order(parent)).toEqual([a, b, c]);
    await move(a);
    expect(await order(parent)).toEqual([b, c, a]);
    expect((await move(a)).status).toBe(409);
    expect((await move(c, { before: beside(a) })).status).toBe(409);
    expect((await move(c, { before: beside('nobody') })).status).toBe(400);
    expect((await move(c, { after: beside(a), before: beside(b) })).status).toBe(400);
    // Outside of every collection none can be open to those of its own.
    const out = await world.call('moveSpace', { path: { spaceId: b }, body: { parent: null } });
    expect([out.status, out.body.visibility]).toEqual([200, 'private']);
  });

  it('lists what is added behind one that had been put between two others, and all of it: it came first, and a page left it out', async () => {
    const parent = await collection();
    const first: string[] = [];
    for (let i = 0; i < 11; i++) first.push(await create(parent));
    const between = await create(parent);
    const position = { after: beside(first[9] ?? '') };
    await world.call('moveSpace', { path: { spaceId: between }, body: { position } });
    await world.call('moveSpace', { path: { spaceId: first[10] ?? '' }, body: { parent: null } });
    const added = [await create(parent), await create(parent)];
    const expected = [...first.slice(0, 10), between, ...added];
    expect(await order(parent)).toEqual(expected);
    const input = { path: { collectionId: parent }, query: { limit: 1 } };
    expect((await listAll(world, 'listCollectionSpaces', input)).map(({ id }) => id)).toEqual(expected);
  });

  it('keeps one order among spaces and collections', async () => {
    const parent = await collection();
    const [space, inner] = [await create(parent), await collection(parent)];
    const position = { before: beside(space) };
    expect((await world.call('moveCollection', { path: { collectionId: inner }, body: { position } })).status).toBe(
      200,
    );
    const again = await world.call('moveSpace', {
      path: { spaceId: space },
      body: { position: { after: { type: 'collection', collection: inner } } },
    });
    expect(again.status).toBe(409);
  });

  it('refuses to move a collection into itself or below', async () => {
    const outer = await collection();
    const inner = await collection(outer);
    for (const parent of [outer, inner]) {
      const reply = await world.call('moveCollection', { path: { collectionId: outer }, body: { parent } });
      expect(reply.status).toBe(409);
    }
  });

  it('transfers to another organization, and answers 409 for the same one', async () => {
    const spaceId = await create(await collection());
    const organization = world.platform.createOrganization({ title: 'Other' });
    const moved = await world.call('transferSpace', { path: { spaceId }, body: { organization } });
    expect(moved.body).toMatchObject({ organization });
    expect(moved.body.parent).toBeUndefined();
    expect((await world.call('transferSpace', { path: { spaceId }, body: { organization } })).status).toBe(409);
    const nowhere = await world.call('transferSpace', { path: { spaceId }, body: { organization: 'x' } });
    expect(nowhere.status).toBe(404);
    const there = { path: { organizationId: organization } };
    const first = (await world.call('createCollection', { ...there, body: {} })).body.id;
    const outer = await collection();
    const inner = await collection(outer);
    await world.call('transferCollection', { path: { collectionId: outer }, body: { organization } });
    const listed = await listAll(world, 'listCollections', { ...there, query: { limit: 1 } });
    expect(listed.map(({ id }) => id)).toEqual([first, outer, inner]);
  });

  it('duplicates content deeply, with new ids and links that lead into the copy', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, {
      'a.md': '# A\n\n[b](b.md) ![x](assets/x.png)\n\n    [b](b.md)\n',
      'b.md': '# B\n\n[a](a.md)\n',
      'assets/x.png': PNG,
    });
    const copy = await world.call('duplicateSpace', { path: { spaceId } });
    expect(copy.status).toBe(201);
    const content = async (id: string) => (await world.call('getRevision', { path: { spaceId: id } })).body;
    const [one, other] = [await content(spaceId), await content(copy.body.id)];
    expect(other.pages.map((page) => page.path)).toEqual(['a', 'b']);
    expect(at(other.pages, 0).id).not.toBe(at(one.pages, 0).id);
    const path = { spaceId: copy.body.id, pageId: at(other.pages, 0).id };
    const { markdown } = (await world.call('getPage', { path, query: { format: 'markdown' } })).body;
    expect(markdown).toContain(`[b](/pages/${at(other.pages, 1).id}) ![x](/files/${at(other.files, 0).id})`);
    expect(at(other.files, 0).size).toBe(8);
  });

  it('makes a copy as visible as the space: that of a private one in a collection was open to the collection', async () => {
    const [parent, spaceId] = [await collection(), await create()];
    await world.call('moveSpace', { path: { spaceId }, body: { parent } });
    const copy = await world.call('duplicateSpace', { path: { spaceId } });
    expect(copy.body).toMatchObject({ parent, visibility: 'private' });
    const inner = await world.call('duplicateSpace', { path: { spaceId: await create(parent) } });
    expect(inner.body.visibility).toBe('in-collection');
  });

  it('puts a copy right behind the space, locked as that is, under a title that fits', async () => {
    const parent = await collection();
    const [spaceId, last] = [await create(parent), await create(parent)];
    await world.call('updateSpace', { path: { spaceId }, body: { title: 'x'.repeat(50), editMode: 'locked' } });
    const { body } = await world.call('duplicateSpace', { path: { spaceId } });
    expect(body).toMatchObject({ title: 'x'.repeat(50), editMode: 'locked' });
    expect(await order(parent)).toEqual([spaceId, body.id, last]);
  });

  it('duplicates covers and links of the table of contents: those of the copy named files and pages of the original', async () => {
    const { spaceId } = await spaceWithPages(world, {});
    const cover = { 'a.md': '---\ncover: assets/x.png\n---\n\n# A\n\nText.\n', 'assets/x.png': PNG };
    await importFiles(world, spaceId, cover);
    const content = async (id: string) => (await world.call('getRevision', { path: { spaceId: id } })).body;
    const page = at((await content(spaceId)).pages, 0).id;
    const links = `* [A](a.md)\n* [Back](/pages/${page}#part)\n* [Whole](/spaces/${spaceId}/pages/${page})\n* [Out](mailto:a@b.example)\n`;
    await importFiles(world, spaceId, { ...cover, 'SUMMARY.md': links });
    const copy = (await world.call('duplicateSpace', { path: { spaceId } })).body.id;
    const { pages, files } = await content(copy);
    const own = at(pages, 0).id;
    expect(pages.map(({ cover: shown, target }) => shown?.ref ?? target)).toEqual([
      { kind: 'file', file: at(files, 0).id },
      { kind: 'url', url: `/pages/${own}#part` },
      { kind: 'url', url: `/spaces/${copy}/pages/${own}` },
      { kind: 'url', url: 'mailto:a@b.example' },
    ]);
    expect((await world.call('listSpaceLinks', { path: { spaceId: copy } })).body.stats?.broken.total).toBe(0);
  });

  it('deletes what a collection holds, and restores a space of it to the root', async () => {
    const outer = await collection();
    const [spaceId, earlier] = [await create(await collection(outer)), await create(outer)];
    await create();
    await world.call('deleteSpace', { path: { spaceId: earlier } });
    const deletedAt = async (id: string) => (await world.call('getSpace', { path: { spaceId: id } })).body.deletedAt;
    const before = await deletedAt(earlier);
    world.clock.advance(DAY_MS);
    expect((await world.call('deleteCollection', { path: { collectionId: outer } })).status).toBe(205);
    expect(await deletedAt(spaceId)).toBeDefined();
    // It is gone for good a week after it was deleted itself.
    expect(await deletedAt(earlier)).toBe(before);
    const { body } = await world.call('restoreSpace', { path: { spaceId } });
    expect(body.parent).toBeUndefined();
    expect(body.visibility).toBe('private');
    await world.call('restoreSpace', { path: { spaceId: earlier } });
    // At the end of the root, where it cannot be moved to.
    expect((await world.call('moveSpace', { path: { spaceId: earlier }, body: {} })).status).toBe(409);
  });

  it('moves updatedAt with every change inside the space', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'x' });
    const path = { spaceId };
    const times: string[] = [];
    const mark = async (): Promise<void> => void times.push((await world.call('getSpace', { path })).body.updatedAt);
    await mark();
    const comment = await world.call('createComment', { path, body: { body: { markdown: 'c' }, page: pages['One'] } });
    await mark();
    const commentPath = { ...path, commentId: comment.body.id };
    const reply = await world.call('createCommentReply', { path: commentPath, body: { body: { markdown: 'r' } } });
    await mark();
    const replyPath = { ...commentPath, commentReplyId: reply.body.id };
    await world.call('updateCommentReply', { path: replyPath, body: { body: { markdown: 'edited' } } });
    await mark();
    await world.call('updateComment', { path: commentPath, body: { addedReactions: ['👍'] } });
    await mark();
    const request = await world.call('createChangeRequest', { path });
    await mark();
    const requestPath = { ...path, changeRequestId: request.body.id };
    await world.call('createChangeRequestComment', { path: requestPath, body: { body: { markdown: 'c' } } });
    await mark();
    await importFiles(world, spaceId, { 'n.md': '# N' });
    await mark();
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(times).toHaveLength(8);
  });
});

describe('platform/handlers/comments-core', () => {
  it('lets the author and administrators edit, and everybody who comments react and resolve', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const person = (role: 'comment' | 'read', name: string) =>
      world.platform.createUser({
        displayName: name,
        email: `${name}@example.com`,
        organization: world.organization,
        role,
      });
    const [author, other, reader] = [person('comment', 'a'), person('comment', 'b'), person('read', 'c')];
    const text = { body: { markdown: 'mine' } };
    const created = await world.call('createComment', { path: { spaceId }, body: text, token: author.token });
    const path = { spaceId, commentId: created.body.id };
    const as = (token: string, body: object) => world.call('updateComment', { path, body, token });
    expect((await as(other.token, text)).status).toBe(403);
    const nothing = { path: { spaceId, commentId: 'nobody' }, body: text };
    expect((await world.call('createCommentReply', nothing)).status).toBe(404);
    expect((await as(other.token, { resolved: true, addedReactions: ['🎉', '🎉'] })).body).toMatchObject({
      status: 'resolved',
      resolvedBy: { id: other.id },
      reactions: [{ emoji: '🎉', count: 1 }],
    });
    expect((await as(author.token, { resolved: true })).body.resolvedBy?.id).toBe(other.id);
    expect((await as(reader.token, { resolved: false })).status).toBe(403);
    const reopened = await as(author.token, { resolved: false, removedReactions: ['🎉'] });
    expect(reopened.body.status).toBe('open');
    expect(reopened.body.resolvedAt).toBeUndefined();
    expect(at(reopened.body.reactions, 0).count).toBe(1);
    expect((await as(world.platform.token, text)).status).toBe(200);
    expect(created.body.permissions).toEqual({ view: true, edit: true, reply: true, delete: true });
    // Who may not comment any more may not edit what they wrote.
    const lowered = { path: { organizationId: world.organization, userId: author.id }, body: { role: 'read' } };
    await world.call('updateMember', lowered);
    const { body: shown } = await world.call('getComment', { path, token: author.token });
    expect(shown.permissions).toEqual({ view: true, edit: false, reply: false, delete: false });
    expect((await as(author.token, text)).status).toBe(403);
  });

  it('refuses a body with Markdown and a document: the one that nobody had checked was stored, or ended in a 500', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const document = { object: 'document', data: { schemaVersion: 3 }, nodes: [{ text: 'from nodes' }] };
    for (const markdown of [null, 5, '', { a: 1 }, 'both']) {
      const reply = await world.call('createComment', { path: { spaceId }, body: { body: { markdown, document } } });
      expect(reply.status).toBe(400);
      expect(reply.body.error.message).toBe('body: holds either markdown or document');
    }
    const silent = { body: { document: { ...document, nodes: [] } } };
    expect((await world.call('createComment', { path: { spaceId }, body: silent })).status).toBe(400);
    expect((await world.call('listComments', { path: { spaceId } })).body.count).toBe(0);
  });

  it('gives a document back as it was posted: its data were left out', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const document = { object: 'document', data: { schemaVersion: 3 }, nodes: [{ text: 'from nodes' }] };
    const { body } = await world.call('createComment', { path: { spaceId }, body: { body: { document } } });
    expect(body.body).toEqual({ markdown: 'from nodes' });
    const shown = await world.call('getComment', {
      path: { spaceId, commentId: body.id },
      query: { format: 'document' },
    });
    expect(shown.body.body).toEqual({ document });
  });

  it('refuses a comment on a page that is not there, and keeps one whose page went away', async () => {
    await using world = await createWorld();
    const { spaceId, pages } = await spaceWithPages(world, { One: 'x' });
    const body = { body: { markdown: 'c' }, page: 'nobody' };
    expect((await world.call('createComment', { path: { spaceId }, body })).status).toBe(400);
    const kept = await world.call('createComment', { path: { spaceId }, body: { ...body, page: pages['One'] } });
    const request = await world.call('createChangeRequest', { path: { spaceId } });
    const path = { spaceId, changeRequestId: request.body.id };
    await world.call('changeContent', { path, body: { changes: [{ type: 'delete_page', page: pages['One'] }] } });
    await world.call('mergeChangeRequest', { path });
    const renamed = await world.call('updateChangeRequest', { path, body: { subject: 'Done' } });
    expect([renamed.status, renamed.body.subject]).toEqual([200, 'Done']);
    expect((await world.call('updateChangeRequest', { path, body: { status: 'open' } })).status).toBe(409);
    const { body: comment } = await world.call('getComment', { path: { spaceId, commentId: kept.body.id } });
    expect(comment.target.page).toMatchObject({ id: pages['One'], title: 'One', outdated: true });
  });
});

describe('platform/access', () => {
  it('tells strangers and guests nothing, and readers that they may not write', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const other = world.platform.createOrganization({ title: 'Other' });
    const stranger = world.platform.createUser({
      displayName: 'S',
      email: 's@example.com',
      organization: other,
      role: 'admin',
    });
    const person = { displayName: 'P', email: 'p@example.com', organization: world.organization };
    const guest = world.platform.createUser({ ...person, role: null });
    const reader = world.platform.createUser({ ...person, role: 'read' });
    const rename = { path: { spaceId }, body: { title: 'x' } };
    for (const { token } of [stranger, guest]) {
      expect((await world.call('getSpace', { path: { spaceId }, token })).status).toBe(404);
      expect((await world.call('updateSpace', { ...rename, token })).status).toBe(404);
    }
    const seen = await world.call('getSpace', { path: { spaceId }, token: reader.token });
    expect(seen.body.permissions).toMatchObject({ view: true, edit: false, comment: false, admin: false });
    expect((await world.call('updateSpace', { ...rename, token: reader.token })).status).toBe(403);
    const listed = await callPlatform({ ...world.platform, token: stranger.token }, 'listOrganizations');
    expect(listed.body.items.map((one) => one.id)).toEqual([other]);
  });

  it('keeps the last administrator of an organization', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization, userId: world.platform.owner };
    expect((await world.call('deleteMember', { path })).status).toBe(412);
    expect((await world.call('updateMember', { path, body: { role: 'read' } })).status).toBe(412);
  });
});
