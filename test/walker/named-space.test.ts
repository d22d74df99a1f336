import { describe, expect, it } from 'vitest';
import { addCollection, addSpace } from '../support/content.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { danglingIn, rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const naming = (space: string) => ({ organizations: null, onlySpaces: null, extraSpaces: [space] });

/** The nights on which a space was recorded as gone, and what proves it. */
const gone = (world: TestWorld, space: string): unknown[] =>
  rowsOf(
    world.mirror,
    `select t.snapshot, json_extract(t.evidence, '$.direct.status') as status, json_extract(t.evidence, '$.direct.deletedAt') is not null as dated
     from tombstones t join resources r using (rid) where r.kind = 'space' and r.key = ?`,
    space,
  );

/** State and failures of a walk to which the platform shows something else at an address than before. */
async function walkShown(world: TestWorld, shown: { path: string; body: unknown }, limit: object): Promise<unknown[]> {
  await using proxy = await rewriting(world);
  await world.sync({ client: proxy.client });
  proxy.rewrite = ({ path }) => (path === shown.path ? { status: 200, body: shown.body } : undefined);
  const scope = { organizations: null, onlySpaces: null, extraSpaces: [], ...limit };
  const { snapshot, failures } = await world.sync({ client: proxy.client, scope });
  return [snapshot.state, ...failures.map(({ error }) => error)];
}

const DAY_MS = 24 * 3_600_000;

describe('walker/visits/named-space', () => {
  it('records a space that the configuration names as gone when it is deleted, and is complete on every night after', async () => {
    await using world = await furnishedWorld();
    const { news } = world.made;
    const night = async (): Promise<string> => (await world.sync({ scope: naming(news) })).snapshot.state;
    expect(await night()).toBe('complete');
    await world.api.deleteSpace({ path: { spaceId: news } });
    expect([await night(), await night()]).toEqual(['complete', 'complete']);
    expect(gone(world, news)).toEqual([{ snapshot: 2, status: 200, dated: 1 }]);
    world.clock.advance(8 * DAY_MS);
    expect([await night(), gone(world, news).length]).toEqual(['complete', 1]);
    expect(rowsOf(world.mirror, 'select id from spaces where id = ?', news)).toEqual([]);
  });

  it('records it as gone when it is not found any more', async () => {
    await using world = await furnishedWorld();
    const { news } = world.made;
    await world.sync({ scope: naming(news) });
    await world.api.deleteSpace({ path: { spaceId: news } });
    world.clock.advance(8 * DAY_MS);
    const { snapshot } = await world.sync({ scope: naming(news) });
    expect([snapshot.state, gone(world, news)]).toEqual(['complete', [{ snapshot: 2, status: 404, dated: 0 }]]);
  });

  it('takes it in again when it is brought back, and takes none in that was deleted before', async () => {
    await using world = await furnishedWorld();
    const { news } = world.made;
    await world.api.deleteSpace({ path: { spaceId: news } });
    const spaces = (): unknown[] => rowsOf(world.mirror, 'select deleted_at from spaces where id = ?', news);
    const first = await world.sync({ scope: naming(news) });
    expect([first.snapshot.state, spaces()]).toEqual(['complete', []]);
    await world.api.restoreSpace({ path: { spaceId: news } });
    const next = await world.sync({ scope: naming(news) });
    expect([next.snapshot.state, spaces()]).toEqual(['complete', [{ deleted_at: null }]]);
  });

  it('is not complete where the platform shows another one by its id: a walk of that one alone was, and it stayed as it was held', async () => {
    await using world = await TestWorld.create();
    const [merged, other] = [await addSpace(world, 'Merged'), await addSpace(world, 'Into this')];
    const body = await world.api.getSpace({ path: { spaceId: other } });
    const error = `The answer for space ${merged} has the id ${other}; expected ${merged}`;
    const shown = { path: `/v1/spaces/${merged}`, body };
    expect(await walkShown(world, shown, { onlySpaces: [merged] })).toEqual(['partial', error]);
  });

  it('is not complete where the platform shows another collection by the id of the one that a walk names: it passed for that', async () => {
    await using world = await TestWorld.create();
    const [merged, other] = [await addCollection(world, 'Merged'), await addCollection(world, 'Into this')];
    const body = await world.api.getCollection({ path: { collectionId: other } });
    const error = `The answer for collection ${merged} has the id ${other}; expected ${merged}`;
    const shown = { path: `/v1/collections/${merged}`, body };
    expect(await walkShown(world, shown, { onlyCollections: [merged] })).toEqual(['partial', error]);
  });

  it('fails for a space that was never there: its name is wrong', async () => {
    await using world = await furnishedWorld();
    const { snapshot, failures } = await world.sync({ scope: naming('nothing-of-that-name') });
    expect([snapshot.state, failures.map(({ kind, code }) => [kind, code])]).toEqual([
      'partial',
      [['space', 'DM_NOT_FOUND']],
    ]);
  });

  it('records it as gone when the platform says 410', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { news } = world.made;
    const walked = () => world.sync({ client: proxy.client, scope: naming(news) });
    await walked();
    await world.api.deleteSpace({ path: { spaceId: news } });
    proxy.rewrite = ({ path }) =>
      path === `/v1/spaces/${news}` ? { status: 410, body: { error: { code: 410, message: 'Gone' } } } : undefined;
    const states = [(await walked()).snapshot.state, (await walked()).snapshot.state];
    expect([states, gone(world, news)]).toEqual([['complete', 'complete'], [{ snapshot: 2, status: 410, dated: 0 }]]);
  });

  it('does not bury it before the rights are known that were lost on its collection', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const collection = await addCollection(world, 'Closed');
    const space = await addSpace(world, 'Named', collection);
    const walked = () => world.sync({ client: proxy.client, scope: naming(space), settings: { lanes: 1 } });
    expect((await walked()).snapshot.state).toBe('complete');
    proxy.rewrite = ({ path }, { status, body }) =>
      path === `/v1/spaces/${space}`
        ? { status: 404, body: { error: { code: 404, message: 'Not found' } } }
        : { status, body: without(body, { collection, space }) };
    expect([(await walked()).snapshot.state, gone(world, space)]).toEqual(['partial', []]);
  });
});

