import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
      ...(await createSettings(world, person.id)),
      ...(await createSite(world, spaceId)),
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

const SPEC = '{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}';

/** One of each small thing that an organization has. */
async function createSettings(world: World, member: string): Promise<Record<string, string>> {
  const path = { organizationId: world.organization };
  const fieldName = `field-${world.platform.requestLog.total()}`;
  const team = await world.call('createTeam', { path, body: { title: 'Writers', members: [member] } });
  const options = ['a', 'b'];
  await world.call('createCustomField', { path, body: { name: fieldName, type: 'select:single', options } });
  const provider = await world.call('createSamlProvider', { path, body: { label: 'Work', defaultTeam: team.body.id } });
  const translation = await world.call('createTranslationSettings', { path, body: { title: 'French' } });
  const specSlug = `spec-${world.platform.requestLog.total()}`;
  await world.call('createOpenApiSpec', { path, body: { slug: specSlug, source: { text: SPEC } } });
  await world.platform.settle();
  const version = await world.call('getLatestOpenApiSpecVersion', { path: { ...path, specSlug } });
  return {
    fieldName,
    specSlug,
    versionId: version.body.id,
    teamId: team.body.id,
    samlProviderId: provider.body.id,
    translationSettingsId: translation.body.id,
    inviteId: world.platform.createInvite({ organization: world.organization, role: 'read' }),
  };
}

/** A published site with two sections, a group and a share link. */
async function createSite(world: World, spaceId: string): Promise<Record<string, string>> {
  const organization = { organizationId: world.organization };
  const site = await world.call('createSite', { path: organization, body: { title: 'Docs' } });
  const path = { ...organization, siteId: site.body.id };
  world.platform.publishSite(site.body.id, true);
  const [other, section] = [
    await world.call('createSiteSection', { path, body: { spaceId } }),
    await world.call('createSiteSection', { path, body: { spaceId } }),
  ];
  const group = await world.call('createSiteSectionGroup', { path, body: { title: 'Group' } });
  const link = await world.call('createShareLink', { path, body: { name: 'Friends' } });
  return {
    siteId: site.body.id,
    otherSectionId: other.body.id,
    siteSectionId: section.body.id,
    siteSpaceId: at(section.body.siteSpaces, 0).id,
    siteSectionGroupId: group.body.id,
    shareLinkId: link.body.id,
  };
}

const text = { markdown: 'changed' };

