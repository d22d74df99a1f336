// A restore that is cut off amid a write leaves a space that was changed after its last noted write: gone on with, it tells what it
// imported and made itself from what somebody did.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shiftedClock, systemClock, type ShiftedClock } from '../../src/base/index.ts';
import type { AnyOperationName } from '../../src/contract/index.ts';
import { listRestores } from '../../src/mirror/index.ts';
import type { ApplySettings, Plan } from '../../src/restore/index.ts';
import type { RequestPath } from '../../src/restore/target/content-there.ts';
import { addSpace, edit, furnish, insert } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { inPlace, spacesUndone, type Mirrored } from '../support/in-place.ts';
import { walkedWorlds } from '../support/copied-world.ts';

const PURGED = 7 * 86_400_000 + 3_600_000;

let there: Mirrored;
/** Of the platform; that of Docmirror is the world's. */
let clock: ShiftedClock;
let plan: Plan;
/** A space whose text links into another one, and one that comes back before it. */
let linking: string;
let plain: string;

const firstClock = shiftedClock(systemClock());
const lostWorld = walkedWorlds(
  async (world) => {
    const made = await furnish(world);
    const other = await addSpace(world, 'Linked');
    // In the order in which their content comes back.
    const [first = '', links = ''] = [await addSpace(world, 'One'), await addSpace(world, 'Two')].toSorted();
    await edit(world, first, insert('Plain', 'Nothing else.'));
    await edit(world, links, insert('Links', `See [the other](/spaces/${other}).`));
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    for (const one of [firstClock, world.clock]) one.advance(PURGED);
    return { made, plain: first, linking: links, plan: await inPlace(world).plan() };
  },
  { clock: firstClock },
);

beforeEach(async () => {
  clock = shiftedClock(systemClock());
  clock.advance(PURGED);
  const world = await lostWorld({ clock });
  ({ plain, linking, plan } = world.made);
  there = { world, made: world.made.made, place: inPlace(world) };
});

afterEach(() => there.world[Symbol.asyncDispose]());

function pass(ms: number): void {
  for (const one of [clock, there.world.clock]) one.advance(ms);
}

type Limits = Pick<ApplySettings, 'importLimits'>;

const WHOLE: Limits = {};
const IN_PARTS: Limits = { importLimits: { maxPages: 1, maxBytes: null } };

/** The restore is interrupted at this import, from 0, or other write, which the platform carries out all the same. */
async function cutAtImport(
  nth: number,
  limits: Limits = WHOLE,
  of: AnyOperationName = 'importContent',
): Promise<string> {
  const client = cutOnce(there.world.client, { cut: 'killed', of, nth, sent: true });
  // The times of what is written one after another are to differ, as they do where each write takes its time.
  const slow = new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'call' && name !== 'callRaw') return value;
      const called = value as (of: AnyOperationName, ...more: unknown[]) => unknown;
      return async (operation: AnyOperationName, ...more: unknown[]): Promise<unknown> => {
        // By how long this takes the clock of the platform may be ahead of ours.
        if (operation !== 'createSpace') pass(1000);
        const answer = await called(operation, ...more);
        pass(2000);
        return answer;
      };
    },
  });
  await expect(there.place.apply(plan, { ...limits, client: slow })).rejects.toThrow('killed');
  pass(60_000);
  return listRestores(there.world.mirror)[0]?.id ?? '';
}

async function resumed(restore: string, limits: Limits = WHOLE): Promise<void> {
  expect((await there.place.resume(restore, limits)).failed).toBe(0);
}

/** With the space that the plan is about already. */
async function lose(...spaces: readonly string[]): Promise<void> {
  for (const spaceId of spaces) await there.world.api.deleteSpace({ path: { spaceId } });
  pass(PURGED);
  plan = await there.place.plan();
}

const DELETED: unknown = expect.stringMatching(/^delete /);

/** What becomes of the spaces that the restore made. */
function undone(restore: string): Promise<string[]> {
  return spacesUndone(there.place, restore, plan);
}

