// Answers that are well-formed and still not what was asked for: nothing of them may pass for the truth, or stop every walk.
import { describe, expect, it } from 'vitest';
import type { AnyOperationName } from '../../src/contract/index.ts';
import { checkMirror, diffSnapshots } from '../../src/mirror/index.ts';
import type { WalkResult } from '../../src/walker/index.ts';
import { addCollection, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { organizationMatrix } from '../support/changing-worlds.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld, type SyncOptions } from '../support/world.ts';

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** A walk in which every call of an operation is answered so. */
async function syncWith(world: TestWorld, operation: AnyOperationName, body: unknown): Promise<WalkResult> {
  const headers = { 'content-type': 'application/json' };
  world.platform.faults = [{ operation, effect: { status: 200, body, headers } }];
  const result = await world.sync({ mode: 'full' });
  world.platform.faults = [];
  return result;
}

async function withPages(): Promise<{ world: TestWorld; space: string }> {
  const world = await TestWorld.create();
  const space = await addSpace(world, 'Space');
  await edit(world, space, insert('A', 'text'), insert('B', 'text'));
  return { world, space };
}

describe('walker, answered what was not asked for', () => {
  it.each([
    ['getRevision', 'a revision without a list of pages', { pages: undefined }],
    ['getRevision', 'a revision whose pages are null', { pages: null }],
    ['getRevision', 'a revision whose pages are an object', { pages: {} }],
    ['getRevision', 'a revision without a list of files', { files: undefined }],
  ] as const)('does not take %s for an empty space: %s', async (operation, _, change) => {
    const { world, space } = await withPages();
    await using _world = world;
    const whole = await world.api.getRevision({ path: { spaceId: space } });
    const { snapshot, failures } = await syncWith(world, operation, { ...whole, ...change });
    expect([snapshot.state, failures[0]?.code]).toEqual(['partial', 'DM_BAD_RESPONSE']);
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select count(*) as n from pages')).toEqual([{ n: 2 }]);
  });

  it.each([
    ['a page that holds others, which are no list', { pages: {} }, 'holds others that are no list'],
    ['a page without its id', { id: undefined }, 'has no id'],
  ])('takes in the rest of a tree with %s, each where it stood', async (_, change, why) => {
    const { world, space } = await withPages();
    await using _world = world;
    await edit(world, space, insert('Below', 'text', { into: (await pagesOf(world, space))['A'] ?? '' }));
    await world.sync();
    const places = (): unknown[] =>
      rowsOf(world.mirror, 'select title, position, parent is null as isRoot from pages order by title');
    const before = places();
    const { pages, ...revision } = await world.api.getRevision({ path: { spaceId: space } });
    const [first, ...others] = pages;
    const { snapshot, failures } = await syncWith(world, 'getRevision', {
      ...revision,
      pages: [{ ...first, ...change }, ...others],
    });
    expect([snapshot.state, failures[0]?.error]).toEqual(['partial', expect.stringContaining(why)]);
    expect(places()).toEqual(before);
  });

  it('does not take a page without its text for an empty one', async () => {
    const { world, space } = await withPages();
    await using _world = world;
    const { A = '' } = await pagesOf(world, space);
    const { markdown: _text, ...rest } = await world.api.getPage({ path: { spaceId: space, pageId: A } });
    expect((await syncWith(world, 'getPage', rest)).snapshot.state).toBe('partial');
  });

  it('holds no text for damaged in which the platform sends half of a character', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await edit(world, space, insert('A', 'text'));
    const { A = '' } = await pagesOf(world, space);
    const page = await world.api.getPage({ path: { spaceId: space, pageId: A } });
    const half = { ...page, markdown: 'cut off \ud83d\n' };
    for (const _night of [1, 2]) expect((await syncWith(world, 'getPage', half)).snapshot.state).toBe('complete');
    expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
    expect(rowsOf(world.mirror, 'select markdown from pages where id = ?', A)).toEqual([
      { markdown: 'cut off \ufffd\n' },
    ]);
    expect([...diffSnapshots(world.mirror, [1, 2], { kind: 'page' })]).toEqual([]);
  });

  it('does not lose a space that is shown without its id', async () => {
    const { world } = await withPages();
    await using _world = world;
    const { failures } = await syncWith(world, 'listMemberSpaces', { items: [{ permission: 'admin' }] });
    expect(failures).toContainEqual(expect.objectContaining({ code: 'DM_BAD_RESPONSE' }));
  });

  it.each([
    ['null', 'null'],
    ['a text', '"none"'],
    ['a list of nothing', [null]],
  ])('does not bury what is read by itself because the answer is %s', async (_, body) => {
    await using matrix = await organizationMatrix();
    using mirror = await matrix.copied();
    const faults = (['getSiteAdaptiveSchema', 'getPublishedSite', 'getCustomFieldValues'] as const).map(
      (operation) => ({ operation, effect: { status: 200, body, headers: { 'content-type': 'application/json' } } }),
    );
    const result = await matrix.faulty(mirror, faults);
    expect('error' in result ? result.error : result.snapshot.state).toBe('partial');
    await matrix.expectHonest(mirror, result);
  });

  it('goes on past a body that is nested thousands of levels deep', async () => {
    const { world } = await withPages();
    await using _world = world;
    const { snapshot, failures } = await syncWith(world, 'listComments', `{"items":[{"id":"c","body":${DEEP}}]}`);
    expect([snapshot.state, failures.map(({ code }) => code)]).toEqual(['partial', ['DM_BAD_RESPONSE']]);
  });

  it.each([
    ['two dots', '..', '".."'],
    ['half a character', '\ud800', '"\\ud800"'],
    ['a slash', 'a/b', '"a/b"'],
    ['a number', 7, '7'],
    ['a megabyte', 'x'.repeat(1_000_000), `"${'x'.repeat(99)}… (1000002 characters)`],
  ])('goes on past an id that cannot be asked for, and shows it: %s', async (_, id, shown) => {
    const { world, space } = await withPages();
    await using _world = world;
    const whole = await world.api.getRevision({ path: { spaceId: space } });
    const pages = whole.pages.map((page, nth) => (nth === 0 ? { ...page, id } : page));
    const { snapshot, failures } = await syncWith(world, 'getRevision', { ...whole, pages });
    expect([snapshot.state, failures[0]?.code]).toEqual(['partial', 'DM_BAD_RESPONSE']);
    expect(failures[0]?.error).toContain(`A page of the revision has the id ${shown}; expected`);
    expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('complete');
  });

  it('shows the id of a comment of which a listing could not be taken in', async () => {
    const { world } = await withPages();
    await using _world = world;
    const { failures } = await syncWith(world, 'listComments', { items: [{ id: 'a/b' }] });
    const error = expect.stringContaining('No comment of the listing was taken in: one has the id "a/b"') as string;
    expect(failures).toEqual([expect.objectContaining({ code: 'DM_BAD_RESPONSE', error })]);
  });

  it('asks for a page by an id of letters that have a meaning in addresses', async () => {
    const { world, space } = await withPages();
    await using _world = world;
    await using proxy = await rewriting(world);
    const { A = '' } = await pagesOf(world, space);
    const odd = 'a?b#c%2Fd &+';
    const renamed = (body: unknown): unknown => JSON.parse(JSON.stringify(body).replaceAll(A, odd));
    const page = await world.api.getPage({ path: { spaceId: space, pageId: A }, query: { format: 'markdown' } });
    proxy.before = ({ path }) =>
      path.endsWith(`/page/${encodeURIComponent(odd)}`) ? { status: 200, body: renamed(page) } : undefined;
    proxy.rewrite = (_asked, { status, body }) => ({ status, body: renamed(body ?? null) });
    const { snapshot, failures } = await world.sync({ client: proxy.client });
    expect([snapshot.state, failures]).toEqual(['complete', []]);
    expect(rowsOf(world.mirror, 'select title, markdown from pages where id = ?', odd)).toEqual([
      { title: 'A', markdown: page.markdown },
    ]);
  });

  it('takes a page once that is said to stand inside itself', async () => {
    const { world, space } = await withPages();
    await using _world = world;
    const whole = await world.api.getRevision({ path: { spaceId: space } });
    const [first, second] = whole.pages;
    if (first === undefined || second === undefined) throw new Error('there are two pages');
    const pages = [{ ...first, pages: [{ ...second, pages: [first] }] }];
    const { snapshot, failures } = await syncWith(world, 'getRevision', { ...whole, pages });
    expect([snapshot.state, failures.map(({ error }) => error)]).toEqual([
      'partial',
      [expect.stringContaining('stands twice in the tree')],
    ]);
    const places = Object.entries(stateOf(world.mirror, snapshot.id)).filter(([key]) => key.startsWith('page '));
    expect(new Set(places.map(([, { parent }]) => parent))).toEqual(new Set([first.id, null]));
  });

  it('ends a walk of collections that are said to stand inside each other', async () => {
    await using world = await TestWorld.create();
    const outer = await addCollection(world, 'Outer');
    const inner = await addCollection(world, 'Inner', outer);
    const path = { organizationId: world.organization };
    const { items } = await world.api.listCollections({ path });
    const ring = items.map((one) => (one.id === outer ? { ...one, parent: inner } : one));
    const headers = { 'content-type': 'application/json' };
    world.platform.faults = [{ operation: 'listCollections', effect: { status: 200, body: { items: ring }, headers } }];
    const scope: SyncOptions['scope'] = {
      organizations: null,
      onlySpaces: null,
      onlyCollections: [outer],
      extraSpaces: [],
    };
    const { snapshot } = await world.sync({ scope });
    expect(snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select count(*) as n from collections')).toEqual([{ n: 2 }]);
  });
});
