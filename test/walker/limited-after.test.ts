// A limited walk after one that was partial or given up: it shows all of the mirror, and read part of it.
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { failuresOf, openedSnapshot, planForget } from '../../src/mirror/index.ts';
import { addCollection, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { walkedWorlds } from '../support/copied-world.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

/** A listing without a space. */
function without(body: unknown, space: string): unknown {
  if (!isRecord(body) || !Array.isArray(body['items'])) return body;
  const shows = (item: unknown): boolean =>
    isRecord(item) && (item['id'] === space || (isRecord(item['space']) && item['space']['id'] === space));
  return { ...body, items: body['items'].filter((item) => !shows(item)) };
}

interface Spaces {
  readonly one: string;
  readonly other: string;
}

/** Two spaces that one whole walk has read. */
const mirroredWorld = walkedWorlds(async (world): Promise<Spaces> => {
  const [one, other] = [await addSpace(world, 'One'), await addSpace(world, 'Other')];
  await edit(world, one, insert('A', 'old'), insert('B', 'old'), insert('C', 'old'));
  await edit(world, other, insert('X', 'text'));
  expect((await world.sync()).snapshot.state).toBe('complete');
  return { one, other };
});

async function editAll(world: TestWorld, space: string): Promise<void> {
  const pages = Object.values(await pagesOf(world, space));
  await edit(
    world,
    space,
    ...pages.map((page) => ({ type: 'update_page', page, document: { markdown: '# T\n\nnew' } }) as const),
  );
}

const EVERYTHING = { organizations: null, onlySpaces: null, extraSpaces: [] };

const only = (...spaces: string[]) => ({ ...EVERYTHING, onlySpaces: spaces });

/** A whole walk that is cut off in the middle of a space that was edited. */
async function cutOff(world: TestWorld, space: string): Promise<void> {
  await editAll(world, space);
  const stop = new AbortController();
  let read = 0;
  const client = world.hooked((operation) => {
    if (operation === 'getPage' && ++read > 1) stop.abort();
    return Promise.resolve();
  });
  await world.sync({ client, signal: stop.signal, settings: { lanes: 1 } }).catch(() => undefined);
  expect(openedSnapshot(world.mirror)?.id).toBe(2);
}

describe('a limited walk', () => {
  it('is partial after a walk that was cut off in another space: it was complete, with texts of two revisions', async () => {
    await using world = await mirroredWorld();
    const { one, other } = world.made;
    await cutOff(world, one);
    const { snapshot } = await world.sync({ scope: only(other) });
    expect(snapshot.state).toBe('partial');
    const failures = failuresOf(world.mirror, snapshot.id).map(({ resource, error }) => [resource, error]);
    expect(failures).toContainEqual([
      `${one}/*`,
      expect.stringMatching(/the walk was given up.*; not asked for again since snapshot 2$/),
    ]);
    const again = await world.sync({ scope: only(other) });
    expect([again.snapshot.state, failuresOf(world.mirror, again.snapshot.id)]).toEqual([
      'partial',
      failuresOf(world.mirror, snapshot.id),
    ]);
    expect((await world.sync()).snapshot).toMatchObject({ state: 'complete', reason: null });
    expect((await world.sync({ scope: only(other) })).snapshot).toMatchObject({ state: 'complete', reason: null });
  });

  it('is complete once it has read what was left', async () => {
    await using world = await mirroredWorld();
    const { one } = world.made;
    await cutOff(world, one);
    expect((await world.sync({ scope: only(one) })).snapshot).toMatchObject({ state: 'complete', reason: null });
  });

  it.each(['partial', 'kinds'] as const)(
    'does not hide what the walk before it could not read elsewhere (%s)',
    async (how) => {
      await using world = await mirroredWorld();
      const { one, other } = world.made;
      await editAll(world, one);
      world.platform.faults = [{ operation: 'getPage', nth: 1, count: 5, effect: { status: 500 } }];
      expect((await world.sync()).snapshot.state).toBe('partial');
      world.platform.faults = [];
      const kinds = { ...EVERYTHING, kinds: ['comment'] as const };
      const { snapshot } = await world.sync({ scope: how === 'kinds' ? kinds : only(other) });
      expect([snapshot.state, snapshot.reason]).toEqual(['partial', expect.stringContaining('page')]);
      const { snapshot: whole } = await world.sync();
      expect([whole.state, whole.reason]).toEqual(['complete', null]);
      expect((await world.sync({ scope: only(other) })).snapshot.state).toBe('complete');
    },
  );

  it('does not hide that another space is out of reach', async () => {
    await using world = await mirroredWorld();
    const { one, other } = world.made;
    await using proxy = await rewriting(world);
    const refused = { status: 403, body: { error: { code: 403, message: 'Forbidden' } } };
    proxy.before = ({ path }) => (path.startsWith(`/v1/spaces/${one}`) ? refused : undefined);
    proxy.rewrite = (_asked, { status, body }) => ({ status, body: without(body, one) });
    const { client } = proxy;
    expect((await world.sync({ client })).snapshot.state).toBe('partial');
    const { snapshot } = await world.sync({ client, scope: only(other) });
    expect([snapshot.state, snapshot.reason]).toEqual(['partial', expect.stringContaining('1 space out of reach')]);
  });

  it('counts once what is out of reach, within its own limits or elsewhere: it was said to be no longer listed, too', async () => {
    await using world = await mirroredWorld();
    const { one: spaceId, other } = world.made;
    const path = { spaceId };
    const { id } = await world.api.createComment({ path, body: { body: { markdown: 'Gone from view' } } });
    await world.sync();
    await world.api.deleteComment({ path: { ...path, commentId: id } });
    world.platform.faults = [{ operation: 'getComment', effect: { status: 403 } }];
    for (const space of [spaceId, other])
      expect((await world.sync({ scope: only(space) })).snapshot.reason).toBe('1 comment out of reach');
  });

  it('does not hide what could not be read outside of all spaces, unless it asks for that', async () => {
    await using world = await mirroredWorld();
    const { other } = world.made;
    world.platform.faults = [{ operation: 'listTeams', effect: { status: 500 } }];
    await world.sync();
    world.platform.faults = [];
    const kinds = (...names: ('team' | 'site')[]) => ({ ...EVERYTHING, kinds: names });
    const states: string[] = [];
    for (const scope of [only(other), kinds('site'), kinds('team'), only(other)])
      states.push((await world.sync({ scope })).snapshot.state);
    expect(states).toEqual(['partial', 'partial', 'complete', 'complete']);
  });

  it('does not hide what could not be read in another organization or collection, and asks for what lies in its own', async () => {
    await using world = await TestWorld.create();
    const other = world.platform.createOrganization({ title: 'Other' });
    const away = { api: world.api, organization: other };
    const manuals = await addCollection(away, 'Manuals');
    await addSpace(away, 'Guide', manuals);
    const here = await addCollection(world, 'Here');
    await addSpace(world, 'Home', here);
    const below = (...organizations: string[]) => ({ ...EVERYTHING, organizations, limited: true });
    const inside = (collection: string) => ({ ...EVERYTHING, onlyCollections: [collection] });
    const states: string[] = [];
    for (const scope of [below(world.organization), inside(here), below(other), inside(manuals)]) {
      world.platform.faults = [{ operation: 'listCollectionSpaces', pathPattern: manuals, effect: { status: 500 } }];
      expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('partial');
      world.platform.faults = [];
      states.push((await world.sync({ scope })).snapshot.state);
    }
    expect(states).toEqual(['partial', 'partial', 'complete', 'complete']);
  });

  it('names what is not read once, though its sealing was cut off and done once more', async () => {
    await using world = await mirroredWorld();
    const { one, other } = world.made;
    await cutOff(world, one);
    const { driver } = world.mirror.store;
    driver.exec(`create temp trigger no_sealing before update of state on snapshots when new.state = 'partial'
      begin select raise(abort, 'cut off'); end`);
    await expect(world.sync({ scope: only(other) })).rejects.toThrow('cut off');
    driver.exec('drop trigger no_sealing');
    const open = openedSnapshot(world.mirror);
    expect(open).toMatchObject({ id: 3, state: 'open' });
    const once = failuresOf(world.mirror, 3);
    expect(once.map(({ resource }) => resource)).toContain(`${one}/*`);
    const { snapshot, kinds } = await world.sync({ scope: only(other) });
    expect([snapshot.id, snapshot.state, failuresOf(world.mirror, 3)]).toEqual([3, 'partial', once]);
    expect(kinds['page']?.failed).toBe(1);
  });

  it('fills no place of a snapshot of everything: those were forgotten for it, and status had no complete one left', async () => {
    await using world = await mirroredWorld();
    const { other } = world.made;
    for (let night = 0; night < 2; night++) await world.sync({ scope: only(other) });
    const policy = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
    const kept = () => planForget(world.mirror, policy).map(({ keep }) => keep);
    expect(kept()).toEqual([true, true, true]);
    await world.sync();
    expect(kept()).toEqual([false, false, false, true]);
    expect(planForget(world.mirror, policy)[1]?.reasons).toEqual([
      'its walk was limited, and a complete one of everything has followed it',
    ]);
  });
});
