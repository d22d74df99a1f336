// What was lost, brought back and lost again has another id in each snapshot: whichever of them is restored, it comes back once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

let there: Mirrored;

const anew = mirroredAnew(({ api, organization }) =>
  api.createTeam({ path: { organizationId: organization }, body: { title: 'Writers' } }),
);

beforeEach(async () => {
  there = await anew();
});

afterEach(() => there.world[Symbol.asyncDispose]());

async function standing(): Promise<{ comments: string[]; teams: string[] }> {
  const { world, made } = there;
  const comments = await world.api.listComments({ path: { spaceId: made.guide } });
  const teams = await world.api.listTeams({ path: { organizationId: world.organization } });
  return { comments: comments.items.map(({ id }) => id), teams: teams.items.map(({ id }) => id) };
}

async function counts(): Promise<{ comments: number; teams: number }> {
  const { comments, teams } = await standing();
  return { comments: comments.length, teams: teams.length };
}

/** All comments, with their replies, and all teams are deleted. */
async function lose(): Promise<void> {
  const { world, made } = there;
  const { comments, teams } = await standing();
  for (const commentId of comments) await world.api.deleteComment({ path: { spaceId: made.guide, commentId } });
  for (const teamId of teams) await world.api.deleteTeam({ path: { organizationId: world.organization, teamId } });
}

/** Everything is lost, brought back, mirrored as it came back, and lost again; the snapshot of what came back. */
async function lostTwice(): Promise<number> {
  const { world, place } = there;
  await lose();
  expect((await place.apply(await place.plan())).failures).toEqual([]);
  const { snapshot } = await world.sync();
  await lose();
  return snapshot.id;
}

describe('restore/in-place, two snapshots of what was lost twice', () => {
  it('refuses the plan of the one once that of the other has brought the same things back', async () => {
    const { place } = there;
    const whole = await counts();
    const later = await lostTwice();
    const [first, second] = [await place.plan(), await place.plan({ snapshot: later })];
    const { restore } = await place.apply(first);
    place.clear();
    await expect(place.apply(second)).rejects.toMatchObject({
      code: 'DM_PLAN_STALE',
      message: expect.stringContaining(`restore ${restore} has made`) as string,
    });
    expect(place.writes()).toEqual({});
    expect(await counts()).toEqual(whole);
  });

  it('finds nothing missing in the later one once the earlier one has brought it back', async () => {
    const { place } = there;
    const later = await lostTwice();
    await place.apply(await place.plan());
    const { steps } = await place.plan({ snapshot: later });
    expect(steps.filter(({ part }) => part !== 'none')).toEqual([]);
  });

  it('brings it back from the later one when it was lost a third time', async () => {
    const { place } = there;
    const whole = await counts();
    const later = await lostTwice();
    await place.apply(await place.plan());
    await lose();
    expect((await place.apply(await place.plan({ snapshot: later }))).failures).toEqual([]);
    expect(await counts()).toEqual(whole);
  });

  it('does not bring back by an undo what another restore has brought back since', async () => {
    const { world, made, place } = there;
    await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'Later' } } });
    const { snapshot } = await world.sync();
    const whole = await counts();
    const plan = await place.plan({ added: true });
    const { restore } = await place.apply(plan);
    world.clock.advance(60_000);
    await place.apply(await place.plan({ snapshot: snapshot.id }));
    expect(await counts()).toEqual(whole);
    const back = await place.undo(restore, plan);
    expect(back.steps.filter(({ part }) => part !== 'none')).toEqual([]);
  });
});
