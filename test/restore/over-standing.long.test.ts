// Platforms of which an import does not leave the pages that stand where it goes. The API document does not say what it does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import type { Page } from '../../src/contract/index.ts';
import { planSummary } from '../../src/restore/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { mirrored, mirroredAnew } from '../support/in-place.ts';
import { refusedContent } from '../support/refused-content.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

type How = 'replaces' | 'doubles';

const PURGED = 7 * 86_400_000 + 3_600_000;

const ONE_PAGE = { maxPages: 1, maxBytes: null };

const REQUEST_CONTENT = /\/change-requests\/[^/]+\/content$/;

function renamed(pages: readonly Page[]): Page[] {
  return pages.map((page) => ({ ...page, id: `other${page.id}`, pages: renamed(page.pages ?? []) }));
}

/** Imports into change requests do so, as far as the answers tell: from the first on that is taken, or a later one. */
function misplacing(proxy: Rewriting, how: How, from = 1): void {
  const taken = new Map<string, number>();
  proxy.send = (_asked, body) => body.replaceAll('"other', '"');
  proxy.rewrite = ({ method, path }, { status, body }) => {
    const content = path.replace(/\/import$/, '');
    if (method === 'POST' && content !== path && status < 400) taken.set(content, (taken.get(content) ?? 0) + 1);
    if (method !== 'GET' || (taken.get(path) ?? 0) < from || !REQUEST_CONTENT.test(path) || !isRecord(body))
      return undefined;
    const pages = body['pages'] as Page[];
    return { status, body: { ...body, pages: how === 'replaces' ? renamed(pages) : [...pages, ...renamed(pages)] } };
  };
}

/** Pages cannot be edited. */
function withoutEdits(proxy: Rewriting): void {
  proxy.before = ({ method, path }) =>
    method === 'POST' && REQUEST_CONTENT.test(path) ? { status: 405, body: {} } : undefined;
}

let world: TestWorld;

/** Two spaces with links to each other, and a proposal. */
async function linked(one: TestWorld): Promise<readonly string[]> {
  const left = await addSpace(one, 'Left');
  // Spaces come back in the order in which they were made, and two can be made within one millisecond.
  one.clock.advance(1);
  const right = await addSpace(one, 'Right');
  await edit(one, left, insert('Start', 'Here.'));
  const { Start: start = '' } = await pagesOf(one, left);
  await edit(one, right, insert('Over', `See [the start](/spaces/${left}/pages/${start}).`));
  const { Over: over = '' } = await pagesOf(one, right);
  await edit(one, left, insert('Back', `See [over there](/spaces/${right}/pages/${over}).`));
  const path = { spaceId: left };
  const { id: changeRequestId } = await one.api.createChangeRequest({ path, body: { subject: 'Proposed' } });
  const changes = [insert('New', 'As proposed.')];
  await one.api.changeContent({ path: { ...path, changeRequestId }, body: { changes } });
  return [left, right];
}

const ids: string[] = [];

beforeAll(async () => {
  ({ world } = await mirrored(async (one) => ids.push(...(await linked(one)))));
});

afterAll(() => world[Symbol.asyncDispose]());

/** How many imports went into spaces that had one before, and into change requests. */
function imports(target: Target): { twice: number; requests: number } {
  const all = target.writes().filter((one) => one.endsWith('/import'));
  const spaces = all.filter((one) => !one.includes('/change-requests/'));
  return { twice: spaces.length - new Set(spaces).size, requests: all.length - spaces.length };
}

/** The states of the change requests in which it was tried what an import does. */
async function trials(target: Target): Promise<string[]> {
  const found: string[] = [];
  const spaces = new Set(target.writes().flatMap((one) => /\/spaces\/([^/]+)\/change-requests/.exec(one)?.[1] ?? []));
  for (const spaceId of spaces) {
    for (const status of ['draft', 'open', 'archived'] as const) {
      const { items } = await target.client.api.listChangeRequests({ path: { spaceId }, query: { status } });
      found.push(...items.filter(({ subject }) => subject.includes('does an import')).map(() => status));
    }
  }
  return found;
}

/** How the steps of a restore inserted, as the journal has it, without the change request. */
function waysOf(restore: string): string[] {
  const sql = `select json_extract(detail, '$.how') as how from restore_steps where restore = ? and detail like '%page by page%'`;
  const ways = rowsOf(world.mirror, sql, restore).map(({ how }) => String(how).replace(/, in change request \d+/, ''));
  return [...new Set(ways)];
}

