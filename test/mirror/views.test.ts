import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { kindNames, kindOf, parameterWord } from '../../src/contract/index.ts';
import { snakeCase } from '../../src/mirror/views/columns.ts';
import {
  diffSnapshots,
  forget,
  notePromise,
  openMirror,
  readMirror,
  runQuery,
  setReadMark,
  type Mirror,
} from '../../src/mirror/index.ts';
import { addSpace } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createReportedMirror } from '../support/reported-world.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, fill, page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

/** Columns of every table and view, less those that SQLite and FTS5 keep for themselves. */
function realColumns(mirror: Mirror): string[] {
  const own = `name not like 'sqlite_%' and name not like '%\\_search\\_%' escape '\\' or name like '%\\_search\\_source' escape '\\'`;
  const names = rowsOf(mirror, `select name from sqlite_schema where type in ('table', 'view') and (${own})`);
  return names.flatMap(({ name }) =>
    rowsOf(mirror, 'select name from pragma_table_xinfo(?) where hidden in (0, 2, 3)', name)
      .map((column) => `${String(name)}.${String(column['name'])}`)
      .filter((column) => !['pages_search.pages_search', 'pages_search.rank'].includes(column)),
  );
}

describe('mirror/views/dictionary', () => {
  it('describes every column of every table and view, and no other', async () => {
    using made = await createTestMirror();
    const described = rowsOf(made.mirror, 'select table_name, name, description from docs_columns');
    const names = described.map((row) => `${String(row['table_name'])}.${String(row['name'])}`);
    expect(names.toSorted()).toEqual(realColumns(made.mirror).toSorted());
    expect(described.filter((row) => row['description'] === '')).toEqual([]);
    const tables = new Set(described.map((row) => row['table_name']));
    expect(new Set(rowsOf(made.mirror, 'select name from docs_tables').map(({ name }) => name))).toEqual(tables);
  });

  it('tells the values that the API documents', async () => {
    using made = await createTestMirror();
    const note = (table: string, column: string): unknown =>
      rowsOf(made.mirror, 'select description from docs_columns where table_name = ? and name = ?', table, column)[0];
    expect(note('change_requests', 'status')).toEqual({ description: 'status: draft, open, archived, merged' });
    expect(note('spaces', 'parent')).toEqual({ description: 'parent: id of its collection' });
    expect(note('pages', 'updated_at')).toEqual({ description: 'updatedAt: time, ISO 8601' });
  });
});

describe('what a view says of containers', () => {
  it('is what the path of each resource says, whatever other kinds the view shows', async () => {
    using made = await createTestMirror();
    const valueOf = (kind: string, parameter: string): string => `${kind}:${parameter}`;
    takeSnapshot(made.mirror, ({ see }) => {
      for (const kind of kindNames) {
        const params = Object.fromEntries(kindOf(kind).params.map((one) => [one, valueOf(kind, one)]));
        // Whether the answer repeats it or not, as comments may in `target`: the change request of these was null.
        see({ kind, params, body: {} });
      }
    });
    const containers = kindNames.flatMap((kind) => {
      const { id, params, view } = kindOf(kind);
      const named = id === null || id.includes('.') ? params : params.slice(0, -1);
      return named.map((parameter) => ({ view, column: snakeCase(parameterWord(parameter)), kind, parameter }));
    });
    const unnamed = containers.filter(({ view, column, kind, parameter }) => {
      const value = valueOf(kind, parameter);
      return rowsOf(made.mirror, `select 1 from ${view} where "${column}" = ?`, value).length !== 1;
    });
    expect(unnamed).toEqual([]);
    expect(containers.length).toBeGreaterThan(kindNames.length);
  });
});

