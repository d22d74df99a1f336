// In place, spaces of an organization that the token is not shown, such as one that it is a guest in.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { edit, type Change } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { asGuest, twoOrganizations, type Twin } from '../support/two-organizations.ts';
import type { TestWorld } from '../support/world.ts';

const EIGHT_DAYS = 8 * 24 * 3_600_000;
const NOT_SHOWN = {
  check: 'organization',
  state: 'warn',
  detail: expect.stringContaining('is not shown to the token (403)'),
};

const spoilt = (page: string): Change => ({ type: 'update_page', page, document: { markdown: '# Ant\n\nSpoiled.' } });

let world: TestWorld;
let second: Twin;
let place: InPlace;

beforeEach(async () => {
  const twins = await twoOrganizations();
  ({ world, second } = twins);
  await asGuest(world, twins);
  const extraSpaces = [second.space, second.linking];
  await world.sync({ scope: { organizations: null, onlySpaces: null, extraSpaces, invites: [] } });
  place = inPlace(world, world.client, extraSpaces);
});

afterEach(() => world[Symbol.asyncDispose]());

it('a page of one is set back, by a resume too, and taken back: the plan was refused with the 403 of the platform', async () => {
  await edit(world, second.space, spoilt(second.ant));
  const plan = await place.plan({ scope: `space:${second.space}` });
  expect(plan.preflight).toContainEqual(NOT_SHOWN);
  const { restore, failed } = await place.apply(plan);
  expect([failed, await place.resume(restore)]).toMatchObject([0, { done: 1, failed: 0 }]);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
  expect(await place.apply(await place.undo(restore, plan))).toMatchObject({ done: 1, failed: 0 });
});

it('one that was deleted comes out of the bin', async () => {
  await world.api.deleteSpace({ path: { spaceId: second.linking } });
  const plan = await place.plan({ scope: `organization:${second.organization}` });
  expect(plan.steps.map(({ part, key }) => [part, key])).toEqual([['undelete', second.linking]]);
  expect(await place.apply(plan)).toMatchObject({ done: 1, failed: 0 });
  expect(await place.plan({ scope: `space:${second.linking}` })).toMatchObject({ steps: [] });
});

it('one that is gone for good is not made where the platform refuses that, and the plan says so before', async () => {
  await world.api.deleteSpace({ path: { spaceId: second.space } });
  world.clock.advance(EIGHT_DAYS);
  const plan = await place.plan({ scope: `space:${second.space}` });
  expect(plan.preflight).toContainEqual(NOT_SHOWN);
  const { failures } = await place.apply(plan);
  expect(failures[0]?.error).toContain('(createSpace) answered 403');
});

it('a resume goes on only while one of them is shown: to another account nothing of them is there', async () => {
  await edit(world, second.space, spoilt(second.ant));
  const { restore } = await place.apply(await place.plan({ scope: `space:${second.space}` }));
  const hidden = { pathPattern: `/spaces/${second.space}`, effect: { status: 403 } } as const;
  world.platform.faults = [...world.platform.faults, hidden];
  await expect(place.resume(restore)).rejects.toMatchObject({ code: 'DM_FORBIDDEN' });
});
