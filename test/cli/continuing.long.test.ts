// A walk that was cut off is continued by the command that people are told, whatever it was to read.
import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, startCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('a walk of its own kind that was interrupted', () => {
  it('names the command that continues it, in the error and in the status', async () => {
    await using platform = await startSeeded({ spaces: 6, pages: 30 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const cli = (...args: string[]) => runCli(args, { env });
    await cli('sync');
    const spaces = (await cli('query', '--csv', 'select id from spaces limit 3')).stdout.trim().split(/\r?\n/).slice(1);
    const [organization = ''] = platform.organizations();
    platform.faults = [{ operation: 'getPage', count: 1000, effect: { delayMs: 400 } }];
    const asked = () => platform.requestLog.counts()['getPage'] ?? 0;
    const before = asked();
    const walking = startCli(['sync', '--full', '--pdf', '--organization', organization, '--space', ...spaces], {
      env,
    });
    while (asked() < before + 2) await fetch(`${platform.url}/v1/orgs`);
    const { code, stderr } = await walking.interrupt();
    platform.faults = [];
    const command = `sync --full --pdf --organization ${organization} --space ${spaces.join(' ')}`;
    expect([code, stderr]).toEqual([130, expect.stringContaining(`Run docmirror ${command} to continue it`)]);
    expect((await cli('status')).stdout).toContain(`snapshot 2 was cut off; run docmirror ${command} to continue it`);
    expect((await cli('sync', '--plan')).stdout).toContain('Snapshot 2 was cut off and is given up: it was full');
    expect((await cli(...command.replace(' --pdf', '').split(' '), '--plan')).stdout).toContain(
      'Snapshot 2 was cut off and is given up: it began with another --pdf',
    );
    expect((await cli(...command.split(' '), '--plan')).stdout).toContain(
      'Snapshot 2 was cut off and is continued first',
    );
    const continued = await cli(...command.split(' '), '--json');
    expect(documentOf(continued)).toMatchObject({ snapshot: 2, state: 'complete' });
  });
});
