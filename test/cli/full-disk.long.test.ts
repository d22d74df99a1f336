import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it, type TestContext } from 'vitest';
import {
  MAIN,
  testFolder,
  runCli,
  runOwnProcess,
  startCli,
  daemonEnvironment,
  environmentOf,
  startProgram,
} from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { givenSmallDisk } from '../support/small-disk.ts';

interface Told {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs the command with its output going to a disk that is full. */
function toFullDisk(args: readonly string[], env: Record<string, string> = {}): Told {
  const full = openSync('/dev/full', 'w');
  try {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    return { code: status, stderr };
  } finally {
    closeSync(full);
  }
}

const REFUSED =
  /^docmirror: The output could not be written: .*ENOSPC.* \(DM_OUTPUT_FAILED\)\n {2}what to do: Send it .*\n$/;

it('sync needs no room in the folder for temporary files: where that was full, or could not be written, no walk began, and the data directory was blamed', async (context) => {
  const { disk, folder: full } = givenSmallDisk(context);
  disk.fill(0);
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = { ...environmentOf(platform, folder.at('data')), TMPDIR: full };
  const { code, stderr } = await runCli(['sync'], { env });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('DM_')]);
});

describe.skipIf(!existsSync('/dev/full'))('output to a full disk', () => {
  it('ends in one clear error, not in a stack trace', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    for (const args of [
      ['query', 'select * from pages'],
      ['query', '--json', 'select * from pages'],
      ['query', '--csv', 'select * from pages'],
      ['snapshots'],
      ['snapshots', '--json'],
    ])
      expect(toFullDisk(args, env), args.join(' ')).toEqual({ code: 1, stderr: expect.stringMatching(REFUSED) });
  });

  it.each([[['--help']], [['--version']], [['query', '--help']], [['completion', 'zsh']]])('ends %j so too', (args) => {
    expect(toFullDisk(args)).toEqual({ code: 1, stderr: expect.stringMatching(REFUSED) });
  });

  it('names the place of a report whose own disk is full, and not the data directory', async () => {
    using world = await createTestMirror();
    await world.add({ spaces: [{ id: 's1', title: 'S', pages: [] }] });
    using folder = testFolder();
    symlinkSync('/dev/full', folder.at('report.html'));
    const { code, stderr } = await runCli(['report', '--out', folder.at('report.html'), '--data-dir', world.dataDir]);
    expect(stderr).toContain(`${folder.at('report.html')} cannot be written: its disk is full (DM_DISK_FULL)`);
    expect(stderr).not.toContain(world.dataDir);
    expect(code).toBe(1);
  });

  it('keeps the exit code of another error whose document cannot be written', () => {
    const { code, stderr } = toFullDisk(['forget', '--json']);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 2]);
    expect(stderr).toContain('DM_USAGE');
  });
});

describe('a limit on the size of files', () => {
  const limited = (kilobytes: number, args: readonly string[], env: Record<string, string>) =>
    startProgram('bash', ['-c', `ulimit -f ${kilobytes}; exec "$0" "$@"`, process.execPath, MAIN, ...args], { env })
      .ended;

  it('is told as what it is, and not as missing permission', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    for (const args of [['sync'], ['platform', '--data', folder.at('platform'), '--seed', 'demo']]) {
      const { code, stderr } = await limited(100, args, env);
      const where = args.length === 1 ? `(data directory ${folder.at('data')})` : `(folder ${folder.at('platform')})`;
      expect(stderr).toContain(`files may not grow that large here (ulimit -f) ${where} (DM_DISK_FULL)`);
      expect(stderr).toContain('what to do: Lift the limit');
      expect(code).toBe(1);
    }
    expect((await runCli(['sync'], { env })).code).toBe(0);
  });

  it('lets forget and prune say nothing of free space: content/ was to be removed for it, which lifts no limit', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    for (const args of [['sync'], ['sync']]) await runCli(args, { env });
    const { code, stderr } = await limited(100, ['forget', '--keep-last', '1', '--prune'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('what to do: Lift the limit (ulimit -f unlimited')]);
    expect(existsSync(folder.at('data', 'content'))).toBe(true);
  });
});

describe('a limit on open files', () => {
  const limited = (most: number, args: readonly string[], env: Record<string, string>) =>
    startProgram('bash', ['-c', `ulimit -n ${most}; exec "$0" "$@"`, process.execPath, MAIN, ...args], { env }).ended;

  it('is told as what it is: as a fault in Docmirror, or as missing permission', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    const told: string[] = [];
    // Where Node.js itself needs more, it ends with words of its own; how many it takes differs by version.
    for (let most = 20; most <= 32; most++) told.push((await limited(most, ['check'], env)).stderr);
    const own = told.filter((stderr) => stderr.includes('docmirror: ')).join('\n');
    expect(own).toMatch(/\(DM_TOO_MANY_OPEN\)\n {2}what to do: Raise the limit \(ulimit -n/);
    expect(own).not.toContain('DM_INTERNAL');
    for (const hint of own.match(/what to do: .*/g) ?? []) expect(hint).toContain('(ulimit -n');
    expect((await runCli(['check'], { env })).code).toBe(0);
  });
});

