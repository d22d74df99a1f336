import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endOfTurn } from '../../src/base/index.ts';
import { openMirror } from '../../src/mirror/index.ts';
import { addCollection, addSpace, edit, insert } from '../support/content.ts';
import { filledWorlds } from '../support/copied-world.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rowsOf, stateOf, truthOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

async function fill(world: TestWorld, spaces: number, pages: number): Promise<void> {
  const titles = Array.from({ length: pages }, (_, number) => insert(`P${number}`, 'text'));
  for (let number = 0; number < spaces; number++) await edit(world, await addSpace(world, `S${number}`), ...titles);
}

/** Six spaces of five pages. */
const sixSpaces = filledWorlds((world) => fill(world, 6, 5));

/** One space of three pages. */
const oneSpace = filledWorlds((world) => fill(world, 1, 3));

/** Two spaces of three pages. */
const twoSpaces = filledWorlds((world) => fill(world, 2, 3));

describe('walker/budget', () => {
  it('ends a walk cleanly as partial when its requests are used up, and says what was not visited', async () => {
    await using world = await sixSpaces();
    const { snapshot, failures } = await world.sync({ settings: { maxRequests: 40, lanes: 2 } });
    expect(snapshot.state).toBe('partial');
    expect(snapshot.requests).toBeLessThanOrEqual(42);
    expect(failures.length).toBeGreaterThan(0);
    for (const { error, code } of failures) {
      expect([code, error]).toEqual([
        'DM_INCOMPLETE',
        expect.stringMatching(/not made: walk\.maxRequests \(40\)/) as string,
      ]);
    }
  });

  it('uses its requests up, and not one more, however many visits are under way: of 100 it made 128 to 148, or stopped at half', async () => {
    await using world = await sixSpaces();
    const whole = (await world.sync({ mirror: await world.newMirror() })).snapshot.requests;
    const used: unknown[] = [];
    for (const maxRequests of [4, 20, 40, 60, whole - 1, whole]) {
      using mirror = await world.newMirror();
      const { snapshot } = await world.sync({ mirror, settings: { maxRequests, lanes: 128, asking: 8 } });
      used.push([snapshot.requests, snapshot.state]);
    }
    // Each listing of the organization has room for two: it is asked for again where it is empty.
    const partial = [4, 20, 40, 60].map((requests) => [requests, 'partial']);
    expect(used).toEqual([...partial, [whole - 1, 'partial'], [whole, 'complete']]);
  });

  it('reaches the whole with the lanes of a usual walk, too, where it began every tree and ended none', async () => {
    await using world = await sixSpaces();
    const used: number[] = [];
    let state = 'partial';
    for (let night = 0; night < 12 && state === 'partial'; night++) {
      const { snapshot } = await world.sync({ settings: { maxRequests: 40, lanes: 128, asking: 8 } });
      used.push(snapshot.requests);
      ({ state } = snapshot);
    }
    expect([state, Math.max(...used)]).toEqual(['complete', 40]);
    expect(stateOf(world.mirror, used.length)).toEqual(await truthOf(world));
  });

  it('is not complete with a deleted space when the budget is just enough for what is read', async () => {
    await using world = await walkedWorld();
    const { news } = world.made;
    await world.api.deleteSpace({ path: { spaceId: news } });
    world.close();
    const after = world.folder();
    cpSync(world.dataDir, after, { recursive: true });
    await world.open();
    const said: unknown[] = [];
    for (let maxRequests = 6; maxRequests < 24; maxRequests++) {
      const dataDir = world.folder();
      cpSync(after, dataDir, { recursive: true });
      using mirror = await openMirror({ dataDir, clock: world.clock });
      await using client = world.clientOf(world.platform);
      const { snapshot } = await world.sync({ mirror, client, settings: { maxRequests } });
      const isHeld = rowsOf(mirror, 'select 1 from spaces where id = ?', news).length > 0;
      said.push(`${snapshot.state}${isHeld ? ', the space is held' : ''}`);
    }
    expect(new Set(said)).toEqual(new Set(['partial, the space is held', 'complete']));
  });

  it('begins with what is missing: night after night the same budget reaches the whole', async () => {
    await using world = await sixSpaces();
    const states: string[] = [];
    let pages = 0;
    for (let night = 0; night < 12 && states.at(-1) !== 'complete'; night++) {
      const { snapshot } = await world.sync({ settings: { maxRequests: 40, lanes: 2 } });
      states.push(snapshot.state);
      const [row] = rowsOf(world.mirror, 'select count(*) as n from pages');
      expect(Number(row?.['n'])).toBeGreaterThanOrEqual(pages);
      pages = Number(row?.['n']);
    }
    expect(states.at(-1), states.join(' ')).toBe('complete');
    expect(stateOf(world.mirror, states.length)).toEqual(await truthOf(world));
  });

  it('reads a space to its end before it begins the next', async () => {
    await using world = await sixSpaces();
    await world.sync({ settings: { maxRequests: 40, lanes: 1 } });
    const pages = rowsOf(world.mirror, 'select count(*) as n from pages group by space order by n desc');
    expect(
      pages.slice(0, -1).every(({ n }) => n === 5),
      JSON.stringify(pages),
    ).toBe(true);
  });

  it('ends when its time is used up', async () => {
    await using world = await twoSpaces();
    const client = world.hooked((operation) => {
      if (operation === 'getPage') world.clock.advance(60_000);
    });
    const { snapshot, failures } = await world.sync({ client, settings: { maxDurationMs: 60_000, lanes: 1 } });
    expect([snapshot.state, failures[0]?.error]).toEqual([
      'partial',
      expect.stringMatching(/walk\.maxDuration \(1m\)/),
    ]);
    expect((await world.sync()).snapshot.state).toBe('complete');
  });
});