/** What a row sends beside its path, and what must have happened before it. */
const ROWS: Record<AnyOperationName, (scene: Scene) => Input | Promise<Input>> = {
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
  searchSpace: () => ({ query: { query: 'first' } }),
  searchOrganization: () => ({ query: { query: 'first', limit: 1 } }),
  listSites: ({ ids }) => ({ query: { space: ids['spaceId'] ?? '', title: 'DOCS', published: true } }),
  createSite: () => ({ body: { title: 'New site', spaces: 'empty' } }),
  getSite: () => ({}),
  updateSite: () => ({
    body: { title: 'Renamed', adaptiveContent: { enabled: true }, proxy: 'docs.example.com/help' },
  }),
  deleteSite: () => ({}),
  getSiteAdaptiveSchema: async ({ world, ids }) => {
    const jsonSchema = { type: 'object', properties: {}, additionalProperties: false };
    await world.call('putSiteAdaptiveSchema', { path: ids, body: { jsonSchema } });
    return {};
  },
  putSiteAdaptiveSchema: () => ({
    body: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } },
  }),
  getPublishedSite: () => ({}),
  listSiteSections: () => ({ query: { limit: 1 } }),
  createSiteSection: ({ ids }) => ({ body: { spaceId: ids['spaceId'], title: 'Section' } }),
  updateSiteSection: () => ({ body: { description: 'About', icon: null } }),
  deleteSiteSection: () => ({}),
  moveSiteSection: ({ ids }) => ({
    body: { position: { before: { type: 'site-section', siteSection: ids['otherSectionId'] } } },
  }),
  listSiteSectionGroups: () => ({}),
  createSiteSectionGroup: ({ ids }) => ({ body: { title: 'More', sections: [ids['siteSectionId']] } }),
  updateSiteSectionGroup: () => ({ body: { title: 'Renamed', icon: 'book' } }),
  deleteSiteSectionGroup: () => ({}),
  addSectionToGroup: ({ ids }) => ({ body: { sectionId: ids['siteSectionId'] } }),
  removeSectionFromGroup: async ({ world, ids }) => {
    await world.call('addSectionToGroup', { path: ids, body: { sectionId: ids['siteSectionId'] } });
    return {};
  },
  moveSiteSectionGroup: ({ ids }) => ({
    body: { position: { before: { type: 'site-section', id: ids['siteSectionId'] } } },
  }),
  listSiteSpaces: () => ({ query: { default: true } }),
  createSiteSpace: async ({ world, ids }) => {
    const made = await world.call('createSpace', { path: ids });
    return { body: { spaceId: made.body.id, sectionId: ids['siteSectionId'] } };
  },
  updateSiteSpace: () => ({ body: { path: 'elsewhere', condition: null } }),
  moveSiteSpace: () => ({ body: {} }),
  deleteSiteSpace: () => ({}),
  listShareLinks: () => ({}),
  createShareLink: () => ({ body: { name: 'Other' } }),
  updateShareLink: () => ({ body: { active: false } }),
  deleteShareLink: () => ({}),
  listSpaceLinks: () => ({ query: { status: 'ok' } }),
  listPageLinks: () => ({}),
  listChangeRequestPageLinks: () => ({}),
  listFileBacklinks: () => ({}),
  listChangeRequestFileBacklinks: () => ({}),
  listTeams: ({ ids }) => ({ query: { title: 'WRIT', owner: ids['userId'] ?? '' } }),
  createTeam: ({ ids }) => ({ body: { title: 'Readers', members: [ids['userId']] } }),
  getTeam: () => ({}),
  updateTeam: () => ({ body: { title: 'Editors' } }),
  deleteTeam: () => ({}),
  getInvite: () => ({}),
  updateInvite: () => ({ body: { role: null } }),
  deleteInvite: () => ({}),
  listSamlProviders: () => ({}),
  createSamlProvider: ({ ids }) => ({
    body: { label: 'Other', ssoURL: 'https://id.example.com/sso', defaultTeam: ids['teamId'], defaultRole: null },
  }),
  getSamlProvider: () => ({}),
  updateSamlProvider: () => ({ body: { entityID: 'urn:x', certificate: 'PEM' } }),
  deleteSamlProvider: () => ({}),
  listSsoProviders: () => ({}),
  getCustomFieldValues: () => ({}),
  updateCustomFieldValues: ({ ids }) => ({ body: { values: { [ids['fieldName'] ?? '']: { value: 'b' } } } }),
  listCustomFields: () => ({}),
  createCustomField: ({ ids }) => ({ body: { name: `${ids['fieldName']}-2`, type: 'text', title: 'Other' } }),
  getCustomField: () => ({}),
  updateCustomField: () => ({ body: { options: ['c'], description: 'About' } }),
  deleteCustomField: () => ({}),
  listTranslationSettings: () => ({}),
  createTranslationSettings: () => ({ body: { title: 'German' } }),
  getTranslationSettings: () => ({}),
  putTranslationSettings: () => ({ body: { title: 'Dutch' } }),
  deleteTranslationSettings: () => ({}),
  getChangeRequestPdf: ({ ids }) => ({ query: { only: true, page: ids['pageId'] ?? '' } }),
  listOpenApiSpecs: () => ({ query: { limit: 1 } }),
  createOpenApiSpec: ({ ids }) => ({ body: { slug: `${ids['specSlug']}-2`, source: { text: SPEC } } }),
  getOpenApiSpec: () => ({}),
  putOpenApiSpec: () => ({ body: { source: { url: 'http://127.0.0.1:9/spec' } } }),
  deleteOpenApiSpec: () => ({}),
  listOpenApiSpecVersions: () => ({}),
  getLatestOpenApiSpecVersion: () => ({}),
  getLatestOpenApiSpecVersionContent: () => ({}),
  getOpenApiSpecVersion: () => ({}),
  getOpenApiSpecVersionContent: () => ({}),
  createSpace: () => ({}),
  getUser: () => ({}),
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

  it.each(anyOperationNames)('%s answers its success status with a body that the contract allows', async (name) => {
    const scene = await createScene(world);
    const { success, response } = operationOf(name);
    const input = await ROWS[name](scene);
    if (name.startsWith('import')) input.body = { url: source.url, source: 'zip' };
    const reply = await world.call(name, { ...input, path: { ...pathFor(scene, name), ...input.path } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(success[0]);
    if (response) expect([...Value.Errors(response, reply.body)]).toEqual([]);
    else expect(reply.body).toBeUndefined();
    if (reply.status === 201) expect(reply.headers.get('location')).toContain('/v1/');
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
});
