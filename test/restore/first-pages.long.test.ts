// Restores onto a platform that begins each new space with a page of its own.
import { describe, expect, it } from 'vitest';
import { addSpace, edit, insert } from '../support/content.ts';
import type { Revision } from '../../src/contract/index.ts';
import { stepsOf } from '../../src/mirror/index.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

const anew = mirroredAnew();

interface Beginning extends AsyncDisposable {
  readonly world: TestWorld;
  readonly target: Target;
  readonly proxy: Rewriting;
}

/** A target that begins spaces with a page, asked through a proxy. */
async function beginning(): Promise<Beginning> {
  const { world } = await anew();
  const target = await createTarget(world);
  const proxy = await rewriting(world, target.platform);
  proxy.rewrite = async ({ method, path }, { status, body }) => {
    if (method === 'POST' && path.endsWith('/spaces') && status === 201)
      await edit(target.client, (body as { id: string }).id, insert('Welcome', 'Begin here.'));
    return undefined;
  };
  return {
    world,
    target,
    proxy,
    [Symbol.asyncDispose]: async () => {
      for (const one of [proxy, target, world]) await one[Symbol.asyncDispose]();
    },
  };
}

const EDITS = /\/change-requests\/[^/]+\/content$/;
const MERGE = /\/merge$/;
const LOOK = /^\/v1\/spaces\/[^/]+\/content$/;
const MUCH_LATER = '2100-01-01T00:00:00.000Z';

/** What a run noted of the import of a space. */
function importOf({ world }: Beginning, restore: string): { how?: string; problem?: string } {
  const steps = stepsOf(world.mirror, restore).filter(({ kind }) => kind === 'revision');
  return JSON.parse(steps[0]?.detail ?? '{}') as { how?: string; problem?: string };
}

