import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atOnce, manualClock, openSqlite } from '../../src/base/index.ts';
import { bodyHash } from '../../src/mirror/bodies/body-hash.ts';
import { mirrorMigrations } from '../../src/mirror/database/migrations.ts';
import {
  checkMirror,
  type CheckResult,
  databasePath,
  openMirror,
  prune,
  readMirror,
  settleHashes,
  type Mirror,
} from '../../src/mirror/index.ts';
import { testFolder } from '../support/cli.ts';
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
function makeFormer(dataDir: string, further = ''): void {
  const { 1: first = '', 2: second = '' } = mirrorMigrations;
  const migrations = { 1: first, 2: second };
  using store = openSqlite({ path: databasePath(dataDir), name: 'the mirror', migrations });
  const add = store.driver.prepare('insert into bodies (hash, size, data) values (?, ?, ?)');
  for (const text of ['kept', 'dropped']) add.run(bodyHash(text), text.length, text);
  store.driver.exec(`delete from bodies where data = 'dropped'; ${further}`);
}

const IO = '/proc/self/io';

/** How often as many bytes as the database has were read for some work, with room for few of its pages. */
async function timesRead({ store, dataDir }: Mirror, work: () => unknown): Promise<number> {
  store.driver.pragma('wal_checkpoint(TRUNCATE)');
  store.driver.pragma('cache_size = 10');
  const read = (): number => Number(/^rchar: (\d+)/m.exec(readFileSync(IO, 'utf8'))?.[1]);
  const before = read();
  await work();
  return (read() - before) / statSync(databasePath(dataDir)).size;
}

const FORMER_TREES = `
insert into snapshots (id, state, mode, origin, contract_version, started_at) values (1, 'complete', 'full', 'o', 1, 't');
insert into bodies (bid, hash, size, data) values (11, x'11', 1, '{"documentId":"new"}'), (12, x'12', 1, '{"documentId":"old","document":{}}');
insert into resources (rid, kind, key, id, params) values (1, 'page', 's/stale', 'stale', '{}'),
  (2, 'page-document', 's/stale', 'stale', '{}'), (3, 'page', 's/true', 'true', '{}'), (4, 'page-document', 's/true', 'true', '{}');
insert into versions (rid, valid_from, body) values (1, 1, 11), (2, 1, 12), (3, 1, 12), (4, 1, 12);`;
// A walk that was cut off by the upgrade had just read one of them.
const FORMER_WALK = `
insert into snapshots (id, state, mode, origin, contract_version, started_at) values (2, 'open', 'full', 'o', 1, 't');
update versions set valid_from = 2 where rid in (1, 2);`;

