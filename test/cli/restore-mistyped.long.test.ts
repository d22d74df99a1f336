// What was mistyped is said before anything is asked, walked or made.
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { environmentOf, runCli, testFolder, type Ended, type TestFolder } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

let platform: EmbeddedPlatform;
let folder: TestFolder;

beforeEach(async () => {
  platform = await startSeeded();
  folder = testFolder();
});

afterEach(async () => {
  await platform[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function run(...args: string[]): Promise<Ended> {
  return runCli(args, { env: environmentOf(platform, folder.at('data')), cwd: folder.path });
}

describe('cli/restore, mistyped', () => {
  it('advises --in-place for the organization that was mirrored: what stands there was to be written a second time, or what people put back taken away', async () => {
    await run('sync');
    await using editor = editorOf(platform);
    const { api } = editor;
    const found = await run('query', '--json', 'select id from spaces');
    const [{ id: spaceId } = { id: '' }] = JSON.parse(found.stdout) as { id: string }[];
    await api.deleteSpace({ path: { spaceId } });
    const plan = ['restore', 'plan', '--snapshot', '1', '--out', 'mend.json'];
    await run(...plan, '--in-place');
    const { stdout } = await run('restore', 'apply', 'mend.json', '--json');
    const { restore } = JSON.parse(stdout) as { restore: string };
    expect(await run('restore', 'undo', restore)).toMatchObject({ code: 0 });
    await api.restoreSpace({ path: { spaceId } });

    const refused = await run(...plan);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('DM_TARGET_NOT_EMPTY') as string });
    expect(refused.stderr).toContain('what to do: It is the organization that the snapshot is of: add --in-place to');
    expect(refused.stderr).not.toContain('restore undo');
    expect(await run(...plan, '--in-place')).toMatchObject({ code: 0 });
  });

  it('refuses a scope and a condition that the snapshot has nothing of before the platform is walked', async () => {
    await run('sync');
    platform.clearRequestLog();
    const plan = ['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'];
    for (const [code, ...choice] of [
      ['DM_USAGE', '--scope', 'page:nope'],
      ['DM_USAGE', '--where', "title = 'nope'"],
      ['DM_SQL_INVALID', '--where', "titel = 'Overview'"],
      ['is given twice', '--scope', 'space:one', '--scope', 'space:two'],
    ] as const) {
      const ended = await run(...plan, ...choice);
      expect([ended.code, ended.stderr], choice.join(' ')).toEqual([2, expect.stringContaining(code)]);
    }
    expect(platform.requestLog.recent()).toEqual([]);
    const { stdout } = await run('snapshots', '--json');
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(existsSync(folder.at('mend.json'))).toBe(false);
  });

  it('makes no mirror in a directory that has none', async () => {
    await run('sync');
    await run('restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
    for (const command of [
      ['drill'],
      ['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'x.json'],
      ['restore', 'apply', 'mend.json'],
      ['restore', 'resume', 'x'],
      ['restore', 'verify', 'x'],
      ['restore', 'undo', 'x'],
      ['restore', 'list'],
    ]) {
      const ended = await run(...command, '--data-dir', 'dada');
      expect([ended.code, ended.stderr], command.join(' ')).toEqual([1, expect.stringContaining('DM_NO_SNAPSHOT')]);
    }
    expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'mend.json']);
  });

  it('names what --in-place takes as its help does, with `new`, which neither of them named, and what is required', async () => {
    const { code, stderr } = await run('restore', 'plan', '--snapshot', '1', '--in-place', 'bogus', '--out', 'x.json');
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected missing, changed or new')]);
    const { stdout: help } = await run('restore', 'plan', '--help');
    expect(help.replaceAll(/\s+/g, ' ')).toContain('new, with --delete, takes away alone');
    expect(stderr).toContain('what is not in the snapshot, with --delete');
    expect((await run('restore', 'remap', '--help')).stdout).toMatch(/--people <file>[^-]*\(required\)/);
  });

  it('prints commands that a shell takes as they stand, with a path of several words', async () => {
    await run('sync');
    await using editor = editorOf(platform);
    const [organizationId = ''] = platform.organizations();
    await editor.api.updateOrganization({ path: { organizationId }, body: { title: 'Mistitled' } });
    const { stdout } = await run('restore', 'plan', '--snapshot', '1', '--in-place', '--out', "mend ü's.json");
    expect(stdout).toContain("docmirror restore apply 'mend ü'\\''s.json'");
  });
});
