import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../src/cli/advice.ts';
import { acceptSnapshot, snapshotById } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { documentOf, environmentOf, runCli, startCli, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { untilPagesServed } from '../support/until-served.ts';

type Platform = Awaited<ReturnType<typeof startSeeded>>;

async function deleteSpaces(platform: Platform, ids: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${platform.token}` };
  for (const id of ids) await fetch(`${platform.url}/v1/spaces/${id}`, { method: 'DELETE', headers });
}

function idsIn({ stdout }: Ended): string[] {
  return stdout.trim().split(/\r?\n/).slice(1);
}

type Cli = (...args: string[]) => Promise<Ended>;

/** The second snapshot of a mirror, in which three of four spaces are gone. */
async function becomeSuspect(platform: Platform, cli: Cli): Promise<Ended> {
  await cli('sync');
  await deleteSpaces(platform, idsIn(await cli('query', '--csv', 'select id from spaces limit 3')));
  return cli('sync');
}

describe('a suspect snapshot', () => {
  it('is compared with the last good one, which may be one that somebody accepted', async () => {
    using made = await createTestMirror();
    for (const title of ['A', 'B', 'C', 'D']) await made.add({ spaces: [{ id: 's', title }] });
    made.mirror.store.driver.exec(`update snapshots set state = 'suspect' where id > 1`);
    acceptSnapshot(made.mirror, 2, 'Meant.');
    const said = adviceOn(made.mirror, snapshotById(made.mirror, 4), { flags: '' });
    expect(said.join('\n')).toContain('docmirror diff 2 4\n');
  });

  it('names the restore that brings back what is gone: it said to mend the platform, and not by which command', async () => {
    await using platform = await startSeeded({ spaces: 4, pages: 12 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const cli = (...args: string[]): Promise<Ended> => runCli(args, { env });
    const { stdout } = await becomeSuspect(platform, cli);
    const named =
      /to bring it back: +docmirror (restore plan --snapshot 1 --in-place --out )restore-of-1\.json {3}it/.exec(stdout);
    const plan = folder.at('plan.json');
    const planned = await cli(...(named?.[1] ?? '').trim().split(' '), plan);
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('3 to create, 0 to update')]);
    expect((await cli('restore', 'apply', plan)).code).toBe(0);
    expect((await cli('sync')).stdout).toContain('is complete');
  });

  it('names the restore into an empty organization where none is left: the one in place that it named found nothing to write into', async () => {
    await using platform = await startSeeded({ spaces: 1, pages: 2 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    platform.faults = [
      { operation: 'listOrganizations', effect: 'empty-list' },
      { operation: 'getOrganization', effect: { status: 404 } },
    ];
    await runCli(['sync'], { env });
    const { stdout } = await runCli(['sync'], { env });
    expect(stdout).toContain(
      'to bring it back:  docmirror restore plan --snapshot 1 --to-organization ID --out restore-of-1.json   it writes nothing yet; ID is of an empty organization',
    );
  });

  it('says what to do, is doubted by readers, and is the measure once it is accepted', async () => {
    await using platform = await startSeeded({ spaces: 4, pages: 12 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const cli = (...args: string[]): Promise<Ended> => runCli(args, { env });
    const second = await becomeSuspect(platform, cli);
    expect(second.code).toBe(3);
    expect(second.stdout).toContain('docmirror diff 1 2');
    expect(second.stdout).toContain('docmirror snapshots accept 2 --reason');
    const read = await cli('query', '--csv', 'select count(*) as n from pages');
    expect([read.stdout, read.stderr]).toEqual(['n\n12\n', expect.stringContaining('Snapshot 2 is suspect: ')]);
    expect((await cli('status')).stderr).toContain('docmirror snapshots show 2');

    const dry = await cli('forget', '--keep-last', '1', '--dry-run', '--json');
    const done = await cli('forget', '--keep-last', '1');
    expect([dry.code, done.code]).toEqual([4, 4]);
    expect(documentOf(dry)).toMatchObject({ dryRun: true, snapshots: [{}, {}], refused: { code: 'DM_BRAKE' } });
    expect(dry.stderr).toContain('Forgetting would be refused now: Snapshot 2 is suspect');
    expect(done.stderr, 'a comparison without numbers is refused').toContain('Look at `docmirror diff 1 2`; if the');

    expect((await cli('snapshots', 'accept', '1', '--reason', 'x')).stderr).toContain(
      'Snapshot 1 is complete; expected',
    );
    expect((await cli('snapshots', 'accept', '2')).stderr).toContain("required option '--reason <text>' not specified");
    const empty = await cli('snapshots', 'accept', '2', '--reason', ' ');
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('reason to accept snapshot 2 is empty')]);
    const accepted = await cli('snapshots', 'accept', '2', '--reason', 'moved', '--json');
    expect(documentOf(accepted)).toEqual({ snapshot: 2, accepted: true, reason: 'moved' });
    expect((await cli('snapshots', 'show', '2')).stdout).toContain(
      'accepted: moved; later snapshots are measured by this one',
    );
    expect((await cli('snapshots')).stdout).toMatch(/ accepted +why\n.*\n +2 +suspect .* moved /);
    const listed = documentOf(await cli('snapshots', '--json'));
    expect(listed).toMatchObject([{ accepted: null }, { accepted: { reason: 'moved' } }]);
    const third = await cli('sync');
    expect([third.code, third.stdout]).toEqual([0, expect.stringContaining('Nothing changed: ')]);
    expect((await cli('query', 'select 1')).stderr).toBe('');
    expect((await cli('forget', '--keep-last', '1', '--dry-run')).code).toBe(0);
  });
});

it('check says what writes a missing file of the export while the newest snapshot is suspect: it named the next sync, which leaves the export as it is', async () => {
  await using platform = await startSeeded({ spaces: 4, pages: 12 });
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  const cli = (...args: string[]): Promise<Ended> => runCli(args, { env });
  await becomeSuspect(platform, cli);
  const content = folder.at('data', 'content');
  rmSync(folder.at('data', 'content', 'SHA256SUMS'));
  const { code, stderr } = await cli('check');
  expect(code).toBe(1);
  expect(stderr).toContain('No sync writes there while snapshot 2 is suspect: docmirror export ');
  expect(stderr).toContain(`--to ${content} writes them from the mirror.`);
  await cli('export', '--to', content);
  expect((await cli('check')).code).toBe(0);
});

describe('a partial snapshot', () => {
  it('says what to do', async () => {
    await using platform = await startSeeded({
      faults: [{ operation: 'getPage', count: 100, effect: { status: 403 } }],
    });
    using folder = testFolder();
    const ended = await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('docmirror snapshots show 1');
    expect(ended.stdout).not.toContain('accept');
    const accepted = await runCli(['snapshots', 'accept', '1', '--reason', 'x'], {
      env: environmentOf(platform, folder.at('data')),
    });
    expect([accepted.code, accepted.stderr]).toEqual([
      2,
      expect.stringContaining(
        'What snapshot 1 lacks cannot be accepted: of a space, each thing of a kind that was asked for is refused to',
      ),
    ]);
  });
});

it('a partial snapshot is not exported or drilled as if it were whole', async () => {
  await using platform = await startSeeded({ faults: [{ operation: 'getPage', effect: { status: 403 } }] });
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  await runCli(['sync'], { env });
  const exported = await runCli(['export', '--to', folder.at('tree')], { env });
  expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining('Snapshot 1 is partial: ')]);
  expect((await runCli(['drill'], { env })).stderr).toContain('Snapshot 1 is partial: ');
});

describe('an open snapshot', () => {
  it('is told apart: under way, cut off, continued', async () => {
    await using platform = await startSeeded({ spaces: 8, pages: 5 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    platform.faults = [{ operation: 'getPage', effect: { delayMs: 400 } }];
    const walking = startCli(['sync'], { env });
    await untilPagesServed(platform, 10);
    expect((await runCli(['status'], { env })).stdout).toMatch(/snapshot 1 is under way \(sync, process \d+\)/);
    expect((await runCli(['query', 'select 1'], { env })).stderr).toContain('No snapshot is sealed yet');
    walking.child.kill('SIGKILL');
    await walking.ended;
    expect((await runCli(['status'], { env })).stdout).toContain('snapshot 1 was cut off; run docmirror sync');
    const interrupted = startCli(['sync'], { env });
    const before = platform.requestLog.counts()['getPage'] ?? 0;
    await untilPagesServed(platform, before + 10);
    expect((await interrupted.interrupt()).stderr).toMatch(/snapshot 1 was interrupted; \d+ requests? done and kept/);
    platform.faults = [];
    expect((await runCli(['sync'], { env })).stdout).toMatch(/; continued, \d+ requests of these were done before/);
  });
});

describe('settings of a command with commands of its own', () => {
  it('takes them before and after the name of the inner one', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) });
    const at = ['--data-dir', folder.at('data')];
    for (const args of [
      ['snapshots', ...at],
      ['snapshots', 'show', '1', ...at],
      ['snapshots', ...at, 'show', '1'],
    ])
      expect((await runCli(args, { cwd: folder.path })).code, args.join(' ')).toBe(0);
  });
});

describe('an address that is not quite right', () => {
  it('is used without /v1, and said so', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf({ url: `${platform.url}/v1`, token: platform.token }, folder.at('data'));
    const ended = await runCli(['sync', '--json'], { env });
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/^DOCMIRROR_BASE_URL is given with \/v1/)]);
  });

  it('is called a web page by the doctor', async () => {
    using folder = testFolder();
    const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<p>Hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ended = await runCli(['doctor', '--json'], { env: environmentOf({ url, token: 't' }, folder.at('data')) });
    server.closeAllConnections();
    server.close();
    const { findings } = documentOf<{ findings: { check: string; state: string }[] }>(ended);
    expect([ended.code, findings.find(({ check }) => check === 'platform')?.state]).toEqual([1, 'bad']);
  });
});

describe('the target of a restore', () => {
  it('is named with its token when it refuses it, and not asked before the plan has a place', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: 'tok_wrong_word' };
    await runCli(['sync'], { env });
    const plan = (out: string): Promise<Ended> =>
      runCli(['restore', 'plan', '--snapshot', '1', '--out', out], { env, cwd: folder.path });
    const refused = await plan('plan.json');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('DOCMIRROR_TARGET_TOKEN')]);
    expect(refused.stderr).toContain(platform.url);
    expect(refused.stderr).not.toContain('tok_wrong_word');
    const asked = platform.requestLog.total();
    expect((await plan('nowhere/plan.json')).code).toBe(2);
    expect(platform.requestLog.total()).toBe(asked);
  });
});

describe('a database that is damaged', () => {
  it('does not send people from check to check', async () => {
    using folder = testFolder();
    writeFileSync(folder.at('mirror.db'), 'no database at all, but long enough to be taken for one'.repeat(40));
    const ended = await runCli(['check', '--data-dir', folder.path]);
    expect([ended.code, ended.stderr.includes('DM_DATABASE_DAMAGED')]).toEqual([1, true]);
    expect(ended.stderr).not.toContain('Run docmirror check');
  });
});
