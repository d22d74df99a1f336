// A snapshot that could not read everything can bring back no more than it read: whoever restores it is told.
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

interface Planned {
  readonly preflight: readonly { readonly check: string; readonly state: string; readonly detail: string }[];
}

it('says before, and after, what a partial snapshot could not read: a restore passed without the comments of a space', async () => {
  await using platform = await startSeeded();
  await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
  await using editor = editorOf(platform);
  using folder = testFolder();
  const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
  const flag = ['--json', '--target-url', target.url];
  const restore = (...args: string[]): Promise<Ended> =>
    runCli(['restore', ...args, ...flag], { env, cwd: folder.path });
  await runCli(['sync'], { env });
  const path = { organizationId: platform.organizations()[0] ?? '' };
  const { id } = await editor.api.createSpace({ path, body: { title: 'New one' } });
  await editor.api.createComment({ path: { spaceId: id }, body: { body: { markdown: 'Mind the gap' } } });
  platform.faults = [
    { operation: 'listComments', effect: { status: 403 } },
    { operation: 'listTeams', effect: { status: 403 } },
  ];
  expect((await runCli(['sync'], { env })).code).toBe(3);
  platform.faults = [];

  const whole = await restore('plan', '--snapshot', '1', '--out', 'whole.json');
  expect(documentOf<Planned>(whole).preflight.map(({ check }) => check)).not.toContain('the snapshot');
  const planned = await restore('plan', '--snapshot', 'latest', '--scope', `space:${id}`, '--out', 'plan.json');
  const [first] = documentOf<Planned>(planned).preflight;
  expect(first).toMatchObject({ check: 'the snapshot', state: 'warn' });
  expect(first?.detail).toMatch(/^snapshot 2 is partial: .*; of what is asked for, that is comments of New one$/);

  const applied = await restore('apply', 'plan.json');
  const doubt = { doubt: expect.stringMatching(/^snapshot 2 is partial: /) as unknown };
  expect([applied.code, documentOf(applied)]).toMatchObject([0, doubt]);
  expect(applied.stderr).toContain('Snapshot 2 is partial: ');
  const verified = await restore('verify', documentOf<{ restore: string }>(applied).restore);
  expect([verified.code, documentOf(verified)]).toMatchObject([0, { passed: true, ...doubt }]);
  expect(verified.stderr).toContain('What was not read came back as it was read before, or not at all');
});

it('says so where two snapshots are compared', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  await runCli(['sync'], { env });
  platform.faults = [{ operation: 'listTeams', effect: { status: 403 } }];
  await runCli(['sync', '--full'], { env });
  const compared = await runCli(['diff', '1', '2'], { env });
  expect([compared.code, compared.stderr]).toEqual([0, expect.stringContaining('Snapshot 2 is partial: ')]);
});
