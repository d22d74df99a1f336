import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atOnce, manualClock, type ManualClock, type Pieces } from '../../src/base/index.ts';
import { Refusal } from '../../src/contract/index.ts';
import { databasePath, listSnapshots, type Mirror } from '../../src/mirror/index.ts';
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

/** Puts another database where that of the mirror lies, which whoever has it open goes on with. */
function replaceDatabase(copy: string): void {
  const path = databasePath(made.dataDir);
  for (const suffix of ['', '-wal', '-shm']) renameSync(`${path}${suffix}`, `${copy}.old${suffix}`);
  renameSync(copy, path);
}

/** Reads that are done in one piece. */
function keep(options: Parameters<typeof keepMirror>[0]) {
  const lend = keepMirror(options);
  return <T>(read: (mirror: Mirror) => T): T => atOnce(lend((mirror) => onePiece(() => read(mirror))));
}

function* onePiece<T>(value: () => T): Pieces<T> {
  yield;
  return value();
}

describe('the mirror that a replica keeps open', () => {
  it('is the same one from request to request, and shows what was written since', async () => {
    const lend = keep({ dataDir: made.dataDir, clock });
    const first = lend((mirror) => mirror);
    await made.add(world);
    expect(lend((mirror) => [mirror === first, listSnapshots(mirror).length])).toEqual([true, 2]);
  });

  it('is closed when nobody asked for a while', async () => {
    const lend = keep({ dataDir: made.dataDir, clock });
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
    const lend = keep({ dataDir: made.dataDir, clock });
    await made.add(world);
    const before = lend((mirror) => listSnapshots(mirror).length);
    replaceDatabase(copy);
    expect([before, lend((mirror) => listSnapshots(mirror).length)]).toEqual([2, 1]);
  });

  it('is opened anew after a read that failed, not after a refusal', () => {
    const lend = keep({ dataDir: made.dataDir, clock });
    const first = lend((mirror) => mirror);
    const fail = (error: Error) => () => {
      throw error;
    };
    expect(() => lend(fail(new Refusal(404, 'not there')))).toThrow('not there');
    expect(lend((mirror) => mirror)).toBe(first);
    expect(() => lend(fail(new Error('damaged')))).toThrow('damaged');
    expect(lend((mirror) => mirror)).not.toBe(first);
  });

  it('stays open for a read in pieces, however long that takes and whatever is put in its place, and no longer', async () => {
    const lend = keepMirror({ dataDir: made.dataDir, clock });
    let lent: Mirror | undefined;
    const reading = lend(function* read(mirror) {
      lent = mirror;
      yield;
      return listSnapshots(mirror).length;
    });
    reading.next();
    await clock.advance(5000);
    const copy = join(made.dataDir, 'copy.db');
    await made.mirror.store.driver.backup(copy);
    replaceDatabase(copy);
    expect(atOnce(lend((mirror) => onePiece(() => mirror === lent)))).toBe(false);
    expect(lent?.store.driver.open).toBe(true);
    expect(reading.next()).toEqual({ done: true, value: 1 });
    expect(lent?.store.driver.open).toBe(false);
    await clock.advance(2000);
    expect(clock.pending()).toBe(0);
  });
});
