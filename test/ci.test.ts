// What runs the suite elsewhere: its closing line is true, and a version that cannot be had is said, not passed over.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testFolder } from './support/cli.ts';

function report(passed: number, failed: number, files: object[] = []): string {
  return JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: files });
}

describe('.ci', () => {
  it('closes with one line that counts every run; a run without a report, or a file that does not load, has failed', () => {
    using folder = testFolder();
    const unloaded = [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{}] },
    ];
    const reports = { a: report(10, 0), b: report(5, 1, unloaded), empty: '' };
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
    expect(count('a', 'never-written')).toEqual(['10 passed, 1 failed\n', 1]);
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
