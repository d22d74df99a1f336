// What an undo says of what it takes back and of what it leaves.
import { describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

interface RestoredAnew {
  readonly run: (...args: string[]) => Promise<Ended>;
  /** Names the target. */
  readonly flag: readonly string[];
  readonly restore: string;
}

/** The platform is mirrored and restored into the target. */
async function restoredAnew(
  folder: ReturnType<typeof testFolder>,
  platform: EmbeddedPlatform,
  target: EmbeddedPlatform,
): Promise<RestoredAnew> {
  const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
  const run = (...args: string[]): Promise<Ended> => runCli(args, { env, cwd: folder.path });
  const flag = ['--target-url', target.url];
  await run('sync');
  await run('restore', 'plan', '--snapshot', '1', '--out', 'anew.json', ...flag);
  const applied = await run('restore', 'apply', 'anew.json', '--json', ...flag);
  return { run, flag, restore: documentOf<{ restore: string }>(applied).restore };
}

describe('cli/restore undo', () => {
  it('says of which mirror the snapshot of an undo is when it is of another', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const { run, flag, restore } = await restoredAnew(folder, platform, target);
    const before = `Plan for what stood before restore ${restore} (snapshot 1 in data/restores/${restore}/before)`;
    const planned = (await run('restore', 'undo', restore, '--plan-only', ...flag)).stdout;
    expect(planned).toContain(before);
    // The one that was read beside the restore has no number that `docmirror snapshots` lists.
    expect(planned).toMatch(/live state +ok +read just now$/m);
    expect((await run('restore', 'undo', restore, ...flag)).code).toBe(0);
    const { stdout } = await run('restore', 'list');
    expect(stdout).toContain(`1 in data/restores/${restore}/before`);
    expect(stdout).toMatch(new RegExp(`${restore} +undone`));
  });

  it('names what it leaves because somebody changed it, ends with 3, and names the command that takes that away too: it told a number and ended with 0', async () => {
    await using platform = await startSeeded({ spaces: 1 });
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    await using editor = editorOf(target);
    using folder = testFolder();
    const { run, flag, restore } = await restoredAnew(folder, platform, target);
    const mine = { path: { organizationId: target.organizations()[0] ?? '', userId: target.owner } };
    const [made] = (await editor.api.listMemberSpaces(mine)).items;
    await editor.api.updateSpace({ path: { spaceId: made?.space.id ?? '' }, body: { title: 'Taken over' } });

    const left = await run('restore', 'undo', restore, ...flag);
    expect(left.stdout).toContain('1 space: somebody changed it after the restore: it is left as it is (Taken over)');
    const more = `docmirror restore undo ${restore} --even-changed --target-url ${target.url}`;
    expect([left.code, left.stdout]).toEqual([3, expect.stringContaining(`what was changed since: ${more}\n`)]);
    const [undo] = documentOf<{ restore: string; undoes: string }[]>(await run('restore', 'list', '--json')).slice(-1);
    const resumed = await run('restore', 'resume', undo?.restore ?? '', ...flag);
    expect([resumed.code, resumed.stdout], 'a resume said only that one cannot come back, and ended with 0').toEqual([
      3,
      expect.stringMatching(/2 that are not taken back\n[^]*it is left as it is \(Taken over\)[^]*--even-changed/u),
    ]);
    const all = await run(...more.split(' ').slice(1));
    expect([all.code, all.stdout]).toEqual([0, expect.not.stringContaining('--even-changed')]);
    expect((await editor.api.listMemberSpaces(mine)).items).toEqual([]);
  });

  it('does not send to an apply when a plan has nothing to write', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    const args = ['restore', 'plan', '--snapshot', '1', '--in-place', '--out', folder.at('mend.json')];
    const { code, stdout } = await runCli(args, { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('There is nothing to write.')]);
    expect(stdout).not.toContain('restore apply');
    // No line stood above it, and yet an empty one.
    expect(stdout).toMatch(/^Plan for snapshot 1 /);
  });
});

it('cli/restore undo names the other restore that wrote there since, and works again once that was taken back: it blamed somebody, and refused then', async () => {
  await using platform = await startSeeded({ spaces: 1 });
  await using editor = editorOf(platform);
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  const flag = ['--target-url', platform.url];
  const run = (...args: string[]): Promise<Ended> => runCli(args, { env, cwd: folder.path });
  const mended = async (out: string): Promise<string> => {
    await run('restore', 'plan', '--snapshot', '1', '--in-place', '--delete', '--out', out);
    return documentOf<{ restore: string }>(await run('restore', 'apply', out, '--json')).restore;
  };
  await run('sync');
  const mine = { path: { organizationId: platform.organizations()[0] ?? '', userId: platform.owner } };
  const spaceId = (await editor.api.listMemberSpaces(mine)).items[0]?.space.id ?? '';
  await editor.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Added since' } } });
  await editor.api.deleteSpace({ path: { spaceId } });
  const [first, second] = [await mended('one.json'), await mended('two.json')];

  const left = await run('restore', 'undo', first, ...flag);
  const named = `restore ${second} changed it since: take that back first with \`docmirror restore undo ${second} --target-url ${platform.url}\``;
  expect([left.code, left.stdout]).toEqual([3, expect.stringContaining(named)]);
  expect((await run('restore', 'undo', second)).code).toBe(0);
  expect((await run('restore', 'undo', first)).code).toBe(0);
  expect((await editor.api.listMemberSpaces(mine)).items).toEqual([]);
});
