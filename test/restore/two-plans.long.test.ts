// Two plans of one snapshot, and a plan beside a restore that was cut off: what one has brought back the other does not make again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addCollection } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

let there: Mirrored;

const anew = mirroredAnew(async (world) => {
  await addCollection(world, 'Shelf');
  await world.api.createTeam({ path: { organizationId: world.organization }, body: { title: 'Writers' } });
});

beforeEach(async () => {
  there = await anew();
});

afterEach(() => there.world[Symbol.asyncDispose]());

/** A comment with its reply, a team and an empty collection are deleted. */
async function vandalise(): Promise<void> {
  const { world, made } = there;
  const path = { organizationId: world.organization };
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  const [team] = (await world.api.listTeams({ path })).items;
  await world.api.deleteTeam({ path: { ...path, teamId: team?.id ?? '' } });
  const shelf = (await world.api.listCollections({ path })).items.find(({ title }) => title === 'Shelf');
  await world.api.deleteCollection({ path: { collectionId: shelf?.id ?? '' } });
}

/** How many of each stand. */
async function counts(): Promise<Record<string, number>> {
  const { world, made } = there;
  const path = { organizationId: world.organization };
  const { items: comments } = await world.api.listComments({ path: { spaceId: made.guide } });
  const { items: teams } = await world.api.listTeams({ path });
  const { items: collections } = await world.api.listCollections({ path });
  return {
    comments: comments.length,
    teams: teams.length,
    shelves: collections.filter(({ title }) => title === 'Shelf').length,
  };
}

/** Somebody deletes the comment that a restore has brought back. */
async function deleteBroughtBack(): Promise<void> {
  const { world, made } = there;
  const { items } = await world.api.listComments({ path: { spaceId: made.guide } });
  const back = items.find(({ body }) => JSON.stringify(body).includes('wrote on'));
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: back?.id ?? '' } });
}

describe('restore/in-place, two plans of one snapshot', () => {
  it('refuses the second plan, which would make a second comment, team and collection', async () => {
    const { place } = there;
    const whole = await counts();
    await vandalise();
    const [first, second] = [await place.plan(), await place.plan()];
    const { restore } = await place.apply(first);
    place.clear();
    const refused = expect(place.apply(second)).rejects;
    await refused.toMatchObject({
      code: 'DM_PLAN_STALE',
      message: expect.stringContaining(`restore ${restore} has made`) as string,
      hint: expect.stringContaining('Make a new plan') as string,
    });
    expect(place.writes()).toEqual({});
    expect(await counts()).toEqual(whole);
    expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
  });

  it('says of a plan that is done to verify it, and of one that is not to resume it', async () => {
    const { world, place } = there;
    await vandalise();
    const plan = await place.plan();
    world.platform.faults = [{ operation: 'createTeam', effect: 'cut-before' }];
    const { restore } = await place.apply(plan);
    world.platform.faults = [];
    const used = (command: string): object => ({
      code: 'DM_PLAN_USED',
      hint: expect.stringContaining(`restore ${command} ${restore}`) as string,
    });
    await expect(place.apply(plan)).rejects.toMatchObject(used('resume'));
    await place.resume(restore);
    await expect(place.apply(plan)).rejects.toMatchObject(used('verify'));
  });

  it('does not resume what another plan has brought back meanwhile, and says so', async () => {
    const { world, place } = there;
    const whole = await counts();
    await vandalise();
    const first = await place.plan();
    world.platform.faults = [{ operation: 'createComment', effect: 'cut-before' }];
    const { restore, failed } = await place.apply(first);
    expect(failed).toBe(1);
    world.platform.faults = [];
    const second = await place.plan();
    const { restore: other } = await place.apply(second);
    await expect(place.resume(restore)).rejects.toMatchObject({
      code: 'DM_PLAN_STALE',
      message: expect.stringContaining(
        `Restore ${restore} does not go on: restore ${other} has made comment`,
      ) as string,
    });
    expect(await counts()).toEqual(whole);
  });

  it('warns before it makes what a restore that was cut off may have made, and names the resume', async () => {
    const { world, place } = there;
    await vandalise();
    const plan = await place.plan();
    // The first listing tells what came since the plan was made; the next ones, what the lost answer was.
    const unseen = { operation: 'listComments', nth: 2, count: 100, effect: { status: 503 } } as const;
    world.platform.faults = [{ operation: 'createComment', effect: 'cut-after' }, unseen];
    const { restore } = await place.apply(plan);
    world.platform.faults = [];
    const { preflight } = await place.plan();
    const [warning] = preflight.filter(({ check }) => check === 'earlier restore');
    expect(warning?.detail).toContain(`docmirror restore resume ${restore}`);
    expect((await place.resume(restore)).failed).toBe(0);
    expect((await place.plan()).preflight.map(({ check }) => check)).not.toContain('earlier restore');
  });

  it('refuses what another may have made that failed at it, and names the resume', async () => {
    const { world, place } = there;
    await vandalise();
    const [first, second] = [await place.plan(), await place.plan()];
    world.platform.faults = ['createTeam', 'createCollection', 'createComment'].map((operation) => ({
      operation: operation as 'createTeam',
      effect: { status: 403 },
    }));
    const { restore } = await place.apply(first);
    world.platform.faults = [];
    await expect(place.apply(second)).rejects.toMatchObject({
      code: 'DM_PLAN_STALE',
      message: expect.stringContaining(`restore ${restore} may have made`) as string,
      hint: expect.stringContaining(`restore resume ${restore}`) as string,
    });
  });

  it('is applied beside another that failed at what it does not name, once what that has made has gone again', async () => {
    const { world, made, place } = there;
    const whole = await counts();
    await vandalise();
    const [first, second] = [await place.plan(), await place.plan({ scope: `space:${made.guide}` })];
    world.platform.faults = [{ operation: 'createTeam', effect: { status: 403 } }];
    await place.apply(first);
    world.platform.faults = [];
    await deleteBroughtBack();
    expect((await place.apply(second)).failures).toEqual([]);
    expect((await counts())['comments']).toBe(whole['comments']);
  });

  it('makes anew what an earlier restore has brought back and somebody has deleted again', async () => {
    const { place } = there;
    const whole = await counts();
    await vandalise();
    await place.apply(await place.plan());
    await deleteBroughtBack();
    expect((await place.apply(await place.plan())).failures).toEqual([]);
    expect(await counts()).toEqual(whole);
  });
});
