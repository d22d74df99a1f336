// One space is mended in place, and it alone is read.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addCollection, edit } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { observer } from '../support/restore.ts';
import { snapshotById } from '../../src/mirror/index.ts';
import type { Plan } from '../../src/restore/index.ts';

const anew = mirroredAnew();

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];
let scope: string;

beforeEach(async () => {
  ({ world, made, place } = await anew());
  scope = `space:${made.guide}`;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Install'] ?? '' });
});

afterEach(() => world[Symbol.asyncDispose]());

const liveState = ({ preflight }: Plan) => preflight.find(({ check }) => check === 'live state');
const isLimited = ({ live }: Plan): boolean => snapshotById(world.mirror, live?.snapshot ?? 0).scope !== null;

describe('restore/in-place of one space', () => {
  it('says apart what was not read of it, and that nothing else was: the one read as the reason of the other', async () => {
    world.platform.faults = [{ operation: 'getRevision', effect: { status: 500 } }];
    const plan = await place.plan({ scope });
    expect(liveState(plan)).toMatchObject({
      state: 'warn',
      detail: expect.stringMatching(
        /^snapshot 2 is partial: 1 revision not read; that is taken as it was before\. .*: plan again\. Only the spaces that it is about were read; all else is as it was in snapshot 1 of .*; --full reads it too$/,
      ),
    });
  });

  it('says that all else was not read to its end the last time either: the plan named that snapshot as if it were whole', async () => {
    world.platform.faults = [{ operation: 'listSites', effect: { status: 500 } }];
    await world.sync();
    world.platform.faults = [];
    expect(liveState(await place.plan({ scope }))).toMatchObject({
      state: 'warn',
      detail: expect.stringMatching(
        /; all else is as it was in snapshot 2 of .* UTC, which is partial: not all sites read; --full reads it too$/,
      ),
    });
  });

  it.each([
    ['moved', true, () => world.api.moveSpace({ path: { spaceId: made.guide }, body: { parent: null } })],
    [
      'moved into a collection that nobody has mirrored',
      true,
      async () => {
        const parent = await addCollection(world, 'New');
        await world.api.moveSpace({ path: { spaceId: made.guide }, body: { parent } });
      },
    ],
    ['deleted', false, () => world.api.deleteSpace({ path: { spaceId: made.guide } })],
  ])('takes it back where the space was %s since', async (_what, stands, change) => {
    const plan = await place.plan({ scope });
    expect(isLimited(plan)).toBe(true);
    const { restore, failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    await change();
    // Nothing of it goes into the mirror.
    expect(await place.verify(restore, observer(world))).toMatchObject({ passed: stands });
    const undo = await place.undo(restore, plan);
    expect([isLimited(undo), undo.steps.map(({ part }) => part)]).toEqual([false, stands ? ['pages'] : []]);
    expect((await place.apply(undo)).failures).toEqual([]);
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect((await place.differences(snapshot.id)).filter((one) => !one.includes(' link '))).toEqual([]);
  });
});