/** A mirror on a small disk, and the platform that it is of. */
async function mirroredOnSmallDisk(context: TestContext) {
  const { disk, folder } = givenSmallDisk(context);
  const platform = await startSeeded();
  const env = daemonEnvironment(platform, `${folder}/data`);
  await runCli(['sync'], { env });
  return { disk, folder, env, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

describe('a disk that is full when the daemon begins', () => {
  it('is told with the data directory that lies on it: "database or disk is full", and nothing of which', async (context) => {
    await using mirrored = await mirroredOnSmallDisk(context);
    const { disk, folder, env } = mirrored;
    disk.fill(0);
    const daemon = startCli(['daemon'], { env: { ...env, DOCMIRROR_STATUS_PORT: '0' } });
    const told = await daemon.until(/DM_DISK_FULL.*\n/);
    const { code } = await daemon.interrupt('SIGTERM');
    expect(told).toContain(`(data directory ${folder}/data)`);
    expect(code).toBe(0);
  });
});

describe('a disk without room for a drill', () => {
  it('is told before the drill begins, and by the doctor: it was filled up, and then all who write there failed', async (context) => {
    await using mirrored = await mirroredOnSmallDisk(context);
    const { disk, folder, env } = mirrored;
    disk.fill();
    const { code, stderr } = await runCli(['drill'], { env });
    expect(stderr).toMatch(
      /The drill of snapshot 1 was not begun: it takes about \d+ KB while it runs, and \d+(\.\d)? KB are free on the disk of .*\/restores \(DM_DISK_FULL\)/,
    );
    expect([code, existsSync(`${folder}/data/restores`)]).toEqual([1, false]);
    expect((await runCli(['doctor'], { env })).stdout).toMatch(/drill +there is no room for one: it takes about/);
    disk.free();
    expect((await runCli(['drill'], { env })).code).toBe(0);
    expect((await runCli(['doctor'], { env })).stdout).not.toContain('no room');
  });
});

describe('a disk on which nothing more can be written', () => {
  it('lets the mirror be read that lies on it: status, query and export ended in its being full', async (context) => {
    await using mirrored = await mirroredOnSmallDisk(context);
    using elsewhere = testFolder();
    const { disk, folder, env } = mirrored;
    const reads = async (): Promise<void> => {
      const counted = await runCli(['query', 'select count(*) as n from snapshots', '--csv'], { env });
      expect([counted.stderr, counted.stdout]).toEqual(['', 'n\n1\n']);
      expect((await runCli(['status'], { env })).stdout).toContain(`${folder}/data`);
      expect((await runCli(['check'], { env })).stdout).toContain('Whole: database');
    };
    // SQLite makes these two for whoever reads, and removes them with whoever wrote last.
    const without = (): void => {
      for (const end of ['-wal', '-shm']) rmSync(`${folder}/data/mirror.db${end}`, { force: true });
    };
    without();
    disk.fill(0);
    await reads();
    expect((await runCli(['export', '--to', elsewhere.at('tree')], { env })).code).toBe(0);
    const nowhere = await runOwnProcess(['status'], { env: { ...env, TMPDIR: folder } });
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('name another folder in TMPDIR')]);
    disk.free();
    without();
    disk.limitFiles(0);
    await reads();
    disk.limitFiles(null);
  });

  it('says what may go before anything can be freed: forget and prune said to free space', async (context) => {
    await using mirrored = await mirroredOnSmallDisk(context);
    const { disk, folder, env } = mirrored;
    await runCli(['sync'], { env });
    disk.fill(0);
    const refused = await runCli(['forget', '--keep-last', '1', '--prune'], { env });
    const content = `${folder}/data/content`;
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('(DM_DISK_FULL)')]);
    expect(refused.stderr).toContain(`${content} may be removed for it, but for files of your own`);
    rmSync(content, { recursive: true });
    const without = await runCli(['prune'], { env });
    expect(without.stderr).not.toContain('may be removed');
    disk.free();
    expect((await runCli(['forget', '--keep-last', '1', '--prune'], { env })).code).toBe(0);
    expect((await runCli(['export', '--to', content], { env })).code).toBe(0);
    expect((await runCli(['check', '--read-data'], { env })).stdout).toContain('export');
  });
});

describe('a disk that can hold no further file', () => {
  it('is told as full, with where to look, and not as missing permission', async (context) => {
    await using mirrored = await mirroredOnSmallDisk(context);
    const { disk, folder, env } = mirrored;
    disk.limitFiles(0);
    const { code, stderr } = await runCli(['sync'], { env });
    expect(stderr).toContain(`its disk is full (data directory ${folder}/data) (DM_DISK_FULL)`);
    expect(stderr).toContain('df -i');
    const doctor = await runCli(['doctor'], { env });
    expect(doctor.stdout).toMatch(/BAD +disk +room for 0 more files \(inodes\)/);
    disk.limitFiles(null);
    expect([code, (await runCli(['sync'], { env })).code]).toEqual([1, 0]);
  });
});
