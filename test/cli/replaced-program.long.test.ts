// The program is replaced below a process that runs, as by an upgrade.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { environmentOf, MAIN, startProgram, testFolder, type Ended, type TestFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

/** Without what it is installed with. */
function copyProgram(folder: TestFolder): void {
  cpSync(dirname(MAIN), folder.at('dist'), { recursive: true });
  cpSync('package.json', folder.at('package.json'));
}

it('says to start again where a part of the program is gone: each job of a daemon that ran on after an upgrade ended as a fault in Docmirror, to be reported', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  copyProgram(folder);
  symlinkSync(resolve('node_modules'), folder.at('node_modules'));
  const parts = folder.at('dist', 'parts');
  for (const part of readdirSync(parts)) if (part.startsWith('create-views-')) rmSync(`${parts}/${part}`);
  const env = environmentOf(platform, folder.at('data'));
  const { code, stderr } = await startProgram(process.execPath, [folder.at('dist', 'main.js'), 'sync'], { env }).ended;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /A part of the program is gone: Cannot find module '\S+create-views-\S+' .*\(DM_PROGRAM_CHANGED\)\n {2}what to do: Start it again/,
    ),
  ]);
});

it('leaves nothing of a drill whose platform could not begin: its folder stayed in the data directory', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  copyProgram(folder);
  symlinkSync(resolve('node_modules'), folder.at('node_modules'));
  const env = environmentOf(platform, folder.at('data'));
  const run = (command: string): Promise<Ended> =>
    startProgram(process.execPath, [folder.at('dist', 'main.js'), command], { env }).ended;
  expect((await run('sync')).code).toBe(0);
  rmSync(folder.at('dist', 'platform'), { recursive: true });
  expect((await run('drill')).stderr).toContain('DM_PROGRAM_CHANGED');
  expect(readdirSync(folder.at('data', 'restores'))).toEqual([]);
});

it('says to install anew where the binary of SQLite was never made, or not for this Node.js: it was called a fault in Docmirror, to be reported', async () => {
  using folder = testFolder();
  copyProgram(folder);
  const installed = folder.at('node_modules');
  mkdirSync(installed);
  for (const name of readdirSync('node_modules').filter((one) => one !== 'better-sqlite3'))
    symlinkSync(resolve('node_modules', name), join(installed, name));
  for (const part of ['package.json', 'lib'])
    cpSync(`node_modules/better-sqlite3/${part}`, join(installed, 'better-sqlite3', part), { recursive: true });
  const run = async (): Promise<string> => {
    const env = environmentOf({ url: 'http://127.0.0.1:9', token: 'x' }, folder.at('data'));
    const { code, stderr } = await startProgram(process.execPath, [folder.at('dist', 'main.js'), 'sync'], { env })
      .ended;
    return `${code} ${stderr}`;
  };
  const says = /^1 .*A part of the program cannot be loaded: \S+better_sqlite3\.node.*\(DM_PROGRAM_CHANGED\)\n.*npm ci/;
  expect(await run()).toMatch(says);
  mkdirSync(join(installed, 'better-sqlite3', 'build', 'Release'), { recursive: true });
  writeFileSync(join(installed, 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node'), 'of another Node.js');
  expect(await run()).toMatch(says);
});
