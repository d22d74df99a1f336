// Platforms that show less of a space within another resource than by itself: the API document leaves out no field that is required.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const OPTIONAL: readonly string[] = ['parent', 'editMode', 'urls', 'permissions'];

type Shown = Record<string, unknown>;

function withoutOptional(space: Shown): Shown {
  return Object.fromEntries(Object.entries(space).filter(([field]) => !OPTIONAL.includes(field)));
}

function withSpace(value: unknown, shown: (space: Shown) => Shown): unknown {
  return isRecord(value) && isRecord(value['space']) ? { ...value, space: shown(value['space']) } : value;
}

/** Embedded spaces lack what is optional, or are shown otherwise. Returns how often each space was read by itself. */
function shorten(proxy: Rewriting, shown = withoutOptional): Map<string, number> {
  const asked = new Map<string, number>();
  proxy.rewrite = ({ method, path }, { status, body }) => {
    const space = /\/spaces\/([^/]+)$/.exec(path)?.[1];
    if (method === 'GET' && space !== undefined) asked.set(space, (asked.get(space) ?? 0) + 1);
    if (!isRecord(body) || !Array.isArray(body['items'])) return undefined;
    return { status, body: { ...body, items: body['items'].map((one) => withSpace(one, shown)) } };
  };
  return asked;
}

/** A space in a collection, shown by a site, which the walk comes by before it lists the collection. */
async function shownBySite(world: TestWorld): Promise<{ spaceId: string; collection: string }> {
  const collection = await addCollection(world, 'Guides');
  const spaceId = await addSpace(world, 'Handbook', collection);
  const path = { organizationId: world.organization };
  await world.api.createSite({ path, body: { title: 'Docs', spaces: [spaceId] } });
  return { spaceId, collection };
}

it('walker knows the collection of a space that a site shows without it: the snapshot was complete, and had the space in none', async () => {
  await using world = await TestWorld.create();
  const { collection } = await shownBySite(world);
  await using proxy = await rewriting(world);
  shorten(proxy);
  const { snapshot, kinds } = await world.sync({ client: proxy.client });
  expect(snapshot.state).toBe('complete');
  expect(kinds['space']).toMatchObject({ seen: 1, added: 1, changed: 0 });
  expect(rowsOf(world.mirror, 'select parent from spaces')).toEqual([{ parent: collection }]);
  // As a mirror has it of a platform that shows all of a space everywhere.
  using fresh = await world.newMirror();
  const whole = await world.sync({ mirror: fresh });
  expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, whole.snapshot.id));
});

it('walker sees no change in a space that is shown with less than is held of it: each night had another version', async () => {
  await using world = await TestWorld.create();
  const { spaceId } = await shownBySite(world);
  await using proxy = await rewriting(world);
  const asked = shorten(proxy);
  await world.sync({ client: proxy.client });
  asked.clear();
  for (let night = 0; night < 4; night += 1) {
    const { snapshot, kinds } = await world.sync({ client: proxy.client, settings: { rereadNights: 4 } });
    expect(snapshot.state).toBe('complete');
    expect(kinds['space']).toMatchObject({ seen: 1, unchanged: 1, changed: 0 });
  }
  // On its night of the rota alone, and beside its content, which is read again then.
  expect(asked.get(spaceId)).toBeGreaterThanOrEqual(1);
  expect(asked.get(spaceId)).toBeLessThanOrEqual(3);
  expect(rowsOf(world.mirror, 'select count(*) as n from spaces_history')).toEqual([{ n: 1 }]);
});

