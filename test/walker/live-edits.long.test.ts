// A look at the platform after ordinary edits: none of them is damage, and each is said to have changed something.
import { describe, expect, it } from 'vitest';
import { askedBy } from '../../src/app/restoring/live-platform.ts';
import { seededRandom } from '../../src/base/index.ts';
import { spotCheck, type ReadLive, type SpotCheck } from '../../src/mirror/index.ts';
import { addSpace, edit, importFiles, insert, type Furnished } from '../support/content.ts';
import { walkedWholeWorld, walkedWorld } from '../support/furnished.ts';
import type { Organized } from '../support/organization.ts';
import type { TestWorld } from '../support/world.ts';

interface Place {
  readonly world: TestWorld;
  readonly made: Furnished;
  readonly more: Organized;
  /** Path of the organization. */
  readonly own: { readonly organizationId: string };
}

type Edit = (place: Place) => Promise<unknown>;

function look({ mirror, client }: TestWorld): Promise<SpotCheck> {
  const { signal } = new AbortController();
  const live = askedBy(client, { pageSize: 100, signal });
  return spotCheck(mirror, { count: 5000, random: seededRandom(1), live });
}

const ofGuide = ({ made }: Place) => ({ spaceId: made.guide });
const openRequest = ({ made }: Place) => ({ spaceId: made.guide, changeRequestId: made.requests.open });
const draftRequest = ({ made }: Place) => ({ spaceId: made.guide, changeRequestId: made.requests.draft });
const ofComment = ({ made }: Place) => ({ spaceId: made.guide, commentId: made.comment });
const page = ({ made }: Place, title: string): string => made.pages[title] ?? '';

const EDITS: Readonly<Record<string, Edit>> = {
  'a page edit': (place) =>
    edit(place.world, place.made.guide, {
      type: 'update_page',
      page: page(place, 'Use'),
      document: { markdown: '# Use\n\nRun it twice.' },
    }),
  'the rename of a page with others below it': (place) =>
    edit(place.world, place.made.guide, { type: 'update_page', page: page(place, 'Install'), title: 'Set up' }),
  'a new page': ({ world, made }) => edit(world, made.guide, insert('New', 'Text.')),
  'an update of a change request': (place) => place.world.api.pullIntoChangeRequest({ path: openRequest(place) }),
  'a change request set aside': (place) =>
    place.world.api.updateChangeRequest({ path: draftRequest(place), body: { status: 'archived' } }),
  'a new subject of a change request': (place) =>
    place.world.api.updateChangeRequest({ path: openRequest(place), body: { subject: 'Other' } }),
  'a new comment': (place) =>
    place.world.api.createComment({ path: ofGuide(place), body: { body: { markdown: 'Well?' } } }),
  'a comment on a change request': (place) =>
    place.world.api.createChangeRequestComment({ path: openRequest(place), body: { body: { markdown: 'Well?' } } }),
  'a merge': (place) => place.world.api.mergeChangeRequest({ path: openRequest(place) }),
  'the edit of a comment': (place) =>
    place.world.api.updateComment({ path: ofComment(place), body: { body: { markdown: 'How many times?' } } }),
  'a reply': (place) =>
    place.world.api.createCommentReply({ path: ofComment(place), body: { body: { markdown: 'Or twice.' } } }),
  'the edit of a reply': (place) =>
    place.world.api.updateCommentReply({
      path: { ...ofComment(place), commentReplyId: place.made.reply },
      body: { body: { markdown: 'Thrice.' } },
    }),
  'a resolved comment': (place) => place.world.api.updateComment({ path: ofComment(place), body: { resolved: true } }),
  'a deleted page': (place) => edit(place.world, place.made.guide, { type: 'delete_page', page: page(place, 'Linux') }),
  'a deleted comment': (place) => place.world.api.deleteComment({ path: ofComment(place) }),
  'the rename of a space': (place) => place.world.api.updateSpace({ path: ofGuide(place), body: { title: 'Manual' } }),
  'a space that moved to another collection': (place) =>
    place.world.api.moveSpace({ path: ofGuide(place), body: { parent: place.made.collection } }),
  'a space that left all collections': (place) =>
    place.world.api.moveSpace({ path: ofGuide(place), body: { parent: null } }),
  'a new space': ({ world, made }) => addSpace(world, 'New', made.collection),
  'a new file': ({ world, made }) => importFiles(world, made.news, { 'README.md': '# New\n', 'a.txt': 'text' }),
  'the rename of a collection': ({ world, made }) =>
    world.api.updateCollection({ path: { collectionId: made.nested }, body: { title: 'Other', description: '' } }),
  'a collection that moved': ({ world, made }) =>
    world.api.moveCollection({ path: { collectionId: made.nested }, body: { parent: null } }),
  'another role of a member': ({ world, own, more }) =>
    world.api.updateMember({ path: { ...own, userId: more.people['robin'] ?? '' }, body: { role: 'review' } }),
  'a member who left': ({ world, own, more }) =>
    world.api.deleteMember({ path: { ...own, userId: more.people['robin'] ?? '' } }),
  'another title of a team': ({ world, own, more }) =>
    world.api.updateTeam({ path: { ...own, teamId: more.team }, body: { title: 'Authors' } }),
  'a deleted team': ({ world, own, more }) => world.api.deleteTeam({ path: { ...own, teamId: more.team } }),
  'settings of a site': ({ world, own, more }) =>
    world.api.updateSite({ path: { ...own, siteId: more.site }, body: { title: 'Other', visibility: 'unlisted' } }),
  'a deleted site': ({ world, own, more }) => world.api.deleteSite({ path: { ...own, siteId: more.partners } }),
  'settings of the organization': ({ world, own }) =>
    world.api.updateOrganization({ path: own, body: { title: 'Other', ai: false, defaultContent: null } }),
  'another title of a custom field': async ({ world, own }) => {
    const [field] = (await world.api.listCustomFields({ path: own })).items;
    await world.api.updateCustomField({ path: { ...own, fieldName: field?.name ?? '' }, body: { title: 'Other' } });
  },
  'a deleted custom field': async ({ world, own }) => {
    const [field] = (await world.api.listCustomFields({ path: own })).items;
    await world.api.deleteCustomField({ path: { ...own, fieldName: field?.name ?? '' } });
  },
  'a new version of a specification': async ({ world, own }) => {
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Answers', version: '2' }, paths: {} });
    await world.api.putOpenApiSpec({ path: { ...own, specSlug: 'given' }, body: { source: { text } } });
    await world.platform.settle();
  },
  'a deleted specification': ({ world, own }) => world.api.deleteOpenApiSpec({ path: { ...own, specSlug: 'given' } }),
  'a locked space': (place) => place.world.api.updateSpace({ path: ofGuide(place), body: { editMode: 'locked' } }),
  'a deleted space': (place) => place.world.api.deleteSpace({ path: ofGuide(place) }),
  'a deleted collection': ({ world, made }) => world.api.deleteCollection({ path: { collectionId: made.collection } }),
};

