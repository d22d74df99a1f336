// An undo takes away the spaces that the restore made, but for those that somebody changed since.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shiftedClock, systemClock, type ShiftedClock } from '../../src/base/index.ts';
import { listRestores } from '../../src/mirror/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { edit, insert } from '../support/content.ts';
import { mirrored, type Mirrored } from '../support/in-place.ts';

const PURGED = 7 * 86_400_000 + 3_600_000;
const HOUR = 3_600_000;

let there: Mirrored;
/** Of the platform; that of Docmirror is the world's. */
let clock: ShiftedClock;
let plan: Plan;

beforeEach(async () => {
  clock = shiftedClock(systemClock());
  there = await mirrored(undefined, { clock });
  const { world, made, place } = there;
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  for (const one of [clock, world.clock]) one.advance(PURGED);
  plan = await place.plan();
});

afterEach(() => there.world[Symbol.asyncDispose]());

/** What becomes of the space that the restore made. */
async function undone(restore: string): Promise<string[]> {
  const { steps } = await there.place.undo(restore, plan);
  return steps.filter(({ kind }) => kind === 'space').map(({ action, title }) => `${action} ${title}`);
}

/** Somebody adds a page to it. */
async function changeGuide(): Promise<void> {
  const { items } = await there.world.api.listCollectionSpaces({ path: { collectionId: there.made.nested } });
  const guide = items.find(({ title }) => title === 'Guide')?.id ?? '';
  await edit(there.world, guide, insert('Mine', 'Written after the restore.'));
}

describe('restore/undo of a space that was made anew', () => {
  it('takes it away where the clock of the platform is ahead of ours', async () => {
    clock.advance(HOUR);
    const { restore } = await there.place.apply(plan);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it('leaves it when somebody changed it, where the clock of the platform is behind ours', async () => {
    there.world.clock.advance(HOUR);
    const { restore } = await there.place.apply(plan);
    clock.advance(60_000);
    await changeGuide();
    expect(await undone(restore)).toEqual(['unsupported Guide']);
  });

  it('leaves it when somebody changed it before the restore was gone on with', async () => {
    const { world, place } = there;
    world.platform.faults = [{ operation: 'createComment', effect: { status: 500 } }];
    const { restore, failed } = await place.apply(plan);
    expect(failed).toBeGreaterThan(0);
    world.platform.faults = [];
    for (const one of [clock, world.clock]) one.advance(60_000);
    await changeGuide();
    for (const one of [clock, world.clock]) one.advance(60_000);
    expect((await place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['unsupported Guide']);
  });

  it('takes it away when only the restore itself went on with it', async () => {
    const { world, place } = there;
    world.platform.faults = [{ operation: 'createComment', effect: { status: 500 } }];
    const { restore } = await place.apply(plan);
    world.platform.faults = [];
    for (const one of [clock, world.clock]) one.advance(60_000);
    expect((await place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it('takes it away when the restore was cut off after its last write, and gone on with', async () => {
    const { world, made, place } = there;
    clock.advance(HOUR);
    const call = (name: string, input: { path: { spaceId?: string } }, options: unknown): Promise<unknown> => {
      const isMade = name === 'getSpace' && input.path.spaceId !== made.news;
      if (isMade) return Promise.reject(new DOMException('killed', 'AbortError'));
      return world.client.call(name as never, input as never, options as never);
    };
    const cut = new Proxy(world.client, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'call') return call;
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await expect(place.apply(plan, { client: cut })).rejects.toThrow('killed');
    const [{ id: restore } = { id: '' }] = listRestores(world.mirror);
    expect((await place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });
});
