import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { countersOf, emptyModel, livingSpaces, stateOf } from './model.ts';
import { anyStep, takeStep, type Run } from './model-steps.ts';
import { createWorld, listAll, spaceWithPages, type World } from './world.ts';

const PEOPLE = ['Ada', 'Bo', 'Cy'];

/** A fresh organization in a world that is used again. */
function beginRun(world: World, number: number): Run {
  const organizationId = world.platform.createOrganization({ title: `Organization ${number}` });
  const people = PEOPLE.map((displayName) => {
    const email = `${displayName}.${number}@example.com`;
    return world.platform.createUser({ displayName, email, organization: organizationId, role: 'edit' }).id;
  });
  return { world, organizationId, people, model: emptyModel() };
}

async function compareContainers({ world, organizationId, model }: Run): Promise<void> {
  const path = { organizationId };
  const collections = await listAll(world, 'listCollections', { path, query: { limit: 7 } });
  expect(new Map(collections.map((one) => [one.id, one.parent ?? null]))).toEqual(model.collections);
  for (const collectionId of model.collections.keys()) {
    const { body } = await world.call('listCollectionSpaces', { path: { collectionId }, query: { limit: 1000 } });
    const inside = livingSpaces(model).filter((id) => model.spaces.get(id)?.parent === collectionId);
    expect(body.items.map(({ id }) => id).toSorted()).toEqual(inside.toSorted());
    expect(body.count).toBe(inside.length);
  }
  const userId = world.platform.owner;
  const seen = await listAll(world, 'listMemberSpaces', { path: { ...path, userId }, query: { limit: 5 } });
  expect(seen.map(({ space }) => space.id).toSorted()).toEqual(livingSpaces(model).toSorted());
}

async function compareSpaces({ world, model }: Run): Promise<void> {
  for (const [spaceId, { parent }] of model.spaces) {
    const { status, body } = await world.call('getSpace', { path: { spaceId } });
    const state = stateOf(model, spaceId);
    expect(status).toBe(state === 'gone' ? 404 : 200);
    if (state === 'gone') continue;
    expect(body).toMatchObject(countersOf(model, spaceId));
    expect([body.parent ?? null, body.deletedAt === undefined]).toEqual([parent, state === 'there']);
  }
  for (const [changeRequestId, { space, status }] of model.requests) {
    const { body } = await world.call('getChangeRequest', { path: { spaceId: space, changeRequestId } });
    const ofRequest = [...model.comments.values()].filter((one) => one.request === changeRequestId && one.open);
    if (stateOf(model, space) === 'there') expect(body).toMatchObject({ status, comments: ofRequest.length });
  }
  for (const [commentId, { space, request, open, replies }] of model.comments) {
    if (stateOf(model, space) !== 'there') continue;
    const path = { spaceId: space, commentId, ...(request === null ? {} : { changeRequestId: request }) };
    const { body } = await world.call(request === null ? 'getComment' : 'getChangeRequestComment', { path });
    expect(body).toMatchObject({ replies, status: open ? 'open' : 'resolved' });
  }
}

async function compareOrganization({ world, organizationId, people, model }: Run): Promise<void> {
  const path = { organizationId };
  const teams = await listAll(world, 'listTeams', { path });
  const members = new Map(teams.map((team) => [team.id, team.members]));
  expect(members).toEqual(new Map([...model.teams].map(([id, users]) => [id, users.size])));
  for (const userId of people) {
    const { body } = await world.call('getMember', { path: { ...path, userId } });
    expect(body.teams).toBe([...model.teams.values()].filter((users) => users.has(userId)).length);
    expect(body.spaces).toBe(livingSpaces(model).length);
  }
  const sites = await listAll(world, 'listSites', { path });
  const living = new Set(livingSpaces(model));
  const shown = [...model.sites].map(([id, spaces]) => [id, spaces.filter((one) => living.has(one)).length] as const);
  expect(new Map(sites.map((site) => [site.id, site.siteSpaces]))).toEqual(new Map(shown));
}

describe('platform/model', () => {
  it('agrees with a simple model after any sequence of writes, counters and refusals included', async () => {
    await using world = await createWorld();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 90, size: 'max' }), async (steps) => {
        const run = beginRun(world, runs++);
        for (const step of steps) await takeStep(run, step);
        await compareContainers(run);
        await compareSpaces(run);
        await compareOrganization(run);
      }),
      { numRuns: 20 },
    );
  });
});

const patch = fc.constantFrom('title', 'emoji', 'editMode', 'defaultLevel');

describe('platform/concurrency', () => {
  it('loses no update of requests that run at once, in any mixture', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    const kinds = fc.array(fc.constantFrom('patch', 'comment', 'request', 'space', 'move'), {
      minLength: 10,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(kinds, fc.uniqueArray(patch, { minLength: 2 }), async (work, fields) => {
        const { spaceId } = await spaceWithPages(world, {});
        const { body: collection } = await world.call('createCollection', { path });
        const values = {
          title: `T${spaceId}`.slice(0, 40),
          emoji: '1f680',
          editMode: 'locked',
          defaultLevel: 'comment',
        };
        const patches = fields.map((field) =>
          world.call('updateSpace', { path: { spaceId }, body: { [field]: values[field] } }),
        );
        const others = work.map(async (kind) => {
          const body = { body: { markdown: kind } };
          if (kind === 'comment') return world.call('createComment', { path: { spaceId }, body });
          if (kind === 'request') return world.call('createChangeRequest', { path: { spaceId } });
          if (kind === 'move') return world.call('moveSpace', { path: { spaceId }, body: { parent: collection.id } });
          return world.call('createSpace', { path, body: { parent: collection.id } });
        });
        const replies = await Promise.all([...patches, ...others]);
        // A second move to where the space is already changes nothing, and is refused.
        const refused = replies.filter(({ status }) => status >= 300).map(({ status }) => status);
        expect(
          refused.every((status) => status === 409) && refused.length <= work.filter((one) => one === 'move').length,
        ).toBe(true);
        const count = (kind: string): number => work.filter((one) => one === kind).length;
        const { body: space } = await world.call('getSpace', { path: { spaceId } });
        expect(space).toMatchObject(Object.fromEntries(fields.map((field) => [field, values[field]])));
        expect(space).toMatchObject({ comments: count('comment'), changeRequestsDraft: count('request') });
        const inside = await listAll(world, 'listCollectionSpaces', { path: { collectionId: collection.id } });
        const made = count('space') + count('patch') + (count('move') > 0 ? 1 : 0);
        expect(new Set(inside.map(({ id }) => id)).size).toBe(made);
        expect(inside).toHaveLength(made);
      }),
      { numRuns: 10 },
    );
  });
});
