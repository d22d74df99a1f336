// A first walk knows of a space's pages once it has read its tree: until then each space is one visit that waits.
import { expect, it } from 'vitest';
import type { WalkProgress } from '../../src/walker/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const SPACES = 8;
const PAGES = 20;

it('walker/progress reckons with the pages of spaces whose tree was not read yet: a first walk of minutes had a second left all the time', async () => {
  await using world = await TestWorld.create();
  const pages = Array.from({ length: PAGES }, (_, number) => insert(`P${number}`, 'text'));
  for (let number = 0; number < SPACES; number++) await edit(world, await addSpace(world, `S${number}`), ...pages);
  const client = world.hooked(() => world.clock.advance(1000));
  const told: WalkProgress[] = [];
  const settings = { lanes: 1, documents: true };
  await world.sync({ client, settings, onProgress: (progress) => told.push(progress) });
  const all = told.at(-1)?.visited ?? 0;
  expect(told.some(({ ahead }) => ahead === null)).toBe(true);
  // Once the first space was read.
  const early = told.filter(({ visited }) => visited > all / 4 && visited < all / 2);
  expect(early.length).toBeGreaterThan(10);
  for (const { visited, waiting, ahead } of early) {
    expect(visited + waiting, 'what is known of').toBeLessThan(all * 0.8);
    expect(visited + waiting + (ahead ?? 0)).toBeGreaterThan(all * 0.85);
    expect(visited + waiting + (ahead ?? 0)).toBeLessThan(all * 1.2);
  }
  expect(told.at(-1)?.ahead).toBe(0);
});