describe('mirror/views/report-views', () => {
  it.each(['changes', 'change_request_changes', 'what_if_lost'])(
    'tell of an old snapshot in %s what they told then, whatever was edited since',
    async (view) => {
      using made = await createTestMirror();
      const { mirror, dataDir } = made;
      const night = (title: string): void => {
        const fields = { title, description: 'long enough to be kept as a difference once it is superseded' };
        takeSnapshot(mirror, ({ see }) => {
          see(page('a', `${title} in the space`, fields));
          see(page('b', title, fields));
          const own = { spaceId: 's1', changeRequestId: 'r' };
          const request = { ...fields, status: 'open', subject: title, createdBy: { id: 'u', displayName: title } };
          see({ kind: 'change-request', params: own, body: request });
          see({ kind: 'change-request-revision', params: own, body: { id: 'v' } });
          see({
            ...page('a', `${title} in the request`, fields),
            kind: 'change-request-page',
            params: { ...own, pageId: 'a' },
          });
        });
      };
      night('Old');
      const asked = (): unknown => runQuery(dataDir, `select * from ${view} order by 1, 2, 3, 4, 5`, 1).rows;
      const before = asked();
      expect(before).not.toEqual([]);
      night('New');
      expect(rowsOf(mirror, 'select count(*) > 3 as n from superseded')).toEqual([{ n: 1 }]);
      expect(asked()).toEqual(before);
    },
  );
});

describe('mirror/views/views', () => {
  it('are made anew when a newer program has others, with all that is stored', async () => {
    const made = await createTestMirror();
    using _made = made;
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'alpha')));
    made.mirror.store.driver.exec(`update meta set value = 'older' where name = 'views'`);
    using again = await openMirror({ dataDir: made.dataDir, clock: made.mirror.clock });
    expect(rowsOf(again, `select id from pages_search where pages_search match 'alpha'`)).toEqual([{ id: 'p1' }]);
    expect(rowsOf(again, `select count(*) as n from pages`)).toEqual([{ n: 1 }]);
  });

  it('find the pages of one space, and one space by its id, without looking at others', async () => {
    using made = await createTestMirror();
    using reading = readMirror({ dataDir: made.dataDir, clock: made.mirror.clock });
    const plan = (sql: string): string =>
      rowsOf(reading, `explain query plan ${sql}`)
        .map(({ detail }) => detail)
        .join('\n');
    expect(plan(`select title from pages where space = 's1'`)).toContain(
      'USING COVERING INDEX resources_space (space=? AND kind=?)',
    );
    const asOf = `select title from pages_history where space = 's1' and valid_from <= 3 and (valid_to is null or valid_to > 3)`;
    expect(plan(asOf)).toContain('USING COVERING INDEX resources_space (space=? AND kind=?)');
    expect(plan(`select title from spaces where id = 's1'`)).toContain('(kind=? AND key=?)');
    // But for `c`, which is what was found.
    expect(plan(`select kind, label from changes where snapshot = 3`)).not.toMatch(/SCAN (?!c\b)/);
  });

  it('say when a thing was seen first', async () => {
    using made = await createReportedMirror();
    expect(rowsOf(made.mirror, 'select id, first_seen_at from pages order by id')).toEqual([
      { id: 'added', first_seen_at: '2025-01-09T00:00:00.000Z' },
      { id: 'old', first_seen_at: '2025-01-01T00:00:00.000Z' },
      { id: 'older', first_seen_at: '2025-01-01T00:00:00.000Z' },
      { id: 'start', first_seen_at: '2025-01-01T00:00:00.000Z' },
    ]);
  });
});

