// Pages that two plans name come back once: what another plan has brought back, or has put into a change request, is not brought back again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/mirror/index.ts';
import { wroteNothing } from '../../src/restore/journal/step-journal.ts';
import { edit, flatten } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let there: Mirrored;

beforeEach(async () => {
  there = await anew();
  const { world, made } = there;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Install'] ?? '' });
});

afterEach(() => there.world[Symbol.asyncDispose]());

async function titles(): Promise<string[]> {
  const { world, made } = there;
  const { pages } = await world.api.getRevision({ path: { spaceId: made.guide } });
  return flatten(pages).map(({ title }) => title);
}

const WHOLE = ['Home', 'Install', 'Linux', 'Use'];

/** What a restore put into the guide for people to review. */
async function waiting(restore: string): Promise<{ spaceId: string; changeRequestId: string }> {
  const { world, made } = there;
  const path = { spaceId: made.guide };
  const { items } = await world.api.listChangeRequests({ path, query: { status: 'draft' } });
  return { ...path, changeRequestId: items.find(({ subject }) => subject.includes(restore))?.id ?? '' };
}

describe('restore/in-place, pages that two plans name', () => {
  it('does not resume a restore that had not merged its pages once another plan has brought them back', async () => {
    const { world, place } = there;
    world.platform.faults = [{ operation: 'mergeChangeRequest', effect: 'cut-before' }];
    const { restore } = await place.apply(await place.plan());
    world.platform.faults = [];
    await place.apply(await place.plan());
    await expect(place.resume(restore)).rejects.toMatchObject({
      code: 'DM_PLAN_STALE',
      message: expect.stringContaining(`Restore ${restore} does not go on`) as string,
    });
    expect(await titles()).toEqual(WHOLE);
  });

  it('knows of a restore that could not read what it was to write that it wrote nothing: it was taken for one that may have', async () => {
    const { world, place } = there;
    const plan = await place.plan();
    world.platform.faults = [{ operation: 'listChangeRequests', effect: { status: 500 } }];
    place.clear();
    const { restore, failures } = await place.apply(plan);
    expect(failures[0]?.error).toContain('(listChangeRequests) answered 500');
    expect(place.writes()).toEqual({});
    expect(stepsOf(world.mirror, restore).map(wroteNothing)).toEqual([true, true]);
    world.platform.faults = [];
    const again = await place.plan();
    expect(again.preflight.filter(({ state }) => state === 'warn')).toEqual([]);
    expect((await place.apply(again)).failures).toEqual([]);
    expect(await titles()).toEqual(WHOLE);
  });

  it('refuses a plan whose pages wait in the change request of another, and the new plan says so beforehand', async () => {
    const { world, place } = there;
    const [first, second] = [await place.plan({ review: true }), await place.plan({ review: true })];
    const { restore } = await place.apply(first);
    const refused = {
      code: 'DM_PLAN_STALE',
      message: expect.stringMatching(
        `restore ${restore} has brought page Install back in change request \\d+`,
      ) as string,
      hint: expect.stringContaining('Merge that change request, or archive it') as string,
    };
    place.clear();
    await expect(place.apply(second)).rejects.toMatchObject(refused);
    const live = await place.plan();
    expect(live.preflight.find(({ check }) => check === 'earlier restore')?.detail).toContain('waits to be merged');
    await expect(place.apply(live)).rejects.toMatchObject(refused);
    expect(place.writes()).toEqual({});
    expect(stepsOf(world.mirror, restore).map(wroteNothing)).toEqual([false, false]);
    await world.api.mergeChangeRequest({ path: await waiting(restore) });
    expect(await titles()).toEqual(WHOLE);
    expect((await place.plan()).preflight.map(({ check }) => check)).not.toContain('earlier restore');
  });

  it('brings them back once that change request is archived', async () => {
    const { world, place } = there;
    const { restore } = await place.apply(await place.plan({ review: true }));
    await world.api.updateChangeRequest({ path: await waiting(restore), body: { status: 'archived' } });
    const plan = await place.plan();
    expect(plan.preflight.map(({ check }) => check)).not.toContain('earlier restore');
    expect((await place.apply(plan)).failures).toEqual([]);
    expect(await titles()).toEqual(WHOLE);
  });
});
