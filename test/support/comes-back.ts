// The property that whatever people have made comes back: by a drill, and by a mend in place of what they did since.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Plan, VerifyReport } from '../../src/restore/index.ts';
import { inPlace, type InPlace } from './in-place.ts';
import { drill } from './restore.ts';
import { TestWorld } from './world.ts';

/** What people make, told by a list of acts. */
export interface History<Acts, Made> {
  readonly acts: fc.Arbitrary<Acts>;
  readonly made: (world: TestWorld, acts: Acts) => Promise<Made>;
  readonly since: (world: TestWorld, made: Made, acts: Acts) => Promise<void>;
}

export interface Runs {
  readonly numRuns: number;
  readonly seed: number;
}

function expectAllBack({ differences, passed }: VerifyReport): void {
  expect(differences.filter((one) => one.class !== 'bestEffort')).toEqual([]);
  expect(passed).toBe(true);
}

/** A drill of whatever was made finds every field as it was. */
export function expectDrilled<Acts, Made>(
  { acts, made }: History<Acts, Made>,
  runs: Runs,
  prepare?: Parameters<typeof drill>[1],
): Promise<void> {
  const property = fc.asyncProperty(acts, async (all) => {
    await using world = await TestWorld.create();
    await made(world, all);
    await world.sync();
    expectAllBack(await drill(world, prepare));
  });
  return Promise.resolve(fc.assert(property, runs));
}

/** A mend in place of whatever was done since brings every field back as it was, leaves nothing to do, and can be taken back. */
export function expectMended<Acts, Made>({ acts, made, since }: History<Acts, Made>, runs: Runs): Promise<void> {
  const property = fc.asyncProperty(acts, acts, async (before, after) => {
    await using world = await TestWorld.create();
    const known = await made(world, before);
    await world.sync();
    const place: Place = { ...inPlace(world), organization: world.organization };
    world.clock.advance(60_000);
    await since(world, known, after);
    world.clock.advance(60_000);
    const back = await setBack(place);
    for (const { plan, restore } of back.toReversed()) await applied(place, await place.undo(restore, plan));
  });
  return Promise.resolve(fc.assert(property, runs));
}

interface Place extends InPlace {
  readonly organization: string;
}

/** Everything of the first organization; another may be there, to which something was transferred. */
function all({ organization }: Place) {
  return { scope: `organization:${organization}`, missing: true, changed: true, added: true };
}

interface Applied {
  readonly plan: Plan;
  readonly restore: string;
}

async function applied(place: Place, plan: Plan): Promise<Applied> {
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expectAllBack(await place.verify(restore));
  return { plan, restore };
}

function toDo({ steps }: Plan): Plan['steps'] {
  return steps.filter(({ part }) => part !== 'none');
}

/** One restore; a second one where spaces came out of the bin: what had changed in them shows only then, as the plan says. */
async function setBack(place: Place): Promise<Applied[]> {
  const plan = await place.plan(all(place));
  if (toDo(plan).length === 0) return [];
  const first = await applied(place, plan);
  const next = await place.plan(all(place));
  const isUndeleted = plan.steps.some(({ part }) => part === 'undelete');
  if (!isUndeleted || toDo(next).length === 0) {
    expect(toDo(next)).toEqual([]);
    return [first];
  }
  const second = await applied(place, next);
  expect(toDo(await place.plan(all(place)))).toEqual([]);
  return [first, second];
}
