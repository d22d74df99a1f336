// A space that is made anew, of which the platform refuses something for good.
import { afterEach, describe, expect, it } from 'vitest';
import type { ApplyResult } from '../../src/restore/index.ts';
import { addRequest, addSpace, edit, flatten, importFiles, pagesOf } from '../support/content.ts';
import { BOOK, refusedContent, type RefusedContent } from '../support/refused-content.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { worldAnew } from '../support/copied-world.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;

interface Refusing {
  readonly target: Target;
  readonly content: RefusedContent;
  readonly book: string;
  readonly apply: () => Promise<ApplyResult>;
}

const anew = worldAnew(async (world) => {
  const book = await addSpace(world, 'Book');
  await importFiles(world, book, BOOK);
  const news = await addSpace(world, 'News');
  const { Odd: odd = '', Deep: deep = '' } = await pagesOf(world, book);
  await edit(world, news, {
    type: 'insert_page',
    title: 'First',
    document: { markdown: `See [it](/spaces/${book}/pages/${deep}).` },
  });
  await edit(world, book, {
    type: 'update_page',
    page: deep,
    document: { markdown: `# Deep\n\nSee [news](/spaces/${news}).` },
  });
  await addRequest(world, book, {
    subject: 'More',
    changes: [{ type: 'update_page', page: deep, document: { markdown: '# Deep\n\nDeeper.' } }],
  });
  await world.api.createComment({ path: { spaceId: book }, body: { page: odd, body: { markdown: 'Odd indeed.' } } });
  await world.sync();
  return { book };
});

async function refusing(...marks: string[]): Promise<Refusing> {
  const there = await anew();
  const { book } = there;
  ({ world } = there);
  const [target, content] = [await createTarget(world), await refusedContent(world, ...marks)];
  const { contentServer } = content;
  return {
    target,
    content,
    book,
    apply: async () => target.apply(await target.plan({ contentServer }), { contentServer }),
  };
}

afterEach(() => world[Symbol.asyncDispose]());

async function pathsOf({ target }: Refusing): Promise<string[]> {
  const spaceId = await target.spaceCalled('Book');
  const { pages } = await target.client.call('getRevision', { path: { spaceId } });
  return flatten(pages).map(({ path = '' }) => path);
}

const PATHS = [
  'book',
  'book/one',
  'book/one/one-a',
  'book/one/one-b',
  'book/odd',
  'book/odd/two-a',
  'book/odd/two-a/deep',
  'book/three',
];

const said = (text: RegExp): unknown => expect.objectContaining({ error: expect.stringMatching(text) as unknown });

/** Kind and field of what differs and should not. */
async function differing({ target }: Refusing, restore: string): Promise<string[]> {
  const { differences } = await target.verify(restore);
  return differences.flatMap((one) => (one.class === 'exact' ? [`${one.kind} ${one.field}`] : []));
}

describe('restore/content, what the platform refuses for good of a space that is made anew', () => {
  it('is a text: its page comes with its title, and all else comes back; nothing of the space did, nor its change requests and comments', async () => {
    const there = await refusing('HEAVY');
    const { failures, failed, skipped, lacking, restore } = await there.apply();
    expect([failed, skipped, lacking]).toEqual([0, 0, 1]);
    expect(failures).toEqual([said(/^page Odd came with its title alone: .* answered 400/)]);
    expect(await pathsOf(there)).toEqual(PATHS);
    expect(await differing(there, restore)).toEqual(['page markdown']);
  });

  it('is a page, which is left out: what stands below it comes below the page above', async () => {
    const there = await refusing('# Odd');
    const { failures, failed, skipped, lacking } = await there.apply();
    expect([failed, skipped, lacking]).toEqual([0, 0, 1]);
    expect(failures).toEqual([
      said(/^page Odd was refused: .* answered 400.*; 1 page that stood below it came below page Book$/),
    ]);
    const raised = ['book/two-a', 'book/two-a/deep'];
    const stay = PATHS.filter((path) => !path.startsWith('book/odd'));
    expect((await pathsOf(there)).toSorted()).toEqual([...stay, ...raised].toSorted());
  });

  it('is a file: all pages come back', async () => {
    const there = await refusing('BULKY');
    const { failures, failed, skipped, restore } = await there.apply();
    expect([failed, skipped]).toEqual([0, 0]);
    expect(failures).toEqual([said(/^file sheet\.txt was refused: .* answered 400/)]);
    expect(await pathsOf(there)).toEqual(PATHS);
    expect(await differing(there, restore)).toEqual(['file *']);
  });

  it('is everything: its step fails with the reason after a few imports, and a resume brings all', async () => {
    const there = await refusing('# ');
    const { failures, failed, restore } = await there.apply();
    expect(failed).toBe(2);
    expect(failures).toContainEqual(said(/451/));
    expect(there.content.asked()).toBeLessThan(30);
    there.content.marks = [];
    const { contentServer } = there.content;
    expect((await there.target.resume(restore, { contentServer })).failures).toEqual([]);
    expect(await differing(there, restore)).toEqual([]);
  });

  it('is every page and no file: its step fails with the reason; all pages were left out one by one, and that was called done', async () => {
    world = await TestWorld.create();
    const files = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].flatMap((title) => [
      [`${title}.md`, `# Page ${title}\n\nSee [it](${title}.txt).`],
      [`${title}.txt`, `Of ${title}.`],
    ]);
    await importFiles(world, await addSpace(world, 'Book'), Object.fromEntries(files) as Record<string, string>);
    await world.sync();
    const [target, content] = [await createTarget(world), await refusedContent(world, 'Page ')];
    const { contentServer } = content;
    const { failures, failed } = await target.apply(await target.plan({ contentServer }), { contentServer });
    expect([failed, failures[0]]).toEqual([1, said(/^POST .*451/)]);
  });

  it.each([13, 14, 16])(
    'is a page, and stays one where a resume goes on after %i imports and the platform would take it by then: pages below it were there twice',
    async (most) => {
      const there = await refusing('# Odd');
      const { target, content } = there;
      const { contentServer } = content;
      await using proxy = await rewriting(world, target.platform);
      let imports = 0;
      proxy.before = ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/content/import')) return undefined;
        imports += 1;
        return imports > most ? { status: 500, body: {} } : undefined;
      };
      const { restore } = await target.apply(await target.plan({ contentServer }), {
        contentServer,
        client: proxy.client,
      });
      content.marks = [];
      const { failures } = await target.resume(restore, { contentServer });
      expect(failures).toEqual([said(/^page Odd was refused/)]);
      const stay = PATHS.filter((path) => !path.startsWith('book/odd'));
      const raised = ['book/two-a', 'book/two-a/deep'];
      expect((await pathsOf(there)).toSorted()).toEqual([...stay, ...raised].toSorted());
    },
  );

  it.each(['HEAVY', '# Odd', 'BULKY'])(
    '(%s) is named once where each write is cut off, and nothing is there twice',
    async (mark) => {
      const there = await refusing(mark);
      const { contentServer } = there.content;
      const plan = await there.target.plan({ contentServer });
      const { result } = await there.target.endure(plan, 'killed', { contentServer });
      expect([result.lacking, result.failures]).toEqual([1, [said(/ answered 400/)]]);
      const paths = await pathsOf(there);
      expect(paths).toHaveLength(mark === '# Odd' ? PATHS.length - 1 : PATHS.length);
      expect(new Set(paths).size).toBe(paths.length);
    },
  );
});
