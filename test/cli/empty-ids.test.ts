// Ids that people give: an empty one comes of a variable of the shell that is not set.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli, testFolder } from '../support/cli.ts';

// Nothing listens there: what is wrong is said before anybody is asked.
const ENV = { DOCMIRROR_BASE_URL: 'http://127.0.0.1:1', DOCMIRROR_TOKEN: 'tok' };

describe('an id that cannot be asked for', () => {
  it.each([
    ['sync', '--space', ''],
    ['sync', '--organization', '..'],
    ['sync', '--plan', '--collection', 'good', '.'],
    ['restore', 'plan', '--snapshot', '1', '--out', 'plan.json', '--to-organization', ''],
  ])('is wrong usage, and no fault in Docmirror: %s %s %s', async (...argv) => {
    using folder = testFolder();
    const ended = await runCli(argv, { cwd: folder.path, env: { ...ENV, DOCMIRROR_DATA_DIR: folder.at('data') } });
    expect(ended.stderr).toMatch(/^docmirror: --[a-z-]+ is "\.{0,2}"; expected an id \(DM_USAGE\)\n/);
    expect(ended.code).toBe(2);
  });

  it.each([
    ['spaces: [".."]', 'scope.spaces'],
    [String.raw`spaces: ["\ud800"]`, 'scope.spaces'],
    ['organizations: ["good", "."]', 'scope.organizations'],
    ['invites: ["../x"]', 'scope.invites'],
  ])('is a wrong setting: %s', async (written, key) => {
    using folder = testFolder();
    writeFileSync(folder.at('c.yaml'), `scope: { ${written} }\n`);
    const env = { ...ENV, DOCMIRROR_DATA_DIR: folder.at('data') };
    const ended = await runCli(['sync', '--config', 'c.yaml'], { cwd: folder.path, env });
    expect(ended.stderr).toContain(key);
    expect(ended.stderr).toContain('(DM_CONFIG_INVALID)');
    expect(ended.code).toBe(2);
  });
});
