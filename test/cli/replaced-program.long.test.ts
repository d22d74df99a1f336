// The program is replaced below a process that runs, as by an upgrade.
import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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