describe('mirror/check/spot-check, after ordinary edits', () => {
  it(
    'takes none of them for damage, and says of each that something has changed: a merge was called damage',
    { timeout: 60_000 },
    async () => {
      await using world = await walkedWholeWorld();
      const own = { organizationId: world.organization };
      const place = { world, made: world.made, more: world.made.organized, own };
      for (const [name, change] of Object.entries(EDITS)) {
        world.clock.advance(5000);
        await change(place);
        const { same, moved, problems } = await look(world);
        expect([problems, moved > 0, same > 0], name).toEqual([[], true, true]);
        await world.sync();
      }
      expect(await look(world)).toMatchObject({ moved: 0, problems: [] });
    },
  );
});

it('takes a page for damaged that is otherwise while its own mark stands still, though its space has moved on; its address alone may follow', async () => {
  await using world = await walkedWorld();
  const { guide, pages } = world.made;
  await edit(world, guide, insert('New', 'Text.'));
  const { signal } = new AbortController();
  const { read, list } = askedBy(world.client, { pageSize: 100, signal });
  const told = async (other: Record<string, unknown>): Promise<(string | undefined)[]> => {
    const altered: ReadLive = async (one) => {
      const answer = await read(one);
      const isOwn = one.params['pageId'] === pages['Use'] && one.params['changeRequestId'] === undefined;
      return isOwn && answer.is === 'there' ? { is: 'there', body: { ...answer.body, ...other } } : answer;
    };
    const live = { read: altered, list };
    const { problems } = await spotCheck(world.mirror, { count: 5000, random: seededRandom(1), live });
    return problems.map(({ kind, problem }) => `${kind} ${problem}`);
  };
  const unsaid = ', which the platform does not account for';
  expect(await told({ path: 'other' })).toEqual([]);
  expect(await told({ path: 'other', title: 'Other' })).toEqual([`page differs in title, path${unsaid}`]);
  expect(await told({ markdown: 'Other.' })).toEqual([`page differs in markdown${unsaid}`]);
});
