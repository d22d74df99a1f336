// An apply that loses any of its writes, before or after it is processed, and is then resumed, ends where an undisturbed one does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import type { VerifyReport } from '../../src/restore/index.ts';
import { edit, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';
import { rowsOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

const WRITES = [
  'createCollection',
  'updateCollection',
  'createSpace',
  'importContent',
  'createChangeRequest',
  'importChangeRequestContent',
  'updateChangeRequest',
  'createComment',
  'updateComment',
  'createCommentReply',
  'createChangeRequestComment',
  'createChangeRequestCommentReply',
  'updateSpace',
  'updateOrganization',
] as const;

let world: TestWorld;
let undisturbed: { counts: Record<string, number>; fidelity: VerifyReport['fidelity'] };

beforeAll(async () => {
  const furnished = await furnishedWorld();
  world = furnished;
  const { made } = furnished;
  // What can only be told apart with care: the same text twice, the same title twice, a space that takes no more imports.
  for (const markdown of ['Same words', 'Same words']) {
    await world.api.createComment({ path: { spaceId: made.news }, body: { body: { markdown } } });
  }
  const path = { organizationId: world.organization };
  for (const title of ['Twin', 'Twin']) {
    const { id } = await world.api.createSpace({ path, body: { title, parent: made.collection } });
    await edit(world, id, insert('Page', 'the same in both'));
  }
  await world.api.updateSpace({ path: { spaceId: made.news }, body: { editMode: 'locked' } });
  await world.sync();
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  const { fidelity, passed, counts } = await target.verifyCounting(restore);
  expect(passed).toBe(true);
  undisturbed = { counts, fidelity };
});

afterAll(() => world[Symbol.asyncDispose]());

type Target = Awaited<ReturnType<typeof createTarget>>;

async function expectSameEnd(target: Target, restore: string): Promise<void> {
  const { failures, failed, skipped } = await target.resume(restore);
  expect([failures, failed, skipped]).toEqual([[], 0, 0]);
  const { fidelity, passed, counts } = await target.verifyCounting(restore);
  expect(counts).toEqual(undisturbed.counts);
  // What the platform sets by itself (times, numbers) differs from run to run.
  const { exact, bestEffort } = fidelity;
  expect([passed, exact, bestEffort]).toEqual([true, undisturbed.fidelity.exact, undisturbed.fidelity.bestEffort]);
}

describe('restore/resume', () => {
  it.each(['lost', 'killed'] as const)(
    'ends the same when every write is %s, unsent and then processed',
    async (cut) => {
      await using target = await createTarget(world);
      const { restore, before, after } = await target.endure(await target.plan(), cut);
      // Where only the answer is lost the work goes on at once, past siblings that were not sent: those move to their place.
      const writes = new Set(cut === 'lost' ? [...WRITES, 'moveSpace'] : WRITES);
      expect([before, after]).toEqual([writes, writes]);
      await expectSameEnd(target, restore);
    },
  );

  it('does nothing when everything is done', async () => {
    await using target = await createTarget(world);
    const { restore, done } = await target.apply(await target.plan());
    target.platform.clearRequestLog();
    expect(await target.resume(restore)).toMatchObject({ done, failed: 0, requests: 0 });
    expect(target.writes()).toEqual([]);
  });

  it('stops at a refused token and keeps what was done', async () => {
    await using target = await createTarget(world);
    const [plan, effect] = [await target.plan(), { status: 401 }];
    target.platform.faults = [
      { operation: 'createSpace', nth: 2, count: 100, effect },
      { operation: 'listOrganizations', count: 100, effect },
    ];
    await expect(target.apply(plan)).rejects.toMatchObject({ code: 'DM_TOKEN_REFUSED' });
    target.platform.faults = [];
    const { id = '' } = listRestores(world.mirror).findLast(({ target: url }) => url === target.platform.url) ?? {};
    const [done] = rowsOf(
      world.mirror,
      `select count(*) as n from restore_steps where restore = ? and state = 'done'`,
      id,
    );
    expect(Number(done?.['n'])).toBeGreaterThan(0);
    await expectSameEnd(target, id);
  });

  it('goes on past a write at which the target refuses the token that it takes at others: each resume ended there', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    target.platform.faults = [{ operation: 'createCollection', count: 100, effect: { status: 401 } }];
    const { restore, failures, done, skipped } = await target.apply(plan);
    const [first] = failures.filter((one) => !one.skipped);
    expect(first).toMatchObject({ kind: 'collection', hint: expect.stringContaining('the right to this one') });
    expect([done > 0, skipped > 0]).toEqual([true, true]);
    target.platform.faults = [];
    await expectSameEnd(target, restore);
  });

  it('asks once more where the target refuses the token a single time', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    const effect = { status: 401 };
    target.platform.faults = WRITES.map((operation) => ({ operation, nth: 1, count: 1, effect }));
    const { restore, failures } = await target.apply(plan);
    target.platform.faults = [];
    expect(failures).toEqual([]);
    const { passed, counts } = await target.verifyCounting(restore);
    expect([passed, counts]).toEqual([true, undisturbed.counts]);
  });

  it('stops when the target no longer answers, instead of failing every step that is left', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    target.platform.faults = [{ nth: 12, count: 100_000, effect: 'cut-before' }];
    await expect(target.apply(plan)).rejects.toMatchObject({ code: 'DM_UNREACHABLE' });
    target.platform.faults = [];
    const { id = '' } = listRestores(world.mirror).findLast(({ target: url }) => url === target.platform.url) ?? {};
    const failed = rowsOf(world.mirror, `select * from restore_steps where restore = ? and state = 'failed'`, id);
    expect(failed).toHaveLength(1);
    await expectSameEnd(target, id);
  });

  it('makes no second change request when a reviewed restore is resumed', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'importChangeRequestContent', nth: 1, effect: 'cut-before' }];
    const { restore } = await target.apply(await target.plan({ review: true }));
    target.platform.faults = [{ operation: 'importChangeRequestContent', nth: 1, effect: 'cut-after' }];
    await target.resume(restore);
    target.platform.faults = [];
    const { failures } = await target.resume(restore);
    expect(failures).toEqual([]);
    const { 'change-request': requests, space: spaces } = await target.counts();
    expect([requests, spaces]).toEqual([undisturbed.counts['space'], undisturbed.counts['space']]);
  });
});
