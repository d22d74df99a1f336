// Every read of a walk is answered as no platform should: a clear error or a true mirror, and the next walk makes all good.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentMatrix, organizationMatrix } from '../support/changing-worlds.ts';
import { CONTENT_OPERATIONS, ORGANIZATION_OPERATIONS, type Asked } from '../support/fault-matrix.ts';
import { MutatedWalks } from './mutated-walk.ts';
import { MUTATIONS } from './mutations.ts';
import { chanceFor, oneOf, runs, SEED } from './runs.ts';

const WORLDS = [
  ['content', () => contentMatrix({ settings: { documents: true } }), CONTENT_OPERATIONS],
  ['organization', organizationMatrix, ORGANIZATION_OPERATIONS],
] as const;

describe.each(WORLDS)(`fuzz/responses, %s (seed ${SEED})`, (_, create, operations: readonly Asked[]) => {
  let walks: MutatedWalks;

  beforeAll(async () => {
    walks = await MutatedWalks.of(await create());
  });

  afterAll(() => walks[Symbol.asyncDispose]());

  it('meets every operation that a walk of this world calls', () => {
    expect([...walks.calls.keys()]).toEqual(expect.arrayContaining(operations.filter((name) => name !== 'download')));
  });

  const mutated = operations.filter((name) => name !== 'download');
  it.each(mutated)('stays honest whatever %s answers', async (operation) => {
    const random = chanceFor(operation);
    for (let run = runs(1); run > 0; run--) {
      const trial = { operation, mutation: oneOf(random, MUTATIONS), random };
      await walks.expectHonestUnder(trial).catch((error: unknown) => {
        throw new Error(`${operation}, ${trial.mutation}, seed ${SEED}`, { cause: error });
      });
    }
  });
});
