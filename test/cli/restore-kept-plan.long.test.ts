import { renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

describe('app/restore', () => {
  it('verifies and undoes a restore whose plan file is gone or was written over', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await using editor = editorOf(platform);
    const restore = (...args: string[]): Promise<Ended> =>
      runCli(['restore', ...args, '--json'], { env, cwd: folder.path });
    await runCli(['sync'], { env });
    const { items } = await editor.api.listCollections({ path: { organizationId: platform.organizations()[0] ?? '' } });
    const path = { collectionId: items[0]?.id ?? '' };
    await editor.api.updateCollection({ path, body: { title: 'Gone bad' } });
    await restore('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
    const { restore: id } = documentOf<{ restore: string }>(await restore('apply', 'mend.json'));
    await restore('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
    expect(documentOf(await restore('verify', id))).toMatchObject({ passed: true });
    rmSync(folder.at('mend.json'));
    const undone = await restore('undo', id);
    expect(undone.stderr).toBe('');
    expect(undone.code).toBe(0);
    expect((await editor.api.getCollection({ path })).title).toBe('Gone bad');
  });

  it('verifies and undoes a restore after the data directory was moved: its plan was looked for where that had been', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const restore = (data: string, ...args: string[]): Promise<Ended> => {
      const env = { ...environmentOf(platform, folder.at(data)), DOCMIRROR_TARGET_TOKEN: target.token };
      return runCli(['restore', ...args, '--json', '--target-url', target.url], { env, cwd: folder.path });
    };
    await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) });
    await restore('data', 'plan', '--snapshot', '1', '--out', 'plan.json');
    const { restore: id } = documentOf<{ restore: string }>(await restore('data', 'apply', 'plan.json'));
    const { plan } = documentOf<{ plan: string }>(await restore('data', 'undo', id, '--plan-only'));
    renameSync(folder.at('data'), folder.at('moved'));
    expect(documentOf(await restore('moved', 'verify', id))).toMatchObject({ passed: true });
    // What stood before lies beside its plan, which names the place of before.
    const undone = await restore('moved', 'apply', plan.replace(folder.at('data'), folder.at('moved')));
    expect([undone.stderr, undone.code]).toEqual(['', 0]);
    const again = await restore('moved', 'undo', id);
    expect([again.code, again.stderr.includes('DM_RESTORE_UNDONE')]).toEqual([4, true]);
  });
});
