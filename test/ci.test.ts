// What runs the suite elsewhere: its closing line is true, and a version that cannot be had is said, not passed over.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testFolder, type TestFolder } from './support/cli.ts';

function report(passed: number, failed: number, files: object[] = []): string {
  return JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: files });
}

/** Stand-ins for what .ci/run calls: `timeout` notes its limits, and ends at once what CUT names. */
const COMMANDS = {
  npm: `case "$1" in
    test | run) for word in "$@"; do case "$word" in --outputFile.json=*) echo "$REPORT" >"\${word#*=}" ;; esac; done ;;
    install) exit "\${INSTALL:-0}" ;;
  esac`,
  timeout: `echo "$2 $3 $4" >>"$NOTES"; shift 2; [ "$1 $2" != "\${CUT:-}" ] || exit 124; exec "$@"`,
  tar: `[ -z "\${TAR:-}" ] || exit "$TAR"; exec /bin/tar "$@"`,
  chromium: '',
};

interface Ran {
  readonly status: number | null;
  readonly said: string;
  /** The last two lines. */
  readonly end: string[];
  /** What ran under a limit: SECONDS COMMAND. */
  readonly limits: string[];
}

/** Runs .ci/run in a folder of its own, where every suite leaves a report of ten tests that passed. */
function runCi(folder: TestFolder, env: Record<string, string> = {}): Ran {
  mkdirSync(folder.at('bin'), { recursive: true });
  for (const [name, body] of Object.entries(COMMANDS)) {
    writeFileSync(folder.at('bin', name), `#!/bin/bash\n${body}\n`);
    chmodSync(folder.at('bin', name), 0o755);
  }
  cpSync('.ci', folder.at('work', '.ci'), { recursive: true });
  const notes = folder.at('notes');
  writeFileSync(notes, '');
  const PATH = `${folder.at('bin')}:${process.env['PATH'] ?? ''}`;
  const { stdout, status } = spawnSync('bash', [folder.at('work', '.ci', 'run')], {
    env: { ...process.env, PATH, NOTES: notes, REPORT: report(10, 0), ...env },
  });
  const limits = readFileSync(notes, 'utf8').trim().split('\n');
  const said = String(stdout);
  return { status, said, end: said.trim().split('\n').slice(-2), limits };
}