describe('walker/time', () => {
  it('asks for little more when the time is over: at one request per second it went on for all that had a lane, two minutes', async () => {
    await using world = await sixSpaces();
    let texts = 0;
    let over: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      // Not before all have begun that may.
      while (texts < 2) await endOfTurn();
      await endOfTurn();
      world.clock.advance(60_000);
    };
    const client = world.hooked((operation) => {
      if (operation !== 'getPage') return undefined;
      texts += 1;
      return (over ??= end());
    });
    const { snapshot } = await world.sync({ client, settings: { maxDurationMs: 60_000, lanes: 128, asking: 2 } });
    expect([snapshot.state, texts]).toEqual(['partial', 2]);
  });
});

describe('walker/time, what was read', () => {
  it('counts as read when the time is over by then: it is looked at once more, and asked for no second time', async () => {
    await using world = await oneSpace();
    const settings = { maxDurationMs: 60_000, lanes: 1 };
    const asked: string[] = [];
    using other = await world.newMirror();
    await world.sync({ client: world.hooked((operation) => void asked.push(operation)), settings, mirror: other });
    expect(asked.at(-1)).toBe('getSpace');
    let left = asked.length - 1;
    const client = world.hooked(() => void (--left === 0 && world.clock.advance(60_000)));
    const { snapshot, failures } = await world.sync({ client, settings });
    expect([snapshot.state, failures]).toEqual(['complete', []]);
    world.platform.clearRequestLog();
    await world.sync();
    expect(world.asked('getRevision')).toBe(0);
  });
});

describe('walker/progress', () => {
  it('tells of progress every second of a slow walk: at one request per second it said nothing for twenty seconds', async () => {
    await using world = await oneSpace();
    const client = world.hooked(() => world.clock.advance(1000));
    const told: number[] = [];
    await world.sync({ client, settings: { lanes: 1 }, onProgress: ({ visited }) => told.push(visited) });
    expect(told.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('walker/wanted', () => {
  it('reads only the kinds that are named, what they stand below and the way to them', async () => {
    await using world = await furnishedWorld();
    world.platform.clearRequestLog();
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], kinds: ['comment'] as const };
    const { snapshot, kinds } = await world.sync({ scope });
    expect([snapshot.state, kinds['comment']?.added]).toEqual(['complete', 2]);
    for (const operation of ['getRevision', 'getPage', 'listChangeRequests', 'listCommentReplies', 'listTeams'])
      expect(world.asked(operation), operation).toBe(0);
    const { snapshot: whole } = await world.sync();
    expect(whole.state).toBe('complete');
    expect(stateOf(world.mirror, whole.id)).toEqual(await truthOf(world));
  });

  it('believes no mark of a walk that left something out', async () => {
    await using world = await furnishedWorld();
    for (const kinds of [['page'], ['change-request'], ['member'], ['space']] as const)
      await world.sync({ scope: { organizations: null, onlySpaces: null, extraSpaces: [], kinds } });
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect(stateOf(world.mirror, snapshot.id)).toEqual(await truthOf(world));
  });

  it('keeps to the spaces of a collection and of those nested in it', async () => {
    await using world = await TestWorld.create();
    const outer = await addCollection(world, 'Outer');
    const inner = await addCollection(world, 'Inner', outer);
    await addSpace(world, 'Elsewhere', await addCollection(world, 'Other'));
    for (const [title, parent] of [
      ['A', outer],
      ['B', inner],
    ] as const)
      await addSpace(world, title, parent);
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], onlyCollections: [outer] };
    const { snapshot } = await world.sync({ scope });
    expect(snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select title from spaces order by title')).toEqual([{ title: 'A' }, { title: 'B' }]);
    expect(rowsOf(world.mirror, 'select title from collections order by title')).toEqual([
      { title: 'Inner' },
      { title: 'Outer' },
    ]);
  });
});
