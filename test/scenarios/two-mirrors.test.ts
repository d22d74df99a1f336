// Two mirrors of one platform: one made by a single walk, one by many, with edits, faults, kills, interruptions and limits
// between. In the end they hold the same. What goes wrong is said with its seed; DOCMIRROR_TEST_SEED tries another one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patience, runs } from '../fuzz/runs.ts';
import { AppError, atOnce } from '../../src/base/index.ts';
import { isKindName } from '../../src/contract/index.ts';
import { checkMirror, countsOf, forget, listSnapshots, prune, readerAt, type Mirror } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf, type Furnished } from '../support/content.ts';
import { disturbedWalk, WALKS } from '../support/disturbed-walks.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { danglingIn, rowsOf, stateOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

const settings = { rereadNights: 3, documents: true };

const SEED = Number(process.env['DOCMIRROR_TEST_SEED'] ?? 20_250_301);

/** What happens between two walks, and what happens to the second one. */
const nights = fc.array(
  fc.record({
    act: fc.constantFrom(
      'edit',
      'insert',
      'delete page',
      'propose',
      'merge',
      'archive',
      'open again',
      'forget',
      'comment',
      'resolve',
      'one comment for another',
      'import',
      'new space',
      'delete space',
      'restore space',
      'nothing',
    ),
    walk: fc.constantFrom(...WALKS),
    pick: fc.nat(1000),
  }),
  { minLength: 2, maxLength: 5 },
);

type Night = typeof nights extends fc.Arbitrary<(infer N)[]> ? N : never;

async function act(world: TestWorld, made: Furnished, { act: what, pick }: Night): Promise<void> {
  const space = made.guide;
  const path = { spaceId: made.news };
  const pages = Object.values(await pagesOf(world, space));
  const page = pages[pick % Math.max(1, pages.length)] ?? '';
  const isThere = rowsOf(world.mirror, 'select id from spaces where id = ?', made.news).length > 0;
  switch (what) {
    case 'edit':
      return page === ''
        ? undefined
        : edit(world, space, { type: 'update_page', page, document: { markdown: `# T\n\n${pick}` } });
    case 'insert':
      return edit(world, space, insert(`New ${pick}`, 'text'));
    case 'delete page':
      return page === '' ? undefined : edit(world, space, { type: 'delete_page', page });
    case 'propose':
      return void (await addRequest(world, space, {
        subject: `Change ${pick}`,
        changes: [
          page === '' ? insert('First', 'text') : { type: 'update_page', page, document: { markdown: `P ${pick}` } },
        ],
      }));
    case 'merge':
    case 'archive':
    case 'open again':
      return turn(world, { space, what, pick });
    case 'forget':
      return forgetMost(world);
    case 'comment':
      return void (await world.api.createComment({
        path: { spaceId: space },
        body: { body: { markdown: `Note ${pick}` } },
      }));
    case 'resolve':
      return void (await world.api.updateComment({
        path: { spaceId: space, commentId: made.comment },
        body: { resolved: pick % 2 === 0 },
      }));
    case 'one comment for another':
      return replaceComment(world, space);
    case 'import':
      return importFiles(world, made.news, {
        'README.md': `# Home\n\n[data](d.txt) ${pick}\n`,
        'd.txt': `data ${pick}`,
      }).catch(() => undefined);
    case 'new space':
      return edit(world, await addSpace(world, `Space ${pick}`), insert('Page', 'text'));
    case 'delete space':
      return world.api.deleteSpace({ path }).catch(() => undefined);
    case 'restore space':
      return void (isThere ? undefined : await world.api.restoreSpace({ path }).catch(() => undefined));
    case 'nothing':
  }
}

interface Turn {
  readonly space: string;
  readonly what: 'merge' | 'archive' | 'open again';
  readonly pick: number;
}

/** Takes a change request to its end, or up again. */
async function turn({ api }: TestWorld, { space, what, pick }: Turn): Promise<void> {
  const query = { status: what === 'open again' ? 'archived' : 'open' } as const;
  const { items } = await api.listChangeRequests({ path: { spaceId: space }, query });
  const one = items[pick % Math.max(1, items.length)];
  if (one === undefined) return;
  const path = { spaceId: space, changeRequestId: one.id };
  if (what === 'merge') await api.mergeChangeRequest({ path });
  else await api.updateChangeRequest({ path, body: { status: what === 'archive' ? 'archived' : 'open' } });
}

/** Keeps the last snapshot, and what every kept one shows. */
function forgetMost({ mirror }: TestWorld): void {
  const [last] = listSnapshots(mirror)
    .filter(({ state }) => state !== 'open')
    .slice(-1);
  if (last === undefined) return;
  const shown = stateOf(mirror, last.id);
  try {
    atOnce(forget(mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
  } catch (error) {
    // What is suspect keeps all.
    if (!(error instanceof AppError && error.code === 'DM_BRAKE')) throw error;
  }
  atOnce(prune(mirror));
  expect(stateOf(mirror, last.id)).toEqual(shown);
}

/**
 * Kinds of complete snapshots of which another number was seen than they show. What hung on a space that was deleted in the middle of
 * a walk may have been counted with it before.
 */
function miscounted(mirror: Mirror): string[] {
  const complete = listSnapshots(mirror).filter(({ state, scope }) => state === 'complete' && scope === null);
  return complete.flatMap(({ id }) => {
    const reader = readerAt(mirror, id);
    return Object.entries(countsOf(mirror, id)).flatMap(([kind, { seen, gone }]) => {
      const held = isKindName(kind) ? reader.count(kind) : seen;
      return held <= seen && seen <= held + gone ? [] : [`snapshot ${id}: ${seen} ${kind} seen, ${held} held`];
    });
  });
}

/** The counter of comments stands where it stood. */
async function replaceComment(world: TestWorld, spaceId: string): Promise<void> {
  const path = { spaceId };
  const { items } = await world.api.listComments({ path });
  if (items[0] === undefined) return;
  await world.api.deleteComment({ path: { ...path, commentId: items[0].id } });
  await world.api.createComment({ path, body: { body: { markdown: 'Instead' } } });
}

describe('two mirrors of the same platform', () => {
  it(
    `are equal, whatever happened on the way to one of them (seed ${SEED})`,
    async () => {
      await fc.assert(
        fc.asyncProperty(nights, async (all) => {
          await using world = await furnishedWorld();
          const { made } = world;
          for (const night of all) {
            await disturbedWalk(world, night, { space: made.guide, settings });
            await act(world, made, night);
          }
          // One turn of the rota, since counters of what changed may stand where they stood.
          for (let night = 0; night < 3; night++) await world.sync({ settings });
          const { snapshot } = await world.sync({ settings });
          expect([snapshot.state, snapshot.reason]).toEqual(['complete', null]);
          using fresh = await world.newMirror();
          const single = await world.sync({ mirror: fresh, settings });
          expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, single.snapshot.id));
          expect(danglingIn(world.mirror)).toEqual([]);
          for (const mirror of [world.mirror, fresh]) expect(miscounted(mirror)).toEqual([]);
          expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
        }),
        { numRuns: runs(5), seed: SEED },
      );
    },
    patience(120_000),
  );
});
