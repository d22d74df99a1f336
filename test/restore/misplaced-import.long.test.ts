// Platforms of which an import into a change request does not go in among what stands there. The API document does not say what it does.
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import type { Page } from '../../src/contract/index.ts';
import { addSpace, edit, flatten, importFiles, pagesOf } from '../support/content.ts';
import { bare, inPlace, mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';

const anew = mirroredAnew();

type How = 'replaces all that stands' | 'brings the pages above once more';

function without(pages: readonly Page[], ids: ReadonlySet<string>): Page[] {
  return pages.filter(({ id }) => !ids.has(id)).map((page) => ({ ...page, pages: without(page.pages ?? [], ids) }));
}

/** What a platform of that kind would show in the change request. */
function misplaced(how: How, pages: readonly Page[], before: ReadonlySet<string>): Page[] {
  const all = flatten(pages);
  const fresh = all.filter(({ id }) => !before.has(id));
  if (how === 'replaces all that stands') return fresh;
  const above = all.filter(({ pages: below = [] }) => below.some(({ id }) => !before.has(id)));
  const twice = above.map((page) => ({ ...page, id: `twice${page.id}`, pages: without(page.pages ?? [], before) }));
  const top = pages.filter(({ id }) => !before.has(id));
  return [...without(pages, new Set(fresh.map(({ id }) => id))), ...top, ...twice];
}

/** From now on imports into change requests do so, and what they leave is read as that. Answers into which there were any. */
function misplacing(proxy: Rewriting, how: How): ReadonlyMap<string, unknown> {
  const imported = new Map<string, ReadonlySet<string>>();
  const seen = new Map<string, ReadonlySet<string>>();
  proxy.rewrite = ({ method, path }, { status, body }) => {
    const content = path.replace(/\/import$/, '');
    if (!/\/change-requests\/[^/]+\/content$/.test(content)) return undefined;
    if (method === 'POST' && path !== content) imported.set(content, seen.get(content) ?? new Set());
    if (method !== 'GET' || !isRecord(body)) return undefined;
    const pages = body['pages'] as Page[];
    const before = imported.get(content);
    seen.set(content, new Set(flatten(pages).map(({ id }) => id)));
    return before === undefined ? undefined : { status, body: { ...body, pages: misplaced(how, pages, before) } };
  };
  return imported;
}

async function withoutPages({ world, made }: Mirrored, titles: readonly string[]): Promise<void> {
  const { id: changeRequestId } = await world.api.createChangeRequest({ path: { spaceId: made.guide }, body: {} });
  const path = { spaceId: made.guide, changeRequestId };
  const changes = titles.map((title) => ({ type: 'delete_page', page: made.pages[title] ?? '' }) as const);
  await world.api.changeContent({ path, body: { changes } });
  await world.api.mergeChangeRequest({ path });
}

/** A change request is read as before the import once more. */
function lateFor(proxy: Rewriting): void {
  const { rewrite } = proxy;
  const before = new Map<string, unknown>();
  let late = 0;
  proxy.rewrite = async (asked, answer) => {
    const content = asked.path.replace(/\/import$/, '');
    if (asked.method === 'POST' && content !== asked.path) late = 1;
    const shown = (await rewrite(asked, answer)) ?? answer;
    if (asked.method !== 'GET' || !/\/change-requests\/[^/]+\/content$/.test(content)) return shown;
    if (late-- > 0) return { status: 200, body: before.get(content) };
    before.set(content, shown.body);
    return shown;
  };
}

async function titlesOf({ world, made }: Mirrored): Promise<string[]> {
  return Object.keys(await pagesOf(world, made.guide)).toSorted();
}

describe('restore/in-place, an import that does not go in among what stands', () => {
  it.each(['replaces all that stands', 'brings the pages above once more'] as const)(
    'brings a page back by edits where the import %s: merged, the pages of the space were gone or double',
    async (how) => {
      const there = await anew();
      await using world = there.world;
      const before = await titlesOf(there);
      await withoutPages(there, ['Linux']);
      const plan = await there.place.plan();
      await using proxy = await rewriting(world);
      misplacing(proxy, how);
      const { restore, failures } = await there.place.apply(plan, { client: proxy.client });
      expect(failures).toEqual([]);
      expect(await titlesOf(there)).toEqual(before);
      expect(await there.place.verify(restore)).toMatchObject({ passed: true });
    },
  );

  it('brings all pages of a space back by edits where each of several imports replaces what the one before it brought: merged, only the last stood there', async () => {
    const there = await anew();
    await using world = there.world;
    const before = await titlesOf(there);
    await withoutPages(there, ['Home', 'Install', 'Use']);
    const plan = await there.place.plan();
    await using proxy = await rewriting(world);
    misplacing(proxy, 'replaces all that stands');
    const importLimits = { maxPages: 1, maxBytes: null };
    const { restore, failures } = await there.place.apply(plan, { client: proxy.client, importLimits });
    expect(failures).toEqual([]);
    expect(await titlesOf(there)).toEqual(before);
    expect(await there.place.verify(restore)).toMatchObject({ passed: true });
  });

  it.each(['replaces all that stands', 'brings the pages above once more'] as const)(
    'changes nothing where the import %s and pages cannot be edited: it was merged all the same',
    async (how) => {
      const there = await anew();
      await using world = there.world;
      await withoutPages(there, ['Linux']);
      const before = await titlesOf(there);
      const plan = await there.place.plan();
      await using proxy = await rewriting(world);
      misplacing(proxy, how);
      proxy.before = ({ method, path }) =>
        method === 'POST' && /\/change-requests\/[^/]+\/content$/.test(path) ? { status: 405, body: {} } : undefined;
      const { restore, failures } = await there.place.apply(plan, { client: proxy.client });
      const told = [{ kind: 'revision', error: expect.stringContaining('nothing of it was changed') }];
      expect(failures).toMatchObject(told);
      expect((await there.place.resume(restore, { client: proxy.client })).failures).toMatchObject(told);
      expect(await titlesOf(there)).toEqual(before);
      const { items } = await world.api.listChangeRequests({
        path: { spaceId: there.made.guide },
        query: { status: 'draft' },
      });
      expect(items.filter(({ subject }) => subject.startsWith('Restore of'))).toEqual([]);
    },
  );

  it.each([
    ['replaces all that stands', ['Linux']],
    ['replaces all that stands', ['Linux', 'Use']],
    ['brings the pages above once more', ['Linux']],
    ['brings the pages above once more', ['Linux', 'Use']],
  ] as const)(
    'merges none of it after kills either, where the import %s and %s come back: the next run took it for its own work',
    async (how, titles) => {
      const there = await anew();
      await using world = there.world;
      const before = await titlesOf(there);
      await withoutPages(there, titles);
      await using proxy = await rewriting(world);
      const imported = misplacing(proxy, how);
      const place = inPlace(world, proxy.client);
      const { restore } = await place.endure(await place.plan(), 'killed');
      expect(await titlesOf(there)).toEqual(before);
      const path = { spaceId: there.made.guide };
      const { items } = await world.api.listChangeRequests({ path, query: { status: 'merged' } });
      expect(items.filter(({ id }) => [...imported.keys()].some((content) => content.includes(id)))).toEqual([]);
      expect(await place.verify(restore)).toMatchObject({ passed: true });
    },
  );

  it('says that the import leaves nothing that stands, where a group comes back as a document by that: the target was said to have no import', async () => {
    let spaceId = '';
    const { world, place } = await bare(async (one) => {
      spaceId = await addSpace(one, 'Grouped');
      const summary = '* [A](a.md)\n\n## Group\n\n* [B](b.md)\n';
      await importFiles(one, spaceId, { 'SUMMARY.md': summary, 'a.md': '# A\n\nOf A.\n', 'b.md': '# B\n\nOf B.\n' });
    });
    await using _world = world;
    const { Group: page = '' } = await pagesOf(world, spaceId);
    await edit(world, spaceId, { type: 'delete_page', page });
    await using proxy = await rewriting(world);
    misplacing(proxy, 'replaces all that stands');
    const { failures } = await place.apply(await place.plan(), { client: proxy.client });
    expect(failures.map(({ error }) => error)).toEqual([
      'the target has no import that leaves what stands, and takes documents alone: 1 group came back as a document (Group)',
    ]);
  });

  it('reads what the import of a file has left until it is shown: a moment late, it was taken for what stood before, and merged', async () => {
    let spaceId = '';
    const pages = { 'SUMMARY.md': '* [See](see.md)\n', 'see.md': '# See\n\nThe [notes](notes.txt).\n' };
    const { world, place } = await bare(async (one) => {
      spaceId = await addSpace(one, 'Notes');
      await importFiles(one, spaceId, { ...pages, 'notes.txt': 'Old notes.' });
    });
    await using _world = world;
    await importFiles(world, spaceId, { ...pages, 'notes.txt': 'New notes.' });
    const plan = await place.plan();
    expect(plan.steps.map(({ pages: mends }) => [mends?.missing, mends?.files?.length])).toEqual([[[], 1]]);
    await using proxy = await rewriting(world);
    const imported = misplacing(proxy, 'replaces all that stands');
    lateFor(proxy);
    await place.apply(plan, { client: proxy.client });
    const { items } = await world.api.listChangeRequests({ path: { spaceId }, query: { status: 'merged' } });
    expect(imported.size).toBe(1);
    expect(items.filter(({ id }) => [...imported.keys()].some((content) => content.includes(id)))).toEqual([]);
  });
});
