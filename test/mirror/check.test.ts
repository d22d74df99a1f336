import { existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atOnce, manualClock, seededRandom, sha256 } from '../../src/base/index.ts';
import {
  checkMirror,
  type CheckResult,
  databasePath,
  forget,
  listSnapshots,
  noteFailure,
  openMirror,
  prune,
  readMirror,
  recordDrill,
  shownIn,
  spotCheck,
  type ListLive,
  type LiveAnswer,
  type ReadLive,
} from '../../src/mirror/index.ts';
import { checkAdvice } from '../../src/cli/views/check.ts';
import { firstTampered, manifestHash } from '../../src/mirror/snapshots/manifest.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { collection, page, takeSnapshot } from '../support/snapshots.ts';
import { supersededSql } from '../../src/mirror/bodies/stored-text.ts';
import { standInForNewTables } from '../../src/mirror/database/former.ts';
import { rowsOf } from '../support/state.ts';

const BYTES = 'bytes of a file';
const OBJECT = sha256(BYTES);

async function sound(): Promise<TestMirror> {
  const made = await createTestMirror();
  await made.add({ spaces: [{ id: 's1', title: 'Space', files: [{ id: 'f1', name: 'a.txt', bytes: BYTES }] }] });
  takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
  takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'a text to be changed')));
  return made;
}

async function problems(made: TestMirror): Promise<string[]> {
  const { problems: found } = await checkMirror(made.mirror, { readData: true });
  return found.map(({ what, which, problem }) => `${what} ${which}: ${problem}`);
}

