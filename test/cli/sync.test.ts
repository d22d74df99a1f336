import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, startCli, testFolder } from '../support/cli.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { untilPagesServed } from '../support/until-served.ts';

interface SyncDocument {
  snapshot: number;
  state: string;
  requests: number;
  bytes: number;
  durationMs: number;
  kinds: Record<string, Record<string, number>>;
  failures: { request: string; status: number | null; error: string; resource: string }[];
}

describe('cli/commands/sync', () => {
  it('answers with the documented document, and recognises what did not change', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const first = await runCli(['sync', '--json'], { env });
    expect([first.code, first.stderr]).toEqual([0, '']);
    const document = documentOf<SyncDocument>(first);
    expect(Object.keys(document)).toEqual('snapshot state requests bytes durationMs kinds failures'.split(' '));
    expect(document).toMatchObject({ snapshot: 1, state: 'complete', failures: [] });
    expect(document.kinds['page']).toEqual({
      seen: 6,
      added: 6,
      changed: 0,
      unchanged: 0,
      gone: 0,
      failed: 0,
      unreachable: 0,
      missing: 0,
    });
    expect(document.requests).toBe(platform.requestLog.total());
    const second = documentOf<SyncDocument>(await runCli(['sync', '--json'], { env }));
    expect(second.kinds['page']).toMatchObject({ seen: 6, added: 0, unchanged: 6 });
    expect(existsSync(folder.at('data', 'content', 'SHA256SUMS'))).toBe(true);
  });

  it('tells of the first reads that failed, and where all of them stand: a line for each of hundreds buried the rest', async () => {
    await using platform = await startSeeded({ spaces: 2, pages: 30 });
    platform.faults = [{ operation: 'getPage', effect: { status: 404 } }];
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const ended = await runCli(['sync'], { env });
    expect(ended.code).toBe(3);
    const warnings = ended.stderr.trim().split('\n');
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toContain('"snapshot":1,"more":40,"msg":"could not read more than these');
    expect(ended.stdout).toContain('… and 40 more: docmirror snapshots show 1\n');
    const { stdout } = await runCli(['snapshots', 'show', '1'], { env });
    expect(stdout.match(/\(getPage\) answered 404/g)).toHaveLength(60);
    const all = await runCli(['sync'], { env: { ...env, DOCMIRROR_LOG_LEVEL: 'debug' } });
    // Each once: the night before has read the tree again, which went on to list them.
    expect(all.stderr.match(/"msg":"could not read"/g)).toHaveLength(60);
  });

  it('tells people the same in words', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const ended = await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) });
    expect(ended.stdout).toContain('Snapshot 1 is complete');
    expect(ended.stdout).toMatch(/^page +6 +6 +0 +0 +0$/m);
    expect(ended.stdout).toContain('Export: 6 pages');
  });

  it('stores what it could read, names what it could not, and exits with 3', async () => {
    await using platform = await startSeeded({
      faults: [{ operation: 'getPage', count: 100, effect: { status: 403 } }],
    });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const ended = await runCli(['sync', '--json'], { env });
    expect(ended.code).toBe(3);
    const document = documentOf<SyncDocument>(ended);
    expect(document.state).toBe('partial');
    expect(document.failures[0]).toMatchObject({ status: 403, request: expect.stringContaining('GET /v1/') as string });
    expect(existsSync(folder.at('data', 'content'))).toBe(false);
  });

  it('names whoever could not be told of a walk that is not complete', async () => {
    await using platform = await startSeeded({
      faults: [{ operation: 'getPage', count: 100, effect: { status: 403 } }],
    });
    await using receiver = await startReceiver();
    using folder = testFolder();
    receiver.answers.push(404);
    const told = { DOCMIRROR_NOTIFY_WEBHOOK: `${receiver.url}/hook`, DOCMIRROR_PING_FAILURE: `${receiver.url}/down` };
    const env = { ...environmentOf(platform, folder.at('data')), ...told };
    const ended = await runCli(['sync', '--json'], { env });
    expect([ended.code, receiver.received.length]).toEqual([3, 2]);
    expect(ended.stderr).toMatch(/^Not told of this walk: (webhook|ping failure) \(the receiver answered 404\)\. /m);
  });

  it('keeps the snapshot when its export fails, and exits with 1', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    mkdirSync(folder.at('data', 'content'), { recursive: true });
    writeFileSync(folder.at('data', 'content', 'mine.txt'), 'mine');
    const env = environmentOf(platform, folder.at('data'));
    const ended = await runCli(['sync'], { env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Snapshot 1 is stored, but its export failed');
    expect(readFileSync(folder.at('data', 'content', 'mine.txt'), 'utf8')).toBe('mine');
    expect(documentOf<unknown[]>(await runCli(['snapshots', '--json'], { env }))).toHaveLength(1);
  });

  it('ends with 130 when interrupted, and the next sync goes on from there', async () => {
    await using platform = await startSeeded({ spaces: 20, pages: 5 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    platform.faults = [{ operation: 'getPage', effect: { delayMs: 40 } }];
    const interrupted = startCli(['sync'], { env });
    await untilPagesServed(platform, 10);
    const ended = await interrupted.interrupt();
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('DM_INTERRUPTED');
    expect(ended.stdout).toBe('');
    const [open] = documentOf<{ state: string }[]>(await runCli(['snapshots', '--json'], { env }));
    expect(open?.state).toBe('open');
    platform.faults = [];
    const again = documentOf<SyncDocument>(await runCli(['sync', '--json'], { env }));
    expect(again).toMatchObject({ snapshot: 1, state: 'complete' });
    expect(again.kinds['page']?.['seen']).toBe(100);
  });
});
