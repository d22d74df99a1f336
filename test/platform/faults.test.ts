import { describe, expect, it } from 'vitest';
import { manualClock, seededRandom, silentLogger, type Logger } from '../../src/base/index.ts';
import { readFaultPlan, type FaultPlan } from '../../src/platform/index.ts';
import { faultPlanSchema } from '../../src/platform/http/fault-plan.ts';
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

  it('refuses headers that cannot be sent: they were taken, and each request was answered 500 with a stack of the server', () => {
    const withHeaders = (headers: object): unknown => [{ effect: { status: 503, headers } }];
    expect(readFaultPlan(withHeaders({ 'retry-after': '1', 'X-Note': 'caf\u00e9' }))).toHaveLength(1);
    const rows: [object, RegExp][] = [
      [{ 'bad header': 'x' }, /headers, bad header is .*; expected a name that a header can have/],
      [{ 'x-note': 'one\ntwo' }, /headers, x-note is .*; expected characters that a header can hold/],
      [{ 'x-note': '\u20ac 5' }, /headers, x-note is .*; expected characters that a header can hold/],
    ];
    for (const [headers, message] of rows) expect(() => readFaultPlan(withHeaders(headers))).toThrow(message);
  });

  it('refuses a plan that it does not understand, naming the rule, what was seen and what is expected', () => {
    expect(readFaultPlan([{ operation: 'getSpace', effect: 'html' }])).toHaveLength(1);
    const rows: [unknown, RegExp][] = [
      [{}, /it is \{\}; expected a list of rules/],
      [['html'], /rule 1 is "html"; expected an object/],
      [[{ effect: 'html' }, { effect: 'explode' }], /rule 2, effect is "explode"; expected one of cut-before, /],
      [[{}], /rule 1, effect is undefined; expected one of cut-before.* or an object with one of status, delayMs/],
      [[{ operaton: 'getSpace', effect: 'html' }], /rule 1, operaton is "getSpace"; expected one of operation, /],
      [
        [{ operation: 'getSpce', effect: 'html' }],
        /rule 1, operation is "getSpce"; expected one of .*names of operations/,
      ],
      [[{ pathPattern: '(', effect: 'html' }], /rule 1, pathPattern is "\("; expected a regular expression/],
      [[{ nth: 0, effect: 'html' }], /rule 1, nth is 0; expected >= 1/],
      [[{ probability: 2, effect: 'html' }], /rule 1, probability is 2; expected <= 1/],
      [[{ effect: { status: 700 } }], /rule 1, effect, status is .*700.*; expected <= 599/],
      [[{ effect: { delayMs: 5, unit: 's' } }], /rule 1, effect, unit is "s"; expected one of delayMs/],
    ];
    for (const [plan, message] of rows) {
      expect(() => readFaultPlan(plan)).toThrow(message);
      expect(() => readFaultPlan(plan)).toThrow(expect.objectContaining({ code: 'DM_CONFIG_INVALID' }));
    }
  });

  it('chooses and logs a seed for a chance that has none, and shows it in the plan', () => {
    const logged: object[] = [];
    const log = { ...silentLogger(), info: (fields: object) => logged.push(fields) } as unknown as Logger;
    const rule = { operation: 'getSpace' as const, probability: 0.5, effect: 'html' as const };
    const injector = createFaultInjector({ random: seededRandom(1), log }, [rule]);
    const [active] = injector.plan();
    expect(active?.seed).toEqual(expect.any(Number));
    expect(logged).toEqual([{ rule: 1, operation: 'getSpace', probability: 0.5, seed: active?.seed }]);
    const strikes = (one: typeof injector) => Array.from({ length: 20 }, () => one.meet('getSpace', '/').effect);
    const again = createFaultInjector({ random: seededRandom(2), log: silentLogger() }, injector.plan());
    expect(strikes(again)).toEqual(strikes(injector));
  });

  it('lets the body trickle, whole in the end, and stops when the client goes away', async () => {
    const clock = manualClock(0);
    await using world = await createWorld({ clock, faults: [{ effect: { bytesPerSecond: 1000 } }] });
    const get = (signal?: AbortSignal) =>
      fetch(`${world.platform.url}/v1/orgs`, {
        headers: { authorization: `Bearer ${world.platform.token}` },
        ...(signal ? { signal } : {}),
      });
    const idle = clock.pending();
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    const response = await get();
    const length = Number(response.headers.get('content-length'));
    expect(length).toBeGreaterThan(300);
    let text: string | null = null;
    const reading = response.text().then((whole) => (text = whole));
    while (clock.pending() === idle) await tick();
    expect(text).toBeNull();
    while (text === null) {
      await clock.advance(100);
      await tick();
    }
    expect(await reading).toHaveLength(length);
    const abort = new AbortController();
    await get(abort.signal);
    while (clock.pending() === idle) await tick();
    abort.abort();
    while (clock.pending() > idle) await tick();
  });

  it('adds a field to every resource of an answer', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, { One: 'text' });
    world.platform.faults = [{ effect: { addField: 'mood', value: 'calm' } }];
    const { body: space } = await world.call('getSpace', { path: { spaceId } });
    expect(space).toMatchObject({ mood: 'calm', title: 'Space' });
    const { body: list } = await world.call('listOrganizations');
    expect(list).not.toHaveProperty('mood');
    expect(list.items).toEqual([expect.objectContaining({ mood: 'calm' })]);
    expect((await world.call('listPages', { path: { spaceId } })).body.pages[0]).toHaveProperty('mood');
  });

  it('puts a value into enumerations that the contract does not know, everywhere or in the named fields', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, { One: 'text' });
    const get = async () => (await world.call('getSpace', { path: { spaceId } })).body;
    const before = await get();
    world.platform.faults = [{ effect: { enumValue: 'holographic', fields: ['visibility'] } }];
    expect(await get()).toEqual({ ...before, visibility: 'holographic' });
    world.platform.faults = [{ effect: { enumValue: 'holographic' } }];
    const strange = { visibility: 'holographic', editMode: 'holographic', defaultLevel: 'holographic' };
    expect(await get()).toEqual({ ...before, ...strange });
    expect((await world.call('listPages', { path: { spaceId } })).body.pages[0]?.type).toBe('holographic');
  });

  it('shifts the clock that headers show, also of answers that a fault gives', async () => {
    const clock = manualClock(Date.parse('2026-01-01T00:00:30.000Z'));
    await using world = await createWorld({ clock });
    const times = async () => {
      const { headers } = await world.call('listOrganizations');
      return [Date.parse(headers.get('date') ?? ''), Number(headers.get('x-ratelimit-reset')) * 1000];
    };
    const [date = 0, reset = 0] = await times();
    expect(date).toBe(clock.now());
    world.platform.faults = [{ effect: { skewMs: 3_600_000 } }, { effect: { skewMs: -60_000 } }];
    expect(await times()).toEqual([date + 3_540_000, reset + 3_540_000]);
    world.platform.faults = [{ effect: { status: 429 } }, { effect: { skewMs: 3_600_000 } }];
    expect(await times()).toEqual([date + 3_600_000, reset + 3_600_000]);
  });

  it("lets a rule's own headers go before the platform's", async () => {
    await using world = await createWorld();
    world.platform.faults = [{ effect: { status: 429, headers: { 'X-RateLimit-Remaining': '0' } } }];
    expect((await world.call('listOrganizations')).headers.get('x-ratelimit-remaining')).toBe('0');
  });
});

describe('platform/http/fault-plan', () => {
  it('agrees with config/faults.schema.json', async () => {
    const text = `${JSON.stringify(faultPlanSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../config/faults.schema.json');
  });
});
