// What takes long of many pages: a daemon that was told to end, or was asked whether it lives, answered only after it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePlan } from '../../src/restore/plan.ts';
import { verifyRestore } from '../../src/restore/verify.ts';
import { walkedWholeWorld } from '../support/furnished.ts';
import { createTarget, observer, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let target: Target;

beforeAll(async () => {
  world = await walkedWholeWorld();
  target = await createTarget(world);
});

afterAll(async () => {
  await target[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Told to end as soon as others have their turn. */
function endSoon(stop: AbortController): void {
  setImmediate(() => stop.abort(new Error('told to end')));
}

it('restore/plan ends amid its steps when it is told to: of 10,000 pages a daemon heard nothing for three seconds', async () => {
  const stop = new AbortController();
  const planning = makePlan({
    ...target.settings,
    snapshot: 1,
    targetUrl: target.platform.url,
    scope: null,
    where: null,
    toOrganization: null,
    intoExisting: false,
    review: false,
    signal: stop.signal,
    // Asked for once the target was read.
    get people() {
      endSoon(stop);
      return null;
    },
  });
  await expect(planning).rejects.toThrow('told to end');
});

it('restore/verify ends amid its comparison when it is told to: of 10,000 pages a daemon heard nothing for six seconds', async () => {
  const { restore } = await target.apply(await target.plan());
  const stop = new AbortController();
  const verifying = verifyRestore({
    ...target.settings,
    restore,
    signal: stop.signal,
    observeTarget: async (client, observed) => {
      const view = await observer(world)(client, observed);
      endSoon(stop);
      return view;
    },
  });
  await expect(verifying).rejects.toThrow('told to end');
});