it.each<[string, (space: Shown) => Shown]>([
  ['with null for what is left out', (space) => ({ ...space, parent: null })],
  [
    'with less within its fields, too',
    (space) => ({ ...withoutOptional(space), urls: {}, permissions: { view: true } }),
  ],
])('walker sees no change in a space that is shown %s: each night had another version', async (_name, shown) => {
  await using world = await TestWorld.create();
  const { collection } = await shownBySite(world);
  await using proxy = await rewriting(world);
  shorten(proxy, shown);
  await world.sync({ client: proxy.client });
  for (let night = 0; night < 2; night += 1) {
    const { snapshot, kinds } = await world.sync({ client: proxy.client });
    expect(snapshot.state).toBe('complete');
    expect(kinds['space']).toMatchObject({ seen: 1, unchanged: 1, changed: 0 });
  }
  expect(rowsOf(world.mirror, 'select parent from spaces_history')).toEqual([{ parent: collection }]);
  // It was asked for by itself, and nobody has named it.
  const routes = rowsOf(world.mirror, 'select route from routes order by route');
  expect(routes.map(({ route }) => route)).toEqual(expect.arrayContaining(['direct', 'site-space']));
  expect(routes).not.toContainEqual({ route: 'configured' });
});

it('walker tells of a space that has left its collection where what shows it names no collection anyway', async () => {
  await using world = await TestWorld.create();
  const { spaceId } = await shownBySite(world);
  await using proxy = await rewriting(world);
  shorten(proxy);
  await world.sync({ client: proxy.client });
  await world.api.moveSpace({ path: { spaceId }, body: { parent: null } });
  const { snapshot, kinds } = await world.sync({ client: proxy.client });
  expect(snapshot.state).toBe('complete');
  expect(kinds['space']).toMatchObject({ seen: 1, changed: 1, unchanged: 0 });
  expect(rowsOf(world.mirror, 'select parent from spaces')).toEqual([{ parent: null }]);
});

it('walker is not complete where such a space cannot be read by itself, and keeps what is held of it', async () => {
  await using world = await TestWorld.create();
  const { spaceId, collection } = await shownBySite(world);
  await using proxy = await rewriting(world);
  shorten(proxy);
  await world.sync({ client: proxy.client });
  await world.api.updateSpace({ path: { spaceId }, body: { title: 'Renamed' } });
  proxy.before = ({ path }) =>
    path.endsWith(`/spaces/${spaceId}`) ? { status: 409, body: { error: { code: 409, message: 'Busy' } } } : undefined;
  const { snapshot } = await world.sync({ client: proxy.client });
  expect(snapshot.state).toBe('partial');
  expect(rowsOf(world.mirror, 'select parent from spaces')).toEqual([{ parent: collection }]);
});

/** Of public spaces, on a platform where a move is no edit, nothing but `parent` tells that they were moved. */
function asPublic(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPublic);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([field, one]) => [field, asPublic(one)]);
  const still = { visibility: 'public', updatedAt: '2025-01-01T00:00:00.000Z' };
  return { ...Object.fromEntries(fields), ...(value['object'] === 'space' ? still : {}) };
}

it('walker asks the spaces of a collection that was deleted where they stand now: a complete snapshot had them in what is gone, for a week', async () => {
  await using world = await TestWorld.create();
  const collection = await addCollection(world, 'Guides');
  const spaces = await Promise.all(['One', 'Two', 'Three'].map((title) => addSpace(world, title, collection)));
  await using proxy = await rewriting(world);
  proxy.rewrite = (_asked, { status, body }) => ({ status, body: asPublic(body) });
  const settings = { rereadNights: 1000 };
  await world.sync({ client: proxy.client, settings });
  for (const spaceId of spaces) await world.api.moveSpace({ path: { spaceId }, body: { parent: null } });
  await world.api.deleteCollection({ path: { collectionId: collection } });
  const { snapshot, kinds } = await world.sync({ client: proxy.client, settings });
  expect(snapshot.state).toBe('complete');
  expect(kinds['collection']).toMatchObject({ gone: 1 });
  expect(kinds['space']).toMatchObject({ seen: 3, changed: 3, unchanged: 0 });
  expect(rowsOf(world.mirror, 'select distinct parent from spaces')).toEqual([{ parent: null }]);
});