describe('mirror/views/report-views', () => {
  it('feeds what was added, changed and removed by snapshot', async () => {
    using made = await createReportedMirror();
    const feed = 'select at, change, kind, id, label, space, key from changes where snapshot = 2 order by key, change';
    const at = '2025-01-09T00:00:00.000Z';
    expect(rowsOf(made.mirror, feed).map((row) => Object.values(row))).toEqual([
      [at, 'added', 'page', 'added', 'Page added', 'guide', 'guide/added'],
      [at, 'changed', 'link', 'mended', 'mended', 'guide', 'guide/mended'],
      [at, 'changed', 'page', 'start', 'Page start', 'guide', 'guide/start'],
      [at, 'removed', 'page', 'gone', 'Page gone', 'notes', 'notes/gone'],
    ]);
    const first = `select change, count(*) as n from changes where snapshot = 1 group by change`;
    expect(rowsOf(made.mirror, first)).toEqual([
      { change: 'added', n: rowsOf(made.mirror, 'select 1 from resources').length - 1 },
    ]);
    expect(runQuery(made.dataDir, 'select max(snapshot) from changes', 1).rows).toEqual([[1]]);
  });

  it('calls what comes back added again, and tells nothing of an open walk', async () => {
    using made = await createTestMirror();
    const feed = (): unknown[] =>
      rowsOf(made.mirror, 'select snapshot, change, label from changes order by snapshot, change');
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'First' })));
    takeSnapshot(made.mirror, ({ bury }) => bury('collection', 'c1'));
    takeSnapshot(made.mirror, ({ see, id }) => {
      see(collection('c1', { title: 'Again' }));
      fill(made.mirror, id, (hand) => hand.see(collection('c2', { title: 'New' })));
      expect(feed()).toEqual([
        { snapshot: 1, change: 'added', label: 'First' },
        { snapshot: 2, change: 'removed', label: 'First' },
      ]);
    });
    expect(feed()).toEqual([
      { snapshot: 1, change: 'added', label: 'Again' },
      { snapshot: 2, change: 'removed', label: 'Again' },
      { snapshot: 3, change: 'added', label: 'Again' },
      { snapshot: 3, change: 'added', label: 'New' },
    ]);
  });

  it('tell nothing of what changed and changed back under one walk: they told that it changed, and a diff that it did not', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'First' })));
    const { id } = takeSnapshot(made.mirror, ({ see }) => {
      see(collection('c1', { title: 'For a while' }));
      see({ ...collection('c1', { title: 'First' }), again: true });
    });
    expect([...diffSnapshots(made.mirror, [1, id])]).toEqual([]);
    expect(rowsOf(made.mirror, 'select change, label from changes where snapshot = ?', id)).toEqual([]);
  });
});

