// A mirror of an older program on a disk that has hardly room for its new form.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atOnce, createLogger, manualClock, openSqlite } from '../../src/base/index.ts';
import { bodyHash } from '../../src/mirror/bodies/body-hash.ts';
import { databasePath, openMirror, prune, type Mirror } from '../../src/mirror/index.ts';
import { mirrorMigrations } from '../../src/mirror/database/migrations.ts';
import { givenSmallDisk } from '../support/small-disk.ts';
import { rowsOf } from '../support/state.ts';

const TEXTS = 300;

/** The database of a program whose texts lay in a table that has since been written anew. */
function makeFormer(dataDir: string): string {
  mkdirSync(dataDir);
  const { 1: first = '', 2: second = '' } = mirrorMigrations;
  const migrations = { 1: first, 2: second };
  using store = openSqlite({ path: databasePath(dataDir), name: 'the mirror', migrations, pageSize: 32_768 });
  const add = store.driver.prepare('insert into bodies (hash, size, data) values (?, ?, ?)');
  for (let number = 0; number < TEXTS; number++) {
    const text = randomBytes(10_000).toString('base64');
    add.run(bodyHash(text), text.length, text);
  }
  store.driver.pragma('wal_checkpoint(TRUNCATE)');
  return databasePath(dataDir);
}

const freePages = ({ store }: Mirror): number => Number(store.driver.pragma('freelist_count', { simple: true }));

it('mirror opens on a disk that had room for its new form and for no more, says that it was not made smaller, and is by the next prune: "database or disk is full", each night anew', async (context) => {
  const { disk, folder } = givenSmallDisk(context);
  const former = makeFormer(join(folder, 'former'));
  const dataDir = join(folder, 'data');
  const told: number[] = [];
  for (let left = 6_950_000; left <= 9_500_000; left += 850_000) {
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir);
    copyFileSync(former, databasePath(dataDir));
    disk.fill(left);
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
    using mirror = await openMirror({ dataDir, clock: manualClock(), log });
    told.push(lines.filter((line) => /no room to make it smaller.*docmirror prune/.test(line)).length);
    mirror.store.run(mirror.store.sql.replaceInto('meta').values({ name: 'written', value: 'since' }));
    expect(freePages(mirror)).toBeGreaterThan(0);
    disk.free();
    expect(rowsOf(mirror, 'select count(*) as n from bodies')).toEqual([{ n: TEXTS }]);
    atOnce(prune(mirror));
    expect(freePages(mirror)).toBe(0);
  }
  expect(told).toEqual([1, 1, 1, 1]);
});
