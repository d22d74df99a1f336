import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('cli/commands/restore', () => {
  it('plans, applies once, verifies and lists', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
    const restore = (...args: string[]): Promise<Ended> => runCli(['restore', ...args], { env, cwd: folder.path });
    const flag = ['--target-url', target.url];
    await runCli(['sync'], { env });

    const plan = await restore('plan', '--snapshot', 'latest', '--out', 'plan.json', '--json', ...flag);
    expect(documentOf(plan)).toMatchObject({
      plan: 'plan.json',
      snapshot: 1,
      actions: { create: expect.any(Number) as number, delete: 0 },
      requests: expect.any(Number) as number,
      estimatedMs: expect.any(Number) as number,
    });
    const elsewhere = await restore('apply', 'plan.json');
    expect([elsewhere.code, elsewhere.stderr.includes('DM_PLAN_STALE')]).toEqual([4, true]);

    const applied = await restore('apply', 'plan.json', '--json', ...flag);
    expect(applied.code).toBe(0);
    const { restore: id } = documentOf<{ restore: string }>(applied);
    const again = await restore('apply', 'plan.json', ...flag);
    expect([again.code, again.stderr.includes('DM_PLAN_USED')]).toEqual([4, true]);

    const verified = await restore('verify', id, '--json', ...flag);
    expect(verified.code).toBe(0);
    expect(documentOf(verified)).toMatchObject({ passed: true, brokenLinks: { before: 0, after: 0 } });
    const [listed] = documentOf<Record<string, unknown>[]>(await restore('list', '--json'));
    expect(listed).toMatchObject({ restore: id, state: 'done', failed: 0, verified: true });

    const full = await restore('plan', '--snapshot', '1', '--out', 'second.json', ...flag);
    expect([full.code, full.stderr.includes('DM_TARGET_NOT_EMPTY')]).toEqual([4, true]);
    expect(platform.requestLog.recent().every(({ method }) => method === 'GET')).toBe(true);
  });

  it('never takes the token of the platform to another target', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    const args = ['restore', 'plan', '--snapshot', '1', '--out', 'p.json', '--target-url', 'http://127.0.0.1:9'];
    const ended = await runCli(args, { env, cwd: folder.path });
    expect([ended.code, ended.stderr.includes('DM_CONFIG_MISSING')]).toEqual([2, true]);
  });

  it('names a restore that does not exist', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    for (const verb of ['verify', 'resume']) {
      const ended = await runCli(['restore', verb, 'nothing'], { env });
      expect([ended.code, ended.stderr.includes('DM_RESTORE_UNKNOWN')]).toEqual([2, true]);
    }
  });
});