describe('mirror/views/freshness', () => {
  const proofOf = (mirror: Mirror, kind: string): unknown =>
    rowsOf(
      mirror,
      'select resources, listings, unread, oldest_snapshot, nights, promised_nights from freshness where kind = ?',
      kind,
    )[0];

  it('tells the oldest listing that was read to its end, and what was never read', async () => {
    using made = await createTestMirror();
    notePromise(made.mirror, 7);
    const space = (id: string) => ({ kind: 'space' as const, params: { spaceId: id }, body: { object: 'space', id } });
    takeSnapshot(made.mirror, ({ see, id }) => {
      const [first] = ['s1', 's2', 's3'].map((one) => see(space(one)));
      see(page('p1', 'text'));
      setReadMark({ mirror: made.mirror, id }, { scope: first ?? 0, kind: 'revision', mark: 'a' });
    });
    takeSnapshot(made.mirror, ({ see, id }) => {
      const second = see(space('s2'));
      setReadMark({ mirror: made.mirror, id }, { scope: second, kind: 'revision', mark: 'a' });
    });
    const proof = { resources: 1, listings: 3, unread: 1, oldest_snapshot: 1, nights: 1, promised_nights: 7 };
    expect(proofOf(made.mirror, 'page')).toEqual(proof);
    expect(proofOf(made.mirror, 'collection')).toMatchObject({ resources: 0, listings: 0, promised_nights: 1 });
    // 0 nights looked fresh.
    expect(proofOf(made.mirror, 'comment')).toMatchObject({ unread: 3, oldest_snapshot: null, nights: null });
  });

  it('finds nothing unread after a complete walk, and moves on with the rota', async () => {
    await using world = await furnishedWorld();
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    const unread = 'select kind from freshness where unread > 0 or oldest_snapshot is null and listings > 0';
    expect(rowsOf(world.mirror, unread)).toEqual([]);
    await world.sync();
    expect(proofOf(world.mirror, 'page')).toMatchObject({ oldest_snapshot: 1, nights: 1 });
    expect(proofOf(world.mirror, 'collection')).toMatchObject({ oldest_snapshot: 2, nights: 0 });
    expect(proofOf(world.mirror, 'organization')).toMatchObject({ oldest_snapshot: 2, nights: 0 });
    await world.sync({ mode: 'full' });
    expect(rowsOf(world.mirror, 'select kind from freshness where listings > 0 and nights > 0')).toEqual([]);
  });

  it('counts an invite as read that each walk reads: it told that none was ever read', async () => {
    await using world = await TestWorld.create();
    world.platform.createInvite({ organization: world.organization, role: 'read' });
    await world.sync();
    await world.sync();
    expect(proofOf(world.mirror, 'invite')).toMatchObject({ resources: 1, unread: 0, oldest_snapshot: 2, nights: 0 });
  });

  it('finds nothing unread after a space has moved: the listing of members that was read to its end was told to be unread', async () => {
    await using world = await furnishedWorld();
    const { news, collection } = world.made;
    await world.sync();
    await world.api.moveSpace({ path: { spaceId: news }, body: { parent: collection } });
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select kind from freshness where unread > 0')).toEqual([]);
  });

  it('finds nothing unread after a space was deleted that a site shows: the listing of its places was told to be unread', async () => {
    await using world = await TestWorld.create();
    const [kept, gone] = [await addSpace(world, 'Guide'), await addSpace(world, 'News')];
    const path = { organizationId: world.organization };
    await world.api.createSite({ path, body: { title: 'Docs', spaces: [kept, gone] } });
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: gone } });
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select kind from freshness where unread > 0')).toEqual([]);
  });

  it('tells what no walk has come by for long, though the one that did is forgotten: its proof looked as fresh as that of the rest', async () => {
    await using world = await TestWorld.create();
    const path = { organizationId: world.platform.createOrganization({ title: 'Other' }) };
    await addSpace(world, 'Guide');
    await world.api.createSpace({ path, body: { title: 'Handbook' } });
    const scope = { organizations: [world.organization], onlySpaces: null, extraSpaces: [] };
    for (const one of [{}, { scope }, { scope }]) await world.sync(one);
    expect(proofOf(world.mirror, 'space')).toMatchObject({ unread: 0, oldest_snapshot: 1, nights: 2 });
    atOnce(forget(world.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    expect(proofOf(world.mirror, 'space')).toMatchObject({ unread: 0, oldest_snapshot: 1, nights: 1 });
  });

  it('goes on telling when a listing was read last that fails since: it counted it as unread, and the proof that was left looked fresh', async () => {
    await using world = await furnishedWorld();
    const { news } = world.made;
    await world.sync({ mode: 'full' });
    const pathPattern = `/spaces/${news}/comments`;
    world.platform.faults = [{ operation: 'listComments', pathPattern, effect: { status: 500 } }];
    for (const mode of ['full', 'full'] as const) expect((await world.sync({ mode })).snapshot.state).toBe('partial');
    expect(proofOf(world.mirror, 'comment')).toMatchObject({ listings: 2, unread: 1, oldest_snapshot: 1, nights: 2 });
    world.platform.faults = [];
    await world.sync();
    expect(proofOf(world.mirror, 'comment')).toMatchObject({ unread: 0, oldest_snapshot: 3, nights: 1 });
  });

  it('counts no walk that was limited as a night: three of one space told of a broken promise', async () => {
    await using world = await furnishedWorld();
    const { news } = world.made;
    await world.sync();
    const scope = { organizations: null, onlySpaces: [news], extraSpaces: [] };
    for (let walk = 0; walk < 3; walk++) await world.sync({ scope });
    notePromise(world.mirror, 7);
    expect(rowsOf(world.mirror, 'select kind from freshness where nights > 0')).toEqual([]);
    await world.sync();
    expect(proofOf(world.mirror, 'page')).toMatchObject({ nights: 1 });
    expect(rowsOf(world.mirror, 'select kind from freshness where nights > promised_nights')).toEqual([]);
  });
});
