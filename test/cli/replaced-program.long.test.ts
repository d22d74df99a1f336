// The program is replaced below a process that runs, as by an upgrade.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { environmentOf, MAIN, startProgram, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('says to start again where a part of the program is gone: each job of a daemon that ran on after an upgrade ended as a fault in Docmirror, to be reported', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  cpSync(dirname(MAIN), folder.at('dist'), { recursive: true });
  symlinkSync(resolve('node_modules'), folder.at('node_modules'));
  cpSync('package.json', folder.at('package.json'));
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

it('says to install anew where the binary of SQLite was never made, or not for this Node.js: it was called a fault in Docmirror, to be reported', async () => {
  using folder = testFolder();
  cpSync(dirname(MAIN), folder.at('dist'), { recursive: true });
  cpSync('package.json', folder.at('package.json'));
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
