// A page of the database that is none any more, as a bad sector or a cut-off copy leaves it.
import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom, sha256 } from '../../src/base/index.ts';
import { checkMirror, databasePath, readMirror, type CheckResult } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

const FILES = Array.from({ length: 40 }, (_, index) => `bytes of file ${index}`);
const FORGED = ['forged first', 'forged last'];
const LOST = sha256(FILES[0] ?? '');

let made: TestMirror;
let whole: Buffer;

/** Enough for the texts, and the versions of files, to lie on several pages; the first and the last text, and one object, are damaged. */
beforeAll(async () => {
  made = await createTestMirror();
  const random = seededRandom(3);
  const pages = Array.from({ length: 60 }, (_, index) => ({
    id: `p${index}`,
    title: `Page ${index}`,
    text: `${index} ${random.id(4000)}`,
    body: { note: random.id(400) },
  }));
  const files = FILES.map((bytes, index) => ({ id: `f${index}`, name: `${index}.txt`, bytes }));
  await made.add({ spaces: [{ id: 's1', title: 'Space', pages, files }] });
  const { driver } = made.mirror.store;
  const ends = [`${pages[0]?.text ?? ''}`, `${pages.at(-1)?.text ?? ''}`];
  for (const [index, text] of ends.entries())
    driver
      .prepare('update bodies set data = ? where data like ?')
      .run(`${FORGED[index]} ${text.slice(20)}`, `%${text.slice(0, 40)}%`);
  writeFileSync(made.mirror.objects.pathOf(LOST), 'other bytes');
  driver.pragma('wal_checkpoint(TRUNCATE)');
  whole = readFileSync(databasePath(made.dataDir));
});

afterAll(() => made[Symbol.dispose]());

/** The number of a page in the middle of those of one kind that a table or an index has. */
function pageOf(name: string, type: 'leaf' | 'internal'): number {
  const sql = 'select pageno from dbstat where name = ? and pagetype = ? order by path';
  using driver = closing(new Database(databasePath(made.dataDir), { readonly: true }));
  const pages = driver.db.prepare<unknown[], number>(sql).pluck().all(name, type);
  return pages[Math.floor(pages.length / 2)] ?? 0;
}

function closing(db: Database.Database): { readonly db: Database.Database } & Disposable {
  return { db, [Symbol.dispose]: () => void db.close() };
}

function checkedWithout(page: number): Promise<CheckResult> {
  const size = whole.readUInt16BE(16);
  return checkedAs(Buffer.from(whole).fill(0, (page - 1) * size, page * size));
}

async function checkedAs(damaged: Buffer): Promise<CheckResult> {
  const path = databasePath(made.dataDir);
  try {
    writeFileSync(path, damaged);
    using opened = readMirror({ dataDir: made.dataDir, clock: made.mirror.clock });
    return await checkMirror(opened, { readData: true });
  } finally {
    writeFileSync(path, whole);
  }
}

const of = ({ problems }: CheckResult, wanted: string) =>
  problems.filter(({ what }) => what === wanted).map(({ problem }) => problem);

describe('mirror/check of a database with a page that is none', () => {
  it.each([
    ['bodies', 'leaf', 'bodies', true],
    ['bodies', 'internal', 'bodies', false],
    ['resources', 'leaf', 'resources', true],
    ['sqlite_autoindex_resources_1', 'leaf', 'resources', true],
    ['versions', 'leaf', 'versions', true],
    ['versions_object', 'leaf', 'versions', true],
    ['snapshots', 'leaf', 'snapshots', true],
    ['pages_search_data', 'leaf', 'pages_search_data', true],
    ['pages_search_config', 'leaf', 'pages_search_config', true],
  ] as const)(
    'names the table where it is one of %s (%s), and what else is damaged: it ended without a list',
    async (...[name, type, table, areTextsRead]) => {
      const page = pageOf(name, type);
      const found = await checkedWithout(page);
      expect(of(found, 'database')[0]).toMatch(new RegExp(`^table ${table}: Tree \\d+ page ${page}: `));
      if (areTextsRead) expect(of(found, 'body')).toHaveLength(2);
      if (name !== 'versions')
        expect(found.problems).toContainEqual(
          // Named by its file, too, where that can be read.
          expect.objectContaining({
            what: 'object',
            which: expect.stringMatching(`^${LOST}( \\(file s1/f0\\))?$`) as string,
          }),
        );
    },
  );

  it('names a full-text index whose own settings are damaged, and what else is: it ended with DM_INTERNAL, as a fault of the program', async () => {
    const size = whole.readUInt16BE(16);
    const from = (pageOf('pages_search_config', 'leaf') - 1) * size;
    const damaged = Buffer.from(whole);
    damaged[damaged.indexOf('version', from) + 'version'.length] = 0;
    const found = await checkedAs(damaged);
    expect(of(found, 'database')).toEqual(['table pages_search: it cannot be read to its end']);
    expect(of(found, 'body')).toHaveLength(2);
  });

  it('says what could not be looked at, and reads the texts beside it', async () => {
    const sound = await checkMirror(made.mirror, { readData: true });
    const found = await checkedWithout(pageOf('bodies', 'leaf'));
    expect(of(found, 'database').at(-1)).toBe(
      'could not be looked at to the end, since the database is damaged there: references to texts, the chain of manifests, texts, JSON',
    );
    expect(sound.bodies - found.bodies).toBeGreaterThan(0);
    expect(sound.bodies - found.bodies).toBeLessThan(sound.bodies / 2);
  });
});
