// What a mend in place sets back, although the answer of the platform is lost: it knows again what it has set itself.
import { expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/index.ts';
import type { ApplyResult, Plan } from '../../src/restore/index.ts';
import { addRequest, addSpace } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { mirrored, mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

const PURGED = 7 * 86_400_000 + 3_600_000;
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----';

/** The write is done, and its answer never comes. */
async function applied({ world, place }: Mirrored, plan: Plan, of: OperationName): Promise<ApplyResult> {
  const client = cutOnce(world.client, { cut: 'lost', of, nth: 0, sent: true });
  return place.apply(plan, { client });
}

it('restore/apply knows a field again that it has emptied: it failed as changed by somebody, and so did every resume', async () => {
  const mirror = await anew();
  const { world, made, place } = mirror;
  await using _world = world;
  const path = { collectionId: made.collection };
  await world.api.updateCollection({ path, body: { description: 'Gone bad' } });
  const { failures, done } = await applied(mirror, await place.plan(), 'updateCollection');
  expect([failures, done]).toEqual([[], 1]);
  expect((await world.api.getCollection({ path })).description ?? '').toBe('');
});

it('restore/apply knows a comment again that it has led to a space made anew', async () => {
  let [linked, path] = ['', { spaceId: '', commentId: '' }];
  const mirror = await mirrored(async (one) => {
    linked = await addSpace(one, 'Linked');
    const spaceId = await addSpace(one, 'Talk');
    const body = { body: { markdown: `See [it](/spaces/${linked}).` } };
    path = { spaceId, commentId: (await one.api.createComment({ path: { spaceId }, body })).id };
  });
  const { world, place } = mirror;
  await using _world = world;
  await world.api.updateComment({ path, body: { body: { markdown: 'Spam.' } } });
  await world.api.deleteSpace({ path: { spaceId: linked } });
  world.clock.advance(PURGED);
  const { failures } = await applied(mirror, await place.plan(), 'updateComment');
  expect(failures).toEqual([]);
  expect((await world.api.getComment({ path })).body).toEqual({ markdown: expect.stringMatching(/^See /) as unknown });
});

it('restore/apply knows a sign-on again that it has given the team made anew', async () => {
  const mirror = await mirrored(async ({ api, organization }) => {
    const path = { organizationId: organization };
    const { id: defaultTeam } = await api.createTeam({ path, body: { title: 'New' } });
    const signOn = 'https://sign-on.example.com';
    const body = { label: 'Company', ssoURL: signOn, entityID: signOn, certificate: CERTIFICATE, defaultTeam };
    await api.createSamlProvider({ path, body });
  });
  const { world, place } = mirror;
  await using _world = world;
  const path = { organizationId: world.organization };
  const [team] = (await world.api.listTeams({ path })).items;
  await world.api.deleteTeam({ path: { ...path, teamId: team?.id ?? '' } });
  const { failures, done } = await applied(mirror, await place.plan(), 'updateSamlProvider');
  expect([failures, done]).toEqual([[], 2]);
});

it('restore/apply still says which reactions stay: it failed as changed by somebody', async () => {
  const mirror = await anew();
  const { world, made, place } = mirror;
  await using _world = world;
  const { organization } = world;
  const person = { displayName: 'Kim', email: 'kim@example.com', organization, role: 'admin' } as const;
  await using other = world.clientOf({ url: world.platform.url, token: world.platform.createUser(person).token });
  const path = { spaceId: made.guide, commentId: made.comment };
  await other.api.updateComment({ path, body: { addedReactions: ['1f680'] } });
  await world.api.updateComment({ path, body: { addedReactions: ['1f44e'] } });
  const { failures } = await applied(mirror, await place.plan({ scope: 'kind:comment' }), 'updateComment');
  expect(failures.map(({ error }) => error)).toEqual([
    '1f680 stays: others reacted with it, and only they can take it away',
  ]);
});

it('restore/apply knows a change request again that it has archived', async () => {
  const mirror = await anew();
  const { world, made, place } = mirror;
  await using _world = world;
  const { id } = await addRequest(world, made.guide, { subject: 'Since then' });
  const plan = await place.plan({ missing: false, changed: false, added: true });
  const { failures, done } = await applied(mirror, plan, 'updateChangeRequest');
  expect([failures, done]).toEqual([[], 1]);
  const path = { spaceId: made.guide, changeRequestId: id };
  expect((await world.api.getChangeRequest({ path })).status).toBe('archived');
});

it('restore/apply knows a specification again that it has given its text in place of an address', async () => {
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Given', version: '1' }, paths: {} });
  const slug = 'given';
  const mirror = await mirrored(async (one) => {
    const path = { organizationId: one.organization };
    await one.api.createOpenApiSpec({ path, body: { slug, source: { text } } });
    await one.platform.settle();
  });
  const { world, place } = mirror;
  await using _world = world;
  const path = { organizationId: world.organization, specSlug: slug };
  await world.api.putOpenApiSpec({ path, body: { source: { url: 'http://127.0.0.1:9/api.json' } } });
  const { failures, done } = await applied(mirror, await place.plan(), 'putOpenApiSpec');
  expect([failures, done]).toEqual([[], 1]);
  expect((await world.api.getOpenApiSpec({ path })).sourceURL).toBeUndefined();
});

it('restore/apply takes a section out of a group once, and is done with that', async () => {
  const path = { organizationId: '', siteId: '' };
  const mirror = await mirrored(async (one) => {
    path.organizationId = one.organization;
    path.siteId = (await one.api.createSite({ path, body: { title: 'Docs', spaces: [] } })).id;
    const spaceId = await addSpace(one, 'Alpha');
    await one.api.createSiteSection({ path, body: { spaceId, title: 'Alpha' } });
  });
  const { world, place } = mirror;
  await using _world = world;
  const [section] = (await world.api.listSiteSections({ path })).items;
  await world.api.createSiteSectionGroup({ path, body: { title: 'New', sections: [section?.id ?? ''] } });
  const { failures } = await applied(mirror, await place.plan(), 'removeSectionFromGroup');
  expect(failures).toEqual([]);
  expect((await world.api.listSiteSections({ path })).items[0]?.sectionGroup).toBeUndefined();
});