describe('mirror/check/check', () => {
  it('finds nothing wrong in a sound mirror and says what it read', async () => {
    using made = await sound();
    const result = await checkMirror(made.mirror, { readData: true });
    expect(result.problems).toEqual([]);
    expect(result).toMatchObject({ objects: 1, bodies: expect.any(Number) as number });
    expect(result.bytesRead).toBeGreaterThan(BYTES.length);
  });

  it('reads everything once in portions, and finds what is damaged in one of them', async () => {
    using made = await sound();
    const portions = [0, 0.25, 0.5, 0.75].map((from) => ({ from, to: from + 0.25 }));
    const check = async (): Promise<CheckResult[]> => {
      const read: CheckResult[] = [];
      for (const readData of portions) read.push(await checkMirror(made.mirror, { readData }));
      return read;
    };
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const whole = await checkMirror(made.mirror, { readData: true });
    const parts = await check();
    expect(sum(parts.map(({ bodies }) => bodies))).toBe(whole.bodies);
    expect(sum(parts.map(({ bytesRead }) => bytesRead))).toBe(whole.bytesRead);
    expect(await checkMirror(made.mirror, { readData: false })).toMatchObject({ bodies: 0, bytesRead: 0 });
    writeFileSync(made.mirror.objects.pathOf(OBJECT), BYTES.toUpperCase());
    made.mirror.store.driver.exec(`update bodies set data = upper(data) where data like '%"id":"c1"%'`);
    const found = (await check()).flatMap(({ problems: some }) => some.map(({ what }) => what));
    expect(found.toSorted()).toEqual(['body', 'object']);
  });

  it('reads each of thousands of texts once, and all of them again in portions: a thousand were read, or none in portions', async () => {
    using made = await sound();
    const { driver } = made.mirror.store;
    driver.exec(`insert into bodies (hash, size, data)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2500)
      select docmirror_hash('text ' || n), length('text ' || n), 'text ' || n from numbers;
      insert into body_hashes_new select hash, bid from bodies where bid not in (select bid from body_hashes_new)`);
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'a text to be changed, of which more '.repeat(9))));
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'a text that was changed, of which more '.repeat(9))));
    const sums = `select count(*) as texts, sum(size) as bytes from bodies union all
      select count(*), sum(length(cast(${supersededSql('o.bid')} as blob))) from superseded o`;
    const [plain, earlier] = rowsOf(made.mirror, sums) as Record<'texts' | 'bytes', number>[];
    expect(earlier?.texts).toBeGreaterThan(1);
    const sum = (name: 'texts' | 'bytes'): number => (plain?.[name] ?? 0) + (earlier?.[name] ?? 0);
    const all = await checkMirror(made.mirror, { readData: true });
    expect(all).toMatchObject({ problems: [], bodies: sum('texts'), bytesRead: sum('bytes') + BYTES.length });
    driver.exec(`update bodies set data = 'forged' where data in ('text 7', 'text 1234', 'text 2400')`);
    let bodies = 0;
    const found: string[] = [];
    for (const from of [0, 0.5]) {
      const part = await checkMirror(made.mirror, { readData: { from, to: from + 0.5 } });
      bodies += part.bodies;
      found.push(...part.problems.map(({ what }) => what));
    }
    expect([bodies, found, (await problems(made)).length]).toEqual([sum('texts'), Array(3).fill('body'), 3]);
  });

  it('reads the bytes of each file in one portion and no other', async () => {
    using made = await createTestMirror();
    const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => ({ id, name: id, bytes: id.repeat(50) }));
    await made.add({ spaces: [{ id: 's1', title: 'Space', files }] });
    for (const { bytes } of files) writeFileSync(made.mirror.objects.pathOf(sha256(bytes)), bytes.toUpperCase());
    const found: string[] = [];
    for (const from of [0, 0.25, 0.5, 0.75]) {
      const { problems: some } = await checkMirror(made.mirror, { readData: { from, to: from + 0.25 } });
      found.push(...some.map(({ which }) => which.split(' ', 1)[0] ?? ''));
    }
    expect(found).toEqual(files.map(({ bytes }) => sha256(bytes)).toSorted());
  });

  it('names what is torn in the file, and what else is damaged: the check ended with what it could not read', async () => {
    using made = await sound();
    const { mirror, dataDir } = made;
    const { driver } = mirror.store;
    driver.exec(`update bodies set data = 'forged' where data = 'a text to be changed'`);
    writeFileSync(mirror.objects.pathOf(OBJECT), BYTES.toUpperCase());
    driver.pragma('wal_checkpoint(TRUNCATE)');
    const size = Number(driver.pragma('page_size', { simple: true }));
    const whole = readFileSync(databasePath(dataDir));
    for (const torn of ['snapshots_open', 'frontier_order']) {
      const root = Number(driver.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(torn));
      writeFileSync(databasePath(dataDir), Buffer.from(whole).fill(0, (root - 1) * size, root * size));
      using opened = readMirror({ dataDir, clock: mirror.clock });
      const found = await checkMirror(opened, { readData: true });
      const told = found.problems.map(({ what, which }) => `${what} ${which}`);
      const rest = [`object ${OBJECT} (file s1/f1)`, expect.stringMatching(/^body \d+ \(page s1\/p1\)$/)];
      expect([torn, [...new Set(told)]]).toEqual([torn, expect.arrayContaining(['database mirror.db', ...rest])]);
      expect(new Set(told).size).toBe(3);
      expect(found.problems[0]?.problem).toContain(`page ${root}`);
    }
  });

  it('finds an object that is missing, short or changed', async () => {
    using made = await sound();
    const path = made.mirror.objects.pathOf(OBJECT);
    writeFileSync(path, BYTES.toUpperCase());
    expect(await problems(made)).toEqual([`object ${OBJECT} (file s1/f1): its bytes have another hash`]);
    truncateSync(path, 4);
    expect(await problems(made)).toEqual([`object ${OBJECT} (file s1/f1): 4 bytes, expected ${BYTES.length}`]);
    rmSync(path);
    expect(await problems(made)).toEqual([`object ${OBJECT} (file s1/f1): missing`]);
  });

  it('finds a text that was changed in the database, and names what holds it', async () => {
    using made = await sound();
    made.mirror.store.driver.exec(`update bodies set data = 'forged' where data = 'a text to be changed'`);
    expect(await problems(made)).toEqual([
      expect.stringMatching(/^body \d+ \(page s1\/p1\): its text has another hash$/),
    ]);
  });

  it('says which snapshots show a damaged text or file: nobody knew which of them could still be restored from', async () => {
    using made = await sound();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => see(page('p2', 'a text of two nights '.repeat(40))));
    takeSnapshot(mirror, () => undefined);
    takeSnapshot(mirror, ({ see }) => see(page('p2', 'another text')));
    mirror.store.driver.exec(`update bodies set data = 'forged' where data = 'a text to be changed'`);
    mirror.store.driver.exec(
      `update superseded set data = x'00' where bid in (select text from versions where valid_from = 4)`,
    );
    rmSync(mirror.objects.pathOf(OBJECT));
    const { problems } = await checkMirror(mirror, { readData: true });
    expect(problems.map(({ what, first, last }) => [what, first, last])).toEqual([
      ['object', 1, 6],
      ['body', 3, 6],
      ['body', 4, 5],
    ]);
    expect(problems.map(shownIn)).toEqual(['1 to 6', '3 to 6', '4 to 5']);
  });

  it('names what holds a damaged text now, rather than what has held it since and no longer does', async () => {
    using made = await sound();
    takeSnapshot(made.mirror, ({ see }) => see(page('p2', 'a text to be changed')));
    takeSnapshot(made.mirror, ({ see }) => see(page('p2', 'another text')));
    made.mirror.store.driver.exec(`update bodies set data = 'forged' where data = 'a text to be changed'`);
    expect(await problems(made)).toEqual([expect.stringMatching(/^body \d+ \(page s1\/p1\): /)]);
  });

  it('names the first snapshot whose past was rewritten', async () => {
    using made = await sound();
    made.mirror.store.driver.exec(`update resources set key = 'forged' where kind = 'collection'`);
    const forged = 'reference resources 4 (collection forged): its path is not that of its key';
    expect(await problems(made)).toEqual(['manifest snapshot 2: its manifest does not fit what is stored', forged]);
    made.mirror.store.driver.exec(`update versions set valid_from = 2 where valid_from = 1`);
    expect(await problems(made)).toEqual(['manifest snapshot 1: its manifest does not fit what is stored', forged]);
  });

  it('names the snapshot that was tampered with beside a row that names none: one such row hid it', async () => {
    using made = await sound();
    const { driver } = made.mirror.store;
    driver.pragma('foreign_keys = off');
    driver.exec(`insert into routes values (99, 'guide', 1); update versions set position = 9 where valid_from = 2`);
    expect(await problems(made)).toEqual([
      'reference routes 99/guide: names a row that is not in resources',
      'manifest snapshot 2: its manifest does not fit what is stored',
    ]);
  });

  it('says once which snapshot is not there, and of which tables rows are left: it said "snapshot_kinds null" twenty times', async () => {
    using made = await sound();
    const { driver } = made.mirror.store;
    takeSnapshot(made.mirror, ({ see }) => see(page('p2', 'text')));
    driver.pragma('foreign_keys = off');
    const rows = rowsOf(made.mirror, 'select count(*) as n from snapshot_figures where snapshot = 2')[0]?.['n'];
    driver.exec('delete from snapshots where id = 2');
    expect(await problems(made)).toEqual([
      'reference snapshot_kinds 2/collection: names a row that is not in snapshots',
      `reference snapshot_figures of snapshot 2 (${String(rows)} rows): names a row that is not in snapshots`,
      'manifest snapshot 3: its manifest does not fit what is stored',
    ]);
  });

  it('names what was changed by hand or damaged in any column of a version that was sealed', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const files = [{ id: 'f1', name: 'a.txt', bytes: BYTES }];
    const pages = [{ id: 'p1', title: 'One', pages: [{ id: 'p2', title: 'Two', text: 'a' }] }];
    await made.add({ spaces: [{ id: 's1', title: 'Space', files, pages }] });
    await made.add({ spaces: [{ id: 's1', title: 'Space', files }] });
    await made.add({ spaces: [{ id: 's1', title: 'Space' }] });
    // Damage asks for no row that is named.
    mirror.store.driver.pragma('foreign_keys = off');
    const columns = rowsOf(mirror, `select name from pragma_table_info('versions')`).map(({ name }) => String(name));
    const unseen = columns.filter((column) => {
      const found = `select vid, ${column} as old from versions where ${column} is not null and valid_to is not null order by vid desc limit 1`;
      const [{ vid, old } = {}] = rowsOf(mirror, found);
      const set = mirror.store.prepare(`update versions set ${column} = ? where vid = ?`);
      const other =
        typeof old === 'string' ? old.replace(/^./, (first) => (first === '0' ? '1' : '0')) : Number(old) + 1000;
      set.run(other, vid);
      const isSeen = atOnce(firstTampered(mirror)) !== null;
      set.run(old, column === 'vid' ? other : vid);
      return !isSeen;
    });
    expect([unseen, atOnce(firstTampered(mirror))]).toEqual([[], null]);
  });

  it('names the snapshot whose record was changed by hand: a partial one passed as complete, with its failures and evidence gone', async () => {
    using made = await sound();
    const { mirror } = made;
    const { id: last, state } = takeSnapshot(mirror, ({ id, bury }) => {
      bury('page', 's1/p1');
      const what = { kind: 'team', resource: 'org', request: 'GET /v1/orgs/org/teams', status: 500 };
      noteFailure({ mirror, id }, { ...what, code: 'DM_HTTP_STATUS', error: 'answered 500' });
    });
    expect(state).toBe('partial');
    expect(atOnce(firstTampered(mirror))).toBeNull();
    const unseen = [
      `update snapshots set state = 'complete', reason = null where id = ${last}`,
      `update snapshots set started_at = '2020-01-01T00:00:00.000Z' where id = ${last}`,
      `update snapshots set previous_hash = null where id = ${last}`,
      `update snapshot_kinds set failed = 0 where snapshot = ${last}`,
      `delete from requests_failed where snapshot = ${last}`,
      `update tombstones set evidence = '{}' where snapshot = ${last}`,
    ].filter((sql) => {
      const { driver } = mirror.store;
      driver.exec('begin');
      const changed = driver.prepare(sql).run().changes;
      const found = atOnce(firstTampered(mirror));
      driver.exec('rollback');
      return changed === 0 || found !== last;
    });
    expect([unseen, atOnce(firstTampered(mirror))]).toEqual([[], null]);
  });

  it.each([1, 2] as const)(
    'takes a chain that an earlier program sealed for whole, as long as it is: form %i',
    async (form) => {
      using made = await sound();
      const { mirror } = made;
      let previous: string | null = null;
      for (const record of listSnapshots(mirror)) {
        const snapshot = record.id;
        const hash: string = atOnce(manifestHash(mirror, { snapshot, record, previous, form }));
        rowsOf(
          mirror,
          'update snapshots set previous_hash = ?, manifest_hash = ? where id = ? returning id',
          previous,
          hash,
          snapshot,
        );
        previous = hash;
      }
      takeSnapshot(mirror, ({ see }) => see(page('p2', 'sealed by this program')));
      expect(atOnce(firstTampered(mirror))).toBeNull();
      mirror.store.driver.exec(`update versions set object = 'another' where object is not null`);
      expect(atOnce(firstTampered(mirror))).toBe(1);
    },
  );

  it('takes nothing for damage that is forgotten and freed while it looks', async () => {
    using made = await sound();
    const { mirror, dataDir } = made;
    await made.add({
      spaces: [{ id: 's1', title: 'Space', files: [{ id: 'f2', name: 'b.txt', bytes: 'other bytes' }] }],
    });
    using reader = readMirror({ dataDir, clock: mirror.clock });
    const { store } = reader;
    // As another process does it: once while the chain is read, and before any bytes are.
    const meanwhile = (sql: string): void => {
      if (!sql.startsWith('select v.vid, r.kind') || listSnapshots(mirror).length === 1) return;
      atOnce(forget(mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
      atOnce(prune(mirror));
    };
    const prepare: typeof store.prepare = (sql) => {
      meanwhile(sql);
      return store.prepare(sql);
    };
    const result = await checkMirror({ ...reader, store: { ...store, prepare } }, { readData: true });
    expect(listSnapshots(mirror).map(({ id }) => id)).toEqual([4]);
    expect([mirror.objects.has(OBJECT), result.objects, result.problems]).toEqual([false, 2, []]);
  });

  it('ends when it is told to while it looks through the files: it went on to the last of them', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const files = ['a', 'b', 'c'].map((id) => ({ id, name: `${id}.txt`, bytes: `bytes of ${id}` }));
    await made.add({ spaces: [{ id: 's1', title: 'Space', files }] });
    const stop = new AbortController();
    let looked = 0;
    const sizeOf = (sha256: string): number | null => {
      looked += 1;
      stop.abort(new Error('told to end'));
      return mirror.objects.sizeOf(sha256);
    };
    const watched = { ...mirror, objects: { ...mirror.objects, sizeOf } };
    await expect(checkMirror(watched, { readData: true, signal: stop.signal })).rejects.toThrow('told to end');
    expect(looked).toBe(1);
  });

  it('finds rows that name rows which are not there', async () => {
    using made = await sound();
    made.mirror.store.driver.exec(`delete from bodies where data like '%"collection"%'`);
    expect((await problems(made))[0]).toMatch(/^reference versions \d+: names a row that is not in bodies/);
  });
});