describe('restore/steps/first-pages', () => {
  it.each([false, true])(
    'brings spaces back without the page that a platform puts into each new one, which stood beside theirs (for review: %s)',
    async (review) => {
      await using all = await beginning();
      const { target, proxy } = all;
      const { restore, failures } = await target.apply(await target.plan({ review }), { client: proxy.client });
      expect(failures).toEqual([]);
      expect(importOf(all, restore).how).toBe('without page Welcome, which the platform begins a space with');
      for (const spaceId of await importedInto(all)) {
        if (review) await mergeDrafts(all, spaceId);
        const { pages } = await target.client.api.getRevision({ path: { spaceId } });
        expect(pages.map(({ title }) => title)).not.toContain('Welcome');
        expect(pages).not.toEqual([]);
      }
      expect(await target.verify(restore)).toMatchObject({ passed: true });
    },
  );

  it.each([false, true])(
    'takes such a page away from a space that was empty, or verify names it: nothing was said of it (cannot be edited: %s)',
    async (isRefused) => {
      await using all = await beginning();
      const { world, target, proxy } = all;
      const empty = await addSpace(world, 'Empty');
      const { snapshot } = await world.sync();
      proxy.before = ({ path }) => (isRefused && EDITS.test(path) ? { status: 404, body: { error: {} } } : undefined);
      const plan = await target.plan({ snapshot: snapshot.id });
      const { restore } = await target.apply(plan, { client: proxy.client });
      const spaceId = stepsOf(world.mirror, restore).find(({ key }) => key === empty)?.new_id ?? '';
      const { pages } = await target.client.api.getRevision({ path: { spaceId } });
      expect(pages.map(({ title }) => title)).toEqual(isRefused ? ['Welcome'] : []);
      const { differences } = await target.verify(restore);
      const beyond = differences.filter(({ key }) => key.startsWith(`${spaceId}/`));
      expect(beyond.length > 0).toBe(isRefused);
    },
  );

  it.each([
    ['merged', MERGE],
    ['edited', EDITS],
  ])('goes on with what was cut off before the change request was %s that takes such a page away', async (_, at) => {
    await using all = await beginning();
    const { target, proxy } = all;
    let cut = 0;
    proxy.before = ({ method, path }) =>
      method === 'POST' && at.test(path) && cut++ < 1 ? { status: 500, body: { error: {} } } : undefined;
    const { restore } = await target.apply(await target.plan(), { client: proxy.client });
    expect(await target.resume(restore, { client: proxy.client })).toMatchObject({ failed: 0, failures: [] });
    expect(cut).toBeGreaterThan(1);
    expect(await ownDraftsIn(all)).toEqual([]);
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  });

  it('takes such a page away where the answer to the making of its space was lost: it stayed beside those of the snapshot', async () => {
    await using all = await beginning();
    const { target, proxy } = all;
    const begin = proxy.rewrite;
    let lost = 0;
    proxy.rewrite = async (asked, answer) => {
      const begun = await begin(asked, answer);
      if (asked.method === 'POST' && asked.path.endsWith('/spaces') && lost++ < 2)
        throw new Error('The answer is lost');
      return begun;
    };
    const { restore, failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect([failures, lost]).toEqual([[], 2]);
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  });

  it.each([false, true])(
    'takes such a page away where nobody could look into a space right after it was made: it stayed, unsaid (for review: %s)',
    async (review) => {
      await using all = await beginning();
      const { target, proxy } = all;
      let refused = 0;
      proxy.before = ({ method, path }) =>
        method === 'GET' && LOOK.test(path) && refused++ < 2 ? { status: 403, body: { error: {} } } : undefined;
      const plan = await target.plan({ review });
      const { restore, failures } = await target.apply(plan, { client: proxy.client });
      expect([failures, refused > 2]).toEqual([[], true]);
      expect(importOf(all, restore).how).toBe('without page Welcome, which the platform begins a space with');
      if (review) for (const spaceId of await importedInto(all)) await mergeDrafts(all, spaceId);
      expect(await target.verify(restore)).toMatchObject({ passed: true });
    },
  );

  it('leaves a page that somebody made, long after, in a space that nobody could look into when it was made', async () => {
    await using all = await beginning();
    const { target, proxy } = all;
    let refused = 0;
    proxy.before = ({ method, path }) =>
      method === 'GET' && LOOK.test(path) && refused++ < 2 ? { status: 403, body: { error: {} } } : undefined;
    const begin = proxy.rewrite;
    proxy.rewrite = async (asked, answer) => {
      if (asked.method !== 'GET' || !LOOK.test(asked.path)) return begin(asked, answer);
      const { pages, ...revision } = answer.body as Revision;
      return { ...answer, body: { ...revision, pages: pages.map((page) => ({ ...page, createdAt: MUCH_LATER })) } };
    };
    const { restore } = await target.apply(await target.plan(), { client: proxy.client });
    const { differences } = await target.verify(restore);
    expect(differences.map(({ got }) => got)).toContain('Welcome, which the snapshot does not have');
  });

  it('takes such a page away once the token has its rights again: its change request stayed open, and no resume came back to it', async () => {
    await using all = await beginning();
    const { target, proxy } = all;
    let isLost = false;
    proxy.before = ({ method, path }) => {
      isLost ||= method === 'POST' && MERGE.test(path);
      return isLost && method !== 'GET' ? { status: 403, body: { error: { message: 'no member' } } } : undefined;
    };
    const { restore, ...applied } = await target.apply(await target.plan(), { client: proxy.client });
    expect(applied.failures.map(({ error }) => error)).toContainEqual(
      expect.stringMatching(/^change request \d+, which takes away .* is neither merged nor archived: .*answered 403/),
    );
    proxy.before = () => undefined;
    expect(await target.resume(restore, { client: proxy.client })).toMatchObject({ failed: 0, failures: [] });
    expect(await ownDraftsIn(all)).toEqual([]);
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  });

  it('leaves a page that somebody made in a new space meanwhile', async () => {
    await using all = await beginning();
    const { target, proxy } = all;
    const begin = proxy.rewrite;
    let made = 0;
    proxy.rewrite = async (asked, answer) => {
      const [, space] = /^\/v1\/spaces\/([^/]+)\/content\/import$/.exec(asked.path) ?? [];
      if (space !== undefined && made++ === 0) await edit(target.client, space, insert('Of somebody', 'Mine.'));
      return begin(asked, answer);
    };
    const { restore } = await target.apply(await target.plan(), { client: proxy.client });
    const { differences } = await target.verify(restore);
    expect(differences.filter((one) => one.class === 'exact')).toMatchObject([
      { kind: 'page', field: '*', expected: 'not there', got: 'Of somebody, which the snapshot does not have' },
    ]);
  });

  it('leaves such a page that somebody has edited meanwhile', async () => {
    await using all = await beginning();
    const { target, proxy } = all;
    let edited = 0;
    const begin = proxy.rewrite;
    proxy.rewrite = async (asked, answer) => {
      const [, space] = /^\/v1\/spaces\/([^/]+)\/content\/import$/.exec(asked.path) ?? [];
      if (space !== undefined && edited++ === 0) {
        const { pages } = await target.client.api.getRevision({ path: { spaceId: space } });
        const page = pages.find(({ title }) => title === 'Welcome')?.id ?? '';
        await edit(target.client, space, { type: 'update_page', page, document: { markdown: 'Mine by now.' } });
      }
      return begin(asked, answer);
    };
    const { restore } = await target.apply(await target.plan(), { client: proxy.client });
    const { differences } = await target.verify(restore);
    expect(differences.map(({ got }) => got)).toContain('Welcome, which the snapshot does not have');
  });

  it('brings everything else back where the token may not make the change request for that', async () => {
    await using all = await beginning();
    const { target, proxy } = all;
    let refused = 0;
    proxy.before = ({ method, path }) =>
      method === 'POST' && path.endsWith('/change-requests') && refused++ < 2
        ? { status: 403, body: { error: { code: 403 } } }
        : undefined;
    const { restore, ...result } = await target.apply(await target.plan(), { client: proxy.client });
    expect([result.failed, result.skipped, refused > 2]).toEqual([0, 0, true]);
    expect(importOf(all, restore).problem).toContain('stays: ');
  });

  it.each([
    ['has no operation that edits pages', 501, 'the target has no operation that edits pages'],
    ['does not let the token edit', 403, 'answered 403'],
  ])('brings everything else back where the platform %s, and says that the page stays', async (_what, status, why) => {
    await using all = await beginning();
    const { target, proxy } = all;
    proxy.before = ({ method, path }) =>
      method === 'POST' && EDITS.test(path) ? { status, body: { error: { code: status } } } : undefined;
    const { restore, ...result } = await target.apply(await target.plan(), { client: proxy.client });
    expect(result).toMatchObject({ failed: 0, skipped: 0 });
    const { problem = '' } = importOf(all, restore);
    expect(problem).toContain('page Welcome, which the platform begins a space with, stays: ');
    expect(problem).toContain(why);
    expect(await ownDraftsIn(all)).toEqual([]);
    const left = (await target.verify(restore)).differences.filter((one) => one.class === 'exact');
    expect(left.filter(({ field }) => field !== 'position').map(({ got }) => got)).toEqual(
      Array.from({ length: 2 }, () => 'Welcome, which the snapshot does not have'),
    );
  });
});

/** Ids of the spaces of the target that the restore made. */
async function importedInto({ target }: Beginning): Promise<string[]> {
  const { items } = await target.client.api.listMemberSpaces({
    path: { organizationId: target.organization, userId: await ownerOf(target) },
  });
  return items.map(({ space }) => space.id);
}

/** Subjects of the change requests that the restore has left to be merged. */
async function ownDraftsIn(all: Beginning): Promise<string[]> {
  const { api } = all.target.client;
  const drafts = (await importedInto(all)).map((spaceId) =>
    api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } }),
  );
  const subjects = (await Promise.all(drafts)).flatMap(({ items }) => items.map(({ subject }) => subject));
  return subjects.filter((subject) => subject.startsWith('Restore of snapshot'));
}

async function ownerOf({ client, organization }: Target): Promise<string> {
  const { items } = await client.api.listMembers({ path: { organizationId: organization } });
  return items[0]?.id ?? '';
}

async function mergeDrafts({ target }: Beginning, spaceId: string): Promise<void> {
  const { api } = target.client;
  const { items } = await api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  for (const { id } of items) await api.mergeChangeRequest({ path: { spaceId, changeRequestId: id } });
}
