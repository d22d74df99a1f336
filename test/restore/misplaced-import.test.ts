// Platforms of which an import into a change request does not go in among what stands there. The API document does not say what it does.
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import type { Page } from '../../src/contract/index.ts';
import { flatten, pagesOf } from '../support/content.ts';
import { mirrored, type Mirrored } from '../support/in-place.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';

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
  return [...without(pages, new Set(fresh.map(({ id }) => id))), ...twice];
}

/** From now on imports into change requests do so, and what they leave is read as that. */
function misplacing(proxy: Rewriting, how: How): void {
  const imported = new Map<string, ReadonlySet<string>>();
  const seen = new Map<string, ReadonlySet<string>>();
  proxy.rewrite = ({ method, path }, { status, body }) => {
    const content = path.replace(/\/import$/, '');
    if (!/\/change-requests\/[^/]+\/content$/.test(content)) return undefined;
    if (method === 'POST' && path !== content) imported.set(content, seen.get(content) ?? new Set());
    if (method !== 'GET' || !isRecord(body)) return undefined;
    const pages = body['pages'] as Page[];
    const before = imported.get(content);
    if (before === undefined) seen.set(content, new Set(flatten(pages).map(({ id }) => id)));
    return before === undefined ? undefined : { status, body: { ...body, pages: misplaced(how, pages, before) } };
  };
}

/** The page below another is deleted. */
async function withoutLinux({ world, made }: Mirrored): Promise<void> {
  const { id: changeRequestId } = await world.api.createChangeRequest({ path: { spaceId: made.guide }, body: {} });
  const path = { spaceId: made.guide, changeRequestId };
  const changes = [{ type: 'delete_page', page: made.pages['Linux'] ?? '' } as const];
  await world.api.changeContent({ path, body: { changes } });
  await world.api.mergeChangeRequest({ path });
}

async function titlesOf({ world, made }: Mirrored): Promise<string[]> {
  return Object.keys(await pagesOf(world, made.guide)).toSorted();
}

describe('restore/in-place, an import that does not go in among what stands', () => {
  it.each(['replaces all that stands', 'brings the pages above once more'] as const)(
    'brings a page back by edits where the import %s: merged, the pages of the space were gone or double',
    async (how) => {
      const there = await mirrored();
      await using world = there.world;
      const before = await titlesOf(there);
      await withoutLinux(there);
      const plan = await there.place.plan();
      await using proxy = await rewriting(world);
      misplacing(proxy, how);
      const { restore, failures } = await there.place.apply(plan, { client: proxy.client });
      expect(failures).toEqual([]);
      expect(await titlesOf(there)).toEqual(before);
      expect(await there.place.verify(restore)).toMatchObject({ passed: true });
    },
  );

  it.each(['replaces all that stands', 'brings the pages above once more'] as const)(
    'changes nothing where the import %s and pages cannot be edited: it was merged all the same',
    async (how) => {
      const there = await mirrored();
      await using world = there.world;
      await withoutLinux(there);
      const before = await titlesOf(there);
      const plan = await there.place.plan();
      await using proxy = await rewriting(world);
      misplacing(proxy, how);
      proxy.before = ({ method, path }) =>
        method === 'POST' && /\/change-requests\/[^/]+\/content$/.test(path) ? { status: 405, body: {} } : undefined;
      const { failures } = await there.place.apply(plan, { client: proxy.client });
      expect(failures).toMatchObject([
        { kind: 'revision', error: expect.stringContaining('nothing of it was changed') },
      ]);
      expect(await titlesOf(there)).toEqual(before);
      const { items } = await world.api.listChangeRequests({
        path: { spaceId: there.made.guide },
        query: { status: 'draft' },
      });
      expect(items.filter(({ subject }) => subject.startsWith('Restore of'))).toEqual([]);
    },
  );
});
