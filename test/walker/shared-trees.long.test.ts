// What merged and archived change requests show as their spaces did is kept as that of the space, and is shown as ever.
import { describe, expect, it } from 'vitest';
import { atOnce, isRecord } from '../../src/base/index.ts';
import {
  checkMirror,
  countsOf,
  diffSnapshots,
  forget,
  prune,
  readerAt,
  recipeOf,
  runQuery,
  type Mirror,
} from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { filledWorlds } from '../support/copied-world.ts';
import { rewriting } from '../support/rewriting.ts';
import { danglingIn, rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const settings = { documents: true, lanes: 1 };
const TREES = 'change-request-page-document';
const OWN = `select count(*) as n from versions v join resources r on r.rid = v.rid
  where v.valid_to is null and r.kind in ('change-request-page', 'change-request-file', 'change-request-page-document')`;

const own = (mirror: Mirror, within = ''): unknown => rowsOf(mirror, `${OWN} and r.key like ?`, `${within}%`)[0]?.['n'];
const update = (page: string | undefined, markdown: string): Change => ({
  type: 'update_page',
  page: page ?? '',
  document: { markdown },
});

interface Written {
  readonly world: TestWorld;
  readonly space: string;
  readonly pages: Record<string, string>;
}

/** A space of some pages, one below another. */
const writtenWorld = filledWorlds(async (world) => {
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Top', '# Top\n\nFirst.'));
  const { Top = '' } = await pagesOf(world, space);
  await edit(world, space, insert('Below', 'Inside.', { into: Top }));
  await edit(world, space, insert('Other', 'Beside.'));
  return { space, pages: await pagesOf(world, space) };
});

async function written(): Promise<Written> {
  const world = await writtenWorld();
  return { world, ...world.made };
}

/** One night. */
async function walked(world: TestWorld): Promise<number> {
  const { snapshot } = await world.sync({ settings });
  expect([snapshot.state, snapshot.reason]).toEqual(['complete', null]);
  return snapshot.id;
}

/** One night, after which this mirror holds what a first walk holds. */
async function expectTrue(world: TestWorld): Promise<void> {
  const id = await walked(world);
  using fresh = await world.newMirror();
  const truth = stateOf(fresh, (await world.sync({ settings, mirror: fresh })).snapshot.id);
  expect(stateOf(world.mirror, id)).toEqual(truth);
}

async function problemsOf({ mirror }: TestWorld): Promise<unknown[]> {
  return (await checkMirror(mirror, { readData: true })).problems;
}

/** What a settled request shows, by the title of each page. */
function shown({ mirror }: TestWorld, request: string, at: number | null = null): Record<string, unknown> {
  const sql = `select title, markdown from change_request_pages where change_request = '${request}'`;
  return Object.fromEntries(runQuery(mirror.dataDir, sql, at).rows.map(([title, text]) => [String(title), text]));
}

interface Settled {
  readonly space: string;
  readonly changes?: Change[];
  readonly status: 'merged' | 'archived';
}

async function settle(world: TestWorld, { space, changes = [], status }: Settled): Promise<string> {
  const { id } = await addRequest(world, space, { subject: 'Change', ...(changes.length > 0 ? { changes } : {}) });
  const path = { spaceId: space, changeRequestId: id };
  if (status === 'merged') await world.api.mergeChangeRequest({ path });
  else await world.api.updateChangeRequest({ path, body: { status } });
  return id;
}

/** A page is edited by a change request, which is merged. */
async function merged({ world, space, pages }: Written): Promise<string> {
  return settle(world, { space, changes: [update(pages['Top'], 'Merged.')], status: 'merged' });
}

describe('walker/visits/shared-tree', () => {
  it('keeps no row for each page of each merged change request: a mirror grew by all pages of a space with each merge, for good', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await walked(world);
    const before = own(world.mirror);
    for (let merge = 0; merge < 5; merge++) {
      await edit(world, space, update(pages['Top'], `# Top\n\nText ${merge}.`));
      await walked(world);
    }
    await expectTrue(world);
    expect(own(world.mirror)).toBe(before);
    expect(await problemsOf(world)).toEqual([]);
    expect(danglingIn(world.mirror)).toEqual([]);
  });

  it('shows the older text of a merged change request, its tree and its place, whatever the space is edited to', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const request = await merged({ world, space, pages });
    await walked(world);
    await edit(world, space, update(pages['Top'], 'Later.'), { type: 'delete_page', page: pages['Other'] ?? '' });
    await expectTrue(world);
    expect(own(world.mirror, `${space}/${request}/`)).toBe(0);
    expect(shown(world, request)).toEqual({
      Top: '# Top\n\nMerged.',
      Below: '# Below\n\nInside.',
      Other: '# Other\n\nBeside.',
    });
    const reader = readerAt(world.mirror, 2);
    expect([...reader.resources('change-request-page', `${space}/${request}`)].map(({ key }) => key)).toEqual(
      Object.values(pages)
        .map((page) => `${space}/${request}/${page}`)
        .toSorted(),
    );
    const below = reader.one('change-request-page', `${space}/${request}/${pages['Below'] ?? ''}`);
    expect([below?.parent, below?.position, below?.params['changeRequestId']]).toEqual([pages['Top'], 0, request]);
    const tree = reader.one('change-request-page-document', `${space}/${request}/${pages['Top'] ?? ''}`);
    expect(JSON.stringify(tree?.body['document'])).toMatch(/Merged/);
    expect(danglingIn(world.mirror)).toEqual([]);
  });

  it('makes what differs from the space a page of its own, and what that stands below', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await settle(world, { space, changes: [update(pages['Below'], 'Proposed.')], status: 'archived' });
    await walked(world);
    const kept = `select p.title from change_request_pages p join resources r on r.kind = 'change-request-page' and r.id = p.id
      join versions v on v.rid = r.rid and v.valid_to is null order by 1`;
    expect([...new Set(rowsOf(world.mirror, kept).map(({ title }) => title))]).toEqual(['Below', 'Top']);
    expect(danglingIn(world.mirror)).toEqual([]);
  });

  it('shares from the night on which a change request comes to its end, and tells nothing as removed or added', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const { id } = await addRequest(world, space, { subject: 'Change', changes: [update(pages['Other'], 'New.')] });
    await walked(world);
    expect(own(world.mirror)).toBeGreaterThan(3);
    await world.api.mergeChangeRequest({ path: { spaceId: space, changeRequestId: id } });
    await expectTrue(world);
    expect(own(world.mirror)).toBe(0);
    const ofRequests = (kind: string): boolean => kind.startsWith('change-request-page');
    const told = [...diffSnapshots(world.mirror, [1, 2])].filter(({ kind }) => ofRequests(kind));
    expect(told).toEqual([]);
    const feed = runQuery(world.mirror.dataDir, 'select kind, change from changes where snapshot = 2', null).rows;
    expect(feed.filter(([kind]) => ofRequests(String(kind)))).toEqual([]);
    for (const kind of ['change-request-page', TREES] as const) {
      const seen = readerAt(world.mirror, 2).count(kind);
      expect(countsOf(world.mirror, 2)[kind]).toMatchObject({ seen, unchanged: seen, added: 0, gone: 0 });
    }
    expect(shown(world, id, 1)).toEqual(shown(world, id, 2));
    expect(await problemsOf(world)).toEqual([]);
  });

  it('takes up again an archived change request that is opened once more, and follows its edits', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const request = await settle(world, { space, status: 'archived' });
    await walked(world);
    expect(own(world.mirror, `${space}/${request}/`)).toBe(0);
    const path = { spaceId: space, changeRequestId: request };
    await world.api.updateChangeRequest({ path, body: { status: 'open' } });
    await expectTrue(world);
    await world.api.changeContent({ path, body: { changes: [update(pages['Other'], 'Edited after all.')] } });
    await expectTrue(world);
    expect(shown(world, request)['Other']).toMatch(/Edited after all/);
    const told = [...diffSnapshots(world.mirror, [1, 3], { kind: 'change-request-page' })];
    expect(told.map(({ label, change }) => [label, change])).toEqual([['Other', 'changed']]);
    const sql = `select label, change from changes where kind = 'change-request-page' and snapshot = 3`;
    expect(rowsOf(world.mirror, sql)).toEqual([{ label: 'Other', change: 'changed' }]);
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await expectTrue(world);
    expect(await problemsOf(world)).toEqual([]);
  });

  it('shows every kept snapshot as before when others are forgotten and freed', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const request = await merged({ world, space, pages });
    for (let night = 0; night < 6; night++) {
      await edit(world, space, update(pages['Top'], `# Night ${night}\n\n${'Some words of it. '.repeat(20)}`));
      await walked(world);
    }
    const before = [shown(world, request, 4), shown(world, request, 6), stateOf(world.mirror, 6)];
    const policy = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
    world.mirror.store.prepare(`insert into pins values (4, 'kept', '2026-01-01T00:00:00Z')`).run();
    atOnce(forget(world.mirror, policy));
    atOnce(prune(world.mirror));
    expect(rowsOf(world.mirror, 'select id from snapshots').map(({ id }) => id)).toEqual([4, 6]);
    expect([shown(world, request, 4), shown(world, request, 6), stateOf(world.mirror, 6)]).toEqual(before);
    expect(await problemsOf(world)).toEqual([]);
  });

  it('ends with its change request, its space, and frees all of it', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await merged({ world, space, pages });
    await walked(world);
    await world.api.deleteSpace({ path: { spaceId: space } });
    const { kinds } = await world.sync({ settings });
    expect(kinds['change-request-page']).toMatchObject({ seen: 0, gone: 9 });
    expect(readerAt(world.mirror, 2).count('change-request-page')).toBe(0);
    expect(readerAt(world.mirror, 1).count('change-request-page')).toBe(9);
    expect(await problemsOf(world)).toEqual([]);
  });

  it('names what somebody changed of what a change request shares, and of when it does', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await merged({ world, space, pages });
    await walked(world);
    await expectTrue(world);
    const moveBy = (places: number): void => {
      const sql = 'update shared_entries set position = position + ? where first = (select min(tid) from shared_trees)';
      expect(world.mirror.store.prepare(sql).run(places).changes).toBeGreaterThan(0);
    };
    moveBy(1);
    const others = expect.objectContaining({ problem: 'has other entries than it was sealed with' }) as unknown;
    expect(await problemsOf(world)).toContainEqual(others);
    moveBy(-1);
    expect(await problemsOf(world)).toEqual([]);
    const { store } = world.mirror;
    store.driver.exec('update shared_trees set mark = mark || 1 where tid = 1');
    expect(await problemsOf(world)).toContainEqual(expect.objectContaining({ what: 'manifest', which: 'snapshot 1' }));
    store.driver.exec('update shared_trees set mark = substr(mark, 1, length(mark) - 1) where tid = 1');
    for (const end of ['valid_from', '99']) {
      store.driver.exec(`update shared_trees set valid_to = ${end} where tid = 1`);
      const which = expect.stringMatching(/^shared_trees 1 /) as unknown;
      expect(await problemsOf(world)).toContainEqual(expect.objectContaining({ which }));
    }
    store.driver.exec('update shared_trees set valid_to = null where tid = 1');
    expect(await problemsOf(world)).toEqual([]);
    // What a page has of its own is not shared.
    const twice = `insert into versions (rid, valid_from, body, text) select r.rid, 1, v.body, v.text from resources r
      join resources p on p.kind = 'page' and p.id = r.id join versions v on v.rid = p.rid and v.valid_to is null
      where r.rid = (select max(rid) from resources)`;
    store.driver.exec(`insert into resources (kind, key, id, scope, params, space) select 'change-request-page',
      q.key || '/' || p.id, p.id, q.rid, json_object('spaceId', q.space, 'changeRequestId', q.id, 'pageId', p.id), q.space
      from shared_trees t join resources q on q.rid = t.rid join shared_entries e on e.series = t.series and e.first <= t.tid and e.last >= t.tid
      join resources p on p.rid = e.rid where t.kind = 'change-request-page' limit 1`);
    expect(store.driver.prepare(twice).run().changes).toBe(1);
    const problem = 'is of what the change request shows as its space did, too';
    expect(await problemsOf(world)).toContainEqual(expect.objectContaining({ problem }));
  });

  it('lets nothing go that a change request shows because a tree lacks it: a cut answer would have ended it unasked', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const request = await merged({ world, space, pages });
    await walked(world);
    await using proxy = await rewriting(world);
    proxy.rewrite = ({ path }, answer) =>
      path.endsWith(`/change-requests/${request}/content`) && isRecord(answer.body)
        ? { ...answer, body: { ...answer.body, pages: [] } }
        : undefined;
    const { snapshot } = await world.sync({ settings: { ...settings, rereadNights: 1 }, client: proxy.client });
    expect(snapshot.state).toBe('partial');
    expect(Object.keys(shown(world, request)).toSorted()).toEqual(['Below', 'Other', 'Top']);
    expect(rowsOf(world.mirror, 'select count(*) as n from tombstones')).toEqual([{ n: 0 }]);
    await expectTrue(world);
    expect(await problemsOf(world)).toEqual([]);
  });

  it('reads the tree of a page by the change request where the space had none to give', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const request = await merged({ world, space, pages });
    await using proxy = await rewriting(world);
    proxy.rewrite = ({ path, query }) =>
      query.get('format') === 'document' && !path.includes('change-requests')
        ? { status: 404, body: { error: { code: 404, message: 'None here' } } }
        : undefined;
    const { snapshot } = await world.sync({ settings, client: proxy.client });
    expect(snapshot.state).toBe('partial');
    expect(own(world.mirror, `${space}/${request}/`)).toBeGreaterThan(0);
    await expectTrue(world);
    expect(await problemsOf(world)).toEqual([]);
  });

  it('has the trees of texts once they are wanted, and none once they are not', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await merged({ world, space, pages });
    const trees = (): unknown =>
      rowsOf(world.mirror, 'select count(*) as n from page_documents where change_request is not null')[0]?.['n'];
    const texts = { ...settings, documents: false, rereadNights: 1 };
    await world.sync({ settings: texts });
    expect(trees()).toBe(0);
    await world.sync({ settings: { ...settings, rereadNights: 1 } });
    await expectTrue(world);
    expect(trees()).toBeGreaterThan(0);
    expect(await problemsOf(world)).toEqual([]);
  });

  it('lacks no tree after a walk that was given up in its middle: the next was complete without some', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await merged({ world, space, pages });
    const { id, requests: whole } = (await world.sync({ settings })).snapshot;
    const truth = stateOf(world.mirror, id);
    for (let cut = 2; cut < whole; cut += 3) {
      using other = await world.newMirror();
      const stop = new AbortController();
      let asked = 0;
      const client = world.hooked(async () => void ((asked += 1) === cut && stop.abort()));
      await world.sync({ mirror: other, settings, client, signal: stop.signal }).catch(() => undefined);
      const given = { ...settings, rereadNights: 5 };
      const { snapshot } = await world.sync({ mirror: other, settings: given });
      expect([cut, snapshot.state, stateOf(other, snapshot.id)]).toEqual([cut, 'complete', truth]);
    }
  });

  it('keeps what it has when a walk wants no trees, and asks for nothing anew when the next one does', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await merged({ world, space, pages });
    await walked(world);
    await edit(world, space, update(pages['Top'], 'Later.'));
    await expectTrue(world);
    const kept = own(world.mirror);
    const every = { ...settings, rereadNights: 1 };
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], kinds: ['change-request-page'] as const };
    await world.sync({ settings: every, scope });
    world.platform.clearRequestLog();
    await world.sync({ settings: every });
    expect([own(world.mirror), world.asked('getChangeRequestPage')]).toEqual([kept, 0]);
    await expectTrue(world);
  });

  it('shows no page twice where one of several archived change requests has no tree of a page to share', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    await settle(world, { space, changes: [{ type: 'delete_page', page: pages['Below'] ?? '' }], status: 'archived' });
    await settle(world, { space, status: 'archived' });
    await using proxy = await rewriting(world);
    proxy.rewrite = ({ path, query }) =>
      query.get('format') === 'document' && path.endsWith(`/content/page/${pages['Below'] ?? ''}`)
        ? { status: 404, body: { error: { code: 404, message: 'None here' } } }
        : undefined;
    await world.sync({ settings, client: proxy.client });
    expect(await problemsOf(world)).toEqual([]);
    await expectTrue(world);
    expect(await problemsOf(world)).toEqual([]);
    const counts = Object.values(countsOf(world.mirror, 1)).flatMap((one) => Object.values<number>({ ...one }));
    expect(counts.filter((amount) => amount < 0)).toEqual([]);
  });

  it('reads a text anew by a full walk that is damaged where the space has gone on', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const text = `Merged.\n\n${'Words of the change. '.repeat(9)}`;
    const request = await settle(world, { space, changes: [update(pages['Top'], text)], status: 'merged' });
    await walked(world);
    await edit(world, space, update(pages['Top'], `Later.\n\n${'Other words than before. '.repeat(9)}`));
    await expectTrue(world);
    const { store } = world.mirror;
    const damage = `update superseded set data = x'00' where bid in (select text from shared_entries)`;
    expect(store.driver.prepare(damage).run().changes).toBeGreaterThan(0);
    await world.sync({ settings, mode: 'full' });
    await expectTrue(world);
    expect(shown(world, request)['Top']).toMatch(/Merged/);
  });

  it('tells a page that is gone from a merged change request, with its proof', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const request = await merged({ world, space, pages });
    await walked(world);
    const other = pages['Other'] ?? '';
    await using proxy = await rewriting(world);
    proxy.rewrite = ({ path }, answer) => {
      if (!path.includes(`/change-requests/${request}/content`) || !isRecord(answer.body)) return undefined;
      if (path.endsWith(`/page/${other}`)) return { status: 404, body: { error: { code: 404, message: 'Gone' } } };
      const { pages: tree } = answer.body;
      if (!Array.isArray(tree)) return undefined;
      return {
        ...answer,
        body: { ...answer.body, pages: tree.filter((one) => !isRecord(one) || one['id'] !== other) },
      };
    };
    const { snapshot, kinds } = await world.sync({ settings: { ...settings, rereadNights: 1 }, client: proxy.client });
    const held = readerAt(world.mirror, 2).count('change-request-page');
    expect([snapshot.state, kinds['change-request-page']]).toEqual([
      'complete',
      expect.objectContaining({ seen: held, unchanged: held, gone: 1 }),
    ]);
    const told = [...diffSnapshots(world.mirror, [1, 2])].filter(({ kind }) => kind === 'change-request-page');
    const removed = [[`${space}/${request}/${other}`, 'removed']];
    expect(told.map(({ key, change }) => [key, change])).toEqual(removed);
    const feed = `select key, change from changes where snapshot = 2 and kind = 'change-request-page'`;
    expect(runQuery(world.mirror.dataDir, feed, null).rows).toEqual(removed);
    expect(await problemsOf(world)).toEqual([]);
    // With other snapshots, its proof stays as long as one tells of it.
    proxy.rewrite = () => undefined;
    world.mirror.store
      .prepare(`insert into pins values (1, 'kept', '2026-01-01T00:00:00Z'), (2, 'kept', '2026-01-01T00:00:00Z')`)
      .run();
    await world.sync({ settings });
    atOnce(forget(world.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    atOnce(prune(world.mirror));
    const proofs = rowsOf(
      world.mirror,
      `select count(*) as n from tombstones t join resources r on r.rid = t.rid where r.kind = 'change-request-page'`,
    );
    expect(proofs).toEqual([{ n: 1 }]);
    expect(await problemsOf(world)).toEqual([]);
  });

  it('calls no comment dangling that stands on a page which a merged change request shows and the space has no more', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const request = await merged({ world, space, pages });
    const path = { spaceId: space, changeRequestId: request };
    await world.api.createChangeRequestComment({
      path,
      body: { page: pages['Other'] ?? '', body: { markdown: 'Why?' } },
    });
    await walked(world);
    await edit(world, space, { type: 'delete_page', page: pages['Other'] ?? '' });
    await expectTrue(world);
    const { rows } = runQuery(world.mirror.dataDir, recipeOf('dangling-references')?.sql ?? '', null);
    expect(rows).toEqual([]);
  });

  it('gets whole by a small budget, too, where many change requests are merged: it read all their trees each night, and none of their pages', async () => {
    await using world = await TestWorld.create();
    for (let number = 0; number < 6; number++) {
      const { id: space } = await world.api.createSpace({
        path: { organizationId: world.organization },
        body: { title: `Space ${number}` },
      });
      await edit(world, space, insert('Top', 'First.'), insert('Other', 'Beside.'));
      const { Top } = await pagesOf(world, space);
      for (let merge = 0; merge < 5; merge++) await edit(world, space, update(Top, `Text ${merge}.`));
    }
    const limited = { documents: false, rereadNights: 60, maxRequests: 60 };
    let state = 'partial';
    for (let night = 0; night < 10 && state === 'partial'; night++)
      ({ state } = (await world.sync({ settings: limited })).snapshot);
    expect(state).toBe('complete');
  });

  it('keeps no tree twice where a change request is merged before a full walk', async () => {
    const { world, space, pages } = await written();
    await using _world = world;
    const { id } = await addRequest(world, space, {
      subject: 'Change',
      changes: [{ type: 'delete_page', page: pages['Top'] ?? '' }],
    });
    await walked(world);
    await world.api.mergeChangeRequest({ path: { spaceId: space, changeRequestId: id } });
    await world.sync({ settings, mode: 'full' });
    await expectTrue(world);
    const twice = 'select page, change_request from page_documents group by 1, 2 having count(*) > 1';
    expect(rowsOf(world.mirror, twice)).toEqual([]);
  });

  it('counts no less than nothing when archived change requests are opened again', async () => {
    const { world, space } = await written();
    await using _world = world;
    const requests = [];
    for (let one = 0; one < 3; one++) requests.push(await settle(world, { space, status: 'archived' }));
    await walked(world);
    for (const changeRequestId of requests)
      await world.api.updateChangeRequest({ path: { spaceId: space, changeRequestId }, body: { status: 'open' } });
    await expectTrue(world);
    const { [TREES]: counts } = countsOf(world.mirror, 2);
    expect(counts?.seen).toBe(readerAt(world.mirror, 2).count(TREES));
    expect(Object.values<number>({ ...counts }).filter((amount) => amount < 0)).toEqual([]);
  });
});