describe('mirror/bodies/body-hash', () => {
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

  it.runIf(existsSync(IO))(
    'prune and check read the texts a few times, and not a page of them for each text',
    async () => {
      using made = await createTestMirror();
      const { mirror } = made;
      takeSnapshot(mirror, ({ see }) => {
        for (let number = 0; number < 3000; number++) see(page(`p${number}`, `text of ${number} `.repeat(60)));
      });
      expect(await timesRead(mirror, () => atOnce(prune(mirror)))).toBeLessThan(4);
      expect(await timesRead(mirror, () => checkMirror(mirror, { readData: false }))).toBeLessThan(36);
    },
  );

  it('finds a hash that leads to another text', async () => {
    using made = await createTestMirror();
    fill(made.mirror, 3);
    made.mirror.store.driver.exec('update body_hashes_new set bid = 1 where bid = 2');
    const { problems } = await checkMirror(made.mirror, { readData: false });
    expect(problems.map(({ which, problem }) => `${which} ${problem}`)).toEqual([
      'bodies 1 is found by a hash that is not its own',
      'bodies 2 is found by no hash',
    ]);
  });

  it('finds a text that no hash leads to', async () => {
    using made = await createTestMirror();
    fill(made.mirror, 3);
    made.mirror.store.driver.exec('delete from body_hashes_new where bid = 2');
    const { problems } = await checkMirror(made.mirror, { readData: false });
    expect(problems).toEqual([expect.objectContaining({ which: 'bodies 2', problem: 'is found by no hash' })]);
  });

  it('reads each text in one of the portions, however its hash is listed', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    fill(mirror, ENOUGH);
    settleHashes(mirror);
    takeSnapshot(mirror, ({ see }) => {
      for (const id of ['q1', 'q2', 'q3']) see(page(id, `text of ${id}`));
    });
    const portions = [0, 0.3, 0.6].map((from) => ({ from, to: from === 0.6 ? 1 : from + 0.3 }));
    const read: CheckResult[] = [];
    for (const readData of portions) read.push(await checkMirror(mirror, { readData }));
    expect(read.reduce((sum, { bodies }) => sum + bodies, 0)).toBe(2 * ENOUGH + 6);
    expect(read.every(({ bodies }) => bodies > ENOUGH / 3)).toBe(true);
  });

  it('can check a mirror of an earlier program, which it may not write to', async () => {
    using folder = testFolder();
    const dataDir = folder.path;
    makeFormer(dataDir);
    using mirror = readMirror({ dataDir, clock: manualClock(Date.UTC(2025, 0, 1)) });
    expect(await checkMirror(mirror, { readData: true })).toMatchObject({ problems: [], bodies: 1 });
  });

  it('gives back what a table that was written anew took', async () => {
    using folder = testFolder();
    const dataDir = folder.path;
    makeFormer(
      dataDir,
      `insert into bodies (hash, size, data) select randomblob(16), 3000, hex(randomblob(1500))
      from (with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000) select i from n)`,
    );
    const before = statSync(databasePath(dataDir)).size;
    using mirror = await openMirror({ dataDir, clock: manualClock(Date.UTC(2025, 0, 1)) });
    expect(mirror.store.driver.pragma('freelist_count', { simple: true })).toBe(0);
    expect(statSync(databasePath(dataDir)).size).toBeLessThan(before * 1.2);
  });

  it.each([
    ['', [{ key: 's/stale', ended: 2 }]],
    [FORMER_WALK, []],
  ])('ends trees of an older text than their page, which an earlier program has left %#', async (further, stale) => {
    using folder = testFolder();
    const dataDir = folder.path;
    makeFormer(dataDir, FORMER_TREES + further);
    using mirror = await openMirror({ dataDir, clock: manualClock(Date.UTC(2025, 0, 1)) });
    const trees = `select r.key, v.valid_to as ended from versions v join resources r using (rid)
      where r.kind = 'page-document' order by v.vid`;
    expect(rowsOf(mirror, trees)).toEqual([...stale, { key: 's/true', ended: null }]);
    expect(
      rowsOf(mirror, `select count(*) as n from versions v join resources r using (rid) where r.kind = 'page'`),
    ).toEqual([{ n: 2 }]);
  });

  it('takes over a mirror that an earlier program wrote although some of its JSON is damaged', async () => {
    using folder = testFolder();
    makeFormer(folder.path, `${FORMER_TREES} update bodies set data = substr(data, 1, 9) where bid = 12`);
    using mirror = await openMirror({ dataDir: folder.path, clock: manualClock(Date.UTC(2025, 0, 1)) });
    expect(rowsOf(mirror, 'select id from pages order by id')).toEqual([{ id: 'stale' }, { id: 'true' }]);
  });

  it('takes over the texts of a mirror that an earlier program wrote, and gives no number twice', async () => {
    using folder = testFolder();
    const dataDir = folder.path;
    makeFormer(dataDir);
    using mirror = await openMirror({ dataDir, clock: manualClock(Date.UTC(2025, 0, 1)) });
    takeSnapshot(mirror, ({ see }) => void see(page('p', 'kept')));
    expect(rowsOf(mirror, 'select bid, data from bodies order by bid')).toEqual([
      { bid: 1, data: 'kept' },
      { bid: 3, data: expect.stringContaining('"p"') },
    ]);
    expect(counts(mirror)).toEqual({ bodies: 2, settled: 1, new: 1 });
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
  });
});
