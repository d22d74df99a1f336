// Failures that users of comparable tools met, each tried on a walk of the embedded platform and named for its symptom. What goes wrong
// around the walks is in pains-upkeep.test.ts.
import { describe, expect, it } from 'vitest';
import { coverage, kindNames, kindOf } from '../../src/contract/index.ts';
import { diffSnapshots, listDrift, lastSealed, readerAt } from '../../src/mirror/index.ts';
import { addSpace, edit, importFiles, insert, PNG } from '../support/content.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rowsOf, stateOf, truthOf } from '../support/state.ts';
import { TestWorld, type SyncOptions } from '../support/world.ts';

async function walked(world: TestWorld, options: SyncOptions = {}) {
  const result = await world.sync(options);
  return { ...result, state: result.snapshot.state, truth: await truthOf(world) };
}

const tombstones = (world: TestWorld) =>
  rowsOf(world.mirror, 'select kind, id from tombstones join resources using (rid)');

describe('the run says "success" and part of the data is not there', () => {
  it.each(['getPage', 'download', 'listComments', 'listChangeRequests', 'getRevision', 'listMembers'] as const)(
    'is partial when one %s failed, names it, and fills the gap the next time',
    async (operation) => {
      await using world = await furnishedWorld();
      world.platform.faults = [{ operation, nth: 1, count: 1, effect: { status: 500 } }];
      const { snapshot, failures } = await world.sync({ settings: { pageSize: 1 } });
      expect([snapshot.state, failures.length]).toEqual(['partial', 1]);
      expect(snapshot.reason).toMatch(/^(1 \w+ not read|not all \S+ read)$/);
      world.platform.faults = [];
      const next = await walked(world);
      expect([next.state, stateOf(world.mirror, next.snapshot.id)]).toEqual(['complete', next.truth]);
    },
  );
});

describe('a failed or empty read is taken for a deletion and wipes the copy', () => {
  it.each(['empty-list', { status: 500 }, { status: 403 }, { status: 404 }] as const)(
    'keeps everything when every listing answers %j',
    async (effect) => {
      await using world = await walkedWorld();
      const before = stateOf(world.mirror, 1);
      world.platform.faults = [
        { pathPattern: '/(collections|spaces|comments|replies|change-requests|members|teams)(\\?|$)', effect },
      ];
      const { snapshot } = await world.sync({ mode: 'full' });
      expect(tombstones(world)).toEqual([]);
      expect(Object.keys(stateOf(world.mirror, snapshot.id))).toEqual(Object.keys(before));
      if (effect !== 'empty-list') expect(snapshot.state).toBe('partial');
    },
  );
});

describe('the incremental mark moves although the run failed, so the gap is never filled', () => {
  it('reads a page again that failed, though its revision has not moved since', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await edit(world, space, insert('A', 'text'), insert('B', 'text'));
    world.platform.faults = [{ operation: 'getPage', nth: 2, effect: { status: 500 } }];
    expect((await world.sync()).snapshot.state).toBe('partial');
    world.platform.faults = [];
    world.platform.clearRequestLog();
    const { state, snapshot, truth } = await walked(world);
    expect([state, stateOf(world.mirror, snapshot.id)]).toEqual(['complete', truth]);
  });

  it('goes to what failed before anything else that is in a space', async () => {
    await using world = await TestWorld.create();
    const spaces: string[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      spaces.push(await addSpace(world, title));
      await edit(world, spaces.at(-1) ?? '', insert('P', 'text'));
    }
    const last = spaces[2] ?? '';
    world.platform.faults = [{ operation: 'getPage', pathPattern: last, effect: { status: 500 } }];
    await world.sync();
    world.platform.faults = [];
    for (const space of spaces) await edit(world, space, insert('New', 'text'));
    world.platform.clearRequestLog();
    await world.sync({ settings: { lanes: 1 } });
    const trees = world.platform.requestLog
      .recent()
      .filter(({ target }) => /\/spaces\/\w+\/content(\?|$)/.test(target));
    expect(trees[0]?.target).toContain(last);
  });
});