describe('restore/apply, an import that does not leave what stands', () => {
  it.each(['replaces', 'doubles'] as const)(
    'is found out where the text of the first page is refused, too (%s): it was taken for one that leaves it',
    async (how) => {
      await using target = await createTarget(world);
      await using proxy = await rewriting(world, target.platform);
      await using content = await refusedContent(world, 'the start');
      // A space that has nothing yet is brought the page first.
      misplacing(proxy, how, 2);
      const settings = { client: proxy.client, contentServer: content.contentServer };
      const { failures, restore } = await target.apply(await target.plan(settings), settings);
      expect(failures).toEqual([]);
      const noted = rowsOf(
        world.mirror,
        `select json_extract(detail, '$.overStanding') as how from restore_steps where restore = ? and detail like '%overStanding%'`,
        restore,
      );
      expect(noted).toEqual([{ how: 'by edits' }]);
      expect(await trials(target)).toEqual(['archived']);
    },
  );

  it.each(['replaces', 'doubles'] as const)(
    'sets links into other spaces, and what is proposed, by edits where it %s: pages had other ids then, or stood there twice',
    async (how) => {
      await using target = await createTarget(world);
      await using proxy = await rewriting(world, target.platform);
      misplacing(proxy, how);
      const { client } = proxy;
      const { restore, failures, lacking } = await target.apply(await target.plan(), { client });
      expect([failures, lacking]).toEqual([[], 0]);
      expect(imports(target)).toEqual({ twice: 0, requests: 1 });
      const report = await target.verify(restore);
      expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
      expect(report.brokenLinks.after).toBe(report.brokenLinks.before);
    },
  );

  it.each([
    ['replaces', 'takes away the pages that stand', 'merged, its pages have other ids'],
    ['doubles', 'brings the pages that stand once more', 'what it proposes is not in it'],
  ] as const)(
    'names what it leaves where it %s and pages cannot be edited: all of it was said to be done',
    async (how, ofLinks, ofRequests) => {
      await using target = await createTarget(world);
      await using proxy = await rewriting(world, target.platform);
      misplacing(proxy, how);
      withoutEdits(proxy);
      const { failures, lacking } = await target.apply(await target.plan(), { client: proxy.client });
      expect(lacking).toBeGreaterThan(0);
      const told = failures.map(({ kind, error }) => `${kind}: ${error}`).join('\n');
      expect(told).toContain(`revision: its links into other spaces are as they were written: an import ${ofLinks}`);
      expect(told).toMatch(new RegExp(`change-request-revision: .*${ofRequests}`));
      expect(imports(target).twice).toBe(0);
    },
  );

  it('tries that once, in a change request that it archives', async () => {
    await using target = await createTarget(world);
    const { failures } = await target.apply(await target.plan());
    expect(failures).toEqual([]);
    expect(await trials(target)).toEqual(['archived']);
  });

  it.each([404, 405, 501])(
    'archives it where there is no import at all, which %i says: with 501 it stayed there as a draft',
    async (status) => {
      await using target = await createTarget(world);
      await using proxy = await rewriting(world, target.platform);
      proxy.before = ({ path }) => (path.endsWith('/import') ? { status, body: {} } : undefined);
      const plan = await target.plan({ scope: `space:${ids[0] ?? ''}`, importLimits: ONE_PAGE });
      const { failures } = await target.apply(plan, { client: proxy.client, importLimits: ONE_PAGE });
      expect(failures).toEqual([]);
      expect(await trials(target)).toEqual(['archived']);
    },
  );

  const anew = mirroredAnew(async (one) => ({ gone: await linked(one) }));

  it.each(['replaces', 'doubles'] as const)(
    'makes spaces anew in place with links to each other, where it %s: their pages had other ids, or stood there twice',
    async (how) => {
      const { world: one, place, gone } = await anew();
      await using _one = one;
      for (const spaceId of gone) await one.api.deleteSpace({ path: { spaceId } });
      one.clock.advance(PURGED);
      await using proxy = await rewriting(one, one.platform);
      misplacing(proxy, how);
      const { failures, restore, lacking } = await place.apply(await place.plan(), { client: proxy.client });
      expect([failures, lacking]).toEqual([[], 0]);
      expect((await place.verify(restore)).differences.filter((one) => one.class === 'exact')).toEqual([]);
      expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
    },
  );

  it.each(['replaces', 'doubles'] as const)(
    'brings content that is too large for one import by edits, where it %s: the last part took all others away, or all of it stood there twice',
    async (how) => {
      await using target = await createTarget(world);
      await using proxy = await rewriting(world, target.platform);
      misplacing(proxy, how);
      const plan = await target.plan({ importLimits: ONE_PAGE });
      const { client } = proxy;
      const { restore, failures, lacking } = await target.apply(plan, { client, importLimits: ONE_PAGE });
      expect([failures, lacking]).toEqual([[], 0]);
      expect(imports(target)).toEqual({ twice: 0, requests: 1 });
      expect(waysOf(restore)).toEqual(['page by page, as the target has no import that leaves what stands']);
      const report = await target.verify(restore);
      expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
    },
  );

  it('tries that in a space that has nothing yet by two imports, and goes on with the parts where pages stay', async () => {
    await using target = await createTarget(world);
    const choice = { scope: `space:${ids[0] ?? ''}`, importLimits: ONE_PAGE };
    const plan = await target.plan(choice);
    const { failures, requests, restore } = await target.apply(plan, { importLimits: ONE_PAGE });
    expect(failures).toEqual([]);
    const [first, second, ...others] = target.writes().filter((one) => one.endsWith('/import'));
    expect(first).toContain('/change-requests/');
    expect([second, others.includes(first ?? '')]).toEqual([first, false]);
    expect(imports(target).twice).toBeGreaterThan(1);
    expect(requests).toBe(planSummary(plan).requests);
    expect((await target.verify(restore)).differences.filter((one) => one.class === 'exact')).toEqual([]);
  });

  it('sends each part once where it doubles and pages cannot be edited, and names the links between them', async () => {
    await using target = await createTarget(world);
    await using proxy = await rewriting(world, target.platform);
    misplacing(proxy, 'doubles');
    withoutEdits(proxy);
    const plan = await target.plan({ importLimits: ONE_PAGE });
    const { failures } = await target.apply(plan, { client: proxy.client, importLimits: ONE_PAGE });
    const told = failures.map(({ kind, error }) => `${kind}: ${error}`).join('\n');
    expect(told).toContain(
      'revision: it went in parts, and links between them are as they were written: an import brings',
    );
  });
});