describe('.ci', () => {
  it('closes with one line that counts every run; a run without a report, or a file that does not load, has failed', () => {
    using folder = testFolder();
    const unloaded = [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{}] },
    ];
    const reports = { a: report(10, 0), b: report(5, 1, unloaded), empty: '', cut: report(10, 0).slice(0, -2) };
    for (const [name, text] of Object.entries(reports)) writeFileSync(folder.at(name), text);
    const count = (...names: string[]): [string, number | null] => {
      const { stdout, status } = spawnSync(process.execPath, [
        '.ci/count-tests.mjs',
        ...names.map((one) => folder.at(one)),
      ]);
      return [String(stdout), status];
    };
    expect(count('a')).toEqual(['10 passed, 0 failed\n', 0]);
    expect(count('a', 'b')).toEqual(['15 passed, 2 failed\n', 1]);
    expect(count('a', 'empty')).toEqual(['10 passed, 1 failed\n', 1]);
    expect(count('a', 'cut')).toEqual(['10 passed, 1 failed\n', 1]);
    expect(count('a', 'never-written')).toEqual(['10 passed, 1 failed\n', 1]);
  });

  it('names what failed once more before that line, since a long run often keeps its end alone', () => {
    using folder = testFolder();
    const failed = {
      status: 'failed',
      fullName: 'walk reads a page',
      failureMessages: ['Error: 3 are not 4\n  at walk'],
    };
    const files = [
      { name: 'test/walk.test.ts', status: 'failed', assertionResults: [{ status: 'passed' }, failed] },
      { name: 'test/parse.test.ts', status: 'failed', assertionResults: [], message: 'Unexpected token' },
    ];
    writeFileSync(folder.at('report'), report(1, 1, files));
    const { stdout, stderr } = spawnSync(process.execPath, ['.ci/count-tests.mjs', folder.at('report')]);
    expect(String(stdout)).toBe('1 passed, 2 failed\n');
    expect(String(stderr).trim().split('\n')).toEqual([
      'FAILED test/walk.test.ts > walk reads a page',
      '  Error: 3 are not 4',
      '    at walk',
      'FAILED test/parse.test.ts > (could not be loaded)',
      '  Unexpected token',
    ]);
  });

  it('says so when another Node.js cannot be installed, and ends with a status of its own', () => {
    const offline = {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
      npm_config_prefer_offline: 'false',
    };
    const { stdout, status } = spawnSync('bash', ['.ci/node-versions.sh', '99'], {
      env: { ...process.env, ...offline },
    });
    expect([status, String(stdout)]).toEqual([
      3,
      expect.stringContaining('Node.js 99: skipped, it could not be installed'),
    ]);
  });

  it('runs all tests and those of another version, every step with a limit, and closes with the count', () => {
    using folder = testFolder();
    const { status, end, limits } = runCi(folder);
    expect([status, end.at(-1)]).toEqual([0, '30 passed, 0 failed']);
    const steps = ['npm ci', 'npm audit', 'npm test', 'npm run', 'npm install', 'npm ci', 'npm test'];
    expect(limits.map((line) => line.replace(/^\d+ /, ''))).toEqual(steps);
    const seconds = limits.map((line) => Number.parseInt(line, 10));
    expect(seconds.slice(0, 3)).toEqual([420, 60, 1040]);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(1140);
  });

  it.each([
    ['a version that cannot be had is named in the line before the last', { INSTALL: '1' }, [0, '20 passed, 0 failed']],
    ['a suite that takes too long has failed, whatever it left', { CUT: 'npm test' }, [1, '10 passed, 2 failed']],
    ['the tests that take long have failed when they take too long', { CUT: 'npm run' }, [1, '20 passed, 1 failed']],
    ['an installation that takes too long is no run', { CUT: 'npm ci' }, [1, '0 passed, 1 failed']],
    ['a copy that cannot be made has failed', { TAR: '2' }, [1, '20 passed, 1 failed']],
  ])('%s', (_what, env, closing) => {
    using folder = testFolder();
    const { status, end } = runCi(folder, env);
    expect([status, end.at(-1)]).toEqual(closing);
    if ('INSTALL' in env) expect(end[0]).toMatch(/^Node\.js 2\d was SKIPPED/);
  });

  it('says what it leaves out for want of time, and counts the rest: the whole run was ended on a slow machine', () => {
    using folder = testFolder();
    // Bash counts on from there.
    const { status, end, said, limits } = runCi(folder, { SECONDS: '1141' });
    expect([status, end.at(-1)]).toEqual([0, '10 passed, 0 failed']);
    expect(said).toMatch(/^The tests that take long \(npm run test:long\) were SKIPPED: /m);
    expect(said).toMatch(/^Node\.js 2\d was SKIPPED/m);
    expect(limits.filter((line) => /npm (?:test|run)$/.test(line))).toHaveLength(1);
  });

  it('skips a version that too little time is left for', () => {
    const { stdout, status } = spawnSync('bash', ['.ci/node-versions.sh', '24'], {
      env: { ...process.env, SECONDS_LEFT: '419', SECONDS_NEEDED: '420' },
    });
    expect([status, String(stdout)]).toEqual([3, expect.stringMatching(/^Node\.js 24: skipped, only 41\d s are left/)]);
  });

  it('promises the versions that it is run under', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    const lines = [...engines.node.matchAll(/\^(\d+)/g)].map(([, major]) => major);
    expect(lines).toEqual(['20', '22', '24']);
    expect(readFileSync('.ci/node-versions.sh', 'utf8')).toContain(`versions=(${lines.join(' ')})`);
    expect(readFileSync('README.md', 'utf8')).toContain(
      `the suite under Node.js ${lines.join(', ').replace(/, (\d+)$/, ' and $1')}`,
    );
  });
});
