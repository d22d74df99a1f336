// The copy that README tells to keep on another disk, taken while a walk writes.
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { checkMirror, openMirror, type Mirror } from '../../src/mirror/index.ts';
import { testFolder } from '../support/cli.ts';
import { edit, insert } from '../support/content.ts';
import { walkedWorld } from '../support/furnished.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

// Of so many requests one is what a copy is taken before.
const STEP = 5;

/** What README says: `vacuum into` a new file, which takes the place of the copy before, and then the objects. */
function copyTo(folder: string, { dataDir }: Pick<TestWorld, 'dataDir'>): void {
  mkdirSync(folder, { recursive: true });
  const [copy, begun] = [join(folder, 'mirror.db'), join(folder, 'mirror.db.new')];
  rmSync(begun, { force: true });
  const database = new Database(join(dataDir, 'mirror.db'), { readonly: true });
  database.exec(`vacuum into '${begun}'`);
  database.close();
  renameSync(begun, copy);
  cpSync(join(dataDir, 'objects'), join(folder, 'objects'), { recursive: true, force: false });
}

async function problemsOf(mirror: Mirror): Promise<unknown> {
  return (await checkMirror(mirror, { readData: true })).problems;
}

describe('a copy of the mirror', () => {
  it('is whole at any moment of a walk, in the place of the copy before, shows what the mirror shows, and goes on with that walk', async () => {
    await using world = await walkedWorld();
    const { guide } = world.made;
    await edit(world, guide, insert('New', 'text'), insert('Another', 'text'));
    const folder = join(world.folder(), 'copy');
    let asked = 0;
    const client = world.hooked(async () => {
      asked += 1;
      if (asked % STEP > 0) return;
      copyTo(folder, world);
      using copy = await openMirror({ dataDir: folder, clock: world.clock });
      expect(await problemsOf(copy), `before request ${asked}`).toEqual([]);
      expect(stateOf(copy, 1)).toEqual(stateOf(world.mirror, 1));
    });
    const { snapshot } = await world.sync({ client, settings: { lanes: 1 } });
    expect(asked).toBeGreaterThan(3 * STEP);
    using last = await openMirror({ dataDir: folder, clock: world.clock });
    expect(rowsOf(last, `select state from snapshots where id = ${snapshot.id}`)).toEqual([{ state: 'open' }]);
    await world.sync({ mirror: last });
    expect(await problemsOf(last)).toEqual([]);
    expect(stateOf(last, snapshot.id)).toEqual(stateOf(world.mirror, snapshot.id));
  });

  it('can be taken of a mirror without a file: there was no folder of objects, and copying them ended with an error', async () => {
    using folder = testFolder();
    const place = { dataDir: folder.at('data'), clock: manualClock(0) };
    using _mirror = await openMirror(place);
    copyTo(folder.at('copy'), place);
    using copy = await openMirror({ ...place, dataDir: folder.at('copy') });
    expect(await problemsOf(copy)).toEqual([]);
  });
});
