import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualClock, openSqlite } from '../../src/base/index.ts';
import { bodyHash } from '../../src/mirror/body-hash.ts';
import { mirrorMigrations } from '../../src/mirror/migrations.ts';
import { checkMirror, databasePath, openMirror, settleHashes, type Mirror } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const ENOUGH = 5000;

function counts(mirror: Mirror): unknown {
  return rowsOf(
    mirror,
    `select (select count(*) from bodies) as bodies, (select count(*) from body_hashes) as settled,
      (select count(*) from body_hashes_new) as new`,
  )[0];
}

function fill(mirror: Mirror, pages: number): void {
  takeSnapshot(mirror, ({ see }) => {
    for (let number = 0; number < pages; number++) see(page(`p${number}`, `text of ${number}`));
  });
}

/** A mirror as the program before this one left it: one text, and numbers that were given once already. */
function makeFormer(dataDir: string): void {
  const { 1: first = '', 2: second = '' } = mirrorMigrations;
  const migrations = { 1: first, 2: second };
  using store = openSqlite({ path: databasePath(dataDir), name: 'the mirror', migrations });
  const add = store.driver.prepare('insert into bodies (hash, size, data) values (?, ?, ?)');
  for (const text of ['kept', 'dropped']) add.run(bodyHash(text), text.length, text);
  store.driver.exec(`delete from bodies where data = 'dropped'`);
}

describe('mirror/body-hash', () => {
  it('keeps a text once, whether its hash came last or lies among the others', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    fill(mirror, ENOUGH);
    expect(counts(mirror)).toEqual({ bodies: 2 * ENOUGH, settled: 0, new: 2 * ENOUGH });
    settleHashes(mirror);
    expect(counts(mirror)).toEqual({ bodies: 2 * ENOUGH, settled: 2 * ENOUGH, new: 0 });
    takeSnapshot(mirror, ({ see }) => {
      for (const id of ['q1', 'q2']) see(page(id, 'text of 7'));
      for (const id of ['q3', 'q4']) see(page(id, 'a text of both'));
    });
    expect(counts(mirror)).toEqual({ bodies: 2 * ENOUGH + 5, settled: 2 * ENOUGH, new: 5 });
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
  });

  it('leaves a few new hashes where they are', async () => {
    using made = await createTestMirror();
    fill(made.mirror, 3);
    settleHashes(made.mirror);
    expect(counts(made.mirror)).toEqual({ bodies: 6, settled: 0, new: 6 });
  });

  it('finds a hash that leads to another text', async () => {
    using made = await createTestMirror();
    fill(made.mirror, 3);
    made.mirror.store.driver.exec('update body_hashes_new set bid = 1 where bid = 2');
    const { problems } = await checkMirror(made.mirror, { readData: false });
    expect(problems).toEqual([expect.objectContaining({ which: 'bodies 1', problem: expect.stringMatching(/hash/) })]);
  });

  it('takes over the texts of a mirror that an earlier program wrote, and gives no number twice', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'docmirror-former-'));
    try {
      makeFormer(dataDir);
      using mirror = await openMirror({ dataDir, clock: manualClock(Date.UTC(2025, 0, 1)) });
      takeSnapshot(mirror, ({ see }) => void see(page('p', 'kept')));
      expect(rowsOf(mirror, 'select bid, data from bodies order by bid')).toEqual([
        { bid: 1, data: 'kept' },
        { bid: 3, data: expect.stringContaining('"p"') },
      ]);
      expect(counts(mirror)).toEqual({ bodies: 2, settled: 1, new: 1 });
      expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
