import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { anyOperationNames, operationOf, type AnyOperationName } from '../../src/contract/index.ts';
import { at, createWorld, importFiles, serveBytes, spaceWithPages, zipOf, type Input, type World } from './world.ts';

/** Everything that a request may need, made anew for each row. */
interface Scene {
  world: World;
  ids: Record<string, string>;
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function createScene(world: World): Promise<Scene> {
  const { organization: organizationId } = world;
  const { spaceId, pages } = await spaceWithPages(world, { One: 'first', Two: 'second' });
  await importFiles(world, spaceId, { 'three.md': '# Three\n\n![](assets/dot.png)', 'assets/dot.png': PNG });
  const content = await world.call('getRevision', { path: { spaceId } });
  const collection = await world.call('createCollection', { path: { organizationId }, body: { title: 'Col' } });
  const collectionId = collection.body.id;
  await world.call('createSpace', { path: { organizationId }, body: { parent: collectionId } });
  const request = await world.call('createChangeRequest', { path: { spaceId }, body: { subject: 'Work' } });
  const changeRequestId = request.body.id;
  const path = { spaceId, changeRequestId };
  const body = { body: { markdown: 'text' }, page: pages['One'] };
  const comment = await world.call('createComment', { path, body });
  const requestComment = await world.call('createChangeRequestComment', { path, body });
  const reply = await world.call('createCommentReply', {
    path: { ...path, commentId: comment.body.id },
    body: { body: { markdown: 're' } },
  });
  const requestReply = await world.call('createChangeRequestCommentReply', {
    path: { ...path, commentId: requestComment.body.id },
    body: { body: { markdown: 're' } },
  });
  const person = world.platform.createUser({
    displayName: 'Pat',
    email: 'pat@example.com',
    organization: organizationId,
    role: 'edit',
  });
  return {
    world,
    ids: {
      organizationId,
      spaceId,
      collectionId,
      changeRequestId,
      pageId: pages['One'] ?? '',
      fileId: at(content.body.files, 0).id,
      commentId: comment.body.id,
      requestCommentId: requestComment.body.id,
      commentReplyId: reply.body.id,
      requestReplyId: requestReply.body.id,
      userId: person.id,
      otherOrganization: world.platform.createOrganization({ title: 'Other' }),
      emailDomain: 'example.com',
    },
  };
}

const text = { markdown: 'changed' };

/** What a row sends beside its path, and what must have happened before it. */
const ROWS: Partial<Record<AnyOperationName, (scene: Scene) => Input | Promise<Input>>> = {
  getCollection: () => ({}),
  deleteCollection: () => ({}),
  updateCollection: () => ({ body: { title: 'New', description: 'About', defaultLevel: 'read' } }),
  listCollectionSpaces: () => ({ query: { limit: 1 } }),
  moveCollection: async ({ world, ids }) => {
    const path = { organizationId: ids['organizationId'] ?? '' };
    const other = await world.call('createCollection', { path, body: { title: 'Target' } });
    return { body: { parent: other.body.id } };
  },
  transferCollection: ({ ids }) => ({ body: { organization: ids['otherOrganization'] } }),
  listCollections: () => ({ query: { nested: false } }),
  createCollection: ({ ids }) => ({ body: { title: 'Inner', parent: ids['collectionId'] } }),
  getSpace: () => ({}),
  deleteSpace: () => ({}),
  updateSpace: () => ({ body: { title: 'Renamed', editMode: 'locked', emoji: '🚀', defaultLevel: null } }),
  duplicateSpace: () => ({}),
  restoreSpace: async ({ world, ids }) => {
    await world.call('deleteSpace', { path: ids });
    return {};
  },
  moveSpace: ({ ids }) => ({ body: { parent: ids['collectionId'] } }),
  transferSpace: ({ ids }) => ({ body: { organization: ids['otherOrganization'] } }),
  getRevision: () => ({ query: { metadata: false, computed: false } }),
  importContent: () => ({}),
  listPages: () => ({}),
  listFiles: () => ({}),
  getFile: () => ({}),
  getPage: () => ({ query: { format: 'markdown' } }),
  listChangeRequests: () => ({ query: { status: 'draft' } }),
  createChangeRequest: () => ({}),
  getChangeRequest: () => ({ path: { changeRequestId: '2' } }),
  updateChangeRequest: () => ({ body: { subject: 'Better', status: 'open' } }),
  mergeChangeRequest: () => ({}),
  pullIntoChangeRequest: () => ({}),
  getChangeRequestRevision: () => ({}),
  importChangeRequestContent: () => ({}),
  listChangeRequestPages: () => ({}),
  listChangeRequestFiles: () => ({}),
  getChangeRequestFile: () => ({}),
  getChangeRequestPage: () => ({ query: { format: 'document' } }),
  listComments: ({ ids }) => ({
    query: { order: 'asc', status: 'open', format: 'document', targetPage: ids['pageId'] ?? '' },
  }),
  createComment: ({ ids }) => ({ body: { body: text, page: ids['pageId'], node: 'n1' } }),
  getComment: () => ({ query: { format: 'document' } }),
  updateComment: () => ({ body: { resolved: true, body: text, addedReactions: ['👍'] } }),
  deleteComment: () => ({}),
  listCommentReplies: () => ({}),
  createCommentReply: () => ({ body: { body: text } }),
  getCommentReply: () => ({}),
  updateCommentReply: () => ({ body: { body: text, addedReactions: ['🎉'], removedReactions: ['👍'] } }),
  listChangeRequestComments: () => ({}),
  createChangeRequestComment: () => ({ body: { body: { document: { object: 'document', nodes: [{ text: 'a' }] } } } }),
  getChangeRequestComment: () => ({}),
  updateChangeRequestComment: () => ({ body: { resolved: true } }),
  deleteChangeRequestComment: () => ({}),
  listChangeRequestCommentReplies: () => ({}),
  createChangeRequestCommentReply: () => ({ body: { body: text } }),
  getChangeRequestCommentReply: () => ({}),
  listOrganizations: () => ({}),
  getOrganization: () => ({}),
  updateOrganization: () => ({ body: { title: 'Better name', emailDomains: ['example.com'], logo: null } }),
  listEmailDomainOrganizations: () => ({}),
  listMembers: () => ({ query: { search: 'PAT', role: 'edit' } }),
  getMember: () => ({}),
  deleteMember: () => ({}),
  updateMember: () => ({ body: { role: 'review' } }),
  pingOrganization: () => ({}),
  setMemberSso: () => ({}),
  listMemberSpaces: () => ({ query: { order: 'asc' } }),
  listMemberTeams: () => ({}),
  createSpace: () => ({}),
  changeContent: () => ({ body: { changes: [{ type: 'insert_page', document: { markdown: '# New' } }] } }),
};

function pathFor(scene: Scene, name: AnyOperationName): Record<string, string> {
  const { ids } = scene;
  if (!/ChangeRequestComment/.test(name)) return ids;
  return { ...ids, commentId: ids['requestCommentId'] ?? '', commentReplyId: ids['requestReplyId'] ?? '' };
}

describe('platform/operations', () => {
  let world: World;
  let source: Awaited<ReturnType<typeof serveBytes>>;
  beforeAll(async () => {
    world = await createWorld();
    source = await serveBytes(await zipOf({ 'a.md': '# A\n\ntext', 'assets/b.png': PNG }));
  });
  afterAll(async () => {
    await source[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const implemented = anyOperationNames.filter((name) => ROWS[name] !== undefined);
  it.each(implemented)('%s answers its success status with a body that the contract allows', async (name) => {
    const scene = await createScene(world);
    const { success, response } = operationOf(name);
    const input = (await ROWS[name]?.(scene)) ?? {};
    if (name.startsWith('import')) input.body = { url: source.url, source: 'zip' };
    const reply = await world.call(name, { ...input, path: { ...pathFor(scene, name), ...input.path } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(success[0]);
    if (response) expect([...Value.Errors(response, reply.body)]).toEqual([]);
    else expect(reply.body).toBeUndefined();
    if (reply.status === 201) expect(reply.headers.get('location')).toContain('/v1/');
  });

  it.each(anyOperationNames.filter((name) => ROWS[name] === undefined))('%s answers 501', async (name) => {
    const { spaceId } = await spaceWithPages(world, {});
    const path = { organizationId: world.organization, spaceId };
    const reply = await world.call(name, { path, body: operationOf(name).body ? {} : undefined });
    expect(reply.status).toBe(501);
    expect(reply.body.error).toEqual({ code: 501, message: expect.stringContaining(name) });
  });

  it.each(anyOperationNames)('%s refuses a request without a valid token', async (name) => {
    const reply = await world.call(name, { token: 'wrong' });
    expect(reply.body.error.code).toBe(401);
    expect(reply.status).toBe(401);
  });

  it.each(anyOperationNames.filter((name) => /orgs\/\{|spaces\/\{|collections\/\{/.test(operationOf(name).path)))(
    '%s answers 404 for a thing that does not exist',
    async (name) => {
      const reply = await world.call(name, { body: operationOf(name).body ? {} : undefined });
      expect(reply.status).toBe(404);
      expect(reply.body.error.code).toBe(404);
    },
  );

  it('the table and the contract name the same operations', () => {
    const names = Type.Enum([...anyOperationNames]);
    for (const name of Object.keys(ROWS)) expect(Value.Check(names, name)).toBe(true);
  });
});
