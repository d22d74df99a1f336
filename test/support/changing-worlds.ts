// Two worlds that have changed since the last walk of them: one of content and talk, one of all that an organization has besides.
import {
  addCollection,
  addRequest,
  addSpace,
  edit,
  importFiles,
  insert,
  pagesOf,
  PNG,
  type Change,
} from './content.ts';
import { FaultMatrix } from './fault-matrix.ts';
import { organize } from './organization.ts';
import { TestWorld, type SyncOptions } from './world.ts';

const GUIDE = {
  'SUMMARY.md': '* [Home](README.md)\n  * [Linux](linux.md)\n* [Use](use.md)\n',
  'README.md': '# Home\n\n![Logo](assets/logo.png)\n',
  'linux.md': '# Linux\n\nUse the archive.\n',
  'use.md': '# Use\n\nRun it, then go [home](README.md).\n',
  'assets/logo.png': PNG,
};

interface Discussed {
  readonly guide: string;
  readonly pages: Readonly<Record<string, string>>;
  readonly doomed: string;
  readonly spare: string;
  readonly comment: string;
}

/** Pages, spaces, comments and change requests: some are new, some changed, some gone. */
export async function contentMatrix(options: SyncOptions = {}): Promise<FaultMatrix> {
  const world = await TestWorld.create();
  const made = await discussedGuide(world);
  const { guide, pages } = made;
  const change = async (): Promise<void> => {
    const markdown = '# Use\n\nNew.';
    const news: Change[] = [
      { type: 'update_page', page: pages['Use'] ?? '', document: { markdown } },
      { type: 'delete_page', page: pages['Linux'] ?? '' },
      insert('Mac', 'text'),
    ];
    await edit(world, guide, ...news);
    await world.api.deleteSpace({ path: { spaceId: made.doomed } });
    await world.api.deleteCollection({ path: { collectionId: made.spare } });
    await world.api.deleteComment({ path: { spaceId: guide, commentId: made.comment } });
    await discuss(world, guide, ['Newer']);
  };
  return FaultMatrix.of(world, change, options);
}

/**
 * One of each thing that a walk of content reads, two of what the changes end: hundreds of walks read it all, and the world that is
 * furnished for restores asks for half as much again.
 */
async function discussedGuide(world: TestWorld): Promise<Discussed> {
  const collection = await addCollection(world, 'Manuals');
  const guide = await addSpace(world, 'Guide', await addCollection(world, 'Guides', collection));
  await addSpace(world, 'News');
  const robin = { displayName: 'Robin Vale', email: 'robin@example.com', role: 'edit' } as const;
  world.platform.createUser({ ...robin, organization: world.organization });
  await importFiles(world, guide, GUIDE);
  await addDiscussedRequest(world, guide);
  await discuss(world, guide, ['Kept', 'One', 'Two']);
  return {
    guide,
    pages: await pagesOf(world, guide),
    doomed: await addSpace(world, 'Doomed', collection),
    spare: await addCollection(world, 'Spare'),
    comment: await discuss(world, guide, ['How often?', 'Once.']),
  };
}

async function addDiscussedRequest(world: TestWorld, guide: string): Promise<void> {
  const { id } = await addRequest(world, guide, { subject: 'In progress', changes: [insert('Windows', 'Not yet.')] });
  const path = { spaceId: guide, changeRequestId: id };
  const asked = await world.api.createChangeRequestComment({ path, body: { body: { markdown: 'When?' } } });
  const own = { ...path, commentId: asked.id };
  await world.api.createChangeRequestCommentReply({ path: own, body: { body: { markdown: 'Soon.' } } });
}

/** A comment on a space, and the replies to it. */
async function discuss(world: TestWorld, spaceId: string, [first = '', ...replies]: string[]): Promise<string> {
  const { id } = await world.api.createComment({ path: { spaceId }, body: { body: { markdown: first } } });
  for (const markdown of replies)
    await world.api.createCommentReply({ path: { spaceId, commentId: id }, body: { body: { markdown } } });
  return id;
}

/** People, teams, fields, specifications, languages, sites and an invite: one of each kind is gone. */
export async function organizationMatrix(): Promise<FaultMatrix> {
  const world = await TestWorld.create({ checkAnswers: false });
  const made = await organize(world);
  const path = { organizationId: world.organization };
  // So that a listing of what a site shows can lack a part.
  const again = { spaceId: made.spaces['Guide'] ?? '', title: 'The guide again' };
  await world.api.createSiteSection({ path: { ...path, siteId: made.site }, body: again });
  // Each space costs every walk a fifth of its requests, and hundreds are made: one shows as much as five.
  for (const title of ['Answers', 'News', 'Start', 'Reference'])
    await world.api.deleteSpace({ path: { spaceId: made.spaces[title] ?? '' } });
  const inviteId = world.platform.createInvite({ organization: world.organization, role: 'read' });
  const languages = await world.api.createTranslationSettings({ path, body: { title: 'Others' } });
  world.platform.publishSite(made.site, true);
  const { id: doomed } = await world.api.createTeam({ path, body: { title: 'Doomed' } });
  const { items: providers } = await world.api.listSamlProviders({ path });
  const invites = [`${world.organization}/${inviteId}`];
  const scope = { organizations: null, onlySpaces: null, extraSpaces: [], invites };
  const change = async (): Promise<void> => {
    await world.api.deleteMember({ path: { ...path, userId: made.people['noor'] ?? '' } });
    await world.api.deleteTeam({ path: { ...path, teamId: doomed } });
    await world.api.deleteSamlProvider({ path: { ...path, samlProviderId: providers[0]?.id ?? '' } });
    await world.api.deleteCustomField({ path: { ...path, fieldName: 'unused' } });
    await world.api.deleteOpenApiSpec({ path: { ...path, specSlug: 'fetched' } });
    await world.api.deleteTranslationSettings({ path: { ...path, translationSettingsId: languages.id } });
    await world.api.deleteSite({ path: { ...path, siteId: made.partners } });
    await world.api.updateTeam({ path: { ...path, teamId: made.team }, body: { title: 'Editors' } });
    await world.platform.settle();
  };
  return FaultMatrix.of(world, change, { scope });
}
