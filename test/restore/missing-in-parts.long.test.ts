// In a space that stands, more pages are missing than one import takes.
import { describe, expect, it } from 'vitest';
import { planSummary } from '../../src/restore/index.ts';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { bareAnew, type Bare } from '../support/in-place.ts';
import { wordsOf } from '../support/standing.ts';

const CHAPTERS = 4;
const SECTIONS = 3;

/** Each page leads to the next, the last one to the first; a section shows a file. */
function bookFiles(): Record<string, string> {
  const names = Array.from({ length: CHAPTERS }, (_, chapter) =>
    Array.from({ length: SECTIONS }, (_section, section) => `c${chapter}-s${section}`),
  );
  const lines = names.flatMap((sections, chapter) => [
    `  * [Chapter ${chapter}](c${chapter}.md)`,
    ...sections.map((name) => `    * [${name}](${name}.md)`),
  ]);
  const all = names.flatMap((sections, chapter) => [`c${chapter}`, ...sections]);
  const page = (name: string, at: number): [string, string] => [
    `${name}.md`,
    `# ${/-/.test(name) ? name : `Chapter ${name.slice(1)}`}\n\nGo [on](${all[(at + 1) % all.length] ?? ''}.md).${name === 'c2-s1' ? ' See [the notes](notes.txt).' : ''}`,
  ];
  return {
    'SUMMARY.md': ['* [Book](book.md)', ...lines].join('\n'),
    'book.md': '# Book\n\nThe last is [here](c3-s2.md).',
    'notes.txt': 'Noted.',
    ...Object.fromEntries(all.map(page)),
  };
}

interface Burned extends Bare, AsyncDisposable {
  readonly book: string;
  readonly before: readonly string[];
}

// Of the platform: how much an import may hold.
const limits = { entries: Infinity };

const anew = bareAnew(
  async (world) => {
    const book = await addSpace(world, 'Book');
    await importFiles(world, book, bookFiles());
    return { book, pages: await pagesOf(world, book) };
  },
  { importLimits: limits },
);

/** A book of 17 pages beside another one, which has burned down but for its cover. */
async function burned(entries = 20_000, { whole = true } = {}): Promise<Burned> {
  limits.entries = Infinity;
  const there = await anew();
  const { world, book, pages } = there;
  const before = wordsOf(world.mirror, 1);
  const gone = whole ? ['Book'] : [0, 1, 2, 3].map((chapter) => `Chapter ${chapter}`);
  await edit(world, book, ...gone.map((title) => ({ type: 'delete_page' as const, page: pages[title] ?? '' })));
  limits.entries = entries;
  return { ...there, before, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function words({ world }: Burned): Promise<string[]> {
  return wordsOf(world.mirror, (await world.sync()).snapshot.id);
}

function imports({ place }: Burned): number {
  return place.writes()['importChangeRequestContent'] ?? 0;
}

describe('restore/in-place, more missing pages than one import takes', () => {
  it.each([true, false])(
    'come back by several, with the links between them (all gone: %s): the platform refused the one, and none came back',
    async (whole) => {
      await using there = await burned(8, { whole });
      const plan = await there.place.plan();
      there.place.clear();
      const { restore, failures, lacking } = await there.place.apply(plan);
      expect([failures, lacking, imports(there) > 4]).toEqual([[], 0, true]);
      expect(await words(there)).toEqual(there.before);
      expect(await there.place.verify(restore)).toMatchObject({ passed: true });
      expect((await there.place.plan()).steps).toEqual([]);
    },
  );

  it('go within the limits that are set, which the plan counts: all went at once, whatever was set', async () => {
    await using there = await burned();
    const importLimits = { maxPages: 5, maxBytes: null };
    const [atOnce, plan] = [await there.place.plan(), await there.place.plan({ importLimits })];
    there.place.clear();
    const { failures } = await there.place.apply(plan, { importLimits });
    expect([failures, imports(there)]).toEqual([[], 8]);
    // Each with the content after it.
    expect(planSummary(plan).requests - planSummary(atOnce).requests).toBe(2 * 8 - 2);
    expect(await words(there)).toEqual(there.before);
  });

  it.each([1, 2, 4, 7])('come back once when import %i is cut off, with nothing doubled', async (nth) => {
    await using there = await burned();
    const importLimits = { maxPages: 5, maxBytes: null };
    there.world.platform.faults = [{ operation: 'importChangeRequestContent', nth, effect: 'cut-after' }];
    const { failures, restore } = await there.place.apply(await there.place.plan({ importLimits }), { importLimits });
    expect(failures).toEqual([]);
    expect(await there.place.verify(restore)).toMatchObject({ passed: true });
    expect(await words(there)).toEqual(there.before);
  });

  it('end as a failure of that space where even one page is too much', async () => {
    await using there = await burned(1);
    const { failures } = await there.place.apply(await there.place.plan());
    expect(failures).toMatchObject([{ title: 'Book', error: expect.stringContaining('entries') as unknown }]);
  });
});
