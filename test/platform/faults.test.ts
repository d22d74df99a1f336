import { describe, expect, it } from 'vitest';
import { manualClock, seededRandom, silentLogger } from '../../src/base/index.ts';
import { readFaultPlan, type FaultPlan } from '../../src/platform/index.ts';
import { createFaultInjector } from '../../src/platform/http/fault-injector.ts';
import { at, createWorld, importFiles, spaceWithPages } from './world.ts';

describe('platform/http/faults', () => {
  it('answers a status with headers and body instead of the request', async () => {
    await using world = await createWorld();
    world.platform.faults = [
      { operation: 'listOrganizations', effect: { status: 429, headers: { 'Retry-After': '7' } } },
    ];
    const reply = await world.call('listOrganizations');
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toBe('7');
    expect(reply.headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
    expect(reply.body.error.code).toBe(429);
    world.platform.faults = [];
    expect((await world.call('listOrganizations')).status).toBe(200);
  });

  it('cuts before the request is processed, or after it is and before the answer', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    const titles = async (): Promise<string[]> =>
      (await world.call('listCollections', { path })).body.items.map((one) => one.title);
    world.platform.faults = [{ operation: 'createCollection', nth: 1, effect: 'cut-before' }];
    await expect(world.call('createCollection', { path, body: { title: 'A' } })).rejects.toThrow();
    expect(await titles()).toEqual([]);
    world.platform.faults = [{ operation: 'createCollection', nth: 1, effect: 'cut-after' }];
    await expect(world.call('createCollection', { path, body: { title: 'B' } })).rejects.toThrow();
    expect(await titles()).toEqual(['B']);
    await world.call('createCollection', { path, body: { title: 'C' } });
    expect(await titles()).toEqual(['B', 'C']);
    const cut = world.platform.requestLog.recent().filter((entry) => entry.status === 0);
    expect(cut).toHaveLength(2);
  });

  it('truncates the body below its announced length, and answers a web page', async () => {
    await using world = await createWorld();
    world.platform.faults = [{ operation: 'getOrganization', effect: 'truncate' }];
    await expect(world.call('getOrganization', { path: { organizationId: world.organization } })).rejects.toThrow();
    world.platform.faults = [{ pathPattern: '^/v1/orgs$', effect: 'html' }];
    await expect(world.call('listOrganizations')).rejects.toThrow(/JSON/);
  });

  it('empties and shortens lists, and repeats a page token', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    for (let i = 0; i < 4; i++) await world.call('createCollection', { path });
    const list = (query: Record<string, string | number> = {}) => world.call('listCollections', { path, query });
    world.platform.faults = [{ operation: 'listCollections', effect: 'empty-list' }];
    expect((await list()).body).toEqual({ count: 0, items: [] });
    world.platform.faults = [{ operation: 'listCollections', effect: 'short-list' }];
    const short = (await list({ limit: 3 })).body;
    expect(short.items).toHaveLength(1);
    expect(short.next).toBeUndefined();
    world.platform.faults = [{ operation: 'listCollections', effect: 'repeat-token' }];
    const first = (await list({ limit: 1 })).body;
    const second = (await list({ limit: 1, page: first.next?.page ?? '' })).body;
    expect(second.next?.page).toBe(first.next?.page ?? '');
  });

  it('expires download addresses, in answers or when they are used', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, { 'a.md': '![x](assets/a.png)', 'assets/a.png': Buffer.from('x') });
    const download = async (): Promise<number> => {
      const { body } = await world.call('listFiles', { path: { spaceId } });
      return (await fetch(at(body.items, 0).downloadURL)).status;
    };
    world.platform.faults = [{ operation: 'listFiles', effect: 'expired-download' }];
    expect(await download()).toBe(403);
    world.platform.faults = [{ operation: 'download', nth: 1, effect: 'expired-download' }];
    expect(await download()).toBe(403);
    expect(await download()).toBe(200);
  });

  it('delays by the clock', async () => {
    const clock = manualClock(0);
    await using world = await createWorld({ clock, faults: [{ effect: { delayMs: 5000 } }] });
    const waiting = clock.pending();
    let answered = false;
    const reply = world.call('listOrganizations').then((found) => {
      answered = true;
      return found;
    });
    while (clock.pending() === waiting) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(4999);
    expect(answered).toBe(false);
    await clock.advance(1);
    expect((await reply).status).toBe(200);
  });

  it('meets the requests that nth, count and probability name', () => {
    const struck = (rule: Omit<FaultPlan[number], 'effect'>): number[] => {
      const injector = createFaultInjector({ random: seededRandom(1), log: silentLogger() }, [
        { ...rule, effect: 'html' },
      ]);
      return Array.from({ length: 10 }, (_, i) => i + 1).filter(() => injector.meet('getSpace', '/').effect !== null);
    };
    expect(struck({ nth: 3 })).toEqual([3]);
    expect(struck({ nth: 3, count: 2 })).toEqual([3, 4]);
    expect(struck({ count: 2 })).toEqual([1, 2]);
    expect(struck({})).toHaveLength(10);
    expect(struck({ operation: 'getPage' })).toEqual([]);
    const chance = struck({ probability: 0.5, seed: 3 });
    expect(chance).toEqual(struck({ probability: 0.5, seed: 3 }));
    expect(chance.length).toBeGreaterThan(0);
    expect(chance.length).toBeLessThan(10);
  });

  it('refuses a plan that it does not understand, naming the place', () => {
    expect(readFaultPlan([{ operation: 'getSpace', effect: 'html' }])).toHaveLength(1);
    expect(() => readFaultPlan([{ effect: 'explode' }])).toThrow(
      /rule 1, effect is "explode"; expected one of cut-before/,
    );
    expect(() => readFaultPlan([{ operaton: 'getSpace', effect: 'html' }])).toThrow(/fault plan/);
    expect(() => readFaultPlan({})).toThrow(expect.objectContaining({ code: 'DM_CONFIG_INVALID' }));
  });
});
