import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/base/index.ts';
import { forecastWalk } from '../../src/walker/index.ts';
import { addCollection, addSpace, edit, furnish, insert, pagesOf, type Change } from '../support/content.ts';
import { walkedWorlds } from '../support/copied-world.ts';
import { forecast } from '../support/forecast.ts';
import { organizedWorld } from '../support/furnished.ts';
import { recounted, rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { SETTINGS, TestWorld, type SyncOptions } from '../support/world.ts';

const SCOPE = { organizations: null, onlySpaces: null, extraSpaces: [] };

/** Forecasts a walk, makes it, and answers how far the forecast was off. */
async function offBy(world: TestWorld, options: SyncOptions): Promise<number> {
  const { requests } = forecast(world, options);
  const { snapshot } = await world.sync(options);
  return Math.abs((requests ?? 0) - snapshot.requests) / snapshot.requests;
}

/** Everything that a walk asks for occurs, and enough of spaces that one request more for each is more than a tenth. */
const manySpaces = walkedWorlds(async (world) => {
  await furnish(world);
  await addSpaces(world, 6);
  await world.sync();
});

/** For what is true of every walk, however small. */
const oneSpace = walkedWorlds(async (world) => {
  await addSpaces(world, 1);
  await world.sync();
});

/** Spaces S0, S1 and so on, of a page each. */
async function addSpaces(world: TestWorld, count: number): Promise<string[]> {
  const spaces: string[] = [];
  for (let number = 0; number < count; number++) {
    const space = await addSpace(world, `S${number}`);
    await edit(world, space, insert('P', 'text'));
    spaces.push(space);
  }
  return spaces;
}

/** Gives the page P of each another text. */
async function rewriteAll(
  world: TestWorld,
  spaces: readonly string[],
  { text, more = [] }: { text: string; more?: Change[] },
): Promise<void> {
  for (const space of spaces) {
    const { P: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page, document: { markdown: text } }, ...more);
  }
}

