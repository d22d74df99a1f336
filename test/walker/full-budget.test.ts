// Full walks that have no room for all: each goes on with what none has read for longest.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs, SEED } from '../fuzz/runs.ts';
import { createLogger } from '../../src/base/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

interface Spaces {
  readonly world: TestWorld;
  readonly ids: readonly string[];
}

async function withPages(sizes: readonly number[]): Promise<Spaces> {
  const world = await TestWorld.create();
  const ids: string[] = [];
  for (const [number, size] of sizes.entries()) {
    const space = await addSpace(world, `S${number}`);
    await edit(world, space, ...Array.from({ length: size }, (_, at) => insert(`P${at}`, 'text')));
    ids.push(space);
  }
  await world.sync();
  return { world, ids };
}

/** Ids of the spaces of which one full walk reads everything. */
async function readWhole({ world, ids }: Spaces, maxRequests: number): Promise<string[]> {
  const { failures } = await world.sync({ mode: 'full', settings: { maxRequests } });
  return ids.filter((space) => !failures.some(({ resource }) => resource.startsWith(space)));
}

const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 });
const worlds = fc.record({ pages: sizes, hasNights: fc.boolean(), maxRequests: fc.integer({ min: 30, max: 45 }) });

it('walker: full walks with a small budget read every space once before any of them twice, whatever nights lie between: they began with the same spaces for good', async () => {
  const property = fc.asyncProperty(worlds, async ({ pages, hasNights, maxRequests }) => {
    const made = await withPages(pages);
    await using world = made.world;
    // By space, the walk that read it last.
    const last = new Map(made.ids.map((space) => [space, 0]));
    for (let walk = 1; walk <= pages.length + 1; walk++) {
      const read = await readWhole(made, maxRequests);
      const left = made.ids.filter((space) => !read.includes(space));
      const lastOf = (spaces: readonly string[]): number[] => spaces.map((space) => last.get(space) ?? 0);
      expect(Math.max(0, ...lastOf(read))).toBeLessThanOrEqual(Math.min(walk, ...lastOf(left)));
      for (const space of read) last.set(space, walk);
      if (hasNights) await world.sync();
    }
    expect(Math.min(...last.values())).toBeGreaterThan(0);
  });
  await fc.assert(property, { numRuns: runs(1), seed: SEED });
});

it('walker: a space that is larger than the budget of full walks lets the others have their turn', async () => {
  const made = await withPages([1, 45, 1]);
  await using _world = made.world;
  const [small = '', large = '', other = ''] = made.ids;
  const read: string[] = [];
  for (let walk = 0; walk < 4; walk++) read.push(...(await readWhole(made, 40)));
  expect(read).not.toContain(large);
  expect(new Set(read)).toEqual(new Set([small, other]));
});

it('walker: one that has too small a budget says so of the next one of its mode: a night got whole after it was said that none does', async () => {
  const { world } = await withPages([3, 3, 3]);
  await using _world = world;
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
  const quiet = (await world.sync()).snapshot.requests;
  const settings = { maxRequests: quiet };
  expect((await world.sync({ log, mode: 'full', settings })).snapshot.state).toBe('partial');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { mode: 'full', msg: expect.stringMatching(/^the next walk of this mode takes more than walk\.maxRequests/) },
  ]);
  await world.sync();
  expect((await world.sync({ settings })).snapshot.state).toBe('complete');
});
