// A data directory in which a command of another user, such as root, has left files.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { environmentOf, MAIN, runCli, startProgram, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const NOBODY_ID = 65_534;

type AsNobody = (args: readonly string[], env: Record<string, string>) => Promise<Ended>;

/** Runs commands as nobody. Skips the test where only root could, and where nobody may not enter the program. */
async function asNobody({ skip }: TestContext): Promise<AsNobody> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv')) skip('only root can run a command as somebody else');
  const who = ['--reuid', String(NOBODY_ID), '--regid', String(NOBODY_ID), '--clear-groups'];
  const run: AsNobody = (args, env) =>
    startProgram('/usr/bin/setpriv', [...who, process.execPath, MAIN, ...args], { env, cwd: '/' }).ended;
  if ((await run(['--version'], {})).code !== 0) skip('nobody may not enter this folder');
  return run;
}

/** A mirror that root has made in the folder of somebody else. */
async function leftByRoot() {
  const platform = await startSeeded();
  const folder = testFolder();
  const dataDir = folder.at('data');
  const env = { ...environmentOf(platform, dataDir), DOCMIRROR_STATUS_PORT: '0' };
  await runCli(['sync'], { env });
  for (const above of [folder.path, dirname(folder.path)]) chmodSync(above, 0o711);
  chownSync(dataDir, NOBODY_ID, NOBODY_ID);
  const dispose = async (): Promise<void> => {
    await platform[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  return { dataDir, env, [Symbol.asyncDispose]: dispose };
}

it('names the file that another user has closed: sync and status said that they were unable to open a database file, and nothing of which', async (context) => {
  const run = await asNobody(context);
  await using left = await leftByRoot();
  for (const command of ['status', 'sync']) {
    const { code, stderr } = await run([command], left.env);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /data\/(?:lease|mirror)\.\S+ is not open to this user for reading and writing .* \(DM_DATA_DIR_UNUSABLE\)/,
      ),
    ]);
  }
});

it('lets the doctor name what is closed, and say who is to have it: the data directory could be read and written, and nothing was broken', async (context) => {
  const run = await asNobody(context);
  await using left = await leftByRoot();
  const { dataDir, env } = left;
  mkdirSync(join(dataDir, 'objects'), { recursive: true });
  for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), NOBODY_ID, NOBODY_ID);
  // That of a disk which is mounted there is nobody's concern.
  for (const name of ['objects/ab', 'lost+found']) mkdirSync(join(dataDir, name), { mode: 0o700 });
  const { code, stdout } = await run(['doctor'], env);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /BAD +data directory +\S+\/data\/objects\/ab: not open to this user .*\n.*Run chown -R USER \S+\/data,/,
    ),
  ]);
});

it('lets the doctor warn of no folder that its user comes into through the group alone: the mode that it named would have locked that user out', async (context) => {
  const run = await asNobody(context);
  await using left = await leftByRoot();
  const { dataDir, env } = left;
  for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), NOBODY_ID, NOBODY_ID);
  chownSync(dataDir, 0, NOBODY_ID);
  chmodSync(dataDir, 0o2770);
  const looked = await run(['doctor'], env);
  expect([looked.code, looked.stdout]).toEqual([0, expect.not.stringContaining('privacy')]);
  chmodSync(dataDir, 0o2775);
  expect((await run(['doctor'], env)).stdout).toContain(`what to do: Run chmod o-rwx ${dataDir}: `);
});

it('lets check name an index of content/ that is closed: it was called damaged as a database', async (context) => {
  const run = await asNobody(context);
  await using left = await leftByRoot();
  const { dataDir, env } = left;
  for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), NOBODY_ID, NOBODY_ID);
  const { code, stderr, stdout } = await run(['check'], env);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/EACCES: .*content\/\.docmirror-index\.db.* \(DM_DATA_DIR_UNUSABLE\)/),
  ]);
  expect(stdout).not.toContain('damaged');
});

it('exports again where root has left a closed index in content/, as by one sync that found nothing new: each night failed at it', async (context) => {
  const run = await asNobody(context);
  await using left = await leftByRoot();
  const { dataDir, env } = left;
  execFileSync('chown', ['-R', `${NOBODY_ID}:${NOBODY_ID}`, dataDir]);
  await runCli(['sync'], { env });
  const index = join(dataDir, 'content/.docmirror-index.db');
  expect(statSync(index).uid).toBe(0);
  const { code, stderr } = await run(['sync'], env);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('DM_')]);
  expect(statSync(index).uid).toBe(NOBODY_ID);
  expect((await run(['check'], env)).code).toBe(0);
});
