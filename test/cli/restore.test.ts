import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

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

  it('mends the platform in place, and takes every restore back', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
    const own = environmentOf(platform, folder.at('data'));
    await using editor = editorOf(platform);
    await using reader = editorOf(target);
    const restore = (...args: string[]): Promise<Ended> =>
      runCli(['restore', ...args, '--json'], { env: own, cwd: folder.path });
    await runCli(['sync'], { env: own });
    const { items } = await editor.api.listCollections({ path: { organizationId: platform.organizations()[0] ?? '' } });
    const path = { collectionId: items[0]?.id ?? '' };
    await editor.api.updateCollection({ path, body: { title: 'Gone bad' } });

    const refused = await restore('plan', '--snapshot', '1', '--in-place', 'new', '--out', 'mend.json');
    expect([refused.code, refused.stderr.includes('--delete')]).toEqual([2, true]);
    const plan = await restore('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
    expect(documentOf(plan)).toMatchObject({ actions: { create: 0, update: 1, delete: 0 } });
    const applied = documentOf<{ restore: string; done: number; undoPlan: string }>(
      await restore('apply', 'mend.json'),
    );
    expect(applied.done).toBe(1);
    expect((await editor.api.getCollection({ path })).title).toBe(items[0]?.title);
    expect(documentOf(await restore('verify', applied.restore))).toMatchObject({ passed: true });
    expect((await restore('apply', applied.undoPlan)).code).toBe(0);
    expect((await editor.api.getCollection({ path })).title).toBe('Gone bad');

    const elsewhere = ['--target-url', target.url];
    const run = (...args: string[]): Promise<Ended> =>
      runCli(['restore', ...args, '--json', ...elsewhere], { env, cwd: folder.path });
    await run('plan', '--snapshot', '1', '--out', 'anew.json');
    const { restore: id, undoPlan } = documentOf<{ restore: string; undoPlan: string }>(
      await run('apply', 'anew.json'),
    );
    expect(JSON.parse(readFileSync(undoPlan, 'utf8'))).toMatchObject({ plan: { undoes: id } });
    const undone = await run('undo', id);
    expect([undone.code, documentOf(undone)]).toMatchObject([0, { failed: 0, skipped: 0 }]);
    const there = await reader.api.listCollections({ path: { organizationId: target.organizations()[0] ?? '' } });
    expect(there.items).toEqual([]);
    expect((await run('undo', documentOf<{ restore: string }>(undone).restore)).code).toBe(4);
    expect(documentOf(undone)).toMatchObject({ undoPlan: null });
  });

  it('refuses before the first write: a plan that was edited, a damaged archive, a token without rights, a target that was filled', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
    const flag = ['--target-url', target.url];
    const restore = (args: string[], token = target.token): Promise<Ended> =>
      runCli(['restore', ...args, ...flag], { env: { ...env, DOCMIRROR_TARGET_TOKEN: token }, cwd: folder.path });
    await runCli(['sync'], { env });
    await restore(['plan', '--snapshot', '1', '--out', 'plan.json']);
    target.clearRequestLog();
    const writes = (): string[] =>
      target.requestLog.recent().flatMap(({ method, target: path }) => (method === 'GET' ? [] : [path]));
    const expectRefused = ({ code, stderr }: Ended, exit: number, why: string): void => {
      expect([code, stderr.includes(why), writes()], stderr).toEqual([exit, true, []]);
      expect(stderr).toMatch(/what to do: .*Nothing was (written|changed)/);
    };

    const text = readFileSync(folder.at('plan.json'), 'utf8');
    writeFileSync(folder.at('edited.json'), text.replace('"review": false', '"review": true'));
    expectRefused(await restore(['apply', 'edited.json']), 4, 'DM_PLAN_DAMAGED');

    const { token } = target.createUser({
      displayName: 'Reader',
      email: 'reader@example.com',
      organization: target.organizations()[0] ?? '',
      role: 'read',
    });
    expectRefused(await restore(['apply', 'plan.json'], token), 1, 'DM_FORBIDDEN');

    const forge = (change: string): void => {
      const db = new Database(folder.at('data', 'mirror.db'));
      db.prepare(`update bodies set data = ${change} where bid = (select max(text) from versions)`).run();
      db.close();
    };
    forge(`data || '!'`);
    expectRefused(await restore(['apply', 'plan.json']), 4, 'DM_ARCHIVE_DAMAGED');
    forge(`substr(data, 1, length(data) - 1)`);

    await using editor = editorOf(target);
    const path = { organizationId: target.organizations()[0] ?? '' };
    await editor.api.createCollection({ path, body: { title: 'Meanwhile' } });
    target.clearRequestLog();
    const stale = await restore(['apply', 'plan.json']);
    expectRefused(stale, 4, 'DM_PLAN_STALE');
    expect(stale.stderr).toContain('` and the options of this one. Nothing was written.');
  });

  it('takes a map of people, and corrects it later', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
    const flag = ['--json', '--target-url', target.url];
    const restore = (...args: string[]): Promise<Ended> =>
      runCli(['restore', ...args, ...flag], { env, cwd: folder.path });
    const organization = platform.organizations()[0] ?? '';
    platform.createUser({ displayName: 'Kim', email: 'kim@example.com', organization, role: 'review' });
    await runCli(['sync'], { env });
    const plan = (...more: string[]): Promise<Ended> =>
      restore('plan', '--snapshot', '1', '--out', 'plan.json', ...more);
    expect((await plan('--without-comments', '--keep-mentions')).code).toBe(0);
    const applied = await restore('apply', 'plan.json', '--without-comments');
    const { restore: id } = documentOf<{ restore: string }>(applied);

    const there = target.organizations()[0] ?? '';
    const kim = target.createUser({ displayName: 'K.', email: 'kim@example.org', organization: there, role: null });
    writeFileSync(folder.at('people.json'), '{"kim@example.com": "kim@example.org"}');
    const shown = await restore('remap', id, '--people', 'people.json', '--plan-only');
    expect(documentOf(shown)).toMatchObject({ actions: { update: 1 }, applied: null });
    const done = await restore('remap', id, '--people', 'people.json');
    expect([done.code, documentOf(done)]).toMatchObject([0, { applied: { done: 1, failed: 0 } }]);
    await using editor = editorOf(target);
    const member = await editor.api.getMember({ path: { organizationId: there, userId: kim.id } });
    expect(member.role).toBe('review');
    const again = await restore('remap', id, '--people', 'people.json');
    expect([again.code, documentOf(again)]).toMatchObject([0, { applied: null, people: [], plan: null }]);
    const plans = readdirSync(folder.at('data', 'restores', id)).filter((name) => name.startsWith('remap-'));
    expect(plans, 'one that had nothing to write left its plan').toHaveLength(2);

    // Of what was taken back somebody is given it once more: it was said that they had it.
    const { applied: remapped } = documentOf<{ applied: { restore: string } }>(done);
    await restore('undo', remapped.restore);
    expect(documentOf(await restore('verify', id))).toMatchObject({ passed: true });
    const once = await restore('remap', id, '--people', 'people.json');
    expect(documentOf(once)).toMatchObject({ applied: { done: 1, failed: 0 } });

    // Nobody is to get rights in what was taken away again.
    await restore('undo', id);
    writeFileSync(folder.at('people.json'), '{"admin@example.com": "kim@example.org"}');
    const undone = await restore('remap', id, '--people', 'people.json');
    expect([undone.code, undone.stderr]).toEqual([4, expect.stringContaining('was taken back by restore')]);
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
