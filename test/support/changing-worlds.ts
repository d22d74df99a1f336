// Two worlds that have changed since the last walk of them: one of content and talk, one of all that an organization has besides.
import { addSpace, edit, insert } from './content.ts';
import { FaultMatrix } from './fault-matrix.ts';
import { furnishedWorld } from './furnished.ts';
import { organize } from './organization.ts';
import { TestWorld, type SyncOptions } from './world.ts';

/** Pages, spaces, comments and change requests: some are new, some changed, some gone. */
export async function contentMatrix(options: SyncOptions = {}): Promise<FaultMatrix> {
  const world = await furnishedWorld();
  const { made } = world;
  const doomed = await addSpace(world, 'Doomed', made.collection);
  const spare = await world.api.createCollection({
    path: { organizationId: world.organization },
    body: { title: 'Spare' },
  });
  const kept = await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'Kept' } } });
  const commentPath = { spaceId: made.guide, commentId: kept.id };
  for (const markdown of ['One', 'Two'])
    await world.api.createCommentReply({ path: commentPath, body: { body: { markdown } } });
  const change = async (): Promise<void> => {
    await edit(world, made.guide, {
      type: 'update_page',
      page: made.pages['Use'] ?? '',
      document: { markdown: '# Use\n\nNew.' },
    });
    await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' }, insert('Mac', 'text'));
    await world.api.deleteSpace({ path: { spaceId: doomed } });
    await world.api.deleteCollection({ path: { collectionId: spare.id } });
    await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
    await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'Newer' } } });
  };
  return FaultMatrix.of(world, change, options);
}

/** People, teams, fields, specifications, languages, sites and an invite: one of each kind is gone. */
export async function organizationMatrix(): Promise<FaultMatrix> {
  const world = await TestWorld.create({ checkAnswers: false });
  const made = await organize(world);
  // Each space costs every walk a seventh of its requests, and hundreds are made: two show as much as five.
  for (const title of ['Answers', 'News', 'Start'])
    await world.api.deleteSpace({ path: { spaceId: made.spaces[title] ?? '' } });
  const inviteId = world.platform.createInvite({ organization: world.organization, role: 'read' });
  const path = { organizationId: world.organization };
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
