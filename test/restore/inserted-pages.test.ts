// Pages and files that are inserted, where the target has no import: which is which, and what a try that was cut off had done.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addSpace, edit, flatten, insert, pagesOf, type Change } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { createTarget, withoutImport } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let place: InPlace;
let space: string;

beforeEach(async () => {
  world = await TestWorld.create();
  place = inPlace(world);
  space = await addSpace(world, 'Inserted');
});

afterEach(() => world[Symbol.asyncDispose]());

async function paths(): Promise<string[]> {
  return flatten((await world.api.getRevision({ path: { spaceId: space } })).pages).map(({ path = '' }) => path);
}

describe('restore apply in place without import', () => {
  it.each(['lost', 'killed'] as const)(
    'goes on inserting where it was %s: pages below those were left out',
    async (cut) => {
      let into: string | undefined;
      for (const title of ['Top', 'Middle', 'Deep']) {
        await edit(world, space, insert(title, `Of ${title}.`, into === undefined ? {} : { into }));
        into = (await pagesOf(world, space))[title];
      }
      await world.sync();
      const before = await paths();
      await edit(world, space, { type: 'delete_page', page: (await pagesOf(world, space))['Top'] ?? '' });
      withoutImport(world.platform);
      const { restore, result } = await place.endure(await place.plan(), cut);
      expect(result.failures).toEqual([]);
      expect(await paths()).toEqual(before);
      expect((await place.verify(restore)).passed).toBe(true);
    },
  );
});

describe('restore apply without import', () => {
  it('tells pages apart where the target gives them slugs of its own: one was taken for the other', async () => {
    const swapped: Change[] = [
      { type: 'insert_page', title: 'First', slug: 'second', document: { markdown: 'Of the first.' } },
      { type: 'insert_page', title: 'Second', slug: 'first', document: { markdown: 'Of the second.' } },
    ];
    await edit(world, space, ...swapped);
    await world.sync();
    await using target = await createTarget(world);
    withoutImport(target.platform);
    await using proxy = await rewriting(world, target.platform);
    proxy.send = ({ path }, text) => (path.endsWith('/content') ? text.replaceAll(/,"slug":"[^"]*"/g, '') : undefined);
    const { restore } = await target.apply(await target.plan(), { client: proxy.client });
    const { differences } = await target.verify(restore);
    expect(differences.flatMap((one) => (one.class === 'exact' ? [one.field] : []))).toEqual(['slug', 'slug']);
  });
});
