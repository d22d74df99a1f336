// Parts of a restore: content that arrives for people to review, and what verify says of it before they merged it; single pages.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRequest, edit, pagesOf } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';

const anew = mirroredAnew();

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];
let target: Target;

beforeEach(async () => {
  ({ world, made, place } = await anew());
  target = await createTarget(world);
});

afterEach(async () => {
  await target[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function merge(spaceId: string): Promise<void> {
  const { items } = await target.client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  for (const { id } of items) await target.client.api.mergeChangeRequest({ path: { spaceId, changeRequestId: id } });
}

describe('restore/review', () => {
  it('is found faithful before people have merged it, and after', async () => {
    const { restore, failures, review } = await target.apply(await target.plan({ review: true }));
    expect([failures, review]).toEqual([[], { requests: 2, subject: 'Restore of snapshot 1' }]);
    const before = await target.verify(restore);
    expect(before.differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect([before.passed, before.waiting]).toEqual([true, 2]);
    for (const title of ['Guide', 'News']) await merge(await target.spaceCalled(title));
    const after = await target.verify(restore);
    expect([after.passed, after.waiting]).toEqual([true, 0]);
  });

  it('says of pages that are missing which change request somebody archived: they were only missing', async () => {
    const { restore } = await target.apply(await target.plan({ review: true }));
    const path = { spaceId: await target.spaceCalled('News') };
    const { items } = await target.client.api.listChangeRequests({ path, query: { status: 'draft' } });
    const [request] = items;
    await target.client.api.updateChangeRequest({
      path: { ...path, changeRequestId: request?.id ?? '' },
      body: { status: 'archived' },
    });
    const { passed, waiting, differences } = await target.verify(restore);
    expect([passed, waiting]).toEqual([false, 1]);
    const pages = differences.filter(({ kind, field }) => kind === 'page' && field === '*');
    expect(new Set(pages.map(({ got }) => got))).toEqual(
      new Set([`missing: change request #${request?.number} was archived`]),
    );
  });

  it('is found as it was merged, whatever somebody else proposes or has given up since', async () => {
    const { restore } = await target.apply(await target.plan({ review: true }));
    for (const title of ['Guide', 'News']) await merge(await target.spaceCalled(title));
    const spaceId = await target.spaceCalled('Guide');
    const { Use: page = '' } = await pagesOf(target.client, spaceId);
    const changes = [{ type: 'update_page' as const, page, document: { markdown: 'Otherwise.' } }];
    const changeRequestId = (await addRequest(target.client, spaceId, { subject: 'Of somebody', changes })).id;
    expect(await target.verify(restore)).toMatchObject({ passed: true, waiting: 0 });
    await target.client.api.updateChangeRequest({ path: { spaceId, changeRequestId }, body: { status: 'archived' } });
    await edit(target.client, spaceId, { type: 'delete_page', page });
    const { passed, differences } = await target.verify(restore);
    const missing = differences.filter(({ kind, field }) => kind === 'page' && field === '*');
    expect([passed, missing.map(({ got }) => got)]).toEqual([false, ['missing']]);
  });

  it('links to what was restored in other spaces, whichever came first', async () => {
    await target.apply(await target.plan({ review: true }));
    const [guide, news] = [await target.spaceCalled('Guide'), await target.spaceCalled('News')];
    await merge(guide);
    await merge(news);
    const pageId = (await pagesOf(target.client, news))['First'] ?? '';
    const { markdown } = await target.client.api.getPage({
      path: { spaceId: news, pageId },
      query: { format: 'markdown' },
    });
    expect(markdown).toContain(`/spaces/${guide}/pages/${(await pagesOf(target.client, guide))['Install'] ?? ''}`);
  });

  it('says that comments and change requests do not come with it', async () => {
    const { steps } = await target.plan({ review: true });
    const left = steps.filter(({ note }) => note.includes('arrives for review comes without it'));
    expect(new Set(left.map(({ kind }) => kind))).toEqual(new Set(['change-request', 'comment']));
    expect(left).toHaveLength(7);
  });

  it('is found faithful in place, too, while its change requests wait', async () => {
    const use = { path: { spaceId: made.guide }, body: { subject: 'Bad' } };
    const { id } = await world.api.createChangeRequest(use);
    const path = { spaceId: made.guide, changeRequestId: id };
    const changes = [
      { type: 'update_page' as const, page: made.pages['Use'] ?? '', document: { markdown: '# Use\n\nBad.' } },
      { type: 'delete_page' as const, page: made.pages['Linux'] ?? '' },
    ];
    await world.api.changeContent({ path, body: { changes } });
    await world.api.mergeChangeRequest({ path });
    const { restore } = await place.apply(await place.plan({ review: true }));
    const report = await place.verify(restore);
    expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect([report.passed, report.waiting]).toEqual([true, 1]);
  });
});

describe('restore/plan, a page', () => {
  it('comes into another organization below the pages that it stood below, and the plan names those', async () => {
    const plan = await target.plan({ scope: `page:${made.pages['Linux'] ?? ''}` });
    expect(plan.closure).toContainEqual(
      expect.objectContaining({ kind: 'page', title: 'Install', why: 'holds page Linux' }),
    );
    expect(plan.steps.find(({ part }) => part === 'content')?.note).toContain('2 pages and 1 file by import');
    const { restore, failures } = await target.apply(plan);
    expect(failures).toEqual([]);
    expect((await target.verify(restore)).passed).toBe(true);
    const space = await target.spaceCalled('Guide');
    const { pages } = await target.client.api.getRevision({ path: { spaceId: space } });
    expect(pages.map(({ title, pages: below }) => [title, below?.map((one) => one.title)])).toEqual([
      ['Install', ['Linux']],
    ]);
  });

  it('comes alone where imports are limited', async () => {
    const limits = { importLimits: { maxPages: 1, maxBytes: null } };
    const plan = await target.plan({ scope: `page:${made.pages['Use'] ?? ''}`, ...limits });
    await target.apply(plan, limits);
    expect(Object.keys(await pagesOf(target.client, await target.spaceCalled('Guide')))).toEqual(['Use']);
  });
});
