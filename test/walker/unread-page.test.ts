// A page that the tree of its space shows and that cannot be read by itself.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { filledWorlds } from '../support/copied-world.ts';
import { askingReplica } from '../support/replica.ts';
import { rewriting } from '../support/rewriting.ts';
import { danglingIn } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

interface Row {
  readonly title: string;
  readonly parent: string | null;
  readonly position: number;
  readonly markdown: string | null;
}

let world: TestWorld;
let space: string;
let broken: string;

const docsWorld = filledWorlds(async (made) => {
  const docs = await addSpace(made, 'Docs');
  await edit(made, docs, insert('First', 'one'), insert('Broken', 'two'), insert('Last', 'three'));
  const into = (await pagesOf(made, docs))['Broken'] ?? '';
  await edit(made, docs, insert('Below', 'four', { into }));
  return { space: docs, broken: into };
});

beforeEach(async () => {
  const copy = await docsWorld();
  ({ space, broken } = copy.made);
  world = copy;
  breakIt();
});

afterEach(() => world[Symbol.asyncDispose]());

function breakIt(status = 500): void {
  const body = { error: { code: status, message: 'No' } };
  world.platform.faults = [{ operation: 'getPage', pathPattern: `/page/${broken}`, effect: { status, body } }];
}

const PAGES = `select p.title, above.title as parent, p.position, p.markdown from pages p
  left join pages above on above.id = p.parent order by p.parent is not null, p.position`;
const rows = (): Row[] => world.mirror.store.prepare<Row>(PAGES).all();
const rename = (title: string): Promise<void> => edit(world, space, { type: 'update_page', page: broken, title });

describe('a page that could never be read', () => {
  it('is mirrored as far as the tree tells of it: it was absent, and what stands below it hung in the air', async () => {
    const { snapshot, kinds } = await world.sync();
    expect(snapshot).toMatchObject({ state: 'partial', reason: '1 page not read' });
    expect(kinds['page']).toMatchObject({ seen: 4, added: 4, failed: 1 });
    expect(rows()).toEqual([
      { title: 'First', parent: null, position: 0, markdown: '# First\n\none' },
      { title: 'Broken', parent: null, position: 1, markdown: null },
      { title: 'Last', parent: null, position: 2, markdown: '# Last\n\nthree' },
      { title: 'Below', parent: 'Broken', position: 0, markdown: '# Below\n\nfour' },
    ]);
    expect(danglingIn(world.mirror)).toEqual([]);
    const { status } = askingReplica(world.dataDir)(`/v1/spaces/${space}/content/page/${broken}?format=markdown&at=1`);
    expect(status).toBe(503);
  });

  it('follows its tree, is asked for again each night, and has its text as soon as it is given', async () => {
    await world.sync();
    const again = await world.sync();
    expect([again.snapshot.state, again.kinds['page']]).toMatchObject(['partial', { changed: 0, failed: 1 }]);
    await rename('Renamed');
    await world.sync();
    expect(rows()[1]).toMatchObject({ title: 'Renamed', markdown: null });
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(rows()[1]).toMatchObject({ title: 'Renamed', markdown: '# Renamed\n\ntwo' });
    expect((await world.sync()).kinds['page']).toMatchObject({ changed: 0, unchanged: 4 });
  });

  it('is no rewriting when it is read at last: after a bad first night the brake would close', async () => {
    const settings = { brake: { deletedShare: 2, deletedCount: 1e9, rewrittenShare: 0, rewrittenCount: 1 } };
    await world.sync();
    world.platform.faults = [];
    expect((await world.sync({ settings })).snapshot).toMatchObject({ state: 'complete', reason: null });
    await edit(world, space, { type: 'update_page', page: broken, document: { markdown: 'Rewritten.' } });
    expect((await world.sync({ settings })).snapshot.state).toBe('suspect');
  });

  it('ends with a tombstone once it is deleted', async () => {
    await world.sync();
    await edit(world, space, { type: 'delete_page', page: broken });
    world.platform.faults = [];
    const { snapshot, kinds } = await world.sync();
    expect([snapshot.state, kinds['page']]).toMatchObject(['complete', { gone: 2, failed: 0 }]);
  });

  it('is not made up of a tree that leads to what is not found', async () => {
    breakIt(404);
    await world.sync();
    expect(rows().map(({ title }) => title)).not.toContain('Broken');
  });
});

it('passes for no empty page where the tree tells of no texts: a restore would have brought it back without one', async () => {
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) =>
    path.endsWith('/content')
      ? { status, body: JSON.parse(JSON.stringify(body, withoutTextId)) as unknown }
      : undefined;
  const { snapshot } = await world.sync({ client: proxy.client });
  expect(snapshot).toMatchObject({ state: 'partial', reason: '1 page not read' });
  expect(rows().map(({ title }) => title)).not.toContain('Broken');
});

function withoutTextId(field: string, value: unknown): unknown {
  return field === 'documentId' ? undefined : value;
}

it('keeps of a page that was read before what was read of it', async () => {
  world.platform.faults = [];
  await world.sync();
  await rename('Renamed');
  breakIt();
  const { snapshot } = await world.sync();
  expect(snapshot.state).toBe('partial');
  expect(rows()[1]).toMatchObject({ title: 'Broken', markdown: '# Broken\n\ntwo' });
});

it('keeps of a page that was read without a text what was read of it, though its tree tells of one by now', async () => {
  world.platform.faults = [];
  await using proxy = await rewriting(world);
  const emptied = (one: unknown): unknown => withoutText(broken, one);
  proxy.rewrite = (_asked, { status, body }) => ({
    status,
    body: JSON.parse(JSON.stringify(body), (_field, one) => emptied(one)) as unknown,
  });
  await world.sync({ client: proxy.client });
  expect(rows()[1]).toMatchObject({ title: 'Broken', markdown: null });
  await rename('Renamed');
  breakIt();
  expect((await world.sync()).snapshot.state).toBe('partial');
  expect(rows()[1]).toMatchObject({ title: 'Broken', markdown: null });
});

/** A page without the id of its text, as one is that has none. */
function withoutText(page: string, one: unknown): unknown {
  if (!isRecord(one) || one['id'] !== page) return one;
  const { documentId: _id, markdown: _text, ...rest } = one;
  return rest;
}