describe('changes to children do not move the parent’s timestamp', () => {
  it('finds within the nights of the rota what no counter told', async () => {
    await using world = await furnishedWorld();
    const { guide, comment } = world.made;
    await world.sync({ settings: { rereadNights: 3 } });
    // One comment more and one less: the counter stands where it stood.
    await world.api.createComment({ path: { spaceId: guide }, body: { body: { markdown: 'Silent' } } });
    await world.api.deleteComment({ path: { spaceId: guide, commentId: comment } });
    for (let night = 0; night < 3; night++) await world.sync({ settings: { rereadNights: 3 } });
    expect(stateOf(world.mirror, 4)).toEqual(await truthOf(world));
  });

  it('finds within the rota what changed inside a change request too', async () => {
    await using world = await furnishedWorld();
    const { guide, requests, requestComment } = world.made;
    await world.sync({ settings: { rereadNights: 4 } });
    const path = { spaceId: guide, changeRequestId: requests.open };
    await world.api.createChangeRequestComment({ path, body: { body: { markdown: 'Silent' } } });
    await world.api.deleteChangeRequestComment({ path: { ...path, commentId: requestComment } });
    for (let night = 0; night < 4; night++) await world.sync({ settings: { rereadNights: 4 } });
    expect(stateOf(world.mirror, 5)).toEqual(await truthOf(world));
  });

  it('does not miss the turn of a scope because that night was limited to something else', async () => {
    await using world = await furnishedWorld();
    const { guide, news, comment } = world.made;
    const settings = { rereadNights: 2 };
    await world.sync({ settings });
    await world.api.createComment({ path: { spaceId: guide }, body: { body: { markdown: 'Silent' } } });
    await world.api.deleteComment({ path: { spaceId: guide, commentId: comment } });
    const scope = { organizations: null, onlySpaces: [news], extraSpaces: [] };
    // Every other snapshot is of the other space alone, so a fixed turn would never come.
    for (let night = 0; night < 2; night++) {
      await world.sync({ settings, scope });
      await world.sync({ settings });
    }
    expect(stateOf(world.mirror, 5)).toEqual(await truthOf(world));
  });
});

describe('deleted things stay for ever', () => {
  it('sees a deletion that happened while the platform could not be read', async () => {
    await using world = await walkedWorld();
    const { news } = world.made;
    await world.api.deleteSpace({ path: { spaceId: news } });
    world.platform.faults = [{ operation: 'getSpace', effect: { status: 500 } }];
    expect((await world.sync()).snapshot.state).toBe('partial');
    expect(rowsOf(world.mirror, 'select title from spaces order by title')).toEqual([
      { title: 'Guide' },
      { title: 'News' },
    ]);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select title from spaces')).toEqual([{ title: 'Guide' }]);
    expect(tombstones(world)).toContainEqual({ kind: 'space', id: news });
  });
});

describe('a record that comes back is lost in the history', () => {
  it('shows there, gone and there again as two versions of one record', async () => {
    await using world = await walkedWorld();
    const { news } = world.made;
    await world.api.deleteSpace({ path: { spaceId: news } });
    await world.sync();
    await world.api.restoreSpace({ path: { spaceId: news } });
    await world.sync();
    const history = rowsOf(
      world.mirror,
      'select valid_from, valid_to from spaces_history where id = ? order by valid_from',
      news,
    );
    expect(history).toEqual([
      { valid_from: 1, valid_to: 2 },
      { valid_from: 3, valid_to: null },
    ]);
  });
});

describe('rate-limit storms, and starving everybody else in the organisation', () => {
  it('is never refused by a platform that tells its limit, downloads included', async () => {
    await using world = await TestWorld.create({ rate: 400 });
    const space = await addSpace(world, 'Files');
    await importFiles(world, space, {
      'README.md': '# Home\n\n![Logo](a.png)\n',
      'a.png': PNG,
      'b.png': Buffer.concat([PNG, PNG]),
    });
    await edit(world, space, ...Array.from({ length: 30 }, (_, number) => insert(`P${number}`, 'text')));
    await using client = world.clientOf(world.platform, { share: 0.5, concurrency: 16 });
    const { snapshot } = await world.sync({ client, settings: { lanes: 64 } });
    expect([snapshot.state, client.meter.rateLimited]).toEqual(['complete', 0]);
  });
});

