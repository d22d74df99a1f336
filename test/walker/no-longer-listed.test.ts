// What a listing lacks for the first time, and what the API has no read of its own for.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it('walker says that sections which somebody deleted are no longer listed: they were called out of reach, and people looked for a right that their token had lost', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs', spaces: [] } });
  const made: string[] = [];
  for (const title of ['First', 'Second', 'Third']) {
    const body = { spaceId: await addSpace(world, title), title };
    made.push((await world.api.createSiteSection({ path: { ...path, siteId }, body })).id);
  }
  await world.sync();
  for (const siteSectionId of made.slice(1)) {
    await world.api.deleteSiteSection({ path: { ...path, siteId, siteSectionId } });
  }
  const { snapshot, kinds } = await world.sync();
  expect(kinds['site-section']).toMatchObject({ seen: 1, gone: 0, missing: 2, unreachable: 0 });
  expect(snapshot.reason).toBe('2 site-sections no longer listed; 2 site-spaces no longer listed');
  const next = await world.sync();
  expect(next.snapshot).toMatchObject({ state: 'complete', reason: null });
  expect(next.kinds['site-section']).toMatchObject({ seen: 1, gone: 2, missing: 0, unreachable: 0 });
});

it('walker says how many spaces the routes showed that lack one: the evidence of each said none', async () => {
  await using world = await TestWorld.create();
  const lost = await addSpace(world, 'Lost');
  for (const title of ['One', 'Two']) await addSpace(world, title);
  await world.sync();
  await world.api.deleteSpace({ path: { spaceId: lost } });
  await world.sync();
  const sql = `select json_extract(evidence, '$.listed') as listed from tombstones t join resources r on r.rid = t.rid where r.kind = 'space'`;
  expect(rowsOf(world.mirror, sql)).toEqual([{ listed: 2 }]);
});

it('walker asks each night for a comment that it could not reach, though nothing moves: the second night did not, and was complete', async () => {
  await using world = await furnishedWorld();
  const { guide: spaceId, comment } = world.made;
  await using proxy = await rewriting(world);
  const night = async () => (await world.sync({ client: proxy.client })).snapshot;
  await night();
  await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Another' } } });
  proxy.rewrite = ({ path }, { status, body }) => {
    if (path.endsWith(`/comments/${comment}`)) return { status: 403, body: { error: { code: 403, message: 'No.' } } };
    if (!path.endsWith('/comments') || !isRecord(body)) return undefined;
    const items = Array.isArray(body['items']) ? body['items'].filter((one: { id: string }) => one.id !== comment) : [];
    return { status, body: { ...body, items, count: items.length } };
  };
  for (const _ of ['moved', 'unmoved'])
    expect(await night()).toMatchObject({ state: 'partial', reason: '1 comment out of reach' });
  proxy.rewrite = () => undefined;
  expect(await night()).toMatchObject({ state: 'complete', reason: null });
});

it('walker tells on the next night whether somebody has left a team, where members are shown without a count of their teams: the team was taken for unmoved, and the snapshot was complete with it', async () => {
  await using world = await TestWorld.create();
  const { organization, platform } = world;
  const { id: user } = platform.createUser({
    displayName: 'Robin',
    email: 'r@example.com',
    organization,
    role: 'edit',
  });
  for (const title of ['Writers', 'Readers'])
    await world.api.createTeam({ path: { organizationId: organization }, body: { title, members: [user] } });
  await using proxy = await rewriting(world);
  const withoutCount = (key: string, value: unknown): unknown => (key === 'teams' ? undefined : value);
  proxy.rewrite = ({ path }, { status, body }) =>
    path.endsWith('/members') ? { status, body: JSON.parse(JSON.stringify(body), withoutCount) as unknown } : undefined;
  const night = (mode: 'full' | 'incremental') => world.sync({ client: proxy.client, mode });
  await night('incremental');
  const team = rowsOf(world.mirror, `select id from teams where title = 'Readers'`)[0]?.['id'];
  platform.removeTeamMember({ team: String(team), user });
  const { snapshot } = await night('full');
  expect(snapshot.reason).toBe('1 team-membership no longer listed');
  const next = await night('incremental');
  expect(next.snapshot.state).toBe('complete');
  expect(next.kinds['team-membership']).toMatchObject({ seen: 1, gone: 1 });
});
