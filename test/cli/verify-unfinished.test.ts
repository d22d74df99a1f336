// A restore that was verified before it was at its end.
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

it('cli/restore verify says that part of the plan is left, and does not count for what a resume writes then: the list went on to say "passed"', async () => {
  await using platform = await startSeeded();
  await using editor = editorOf(platform);
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  const run = (...args: string[]): Promise<Ended> => runCli(['restore', ...args], { env, cwd: folder.path });
  const verified = async (): Promise<boolean | null | undefined> =>
    documentOf<{ verified: boolean | null }[]>(await run('list', '--json'))[0]?.verified;
  const organizationId = platform.organizations()[0] ?? '';
  const { id: spaceId } = await editor.api.createSpace({ path: { organizationId }, body: { title: 'Talk' } });
  const { id: commentId } = await editor.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Why?' } } });
  await runCli(['sync'], { env });
  await editor.api.deleteComment({ path: { spaceId, commentId } });
  await editor.api.updateSpace({ path: { spaceId }, body: { title: 'Mistitled' } });

  await run('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
  const applied = await run('apply', 'mend.json', '--without-comments', '--json');
  const { restore } = documentOf<{ restore: string }>(applied);
  const early = await run('verify', restore);
  expect([early.code, early.stdout]).toEqual([0, expect.stringContaining(`docmirror restore resume ${restore}`)]);
  expect(await verified()).toBe(true);

  await run('resume', restore);
  expect(await verified()).toBe(null);
  const late = await run('verify', restore);
  expect([late.code, late.stdout]).toEqual([0, expect.not.stringContaining('resume')]);
  expect(await verified()).toBe(true);
});