/** An answer to somebody who may no longer see what is in a collection. */
function without(value: unknown, hidden: { readonly collection: string; readonly space: string }): unknown {
  if (Array.isArray(value))
    return value
      .filter((one) => !(one instanceof Object && 'id' in one && one.id === hidden.space))
      .map((one) => without(one, hidden));
  if (typeof value !== 'object' || value === null) return value;
  const shown: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, without(one, hidden)]),
  );
  if (shown['id'] !== hidden.collection) return shown;
  const permissions = { ...(shown['permissions'] as object), view: false, access: false, admin: false };
  return { ...shown, permissions };
}

describe('walker/visits/collections-above', () => {
  const nobody = { organizations: null, extraSpaces: [], onlySpaces: null };
  const shelves = (world: TestWorld): unknown =>
    rowsOf(world.mirror, `select id, parent from collections where title in ('High', 'Low') order by title`);

  async function highAndLow(world: TestWorld): Promise<{ high: string; low: string; known: unknown[] }> {
    const high = await addCollection(world, 'High');
    const low = await addCollection(world, 'Low', high);
    const known = [
      { id: high, parent: null },
      { id: low, parent: high },
    ];
    return { high, low, known };
  }

  it('reads the collections above a named space that was moved into new ones: the snapshot was complete and named one that it did not show', async () => {
    await using world = await walkedWorld();
    const { low, known } = await highAndLow(world);
    await world.api.moveSpace({ path: { spaceId: world.made.news }, body: { parent: low } });
    const limited = { ...nobody, onlySpaces: [world.made.news] };
    const { snapshot } = await world.sync({ scope: limited });
    expect([snapshot.state, danglingIn(world.mirror), shelves(world)]).toEqual(['complete', [], known]);
    // Once they are held they are not asked for again.
    world.platform.clearRequestLog();
    await world.sync({ scope: limited });
    expect(world.platform.requestLog.counts()).not.toHaveProperty('getCollection');
    const whole = await world.sync();
    expect([whole.snapshot.state, shelves(world)]).toEqual(['complete', known]);
    const order = `select position from resources r join versions v using (rid) where r.kind = 'space' and r.key = ? and v.valid_to is null`;
    expect(rowsOf(world.mirror, order, world.made.news)).toEqual([{ position: 0 }]);
  });

  it('reads those above a named collection, too', async () => {
    await using world = await walkedWorld();
    const { low, known } = await highAndLow(world);
    await world.sync({ scope: { ...nobody, onlyCollections: [low] } });
    expect([danglingIn(world.mirror), shelves(world)]).toEqual([[], known]);
  });

  it('is complete where they are hidden from the token', async () => {
    await using world = await walkedWorld();
    const { low } = await highAndLow(world);
    await world.api.moveSpace({ path: { spaceId: world.made.news }, body: { parent: low } });
    world.platform.faults = [{ operation: 'getCollection', effect: { status: 404 } }];
    const { snapshot } = await world.sync({ scope: { ...nobody, onlySpaces: [world.made.news] } });
    expect([snapshot.state, shelves(world)]).toEqual(['complete', []]);
  });

  it('is partial while one could not be read, and complete once the next such walk has read it', async () => {
    await using world = await walkedWorld();
    const { low, known } = await highAndLow(world);
    await world.api.moveSpace({ path: { spaceId: world.made.news }, body: { parent: low } });
    const scope = { ...nobody, onlySpaces: [world.made.news] };
    const empty = { status: 200, body: {}, headers: { 'content-type': 'application/json' } };
    world.platform.faults = [{ operation: 'getCollection', effect: empty }];
    const { snapshot } = await world.sync({ scope });
    expect([snapshot.state, shelves(world)]).toEqual(['partial', []]);
    world.platform.faults = [];
    const next = await world.sync({ scope });
    expect([next.snapshot.state, shelves(world)]).toEqual(['complete', known]);
  });
});