describe('mirror/check/spot-check', () => {
  const updatedAt = '2025-01-01T00:00:00Z';

  async function look(live: (id: string) => LiveAnswer) {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => {
      for (const id of ['a', 'b', 'c']) see(collection(id, { title: id, updatedAt }));
    });
    const read: ReadLive = ({ params }) => Promise.resolve(live(params['collectionId'] ?? ''));
    const list: ListLive = () => Promise.resolve({ is: 'unread', why: 'no right to' });
    return await spotCheck(made.mirror, { count: 9, random: seededRandom(1), live: { read, list } });
  }

  it('asks for as many as there are and finds them the same, whatever else the answer holds', async () => {
    const found = await look((id) => ({
      is: 'there',
      body: { object: 'collection', id, title: id, updatedAt, parent: { id: 'x' }, more: 1 },
    }));
    expect(found).toEqual({ snapshot: 1, asked: 3, same: 3, moved: 0, problems: [] });
  });

  it('takes what the platform says has changed for news, and what differs or is gone unsaid for a problem', async () => {
    const found = await look((id) => {
      const body = { object: 'collection', id };
      if (id === 'a') return { is: 'there', body: { ...body, title: 'new', updatedAt: '2025-02-01T00:00:00Z' } };
      return id === 'b' ? { is: 'gone' } : { is: 'there', body: { ...body, title: 'other', updatedAt } };
    });
    expect(found).toMatchObject({ asked: 3, same: 0, moved: 1 });
    expect(found.problems.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      {
        kind: 'collection',
        key: 'b',
        problem: 'is not found there, which the platform does not account for: nothing tells that it went',
      },
      { kind: 'collection', key: 'c', problem: 'differs in title, which the platform does not account for' },
    ]);
  });

  it('says what could not be read', async () => {
    const { problems } = await look(() => ({ is: 'unread', why: 'no right to' }));
    expect(problems.map(({ problem }) => problem)).toEqual(Array(3).fill('could not be read: no right to'));
  });
});

