// An undo that has not come to its end, and another restore that was carried out meanwhile.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { halfUndone } from '../../src/mirror/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { cutOnce } from '../support/cutting.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let there: Mirrored;
let restore: string;
let plan: Plan;
let undo: string;

/** Of two spaces that came out of the bin, the undo has taken one away again. */
beforeEach(async () => {
  there = await anew();
  const { world, made, place } = there;
  for (const spaceId of [made.guide, made.news]) await world.api.deleteSpace({ path: { spaceId } });
  plan = await place.plan();
  ({ restore } = await place.apply(plan));
  const back = await place.undo(restore, plan);
  world.platform.faults = [{ operation: 'deleteSpace', nth: 2, effect: { status: 503 } }];
  ({ restore: undo } = await place.apply(back));
  world.platform.faults = [];
  expect(halfUndone(world.mirror).get(restore)).toBe(undo);
});

afterEach(() => there.world[Symbol.asyncDispose]());

async function standing(): Promise<number> {
  const path = { organizationId: there.world.organization, userId: there.world.platform.owner };
  return (await there.world.api.listMemberSpaces({ path })).items.length;
}

it('restore/plan says that the undo comes first, and an undo of the same restore says nothing of it', async () => {
  const said = ({ preflight }: Plan): string[] =>
    preflight.filter(({ check }) => check === 'earlier restore').map(({ detail }) => detail);
  expect(said(await there.place.plan())).toEqual([
    expect.stringContaining(`restore ${undo} is taking back restore ${restore}, and has not come to its end`),
  ]);
  expect(said(await there.place.undo(restore, plan))).toEqual([]);
});

it('restore/resume of the undo is refused once another restore has brought things back: it took them away again', async () => {
  const { place } = there;
  const { failures } = await place.apply(await place.plan());
  expect([failures, await standing()]).toEqual([[], 2]);
  place.clear();
  await expect(place.resume(undo)).rejects.toMatchObject({
    code: 'DM_PLAN_STALE',
    hint: expect.stringContaining(`docmirror restore undo ${restore}`) as string,
  });
  expect([place.writes(), await standing()]).toEqual([{}, 2]);
});

it('restore/resume of the undo is refused once another restore may have brought something back, and was killed before it noted that', async () => {
  const { world, place } = there;
  const client = cutOnce(world.client, { cut: 'killed', nth: 0, sent: true });
  await expect(place.apply(await place.plan(), { client })).rejects.toThrow('killed');
  expect(await standing()).toBe(2);
  await expect(place.resume(undo)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
});

it('restore/resume of the undo goes on once the other restore was taken back', async () => {
  const { place } = there;
  const second = await place.plan();
  const { restore: other } = await place.apply(second);
  expect((await place.apply(await place.undo(other, second))).failures).toEqual([]);
  expect((await place.resume(undo)).failures).toEqual([]);
  expect(await standing()).toBe(0);
});

it('restore/resume of the undo goes on while no other restore has written', async () => {
  expect((await there.place.resume(undo)).failures).toEqual([]);
  expect(await standing()).toBe(0);
});