describe('big spaces: response caps', () => {
  it('asks for less at a time when an answer is too large for the platform', async () => {
    await using world = await furnishedWorld();
    world.platform.faults = [{ operation: 'listComments', nth: 1, effect: { status: 413 } }];
    const { snapshot } = await world.sync();
    world.platform.faults = [];
    expect([snapshot.state, stateOf(world.mirror, snapshot.id)]).toEqual(['complete', await truthOf(world)]);
  });
});

describe('corrupt or zero-byte files, error bodies saved as content', () => {
  it.each(['truncate', 'html', { status: 503 }] as const)(
    'keeps no page of an answer that came as %j',
    async (effect) => {
      await using world = await TestWorld.create();
      const space = await addSpace(world, 'Space');
      await edit(world, space, insert('A', 'text'));
      world.platform.faults = [{ operation: 'getPage', effect }];
      expect((await world.sync()).snapshot.state).toBe('partial');
      expect(rowsOf(world.mirror, 'select id from pages where markdown is not null')).toEqual([]);
    },
  );
});

describe('download addresses expire', () => {
  it('keeps no signed part of an address anywhere', async () => {
    await using world = await furnishedWorld();
    await world.sync({ settings: { documents: true, pdfs: true } });
    expect(
      rowsOf(world.mirror, `select data from bodies where data like '%expires=%' or data like '%signature=%'`),
    ).toEqual([]);
  });
});

describe('two titles, one file name', () => {
  it('keeps pages of the same title apart, whatever their slug', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Twins');
    await edit(world, space, insert('Same', 'one'), insert('Same', 'two'), insert('SAME', 'three'));
    const { snapshot } = await world.sync();
    const texts = [...readerAt(world.mirror, snapshot.id).resources('page', space)].map(({ text }) =>
      text?.split('\n').at(-1),
    );
    expect(new Set(texts)).toEqual(new Set(['one', 'three', 'two']));
  });
});

describe('the vendor changes or removes the way out', () => {
  it('goes on with bodies that have changed their shape, keeps them, and says what is new', async () => {
    await using world = await walkedWorld();
    world.platform.faults = [{ effect: { addField: 'generation', value: 2 } }];
    const { snapshot } = await world.sync({ mode: 'full' });
    expect(snapshot.state).toBe('complete');
    const paths = new Set(listDrift(world.mirror).map(({ path, first_seen }) => `${path} ${first_seen}`));
    expect(paths).toContain('generation 2');
    expect(rowsOf(world.mirror, 'select distinct contract_version as v from snapshots')).toEqual([{ v: 1 }]);
  });

  it('takes an operation that is no longer offered for a failure once something of it was read', async () => {
    await using world = await walkedWorld();
    world.platform.faults = [{ operation: 'listComments', effect: { status: 501 } }];
    const { snapshot } = await world.sync({ mode: 'full' });
    expect(snapshot.state).toBe('partial');
    expect(rowsOf(world.mirror, 'select count(*) > 0 as held from comments')).toEqual([{ held: 1 }]);
  });
});

describe('incremental slower than full', () => {
  it('costs the same on the thirtieth unchanged night as on the second, and stores nothing', async () => {
    await using world = await furnishedWorld();
    await world.sync({ settings: { rereadNights: 7 } });
    const stored = () =>
      rowsOf(world.mirror, 'select (select count(*) from versions) as v, (select count(*) from bodies) as b');
    const before = stored();
    const requests: number[] = [];
    for (let night = 0; night < 29; night++)
      requests.push((await world.sync({ settings: { rereadNights: 7 } })).snapshot.requests);
    expect(stored()).toEqual(before);
    expect(requests.slice(7, 14)).toEqual(requests.slice(0, 7));
    expect(requests.slice(21, 28)).toEqual(requests.slice(0, 7));
    expect([...diffSnapshots(world.mirror, [1, lastSealed(world.mirror)?.id ?? 0])]).toEqual([]);
  });
});

describe('drafts of "all" that are not all', () => {
  it('has a kind or a reason for each read of the contract, and a way to every kind', () => {
    const covered = new Set(coverage().flatMap(({ kinds }) => kinds));
    const parts = kindNames.filter((kind) => kindOf(kind).read.from === 'part');
    expect(kindNames.filter((kind) => !covered.has(kind) && !parts.includes(kind))).toEqual([]);
  });
});
