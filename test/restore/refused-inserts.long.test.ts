// Without an import: the platform refuses to insert one page of many.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyResult } from '../../src/restore/index.ts';
import { addSpace, edit, flatten, importFiles, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { BOOK } from '../support/refused-content.ts';
import { createTarget, withoutImport, type Target } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

const BELOW = ['book/odd/two-a', 'book/odd/two-a/deep'];
const BESIDE = ['book', 'book/one', 'book/one/one-a', 'book/one/one-b', 'book/three'];
const WHOLE = [...BESIDE, 'book/odd', ...BELOW].toSorted();
const RAISED = [...BESIDE, 'book/two-a', 'book/two-a/deep'].toSorted();

let world: TestWorld;
let book: string;

const anew = worldAnew(async (one) => {
  const space = await addSpace(one, 'Book');
  await importFiles(one, space, BOOK);
  await one.sync();
  return { book: space };
});

beforeEach(async () => {
  ({ world, book } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

/** No edit goes in that has the mark. */
function refusing(proxy: Rewriting, mark: string): void {
  proxy.send = ({ path }, text) => (path.endsWith('/content') && text.includes(mark) ? '{"changes":[]}' : undefined);
}

function told({ failures }: ApplyResult): string[] {
  return failures.map(({ error }) => error);
}

async function pathsIn({ client }: Pick<Target, 'client'>, spaceId: string): Promise<string[]> {
  const { pages } = await client.call('getRevision', { path: { spaceId } });
  return flatten(pages)
    .map(({ path = '' }) => path)
    .toSorted();
}

describe('restore, a page that no edit inserts', () => {
  it('is named, and those below it come below the page above (made anew): they were left out', async () => {
    await using target = await createTarget(world);
    withoutImport(target.platform);
    await using proxy = await rewriting(world, target.platform);
    refusing(proxy, '"title":"Odd"');
    const result = await target.apply(await target.plan(), { client: proxy.client });
    expect(result.lacking).toBe(1);
    expect(told(result).join('; ')).toMatch(
      /page Odd was refused: .* 400.*; 1 page that stood below it came below page Book/,
    );
    expect(await pathsIn(target, await target.spaceCalled('Book'))).toEqual(RAISED);
  });

  it.each([
    ['"title":"Odd"', /^page Odd was refused: .* 400.*; 1 page that stood below it came below page Book/, RAISED],
    ['HEAVY', /page Odd came with its title alone: .* 400/, WHOLE],
    ['"description":"On two"', /page Odd came with its title and text alone: .* 400/, WHOLE],
  ] as const)(
    'is named, and those below it come all the same (in place, %s): they were left out',
    async (mark, words, paths) => {
      const { Odd: page = '' } = await pagesOf(world, book);
      await edit(world, book, { type: 'delete_page', page });
      withoutImport(world.platform);
      await using proxy = await rewriting(world);
      refusing(proxy, mark);
      const place = inPlace(world, proxy.client);
      const result = await place.apply(await place.plan());
      expect(result.lacking).toBe(1);
      expect(told(result)).toEqual([expect.stringMatching(words)]);
      expect(await pathsIn(world, book)).toEqual(paths);
    },
  );

  it('is named, and nothing is there twice, where each write is cut off', async () => {
    const { Odd: page = '' } = await pagesOf(world, book);
    await edit(world, book, { type: 'delete_page', page });
    withoutImport(world.platform);
    await using proxy = await rewriting(world);
    refusing(proxy, '"title":"Odd"');
    const place = inPlace(world, proxy.client);
    const { result } = await place.endure(await place.plan(), 'killed');
    expect(told(result)).toEqual([expect.stringMatching(/page Odd was refused/)]);
    expect(await pathsIn(world, book)).toEqual(RAISED);
  });
});
