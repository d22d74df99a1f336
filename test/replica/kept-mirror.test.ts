import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock, type ManualClock } from '../../src/base/index.ts';
import { Refusal } from '../../src/contract/index.ts';
import { databasePath, listSnapshots } from '../../src/mirror/index.ts';
import { keepMirror } from '../../src/replica/kept-mirror.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

const world = { organizations: [{ id: 'org', title: 'Acme' }], spaces: [{ id: 'space', title: 'Space' }] };

let made: TestMirror;
let clock: ManualClock;

beforeEach(async () => {
  made = await createTestMirror();
  await made.add(world);
  clock = manualClock();
});

afterEach(() => made[Symbol.dispose]());

describe('the mirror that a replica keeps open', () => {
  it('is the same one from request to request, and shows what was written since', async () => {
    const lend = keepMirror({ dataDir: made.dataDir, clock });
    const first = lend((mirror) => mirror);
    await made.add(world);
    expect(lend((mirror) => [mirror === first, listSnapshots(mirror).length])).toEqual([true, 2]);
  });

  it('is closed when nobody asked for a while', async () => {
    const lend = keepMirror({ dataDir: made.dataDir, clock });
    const first = lend((mirror) => mirror);
    await clock.advance(1000);
    expect(first.store.driver.open).toBe(true);
    await clock.advance(1000);
    expect([first.store.driver.open, clock.pending()]).toEqual([false, 0]);
    expect(lend((mirror) => listSnapshots(mirror).length)).toBe(1);
  });

  it('is the one that lies there now, when another was put in its place', async () => {
    const copy = join(made.dataDir, 'copy.db');
    await made.mirror.store.driver.backup(copy);
    const lend = keepMirror({ dataDir: made.dataDir, clock });
    await made.add(world);
    const before = lend((mirror) => listSnapshots(mirror).length);
    for (const suffix of ['', '-wal', '-shm'])
      renameSync(`${databasePath(made.dataDir)}${suffix}`, `${copy}.old${suffix}`);
    renameSync(copy, databasePath(made.dataDir));
    expect([before, lend((mirror) => listSnapshots(mirror).length)]).toEqual([2, 1]);
  });

  it('is opened anew after a read that failed, not after a refusal', () => {
    const lend = keepMirror({ dataDir: made.dataDir, clock });
    const first = lend((mirror) => mirror);
    const fail = (error: Error) => () => {
      throw error;
    };
    expect(() => lend(fail(new Refusal(404, 'not there')))).toThrow('not there');
    expect(lend((mirror) => mirror)).toBe(first);
    expect(() => lend(fail(new Error('damaged')))).toThrow('damaged');
    expect(lend((mirror) => mirror)).not.toBe(first);
  });
});
