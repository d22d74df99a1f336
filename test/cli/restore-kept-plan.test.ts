import { rmSync } from 'node:fs';
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
});