async function guide(): Promise<string> {
  const { items } = await there.world.api.listCollectionSpaces({ path: { collectionId: there.made.nested } });
  return items.find(({ title }) => title === 'Guide')?.id ?? '';
}

describe('restore/undo of a restore that was cut off amid an import and gone on with', () => {
  it.each([
    { how: 'the only import', nth: 0, limits: WHOLE },
    { how: 'the first of several imports', nth: 0, limits: IN_PARTS },
    { how: 'another of several imports', nth: 1, limits: IN_PARTS },
    { how: 'the last of the first round of imports', nth: 3, limits: IN_PARTS },
    { how: 'the second round of imports', nth: 4, limits: IN_PARTS },
    { how: 'the last import', nth: 7, limits: IN_PARTS },
  ])('takes the space away that only the restore wrote into: $how', async ({ nth, limits }) => {
    const restore = await cutAtImport(nth, limits);
    await resumed(restore, limits);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it('takes the space away that was cut off while its links were written', async () => {
    await lose(linking);
    const contents = plan.steps.filter(({ kind, part }) => kind === 'revision' && part === 'content').length;
    expect(plan.steps.filter(({ part }) => part === 'links')).toHaveLength(1);
    const restore = await cutAtImport(contents);
    await resumed(restore);
    expect(await undone(restore)).toEqual([DELETED, DELETED]);
  });

  it.each([
    { what: 'its change request was made', of: 'createChangeRequest', nth: 0 },
    { what: 'a page was imported into that', of: 'importChangeRequestContent', nth: 0 },
    { what: 'it was given up', of: 'updateChangeRequest', nth: 0 },
    { what: 'the links of another one were written', of: 'importContent', nth: 3 },
  ] as const)(
    'takes the space away in which it was tried how imports go, cut off while $what: it was left as changed by somebody',
    async ({ of, nth }) => {
      await lose(plain, linking);
      const restore = await cutAtImport(nth, WHOLE, of);
      await resumed(restore);
      expect(await undone(restore)).toEqual([DELETED, DELETED, DELETED]);
    },
  );

  it.each([
    { what: 'a change request was made', of: 'createChangeRequest', nth: 0 },
    { what: 'what is proposed was imported', of: 'importChangeRequestContent', nth: 1 },
    { what: 'that was archived or opened', of: 'updateChangeRequest', nth: 1 },
    { what: 'its edit mode and level were set', of: 'updateSpace', nth: 0 },
    { what: 'something was said', of: 'createComment', nth: 1 },
    { what: 'that was answered', of: 'createCommentReply', nth: 0 },
    { what: 'something was said of a change request', of: 'createChangeRequestComment', nth: 0 },
  ] as const)('takes the space away that was cut off while $what: it was left as changed by somebody', async (cut) => {
    const restore = await cutAtImport(cut.nth, WHOLE, cut.of);
    await resumed(restore);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it.each(['updateSpace', 'updateChangeRequest'] as const)(
    'leaves the space that somebody gave an emoji after it was cut off at %s',
    async (of) => {
      const restore = await cutAtImport(of === 'updateSpace' ? 0 : 1, WHOLE, of);
      await there.world.api.updateSpace({ path: { spaceId: await guide() }, body: { emoji: '1f9ed' } });
      await resumed(restore);
      expect(await undone(restore)).toEqual([expect.stringContaining('unsupported')]);
    },
  );

  const CUTS = [
    { how: 'for review', what: 'its change request was made', of: 'createChangeRequest' },
    { how: 'for review', what: 'that was filled', of: 'importChangeRequestContent' },
    { how: 'without import', what: 'its change request was made', of: 'createChangeRequest' },
    { how: 'without import', what: 'that was filled', of: 'changeContent' },
  ] as const;

  /** Of one that brings content as change requests, or into a platform that imports nothing. */
  async function cutIn({ how, of }: (typeof CUTS)[number]): Promise<string> {
    const { world, place } = there;
    const refused = { status: 404 };
    if (how === 'for review') plan = await place.plan({ review: true });
    else
      world.platform.faults = [
        { operation: 'importContent', effect: refused },
        { operation: 'importChangeRequestContent', effect: refused },
      ];
    return cutAtImport(0, WHOLE, of);
  }

  it.each(CUTS)('takes the space away whose content came $how, cut off while $what', async (cut) => {
    const restore = await cutIn(cut);
    await resumed(restore);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it.each(CUTS)(
    'leaves it when somebody edited that change request between: $how, cut off while $what',
    async (cut) => {
      const restore = await cutIn(cut);
      const { api } = there.world;
      const spaceId = await guide();
      const { items } = await api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
      const own = items.find(({ subject }) => subject.startsWith('Restore of'));
      await api.changeContent({
        path: { spaceId, changeRequestId: own?.id ?? '' },
        body: { changes: [insert('Mine', 'Between.')] },
      });
      pass(60_000);
      await resumed(restore);
      expect(await undone(restore)).toEqual([expect.stringContaining('unsupported')]);
    },
  );

  it('takes it away when going on was cut off amid the same import', async () => {
    const restore = await cutAtImport(0);
    const client = cutOnce(there.world.client, { cut: 'killed', nth: 0, sent: true });
    await expect(there.place.resume(restore, { client })).rejects.toThrow('killed');
    pass(60_000);
    await resumed(restore);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  const somebody: Record<string, (space: string) => Promise<unknown>> = {
    'added a page': (space) => edit(there.world, space, insert('Mine', 'Written between.')),
    'edited a page': async (space) => {
      const { pages } = await there.world.api.getRevision({ path: { spaceId: space } });
      const [page] = pages;
      const change = { type: 'update_page', page: page?.id ?? '', title: page?.title ?? '' } as const;
      await edit(there.world, space, { ...change, document: { markdown: 'Mine.' } });
    },
    'renamed the space': (space) => there.world.api.updateSpace({ path: { spaceId: space }, body: { title: 'Mine' } }),
  };

  const inRequest: Record<string, (path: RequestPath, page: string) => Promise<unknown>> = {
    'added a page': (path) => there.world.api.changeContent({ path, body: { changes: [insert('Mine', 'Between.')] } }),
    'edited a page': (path, page) => {
      const change = { type: 'update_page', page, document: { markdown: 'Mine.' } } as const;
      return there.world.api.changeContent({ path, body: { changes: [change] } });
    },
    commented: (path) => there.world.api.createChangeRequestComment({ path, body: { body: { markdown: 'Mine.' } } }),
  };

  it.each(Object.keys(inRequest))('leaves it when somebody %s in a change request between', async (what) => {
    const restore = await cutAtImport(1, WHOLE, 'importChangeRequestContent');
    const spaceId = await guide();
    const { items } = await there.world.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
    const path = { spaceId, changeRequestId: items.find(({ subject }) => subject === 'Work in progress')?.id ?? '' };
    const { pages } = await there.world.api.getChangeRequestRevision({ path });
    await inRequest[what]?.(path, pages[0]?.id ?? '');
    pass(60_000);
    await resumed(restore);
    expect(await undone(restore)).toEqual([expect.stringContaining('unsupported')]);
  });

  it('leaves it when somebody spoke after something was said', async () => {
    const restore = await cutAtImport(0, WHOLE, 'createComment');
    await there.world.api.createComment({ path: { spaceId: await guide() }, body: { body: { markdown: 'Mine.' } } });
    await resumed(restore);
    expect(await undone(restore)).toEqual([expect.stringContaining('unsupported')]);
  });

  it.each([
    ...Object.keys(somebody).map((what) => ({ what, nth: 0, limits: WHOLE })),
    ...Object.keys(somebody).flatMap((what) => [1, 4, 7].map((nth) => ({ what, nth, limits: IN_PARTS }))),
  ])('leaves it when somebody $what between: import $nth', async ({ what, nth, limits }) => {
    const restore = await cutAtImport(nth, limits);
    await somebody[what]?.(await guide());
    pass(60_000);
    await resumed(restore, limits);
    expect(await undone(restore)).toEqual([expect.stringContaining('unsupported')]);
  });
});
