// A walk that is killed or interrupted anywhere and then continued arrives where an undisturbed one does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAbort, seededRandom } from '../../src/base/index.ts';
import { openedSnapshot, openMirror, takeLease, type Mirror } from '../../src/mirror/index.ts';
import { addSpace, importFiles, insert, edit } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { killedAfter } from '../support/killed-walk.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let undisturbed: Held;

interface Held {
  state: ReturnType<typeof stateOf>;
  objects: string[];
  versions: Record<string, unknown>[];
}

function held(mirror: Mirror, snapshot: number): Held {
  const versions = rowsOf(
    mirror,
    `select kind, key, count(*) as versions from versions join resources using (rid)
     where valid_from <= ? and kind <> 'link' group by kind, key order by kind, key`,
    snapshot,
  );
  return { state: stateOf(mirror, snapshot), objects: [...mirror.objects.list()].toSorted(), versions };
}

beforeAll(async () => {
  world = await furnishedWorld();
  for (let number = 0; number < 4; number++) {
    const space = await addSpace(world, `Space ${number}`);
    const pages = Array.from({ length: 12 }, (_, index) => insert(`Page ${index}`, `Text ${index} of ${number}`));
    await edit(world, space, ...pages);
    await importFiles(world, space, { 'README.md': '# Files\n\n[data](data.txt)\n', 'data.txt': `data of ${number}` });
  }
  const { snapshot } = await world.sync();
  expect(snapshot.state).toBe('complete');
  undisturbed = held(world.mirror, snapshot.id);
});

afterAll(() => world[Symbol.asyncDispose]());

/** Requests for what the open walk has committed already: page texts and whole revisions. */
function committed(mirror: Mirror): string[] {
  const pages = rowsOf(
    mirror,
    `select params from resources join versions using (rid) where kind = 'page' and text is not null and valid_to is null`,
  );
  return pages.map(({ params }) => {
    const { spaceId, pageId } = JSON.parse(String(params)) as { spaceId: string; pageId: string };
    return `/v1/spaces/${spaceId}/content/page/${pageId}`;
  });
}

describe('scenarios/walk killed', () => {
  it.each([6, 25, 60, 110])(
    'completes after a kill -9 at answer %i, and fetches nothing twice that was committed',
    async (answers) => {
      const dataDir = world.folder();
      expect(await killedAfter(answers, { ...world.platform, dataDir })).toBe(true);
      using _lease = await takeLease(dataDir, 'sync');
      using mirror = await openMirror({ dataDir, clock: world.clock });
      const open = openedSnapshot(mirror);
      const done = new Set(committed(mirror));
      // It was over within its first second, and whoever went on with it was told that no request was done before.
      if (answers > 100) expect(open?.requests).toBeGreaterThan(0);
      world.platform.clearRequestLog();
      const { snapshot } = await world.sync({ mirror });
      expect(snapshot).toMatchObject({ id: 1, state: 'complete', resumed: open ? 1 : 0 });
      const again = world.platform.requestLog.recent().filter(({ target }) => done.has(target.split('?')[0] ?? ''));
      expect(again).toEqual([]);
      expect(held(mirror, 1)).toEqual(undisturbed);
    },
  );
});

describe('scenarios/walk interrupted', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'arrives at the same mirror after interruptions at random requests (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      using mirror = await world.newMirror();
      let cuts = 0;
      for (;;) {
        const controller = new AbortController();
        let left = 3 + random.int(80);
        const client = world.hooked(() => {
          if (--left === 0) controller.abort();
        });
        try {
          const { snapshot } = await world.sync({ mirror, client, signal: controller.signal });
          expect([snapshot.id, snapshot.state]).toEqual([1, 'complete']);
          break;
        } catch (error) {
          expect(isAbort(error)).toBe(true);
          cuts++;
        }
      }
      expect(cuts).toBeGreaterThan(0);
      expect(held(mirror, 1)).toEqual(undisturbed);
    },
  );
});