describe('walker/forecast', () => {
  it('does not guess before the first walk', async () => {
    await using world = await TestWorld.create();
    expect(forecast(world)).toMatchObject({ requests: null, estimatedMs: null });
  });

  it('is within a tenth for unchanged nights, rota and all', async () => {
    await using world = await manySpaces();
    for (let night = 0; night < 8; night++) {
      const settings = { rereadNights: 7, documents: night > 3 };
      expect(await offBy(world, { settings }), `night ${night}`).toBeLessThanOrEqual(0.1);
    }
  });

  it('is within a tenth for a full walk', async () => {
    await using world = await manySpaces();
    expect(await offBy(world, { mode: 'full' })).toBeLessThanOrEqual(0.1);
    expect(await offBy(world, { mode: 'full', settings: { documents: true } })).toBeLessThanOrEqual(0.1);
  });

  it('is within a tenth for a full walk of some kinds, and for one that draws PDFs: it counted the document trees of pages alone, and no PDF', async () => {
    await using world = await manySpaces();
    const scope = { ...SCOPE, kinds: ['page'] as const };
    expect(await offBy(world, { mode: 'full', scope, settings: { documents: true } })).toBeLessThanOrEqual(0.1);
    expect(await offBy(world, { settings: { pdfs: true } })).toBeLessThanOrEqual(0.1);
    expect(await offBy(world, { settings: { pdfs: true } })).toBeLessThanOrEqual(0.1);
  });

  it('is exact for walks of one kind that there is none of: each asks for an empty listing twice, and it counted one', async () => {
    await using world = await TestWorld.create();
    const scope = { ...SCOPE, kinds: ['site'] as const };
    await world.sync({ scope });
    for (let night = 0; night < 2; night++) expect(await offBy(world, { scope })).toBe(0);
  });

  it('is exact where listings are refused to the token, as was accepted: those are asked for once', async () => {
    await using world = await organizedWorld();
    const backup = { displayName: 'Backup', email: 'backup@example.com', organization: world.organization };
    const { token } = world.platform.createUser({ ...backup, role: 'read' });
    await using client = world.clientOf({ url: world.platform.url, token });
    await world.sync({ client, scope: SCOPE, acceptRights: true });
    for (let night = 0; night < 2; night++) expect(await offBy(world, { client, scope: SCOPE })).toBe(0);
  });

  it('is within a tenth for a walk of a collection with others nested in it: it counted those right below it alone', async () => {
    await using world = await TestWorld.create();
    const outer = await addCollection(world, 'Outer');
    const inner = await addCollection(world, 'Inner', outer);
    for (const parent of [outer, inner, await addCollection(world, 'Innermost', inner)])
      for (const title of ['One', 'Two', 'Three'])
        await edit(world, await addSpace(world, title, parent), insert('P', 'text'));
    await world.sync();
    for (const mode of ['incremental', 'full'] as const)
      for (const key of [outer, inner]) {
        const scope = { ...SCOPE, onlyCollections: [key] };
        expect(await offBy(world, { mode, scope }), `${mode} ${key === outer ? 'outer' : 'inner'}`).toBeLessThanOrEqual(
          0.1,
        );
      }
  });

  it('is within a tenth for a walk of one space', async () => {
    await using world = await manySpaces();
    const scope = { organizations: null, onlySpaces: [await addSpace(world, 'One more')], extraSpaces: [] };
    // The night on which it appeared, and quiet ones.
    for (let night = 0; night < 4; night++) await world.sync();
    expect(await offBy(world, { scope })).toBeLessThanOrEqual(0.1);
    expect(await offBy(world, { scope, mode: 'full' })).toBeLessThanOrEqual(0.1);
  });

  // Merged change requests whose texts are older than those of their space; pages without a text of their own.
  it.each([
    ['documents', true, [insert('More', 'some text'), insert('And more', 'text')]],
    ['texts alone', false, []],
    ['empty pages', true, [insert('A', ''), insert('B', ''), insert('C', ''), insert('D', '')]],
  ])(
    'is within a tenth for nights in which as much is edited as in those before (%s): it counted no change requests, and empty pages as read',
    async (_name, documents, more) => {
      await using world = await manySpaces();
      const found = rowsOf(world.mirror, `select id from spaces where title like 'S%' order by title limit 5`).map(
        ({ id }) => String(id),
      );
      const settings = { rereadNights: 100, documents };
      await world.sync({ settings });
      let off = 1;
      for (let night = 0; night < 5; night++) {
        await rewriteAll(world, found, { text: `text ${night}`, more });
        off = await offBy(world, { settings });
      }
      expect(off).toBeLessThanOrEqual(0.1);
    },
  );

  it.each([7, 100])(
    'is within a tenth for nights like the others of a platform without change requests, each read in %i nights: it counted the listings of change requests of each space that moved, which are not asked for',
    async (rereadNights) => {
      await using world = await TestWorld.create();
      await using proxy = await rewriting(world);
      const none = { changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 };
      proxy.rewrite = (_asked, { status, body }) => ({ status, body: recounted(body, none) });
      const spaces = await addSpaces(world, 14);
      const options = { client: proxy.client, settings: { rereadNights, documents: true } };
      await world.sync(options);
      for (let night = 1; night < 6; night++) {
        await rewriteAll(world, spaces.slice(night, night + 6), { text: `text ${night}` });
        const off = await offBy(world, options);
        if (night >= 3) expect(off, `night ${night}`).toBeLessThanOrEqual(0.1);
      }
    },
  );

  it('is within a tenth for nights like the others of a platform whose lists of links are not found, as was accepted: it counted those of each space that moved', async () => {
    await using world = await TestWorld.create();
    const body = { error: { code: 404, message: 'Not found' } };
    world.platform.faults = (['getCustomFieldValues', 'listSpaceLinks'] as const).map((operation) => ({
      operation,
      effect: { status: 404, body },
    }));
    const spaces = await addSpaces(world, 6);
    const settings = { rereadNights: 100 };
    for (const acceptRights of [true, true]) await world.sync({ settings, acceptRights });
    for (let night = 1; night < 6; night++) {
      await rewriteAll(world, spaces.slice(0, 5), { text: `text ${night}` });
      const off = await offBy(world, { settings });
      if (night >= 4) expect(off, `night ${night}`).toBeLessThanOrEqual(0.1);
    }
  });

  it('forecasts quiet nights after one in which much was edited: for five nights it forecast a part of that', async () => {
    await using world = await manySpaces();
    const settings = { rereadNights: 100 };
    for (let night = 0; night < 2; night++) await world.sync({ settings });
    for (const { id } of rowsOf(world.mirror, `select id from spaces where title like 'S%'`))
      await edit(world, String(id), insert('One', 'text'), insert('Two', 'text'), insert('Three', 'text'));
    await world.sync({ settings });
    for (let night = 0; night < 5; night++) expect(await offBy(world, { settings })).toBeLessThanOrEqual(0.1);
  });

  it('adds what the last nights cost in changes, and sends nothing', async () => {
    await using world = await oneSpace();
    await edit(world, await addSpace(world, 'New'), insert('One', 'text'), insert('Two', 'text'));
    await world.sync();
    world.platform.clearRequestLog();
    const { requests, ifNothingChanged, perSecond, estimatedMs } = forecast(world);
    expect(requests ?? 0).toBeGreaterThan(ifNothingChanged ?? 0);
    expect(world.platform.requestLog.total()).toBe(0);
    expect([(perSecond ?? 0) > 0, (estimatedMs ?? 0) > 0]).toEqual([true, true]);
  });

  it.each<[string, SyncOptions, string | null]>([
    ['the same terms', {}, null],
    ['PDFs', { settings: { pdfs: true } }, 'it began with another --pdf'],
    [
      'trees, another rota and a named space',
      { settings: { documents: true, rereadNights: 7 }, scope: { ...SCOPE, extraSpaces: ['s'] } },
      'it began with another scope.spaces, walk.documents, walk.rereadNights',
    ],
    ['full', { mode: 'full' }, 'it was incremental'],
    ['too late', { settings: { resumeWithinMs: -1 } }, 'it is too old to continue'],
  ])('says of an open walk what the next one then does with it: %s', async (_name, options, why) => {
    await using world = await oneSpace();
    const stop = new AbortController();
    const client = world.hooked((operation) => {
      if (operation === 'listCollections') stop.abort(new Error('cut off'));
    });
    await expect(world.sync({ client, signal: stop.signal })).rejects.toThrow('cut off');
    const { continues, givesUp } = forecast(world, options);
    const { snapshot } = await world.sync(options);
    expect([continues, givesUp?.why ?? null]).toEqual([snapshot.resumed > 0 ? snapshot.id : null, why]);
    expect(
      rowsOf(world.mirror, `select id as snapshot, reason as why from snapshots where state = 'abandoned'`),
    ).toEqual(givesUp === null ? [] : [givesUp]);
  });

  it('is within a tenth after a full walk that was cut off and is given up: it left out what that one had still to read', async () => {
    await using world = await manySpaces();
    const stop = new AbortController();
    const client = world.hooked((operation) => {
      if (operation === 'listMemberSpaces') stop.abort(new Error('cut off'));
    });
    await expect(world.sync({ client, mode: 'full', signal: stop.signal })).rejects.toThrow('cut off');
    expect(await offBy(world, {})).toBeLessThanOrEqual(0.1);
  });

  it('counts what the configured rate allows, not more', async () => {
    await using world = await oneSpace();
    const { mirror, clock } = world;
    const all = { mirror, clock, origin: null, mode: 'incremental', scope: SCOPE, settings: SETTINGS } as const;
    const { requests, estimatedMs } = forecastWalk({ ...all, mostPerSecond: 1 });
    expect(estimatedMs).toBe((requests ?? 0) * 1000);
  });

  it('promises no more than the budget lets a walk ask, and says what all of it would take', async () => {
    await using world = await oneSpace();
    const whole = forecast(world).requests ?? 0;
    const maxRequests = whole - 5;
    expect(forecast(world, { settings: { maxRequests } })).toMatchObject({
      requests: maxRequests,
      toReadAll: whole,
      endedBy: 'walk.maxRequests',
    });
    expect(forecast(world, { settings: { maxRequests: whole } })).toMatchObject({ requests: whole, endedBy: null });
    expect(await offBy(world, { settings: { maxRequests } })).toBeLessThanOrEqual(0.1);
    const { mirror, clock } = world;
    const all = { mirror, clock, origin: null, mode: 'incremental', scope: SCOPE } as const;
    const settings = { ...SETTINGS, maxDurationMs: 3000 };
    const timed = forecastWalk({ ...all, settings, mostPerSecond: 1 });
    expect(timed).toMatchObject({ requests: 3, estimatedMs: 3000, endedBy: 'walk.maxDuration' });
  });

  it.each([true, false])(
    'counts what a limited walk knew of and did not come to, documents %s: it said a third of that',
    async (documents) => {
      await using world = await TestWorld.create();
      const pages = Array.from({ length: 50 }, (_, number) => insert(`P${number}`, 'text'));
      await edit(world, await addSpace(world, 'Large'), ...pages);
      const { snapshot } = await world.sync({ settings: { documents, maxRequests: 30, lanes: 1 } });
      expect(snapshot.state).toBe('partial');
      expect(await offBy(world, { settings: { documents } })).toBeLessThanOrEqual(0.1);
    },
  );

  it.each(['incremental', 'full'] as const)(
    'is within a tenth after a full walk that its budget ended in the middle of a space (%s): what that one had not read anew was taken for unread',
    async (mode) => {
      await using world = await TestWorld.create();
      const pages = Array.from({ length: 30 }, (_, number) => insert(`P${number}`, 'text'));
      await edit(world, await addSpace(world, 'Large'), ...pages);
      await world.sync();
      const { snapshot } = await world.sync({ mode: 'full', settings: { maxRequests: 30, lanes: 1 } });
      expect(snapshot.state).toBe('partial');
      expect(await offBy(world, { mode })).toBeLessThanOrEqual(0.1);
    },
  );

  it('is within a tenth where people only talk: what is asked of spaces with new comments and requests was left out', async () => {
    await using world = await TestWorld.create();
    const spaces = await Promise.all(Array.from({ length: 6 }, (_, number) => addSpace(world, `S${number}`)));
    await world.sync();
    for (let night = 0; night < 4; night++) {
      for (const spaceId of spaces.slice(0, 4)) {
        await world.api.createComment({ path: { spaceId }, body: { body: { markdown: `Night ${night}` } } });
        await world.api.createChangeRequest({ path: { spaceId }, body: { subject: `Night ${night}` } });
      }
      world.clock.advance(86_400_000);
      // One night has to tell how such nights are.
      const off = await offBy(world, {});
      if (night > 0) expect(off, `night ${night}`).toBeLessThanOrEqual(0.1);
    }
  });

  it('takes what finishes a limited walk for no night like others: the one after it was said to read as much once more', async () => {
    await using world = await TestWorld.create();
    const pages = Array.from({ length: 50 }, (_, number) => insert(`P${number}`, 'text'));
    await edit(world, await addSpace(world, 'Large'), ...pages);
    await world.sync({ settings: { maxRequests: 30, lanes: 1 } });
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(await offBy(world, {})).toBeLessThanOrEqual(0.1);
  });

  it('is followed by a warning when even a quiet night takes more than the budget: nights stayed partial for ever, unsaid', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
    await using world = await oneSpace();
    const takes = forecast(world).ifNothingChanged ?? 0;
    const warned = (): unknown[] =>
      lines.splice(0).flatMap((line) => {
        const said = JSON.parse(line) as Record<string, unknown>;
        return String(said['msg']).includes('walk.maxRequests even if') ? [[said['maxRequests'], said['takes']]] : [];
      });
    await world.sync({ log, settings: { maxRequests: takes } });
    expect(warned()).toEqual([]);
    await world.sync({ log, settings: { maxRequests: takes - 1 } });
    expect(warned()).toEqual([[takes - 1, takes]]);
  });
});
