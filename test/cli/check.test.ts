// What `check` says of damage, and that doing what it says makes it whole.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { environmentOf, runCli, testFolder, type Ended, type TestFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const DAMAGE = `new (require('better-sqlite3'))(process.argv[1])
  .exec("update bodies set data = 'x' || data where bid in (select text from versions)")`;

/** Tells a page on which resources stand, and the size of pages. */
const LEAF = `const db = new (require('better-sqlite3'))(process.argv[1], { readonly: true });
  const page = db.prepare("select pageno from dbstat where name = 'resources' and pagetype = 'leaf'").pluck().get();
  console.log(JSON.stringify([page, db.pragma('page_size', { simple: true })]))`;

let platform: EmbeddedPlatform;
let folder: TestFolder;
let env: Record<string, string>;

beforeAll(async () => {
  platform = await startSeeded();
  folder = testFolder();
  env = environmentOf(platform, folder.at('data'));
  await runCli(['sync'], { env });
});

afterAll(async () => {
  await platform[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function check(...args: string[]): Promise<Ended> {
  return runCli(['check', ...args], { env });
}

describe('cli/commands/check', () => {
  it('does not call a mirror damaged whose platform refuses the token, and says where the token may come from', async () => {
    const { DOCMIRROR_TOKEN: _good, ...rest } = env;
    const ended = await runCli(['check', '--live', '2'], { env: { ...rest, DOCMIRROR_TOKEN: 'another-token' } });
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(/answered 401: .* \(DM_TOKEN_REFUSED\)\n {2}what to do: /);
    expect(ended.stderr).toContain(
      'DOCMIRROR_TOKEN, DOCMIRROR_TOKEN_FILE, --token-file or platform.tokenFile in the settings file',
    );
    expect(ended.stderr).not.toContain('DM_CHECK_FAILED');
  });

  it('says that what the platform refuses was not compared: the mirror was called damaged', async () => {
    platform.faults = [{ effect: { status: 403, body: { error: { code: 403, message: 'No' } } } }];
    const ended = await check('--live', '3');
    platform.faults = [];
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringMatching(/^3 problems: /)]);
    expect(ended.stderr).toContain('3 resources could not be compared with the platform; nothing says that the mirror');
    expect(ended.stderr).toContain('run the same command');
    expect(ended.stderr).not.toContain('sync --full');
  });

  it('fails where the platform answers "not found" to everything: it said whole, and that all had changed there', async () => {
    platform.faults = [{ effect: { status: 404, body: { error: { code: 404, message: 'Not found' } } } }];
    const ended = await check('--live', '10');
    platform.faults = [];
    expect([ended.code, ended.stdout]).toEqual([
      1,
      expect.stringMatching(/^10 problems: .* asked of the platform 0 the same\n/),
    ]);
    expect(ended.stdout).toContain('is not found there, which the platform does not account for');
    expect(ended.stderr).toContain('DM_CHECK_FAILED');
    expect((await check('--live', '5000')).code).toBe(0);
  });

  it('says that nothing was compared with the platform where the database is damaged too much for it: of --live nothing was said', async () => {
    const mirror = folder.at('data/mirror.db');
    const whole = readFileSync(mirror);
    const [page = 0, size = 0] = JSON.parse(
      execFileSync(process.execPath, ['-e', LEAF, mirror], { encoding: 'utf8' }),
    ) as number[];
    writeFileSync(mirror, Buffer.from(whole).fill(0, (page - 1) * size, page * size));
    const ended = await check('--live', '5000');
    writeFileSync(mirror, whole);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('could not be compared with the platform, since the database is damaged');
  });

  it('takes a file of somebody in content/ for no damage, and names it', async () => {
    const own = folder.at('data/content/mine.txt');
    writeFileSync(own, 'mine');
    const ended = await check();
    rmSync(own);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/^Whole: .*\n {2}your own, left alone: mine.txt\n$/);
  });

  it('says how the export becomes whole again where nothing but its bytes tells of the damage', async () => {
    const file = folder.at('data/content/README.md');
    const { atime, mtime, size } = statSync(file);
    writeFileSync(file, 'x'.repeat(size));
    utimesSync(file, atime, mtime);
    const ended = await check();
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringMatching(/README.md +its bytes have another hash/)]);
    expect(ended.stderr).toContain('Delete the files of the export that are named');
    // A platform that refuses the token takes nothing away of what was found.
    const refused = await runCli(['check', '--live', '2'], { env: { ...env, DOCMIRROR_TOKEN: 'another-token' } });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/^2 problems: /)]);
    for (const seen of ['its bytes have another hash', 'could not be asked: GET '])
      expect(refused.stdout).toContain(seen);
    rmSync(file);
    await runCli(['sync'], { env });
    expect((await check()).code).toBe(0);
  });

  it('says how the export becomes whole again whose own manifest is gone, and loses nothing of somebody on the way', async () => {
    const content = folder.at('data/content');
    for (let index = 0; index < 30; index++) writeFileSync(`${content}/mine-${index}.txt`, 'mine');
    rmSync(`${content}/.docmirror-export.json`);
    const ended = await check();
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('Move content/ away')]);
    renameSync(content, folder.at('data/away'));
    expect((await runCli(['sync'], { env })).code).toBe(0);
    for (let index = 0; index < 30; index++)
      renameSync(folder.at(`data/away/mine-${index}.txt`), `${content}/mine-${index}.txt`);
    const whole = await check();
    expect(whole.code).toBe(0);
    expect(whole.stdout.match(/your own, left alone/g)).toHaveLength(20);
    expect(whole.stdout).toContain('and 10 more of your own');
    for (let index = 0; index < 30; index++) rmSync(`${content}/mine-${index}.txt`);
    writeFileSync(`${content}/mine.txt`, 'mine');
    writeFileSync(`${content}/README.md`, 'mine too');
    expect((await check()).stdout).toContain('your own, left alone: mine.txt');
    for (const name of ['mine.txt', 'README.md']) rmSync(`${content}/${name}`);
    await runCli(['sync'], { env });
  });

  it('has the note of the export left where it is, whose loss keeps each sync from writing there', async () => {
    const note = folder.at('data/content/.docmirror-export.json');
    writeFileSync(note, readFileSync(note, 'utf8').slice(0, 100));
    const ended = await check();
    expect([ended.code, ended.stdout]).toEqual([
      1,
      expect.stringMatching(/\.docmirror-export\.json +it cannot be read any more/),
    ]);
    expect(ended.stderr).toContain('Leave .docmirror-export.json where it is. The next complete docmirror sync');
    expect(ended.stderr).not.toContain('Delete');
    await runCli(['sync'], { env });
    expect((await check()).code).toBe(0);
  });

  it('says how texts become whole again', async () => {
    execFileSync(process.execPath, ['-e', DAMAGE, folder.at('data/mirror.db')]);
    const ended = await check('--read-data');
    expect([ended.code, ended.stdout]).toEqual([
      1,
      expect.stringMatching(/\(page .*\) +1 to \d+ +its text has another hash/),
    ]);
    expect(ended.stderr).toContain('Run docmirror sync --full');
    await runCli(['sync', '--full'], { env });
    expect((await check('--read-data')).code).toBe(0);
  });
});

describe('cli/commands, where the database was lost', () => {
  it('begin no new mirror over what is left of the old one, and say what to do: check and status sent to docmirror sync, which refused', async () => {
    const database = folder.at('data/mirror.db');
    const whole = readFileSync(database);
    for (const lose of [() => rmSync(database), () => writeFileSync(database, '')]) {
      lose();
      for (const command of ['sync', 'check', 'status']) {
        const ended = await runCli([command], { env });
        expect([ended.code, ended.stdout]).toEqual([1, '']);
        expect(ended.stderr).toMatch(/mirror.db is (missing|empty), while there is still .*content /);
        // What a kill has left of the old one would be written into the copy.
        expect(ended.stderr).toMatch(/what to do: Remove mirror.db-wal and mirror.db-shm .* and put back a copy of/);
      }
    }
    writeFileSync(database, whole);
    expect((await runCli(['sync'], { env })).code).toBe(0);
    expect((await check('--read-data')).code).toBe(0);
  });

  it('begins one where somebody has only made the folders', async () => {
    renameSync(folder.at('data'), folder.at('old'));
    for (const name of ['objects', 'content']) mkdirSync(folder.at(`data/${name}`), { recursive: true });
    expect((await runCli(['sync'], { env })).code).toBe(0);
  });
});