describe('mirror/bodies/objects', () => {
  it('keeps bytes once under their hash and lists them', async () => {
    using made = await sound();
    const { objects } = made.mirror;
    const again = objects.temporary('again');
    writeFileSync(again, BYTES);
    await objects.adopt(again, OBJECT);
    expect([...objects.list()]).toEqual([OBJECT]);
    expect([objects.has(OBJECT), objects.sizeOf(OBJECT), objects.sizeOf(sha256('none'))]).toEqual([
      true,
      BYTES.length,
      null,
    ]);
    expect(await objects.verify(OBJECT)).toBe(true);
  });

  it('names a drill that somebody put into the table by hand, or changed: readiness rests on them, and check found nothing wrong', async () => {
    using made = await sound();
    const drill = { snapshot: 1, requests: 3, durationMs: 2.5, report: { passed: true } };
    recordDrill(made.mirror, { ...drill, passed: true });
    recordDrill(made.mirror, { ...drill, passed: false });
    expect(await problems(made)).toEqual([]);
    const { driver } = made.mirror.store;
    driver.exec(`insert into drills (snapshot, at, passed, requests, duration_ms, report)
      select snapshot, at, 1, requests, duration_ms, report from drills where id = 1`);
    driver.exec('update drills set passed = 1 where id = 2');
    expect(await problems(made)).toEqual([
      'drill drills 2: no drill has written it so',
      'drill drills 3: no drill has written it so',
    ]);
    const told = { what: 'drill', which: 'drills 2', problem: 'no drill has written it so' } as const;
    expect(checkAdvice({ problems: [told], exportKept: null })).toContain('run docmirror drill');
  });

  it('takes drills for what they are that an earlier program has recorded', async () => {
    using made = await sound();
    recordDrill(made.mirror, { snapshot: 1, requests: 3, durationMs: 2, report: {}, passed: true });
    const { driver } = made.mirror.store;
    const newer = `select name from sqlite_schema where type = 'view' and sql like '%shared_%'`;
    for (const { name } of rowsOf(made.mirror, newer)) driver.exec(`drop view ${String(name)}`);
    driver.exec(
      `delete from meta where name = 'views'; drop table shared_entries; drop table shared_trees; drop table refused; drop index resources_id`,
    );
    driver.exec(
      'drop index requests_failed_status; drop index requests_failed_place; create index requests_failed_snapshot on requests_failed (snapshot)',
    );
    driver.exec('alter table drills drop column hash; pragma user_version = 6');
    standInForNewTables(driver);
    expect(await problems(made)).toEqual([]);
    using _again = await openMirror({ dataDir: made.dataDir, clock: manualClock(0) });
    expect(rowsOf(made.mirror, 'select hash from drills')).toEqual([{ hash: 'recorded before' }]);
    expect(await problems(made)).toEqual([]);
  });

  it('holds nothing any more of a download that a kill cut off, once the mirror is opened for writing again', async () => {
    using made = await sound();
    const { objects, dataDir } = made.mirror;
    const left = objects.temporary('large.part');
    writeFileSync(left, BYTES);
    using again = await openMirror({ dataDir, clock: manualClock(0) });
    expect([existsSync(left), [...again.objects.list()]]).toEqual([false, [OBJECT]]);
    using reading = readMirror({ dataDir, clock: manualClock(0) });
    writeFileSync(reading.objects.temporary('under way'), BYTES);
    using _other = readMirror({ dataDir, clock: manualClock(0) });
    expect(existsSync(reading.objects.temporary('under way'))).toBe(true);
  });

  it('has bytes whole again that were damaged, once they are read again', async () => {
    using made = await sound();
    const { objects } = made.mirror;
    for (const damaged of [BYTES.toUpperCase(), BYTES.slice(1), '']) {
      writeFileSync(objects.pathOf(OBJECT), damaged);
      const again = objects.temporary('again');
      writeFileSync(again, BYTES);
      await objects.adopt(again, OBJECT);
      expect(await problems(made)).toEqual([]);
    }
  });

  // Reading the memory of a process where nothing is mapped fails as a bad sector does.
  it.runIf(existsSync('/proc/self/mem'))('replaces bytes that the disk cannot read any more', async () => {
    using made = await sound();
    const { objects } = made.mirror;
    rmSync(objects.pathOf(OBJECT));
    symlinkSync('/proc/self/mem', objects.pathOf(OBJECT));
    expect(await objects.verify(OBJECT)).toBe(false);
    const again = objects.temporary('again');
    writeFileSync(again, BYTES);
    await objects.adopt(again, OBJECT);
    expect(await problems(made)).toEqual([]);
  });
});
