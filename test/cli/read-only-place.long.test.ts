// A data directory where this user may write nothing: of somebody else, or on a disk that can only be read.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { openMirror } from '../../src/mirror/index.ts';
import { environmentOf, MAIN, runCli, testFolder, type TestFolder } from '../support/cli.ts';
import { canStart, NOBODY } from '../support/nobody.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const folder: TestFolder = testFolder();

beforeAll(async () => {
  await using platform = await startSeeded();
  await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) });
  mkdirSync(folder.at('tmp'));
});

afterAll(() => {
  openFor('u+rwX');
  folder[Symbol.dispose]();
});

function openFor(mode: string): void {
  execFileSync('chmod', ['-R', mode, folder.path]);
}

/** As somebody who may read everything and write nothing but temporary files. */
function asReader(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  openFor('a+rX,a-w');
  chmodSync(folder.at('tmp'), 0o777);
  const env = { PATH: process.env['PATH'] ?? '', DOCMIRROR_DATA_DIR: folder.at('data'), TMPDIR: folder.at('tmp') };
  try {
    return spawnSync(process.execPath, [MAIN, ...args], { env, cwd: folder.at('tmp'), encoding: 'utf8', ...NOBODY });
  } finally {
    openFor('u+w');
  }
}

const PAGES = 'select count(*) as n from pages';

describe.skipIf(!canStart())(
  'a data directory that may only be read, without the files that SQLite puts beside a database',
  () => {
    beforeAll(() => {
      for (const end of ['-wal', '-shm']) rmSync(`${folder.at('data/mirror.db')}${end}`, { force: true });
    });

    it.each([
      [['query', PAGES, '--csv'], 'n\n6\n'],
      [['snapshots'], 'complete'],
      [['status'], 'data directory'],
      [['diff', '1'], 'Nothing differs'],
      [['check', '--read-data'], 'Whole: database'],
      [['export', '--to', 'tree'], 'Exported snapshot 1'],
    ])(
      'answers %j: the database could not be opened, and the advice was to let everybody write there',
      (args, words) => {
        const { stdout, stderr } = asReader(...args);
        expect(stdout + stderr).toContain(words);
        expect(existsSync(folder.at('data/mirror.db-shm'))).toBe(false);
        expect(readdirSync(folder.at('tmp')).filter((name) => name.startsWith('docmirror-'))).toEqual([]);
      },
    );

    it('reads what a writer that was killed has left beside the database', async () => {
      mkdirSync(folder.at('left'));
      using mirror = await openMirror({ dataDir: folder.at('left'), clock: systemClock() });
      mirror.store.driver.exec(`insert into meta (name, value) values ('told', 'last')`);
      for (const end of ['', '-wal'])
        copyFileSync(folder.at(`left/mirror.db${end}`), folder.at(`data/mirror.db${end}`));
      const { stdout } = asReader('query', `select value from meta where name = 'told'`, '--csv');
      expect(stdout).toBe('value\nlast\n');
    });
  },
);
