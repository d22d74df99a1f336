// Answers that do not agree with each other while the revision stands still: none of them is taken for the truth unsaid.
import { describe, expect, it } from 'vitest';
import type { Page, Revision } from '../../src/contract/index.ts';
import { countsOf } from '../../src/mirror/index.ts';
import { edit, insert } from '../support/content.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

interface Stage extends AsyncDisposable {
  readonly world: TestWorld;
  readonly proxy: Rewriting;
  readonly space: string;
  readonly pages: Readonly<Record<string, string>>;
  /** One walk through the proxy; its state, and what could not be read. */
  readonly walked: () => Promise<[state: string, errors: string[]]>;
  /** True when the last snapshot is what a first walk of the platform holds. */
  readonly isTrue: () => Promise<boolean>;
}

/** Before a first walk, unless it is of a walked world. */
async function staged(make = furnishedWorld): Promise<Stage> {
  const world = await make();
  const proxy = await rewriting(world);
  const { guide: space, pages } = world.made;
  let last = 0;
  return {
    world,
    proxy,
    space,
    pages,
    walked: async () => {
      const { snapshot, failures } = await world.sync({ client: proxy.client });
      last = snapshot.id;
      return [snapshot.state, failures.map(({ error }) => error)];
    },
    isTrue: async () => {
      using fresh = await world.newMirror();
      const truth = await world.sync({ mirror: fresh });
      return JSON.stringify(stateOf(world.mirror, last)) === JSON.stringify(stateOf(fresh, truth.snapshot.id));
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** A page that was walked and then edited: its address, and what it answered before. */
async function editedUse({ world, space, pages }: Stage): Promise<{ address: string; old: Page }> {
  const page = pages['Use'] ?? '';
  const old = await world.api.getPage({ path: { spaceId: space, pageId: page }, query: { format: 'markdown' } });
  await edit(world, space, { type: 'update_page', page, document: { markdown: '# Use\n\nThe new text.' } });
  return { address: `/v1/spaces/${space}/content/page/${page}`, old };
}

/** Has the tree of a space answered without some of its pages. */
function withoutPages({ proxy, space }: Stage, isLeft: (page: Page, index: number) => boolean): void {
  proxy.rewrite = ({ path }, { status, body }) => {
    if (path !== `/v1/spaces/${space}/content`) return undefined;
    const revision = body as Revision;
    return { status, body: { ...revision, pages: revision.pages.filter(isLeft) } };
  };
}

const OTHERS = expect.stringMatching(
  /^Pages or files were others than the tree told of, or lacking from it, 3 times/,
) as string;
const COMPLETE = ['complete', []];

describe('walker, contradictions', () => {
  it('does not believe the older text of a page whose tree tells of a newer one', async () => {
    await using stage = await staged(walkedWorld);
    const { proxy, walked } = stage;
    const { address, old } = await editedUse(stage);
    proxy.rewrite = ({ path }) => (path === address ? { status: 200, body: old } : undefined);
    expect(await walked()).toEqual(['partial', [OTHERS]]);
    proxy.rewrite = () => undefined;
    expect([await walked(), await stage.isTrue()]).toEqual([COMPLETE, true]);
  });

  it('is complete when the older text was an answer that came once', async () => {
    await using stage = await staged(walkedWorld);
    const { proxy, walked } = stage;
    const { address, old } = await editedUse(stage);
    let answers = 0;
    proxy.rewrite = ({ path }) => (path === address && answers++ === 0 ? { status: 200, body: old } : undefined);
    expect([await walked(), await stage.isTrue()]).toEqual([COMPLETE, true]);
  });

  it('does not believe a tree without a page that is there', async () => {
    await using stage = await staged(walkedWorld);
    const { world, proxy, space, walked } = stage;
    await edit(world, space, insert('Brand new', 'Never seen before.'));
    withoutPages(stage, (_page, index) => index < 2);
    expect(await walked()).toEqual(['partial', [OTHERS]]);
    proxy.rewrite = () => undefined;
    expect([await walked(), await stage.isTrue()]).toEqual([COMPLETE, true]);
  });

  it('takes it for how the platform works when a tree lacks for half a day what is there', async () => {
    await using stage = await staged(walkedWorld);
    const { world, proxy, space, pages, walked } = stage;
    await edit(world, space, { type: 'update_page', page: pages['Home'] ?? '', title: 'Start' });
    const lacking = (): void => withoutPages(stage, ({ id }) => id !== pages['Use']);
    lacking();
    expect(await walked()).toEqual(['partial', [OTHERS]]);
    world.clock.advance(13 * 3_600_000);
    expect(await walked()).toEqual(COMPLETE);
    world.platform.clearRequestLog();
    expect([await walked(), world.asked('getRevision'), world.asked('getPage')]).toEqual([COMPLETE, 0, 0]);
    // What was whole meanwhile is not believed at once when it comes short again.
    proxy.rewrite = () => undefined;
    await edit(world, space, { type: 'update_page', page: pages['Home'] ?? '', title: 'Home' });
    expect([await walked(), await stage.isTrue()]).toEqual([COMPLETE, true]);
    await edit(world, space, { type: 'update_page', page: pages['Home'] ?? '', title: 'Start again' });
    lacking();
    expect(await walked()).toEqual(['partial', [OTHERS]]);
  });

  it('keeps no address that a page had only while a parent was renamed and renamed back', async () => {
    await using stage = await staged(walkedWorld);
    const { world, proxy, space, pages, walked } = stage;
    const linux = {
      type: 'update_page',
      page: pages['Linux'] ?? '',
      document: { markdown: '# Linux\n\nEdited.' },
    } as const;
    await edit(world, space, linux);
    const path = { spaceId: space, pageId: linux.page };
    const rename = (title: string, slug: string): Promise<void> =>
      edit(world, space, { type: 'update_page', page: pages['Install'] ?? '', title, slug });
    let isDone = false;
    proxy.rewrite = async (asked) => {
      if (asked.path !== `/v1/spaces/${space}/content/page/${linux.page}` || isDone) return undefined;
      isDone = true;
      await rename('Setup', 'setup');
      const body = await world.api.getPage({ path, query: { format: 'markdown' } });
      await rename('Install', 'install');
      return { status: 200, body };
    };
    expect(await walked()).toEqual(COMPLETE);
    expect(rowsOf(world.mirror, 'select path from pages where id = ? and space = ?', linux.page, space)).toEqual([
      { path: 'install/linux' },
    ]);
  });

  it('asks once for a page that is shown at another address than its tree says, and again when that moves', async () => {
    await using stage = await staged();
    const { world, proxy, space, pages, walked } = stage;
    const use = pages['Use'] ?? '';
    const address = `/v1/spaces/${space}/content/page/${use}`;
    let shown = 'odd/use';
    let asked = 0;
    proxy.rewrite = ({ path }, { status, body }) => {
      if (path !== address) return undefined;
      asked += 1;
      return { status, body: { ...(body as object), path: shown } };
    };
    const held = (): unknown => rowsOf(world.mirror, 'select path from pages where id = ? and space = ?', use, space);
    expect([await walked(), held()]).toEqual([COMPLETE, [{ path: shown }]]);
    asked = 0;
    await edit(world, space, { type: 'update_page', page: pages['Home'] ?? '', title: 'Start' });
    expect([await walked(), held(), asked]).toEqual([COMPLETE, [{ path: shown }], 0]);
    await edit(world, space, { type: 'update_page', page: use, title: 'Usage' });
    shown = 'odder/use';
    expect([await walked(), held()]).toEqual([COMPLETE, [{ path: shown }]]);
    expect(asked).toBeGreaterThan(0);
  });

  it.each(['type', 'title', 'slug'])(
    'asks again for a page whose %s is not what its tree says: it was kept as it was for a moment',
    async (field) => {
      await using stage = await staged();
      const { proxy, space, pages, walked, isTrue } = stage;
      let answers = 0;
      proxy.rewrite = ({ path }, { status, body }) => {
        if (path !== `/v1/spaces/${space}/content/page/${pages['Use'] ?? ''}` || answers++ > 0) return undefined;
        return { status, body: { ...(body as object), [field]: 'of-a-moment' } };
      };
      expect(await walked()).toEqual(COMPLETE);
      expect([answers > 1, await isTrue()]).toEqual([true, true]);
    },
  );

  it('asks no page again that was read of a later revision than its tree, once the tree tells the same', async () => {
    await using stage = await staged(walkedWorld);
    const { world, proxy, space, pages, walked, isTrue } = stage;
    const page = pages['Use'] ?? '';
    await edit(world, space, { type: 'update_page', page, title: 'Usage' });
    const old = await world.api.getRevision({ path: { spaceId: space } });
    await edit(world, space, { type: 'update_page', page, document: { markdown: 'The new text.' } });
    let [trees, asked] = [0, 0];
    proxy.rewrite = ({ path }) => {
      if (path === `/v1/spaces/${space}/content/page/${page}`) asked += 1;
      return path === `/v1/spaces/${space}/content` && trees++ === 0 ? { status: 200, body: old } : undefined;
    };
    expect([await walked(), trees, asked]).toEqual([COMPLETE, 2, 1]);
    expect(await isTrue()).toBe(true);
  });

  it('reads a tree once whose entries say nothing of their paths', async () => {
    await using stage = await staged();
    const { proxy, space, walked } = stage;
    let trees = 0;
    proxy.rewrite = ({ path }, { status, body }) => {
      if (path !== `/v1/spaces/${space}/content`) return undefined;
      trees += 1;
      return {
        status,
        body: JSON.parse(JSON.stringify(body, (key, one: unknown) => (key === 'path' ? undefined : one))),
      };
    };
    expect([await walked(), trees]).toEqual([COMPLETE, 1]);
  });

  it('has no tombstone for a page that is there again in the same walk', async () => {
    await using stage = await staged(walkedWorld);
    const { world, proxy, space, pages, walked } = stage;
    const use = pages['Use'] ?? '';
    await edit(world, space, {
      type: 'update_page',
      page: pages['Home'] ?? '',
      document: { markdown: '# Home\n\nNew.' },
    });
    let trees = 0;
    proxy.rewrite = ({ path }, { status, body }) => {
      const { pages: shown } = body as { pages: Page[] };
      if (path === `/v1/spaces/${space}/content` && trees++ === 0)
        return { status, body: { ...(body as object), id: 'before', pages: shown.filter(({ id }) => id !== use) } };
      if (path !== `/v1/spaces/${space}/content/page/${use}` || trees !== 1) return undefined;
      return { status: 404, body: { error: { code: 404, message: 'Not found' } } };
    };
    expect(await walked()).toEqual(COMPLETE);
    const sql = `select key from tombstones join resources using (rid) where kind = 'page'`;
    expect(rowsOf(world.mirror, sql)).toEqual([]);
    expect(countsOf(world.mirror, 2)['page']).toMatchObject({ gone: 0, added: 0 });
  });

  it('reads a space again that was edited between its listing and its tree, and set back later', async () => {
    await using stage = await staged();
    const { world, proxy, space, pages, walked } = stage;
    const page = pages['Use'] ?? '';
    const path = { spaceId: space, pageId: page };
    const old = {
      space: await world.api.getSpace({ path }),
      tree: await world.api.getRevision({ path }),
      page: await world.api.getPage({ path, query: { format: 'markdown' } }),
    };
    let isDone = false;
    proxy.rewrite = async (asked) => {
      if (asked.path !== `/v1/spaces/${space}/content` || isDone) return undefined;
      isDone = true;
      await edit(world, space, { type: 'update_page', page, document: { markdown: '# Use\n\nNot in the backup.' } });
      return { status: 200, body: await world.api.getRevision({ path }) };
    };
    await walked();
    proxy.rewrite = (asked, { status, body }) => {
      if (asked.path === `/v1/spaces/${space}/content`) return { status: 200, body: old.tree };
      if (asked.path === `/v1/spaces/${space}/content/page/${page}`) return { status: 200, body: old.page };
      return { status, body: setBack(body, old.space) };
    };
    expect(await walked()).toEqual(COMPLETE);
    expect(rowsOf(world.mirror, 'select markdown from pages where id = ? and space = ?', page, space)).toEqual([
      { markdown: old.page.markdown },
    ]);
  });
});

/** An answer in which a space is as it was. */
function setBack(value: unknown, space: { readonly id: string }): unknown {
  if (Array.isArray(value)) return value.map((one) => setBack(one, space));
  if (typeof value !== 'object' || value === null) return value;
  if ('object' in value && value.object === 'space' && 'id' in value && value.id === space.id) return space;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, setBack(one, space)]));
}
