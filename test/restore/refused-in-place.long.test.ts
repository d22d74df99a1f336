// In a space that stands, the platform refuses something of what is missing for good.
import { describe, expect, it } from 'vitest';
import type { ApplyResult, ApplySettings } from '../../src/restore/index.ts';
import { addSpace, edit, importFiles, pagesOf, type Change } from '../support/content.ts';
import { bareAnew, type Bare } from '../support/in-place.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { BOOK, refusedContent, type RefusedContent } from '../support/refused-content.ts';
import { wordsOf } from '../support/standing.ts';

interface Burned extends Bare, AsyncDisposable {
  readonly book: string;
  readonly before: readonly string[];
  readonly content: RefusedContent;
  readonly proxy: Rewriting;
}

const anew = bareAnew(async (world) => {
  const book = await addSpace(world, 'Book');
  await importFiles(world, book, BOOK);
  return { book, pages: await pagesOf(world, book) };
});

/** A book of which all but the first page is gone; where a file is to be refused, it holds something else by now. */
async function burned(...marks: string[]): Promise<Burned> {
  const there = await anew();
  const { world, book, pages } = there;
  const before = wordsOf(world.mirror, 1);
  const gone = ['One', 'Odd', 'Three'].map((title): Change => ({ type: 'delete_page', page: pages[title] ?? '' }));
  if (marks.includes('BULKY')) await importFiles(world, book, { ...BOOK, 'sheet.txt': 'Small.' });
  await edit(world, book, ...gone);
  const [content, proxy] = [await refusedContent(world, ...marks), await rewriting(world)];
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await content[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { ...there, before, content, proxy, [Symbol.asyncDispose]: dispose };
}

async function apply(there: Burned): Promise<ApplyResult> {
  return there.place.apply(await there.place.plan(), through(there));
}

function through({ content, proxy }: Burned): Pick<ApplySettings, 'client' | 'contentServer'> {
  return { client: proxy.client, contentServer: content.contentServer };
}

async function words({ world }: Burned): Promise<string[]> {
  return wordsOf(world.mirror, (await world.sync()).snapshot.id);
}

/** Subjects of the restore's change requests that still wait. */
async function waiting({ world, book }: Burned): Promise<string[]> {
  const listed = (['draft', 'open'] as const).map((status) =>
    world.api.listChangeRequests({ path: { spaceId: book }, query: { status } }),
  );
  return (await Promise.all(listed)).flatMap(({ items }) => items.map(({ subject }) => subject));
}

function withoutEdits({ proxy }: Burned): void {
  proxy.before = ({ method, path }) =>
    method === 'POST' && /\/change-requests\/[^/]+\/content$/.test(path) ? { status: 405, body: {} } : undefined;
}

/** Imports are refused with these, one after the other. */
function refusing({ proxy }: Burned, ...statuses: readonly number[]): void {
  let refused = 0;
  proxy.rewrite = ({ path }, answer) =>
    path.endsWith('/import') && answer.status === 400
      ? { ...answer, status: statuses[refused++ % statuses.length] ?? 400 }
      : undefined;
}

const UNFETCHED = { status: 400, body: { error: { code: 400, message: 'could not be fetched' } } };

const ODD = 'page book/odd document "Odd": ';

describe('restore/in-place, what the platform refuses for good', () => {
  it.each([[[400]], [[413, 422]]])(
    'brings all pages back, and a text that no import takes by an edit (%j): nothing of the space came back',
    async (statuses) => {
      await using there = await burned('HEAVY');
      refusing(there, ...statuses);
      const { failures, restore } = await apply(there);
      expect(failures).toEqual([]);
      expect(await words(there)).toEqual(there.before);
      expect(await there.place.verify(restore)).toMatchObject({ passed: true });
      // Whole, halves down to the page, that once more, its title, and the others; then each once more for its links.
      expect(there.content.asked()).toBeLessThanOrEqual(13);
    },
  );

  it('brings the page with its title alone where pages cannot be edited, and says so: its place and the links to it were lost with it', async () => {
    await using there = await burned('HEAVY');
    withoutEdits(there);
    const { failures, lacking } = await apply(there);
    expect([lacking, failures]).toMatchObject([
      1,
      [
        {
          title: 'Book',
          error: expect.stringMatching(/page Odd came with its title alone: .* answered 400/) as unknown,
        },
      ],
    ]);
    expect(await words(there)).toEqual(there.before.map((line) => (line.startsWith(ODD) ? `${ODD}""` : line)));
    expect(await waiting(there)).toEqual([]);
  });

  it('leaves out a page that comes in no way, and brings those below it to the page above: they were lost with it', async () => {
    await using there = await burned('# Odd');
    const { failures, lacking } = await apply(there);
    expect(lacking).toBe(1);
    const error = failures[0]?.error;
    expect(error).toMatch(/page Odd was refused: .* answered 400/);
    expect(error).toContain('1 page that stood below it came below page Book');
    const now = await words(there);
    expect(now.map((line) => line.split(' ')[1])).toEqual(
      expect.arrayContaining([
        'book/two-a',
        'book/two-a/deep',
        'book/one/one-a',
        'book/three',
        'notes.txt',
        'sheet.txt',
      ]),
    );
    expect(now.filter((line) => line.includes('"Odd"'))).toEqual([]);
    expect(await waiting(there)).toEqual([]);
    const [step] = (await there.place.plan()).steps;
    expect(step?.pages?.missing.map(({ title }) => title)).toEqual(['Odd']);
  });

  it('writes over no page that stands where those below a refused page come: an import knows pages by their address', async () => {
    await using there = await burned('# Odd');
    const pages = await pagesOf(there.world, there.book);
    const into = pages['Book'] ?? '';
    await edit(there.world, there.book, {
      type: 'insert_page',
      title: 'Mine',
      slug: 'two-a',
      into,
      document: { markdown: 'Mine.' },
    });
    const { lacking } = await apply(there);
    expect(lacking).toBe(1);
    const now = await words(there);
    expect(now).toContainEqual(expect.stringMatching(/^page book\/two-a document "Mine": .*Mine\./));
    expect(now).toContainEqual(expect.stringMatching(/^page book\/two-a-[\da-f]{8} document "Two A": /));
    expect(now).toContainEqual(expect.stringMatching(/^page book\/two-a-[\da-f]{8}\/deep document "Deep": /));
  });

  it('names a file that is refused, and brings its page', async () => {
    await using there = await burned('BULKY');
    const { failures, lacking } = await apply(there);
    expect([lacking, failures]).toMatchObject([
      1,
      [{ error: expect.stringMatching(/^file sheet\.txt was refused: .* answered 400/) as unknown }],
    ]);
    const now = await words(there);
    const isSheet = (line: string): boolean => line.startsWith('file sheet.txt');
    const alike = (line: string): string => line.replaceAll(/sheet.txt [\da-f]+/g, 'sheet.txt');
    expect(now.filter((line) => !isSheet(line)).map(alike)).toEqual(
      there.before.filter((line) => !isSheet(line)).map(alike),
    );
    expect(now.find(isSheet)).not.toEqual(there.before.find(isSheet));
  });

  it.each([
    ['sheet.txt', 'BULKY', 'notes.txt'],
    ['notes.txt', 'Light', 'sheet.txt'],
  ])(
    'brings the other files without %s where nothing but files is to come back: one at the end kept all of them away',
    async (refused, mark, other) => {
      await using there = await burned();
      const { world, place, content, book } = there;
      await place.apply(await place.plan(), through(there));
      content.marks = [mark];
      await importFiles(world, book, { ...BOOK, 'notes.txt': 'Lost.', 'sheet.txt': 'Lost, too.' });
      const { failures, lacking } = await place.apply(await place.plan(), through(there));
      expect([lacking, failures]).toMatchObject([
        1,
        [{ error: expect.stringContaining(`file ${refused} was refused`) as unknown }],
      ]);
      const isOther = (line: string): boolean => line.startsWith(`file ${other}`);
      expect((await words(there)).find(isOther)).toEqual(there.before.find(isOther));
    },
  );

  it('fails with the reason where the platform takes nothing, and leaves no change request; a resume brings all', async () => {
    await using there = await burned('# ');
    const { failures, restore, failed } = await apply(there);
    expect([failed, failures]).toMatchObject([
      1,
      [{ title: 'Book', error: expect.stringContaining('451') as unknown }],
    ]);
    expect(await waiting(there)).toEqual([]);
    expect(there.content.asked()).toBeLessThan(20);
    there.content.marks = [];
    expect((await there.place.resume(restore, through(there))).failures).toEqual([]);
    expect(await words(there)).toEqual(there.before);
  });

  it.each([1, 3, 5, 8])(
    'leaves nothing out that imports were refused for some seconds (from the import %i on): it was called refused for good, and no resume brought it',
    async (from) => {
      await using there = await burned();
      const { world, place, proxy } = there;
      let [imports, since] = [0, Infinity];
      proxy.before = ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/import')) return undefined;
        imports += 1;
        if (imports === from) since = world.clock.now();
        const passed = world.clock.now() - since;
        return passed >= 0 && passed < 5000 ? UNFETCHED : undefined;
      };
      const importLimits = { maxPages: 2, maxBytes: null };
      const settings = { ...through(there), importLimits };
      const { restore } = await place.apply(await place.plan({ importLimits }), settings);
      expect(since).toBeLessThan(world.clock.now());
      expect((await place.resume(restore, settings)).failures).toEqual([]);
      expect(await words(there)).toEqual(there.before);
      expect(await waiting(there)).toEqual([]);
    },
  );

  it.each([400, 404, 405, 409])(
    'fails with the reason where the platform archives no change request either (%i): what that was refused with was told instead',
    async (status) => {
      await using there = await burned('# ');
      there.proxy.before = ({ method, path }) =>
        method === 'PATCH' && /\/change-requests\/[^/]+$/.test(path)
          ? { status, body: { error: { code: status, message: 'no such status' } } }
          : undefined;
      const { failures, restore } = await apply(there);
      expect(failures).toMatchObject([
        {
          title: 'Book',
          error: expect.stringContaining('451') as unknown,
          hint: expect.stringMatching(/^Archive change request \S+ of space \S+ by hand/) as unknown,
        },
      ]);
      there.content.marks = [];
      there.proxy.before = () => undefined;
      expect((await there.place.resume(restore, through(there))).failures).toEqual([]);
      expect(await words(there)).toEqual(there.before);
    },
  );

  it('does so within the limits that are set', async () => {
    await using there = await burned('HEAVY', 'BULKY');
    const importLimits = { maxPages: 2, maxBytes: null };
    const plan = await there.place.plan({ importLimits });
    const { failures } = await there.place.apply(plan, { ...through(there), importLimits });
    expect(failures).toMatchObject([{ error: expect.stringMatching(/^file sheet\.txt was refused/) as unknown }]);
    expect((await words(there)).length).toBe(there.before.length);
  });

  it.each([
    ['HEAVY', 'BULKY'],
    ['# Odd', '# Odd'],
  ])('makes nothing twice where each write is cut off (%s, %s), and says the same', async (...marks) => {
    await using there = await burned(...marks);
    const { contentServer } = through(there);
    const { result } = await there.place.endure(await there.place.plan(), 'killed', { contentServer });
    const named = marks[0] === '# Odd' ? 'page Odd was refused' : 'file sheet.txt was refused';
    expect([result.lacking, result.failures]).toMatchObject([
      1,
      [{ error: expect.stringContaining(named) as unknown }],
    ]);
    const now = (await words(there)).flatMap((line) => (line.startsWith('page ') ? [line.split(' ')[1] ?? ''] : []));
    expect(now).toHaveLength(new Set(now).size);
    expect(await waiting(there)).toEqual([]);
  });
});
