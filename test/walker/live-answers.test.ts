// A look at the platform that finds nothing, or half of what is asked for: none of it is called whole.
import { describe, expect, it } from 'vitest';
import { askedBy } from '../../src/app/restoring/live-platform.ts';
import { seededRandom } from '../../src/base/index.ts';
import { readerAt, spotCheck, type SpotCheck } from '../../src/mirror/index.ts';
import type { FaultRule } from '../../src/platform/index.ts';
import { edit, insert } from '../support/content.ts';
import { walkedWorld } from '../support/furnished.ts';
import type { TestWorld } from '../support/world.ts';

const NOT_FOUND = { status: 404, body: { error: { code: 404, message: 'Not found' } } };

async function looking({ mirror, client, platform }: TestWorld, faults: FaultRule[]): Promise<SpotCheck> {
  platform.faults = faults;
  const { signal } = new AbortController();
  const live = askedBy(client, { pageSize: 100, signal });
  return spotCheck(mirror, { count: 5000, random: seededRandom(1), live });
}

const problemsOf = ({ problems }: SpotCheck, kind: string): string[] =>
  problems.filter((one) => one.kind === kind).map(({ problem }) => problem);

async function mirrored() {
  const world = await walkedWorld();
  const { made } = world;
  return { world, made };
}

describe('mirror/check/spot-check, of what is not found', () => {
  it('calls nothing whole where the platform finds nothing at all: ten of ten were said to have changed', async () => {
    const { world: at } = await mirrored();
    await using world = at;
    const found = await looking(world, [{ effect: NOT_FOUND }]);
    expect(found.asked).toBeGreaterThan(10);
    expect([found.same, found.moved, found.problems.length]).toEqual([0, 0, found.asked]);
  });

  it('ends where two in a row get no answer, tells what it found by then, and names one alone: with a platform that hangs, each was waited for', async () => {
    const { world: at, made } = await mirrored();
    await using world = at;
    const ended = await looking(world, [{ effect: 'cut-before' }]);
    expect(ended).toMatchObject({ asked: 2, same: 0, moved: 0, problems: [{ unread: true }, { unread: true }] });
    const found = await looking(world, [{ pathPattern: `^/v1/spaces/${made.guide}$`, effect: 'cut-before' }]);
    expect(found.problems).toMatchObject([{ kind: 'space', key: made.guide, unread: true }]);
  });

  it('goes on where the token is refused at one operation, and ends where it is refused at every one: nothing was compared', async () => {
    const { world: at, made } = await mirrored();
    await using world = at;
    const found = await looking(world, [{ pathPattern: `^/v1/spaces/${made.guide}$`, effect: { status: 401 } }]);
    expect(found.problems).toMatchObject([{ kind: 'space', key: made.guide, unread: true }]);
    expect(found.asked).toBeGreaterThan(10);
    await expect(looking(world, [{ effect: { status: 401 } }])).rejects.toMatchObject({ code: 'DM_TOKEN_REFUSED' });
  });

  it('names the pages of a space that are not found while its revision stands still', async () => {
    const { world: at, made } = await mirrored();
    await using world = at;
    const pathPattern = `^/v1/spaces/${made.guide}/content/page/`;
    const found = await looking(world, [{ pathPattern, effect: NOT_FOUND }]);
    const pages = readerAt(world.mirror, 1).count('page', made.guide);
    expect([found.problems.length, found.moved]).toEqual([pages, 0]);
    expect(new Set(problemsOf(found, 'page'))).toEqual(
      new Set(['is not found there, which the platform does not account for: nothing tells that it went']),
    );
  });

  it('names pages that are not found while their space cannot be read: nobody tells whether they went', async () => {
    const { world: at, made } = await mirrored();
    await using world = at;
    const { guide } = made;
    const found = await looking(world, [
      { pathPattern: `^/v1/spaces/${guide}/content/page/`, effect: NOT_FOUND },
      { pathPattern: `^/v1/spaces/${guide}$`, effect: { status: 500 } },
    ]);
    const told = problemsOf(found, 'page');
    expect(told).toHaveLength(readerAt(world.mirror, 1).count('page', guide));
    for (const problem of told) expect(problem).toMatch(/: its space could not be read: .*500/);
    expect(found.moved).toBe(0);
  });

  it('names what its listing still shows, and what is not found while its listing shows too few', async () => {
    const { world: at } = await mirrored();
    await using world = at;
    const gone = ['getCollection', 'getMember', 'getComment', 'getCommentReply'] as const;
    const faults: FaultRule[] = gone.map((operation) => ({ operation, effect: NOT_FOUND }));
    const found = await looking(world, faults);
    expect(found.moved).toBe(0);
    for (const kind of ['collection', 'member', 'comment'])
      for (const problem of problemsOf(found, kind)) expect(problem).toMatch(/: its listing still shows it$/);
    expect(problemsOf(found, 'comment-reply')).toEqual([expect.stringContaining('its comment is not found either')]);
    const short = await looking(world, [...faults, { operation: 'listComments', effect: 'empty-list' }]);
    expect(problemsOf(short, 'comment')[0]).toMatch(/: its listing shows fewer than are counted$/);
  });

  it('names a space whose listing cannot be read, and takes one for gone that its readable collection lacks', async () => {
    const { world: at, made } = await mirrored();
    await using world = at;
    const faults: FaultRule[] = [{ pathPattern: `^/v1/spaces/${made.guide}`, effect: NOT_FOUND }];
    const shown = await looking(world, faults);
    expect(problemsOf(shown, 'space')).toEqual([expect.stringMatching(/: its listing still shows it$/)]);
    const broken = await looking(world, [...faults, { operation: 'listCollectionSpaces', effect: { status: 500 } }]);
    expect(problemsOf(broken, 'space')).toEqual([expect.stringMatching(/: its listing could not be read: .*500/)]);
    const lacking = await looking(world, [...faults, { operation: 'listCollectionSpaces', effect: 'empty-list' }]);
    expect([lacking.problems, lacking.moved > 5]).toEqual([[], true]);
  });
});

describe('mirror/check/spot-check, of answers that lack something', () => {
  const bare = (operation: 'getPage' | 'getFile', object: string): FaultRule => ({
    operation,
    effect: { status: 200, body: { object, id: 'x' } },
  });

  it('names pages of which only an id is answered: they were called the same', async () => {
    const { world: at, made } = await mirrored();
    await using world = at;
    const found = await looking(world, [bare('getPage', 'page')]);
    const pages = readerAt(world.mirror, 1);
    expect(problemsOf(found, 'page')).toHaveLength(pages.count('page'));
    expect(problemsOf(found, 'page')[0]).toMatch(/lacks .*title.*markdown, which the platform does not account for$/);
    expect(pages.count('page', made.guide)).toBeGreaterThan(1);
  });

  it('names them also where their space has moved on: no edit takes the title of a page away', async () => {
    const { world: at, made } = await mirrored();
    await using world = at;
    await edit(world, made.guide, insert('New', 'Text.'));
    const found = await looking(world, [bare('getPage', 'page'), bare('getFile', 'file')]);
    const before = readerAt(world.mirror, 1);
    expect(problemsOf(found, 'page')).toHaveLength(before.count('page'));
    expect(problemsOf(found, 'file')).toHaveLength(before.count('file'));
  });
});
