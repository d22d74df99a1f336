// The disk of the data directory is unmounted under a running daemon: what is there now is no place to begin a new mirror in.
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentOf, runCli, startCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { Nights } from '../support/nights.ts';
import { untilPagesServed } from '../support/until-served.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: null, check: 0 3 * * *, forget: null, report: null, jitter: 0s}
limits: {requestsPerSecond: 1000, retries: 0}
freshness: {snapshot: 90h}
export: {enabled: false}
`;

it('begins no new mirror in the empty folder that is left, tells it once, and goes on when it is back', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await nights.startDaemon();
  nights.told();
  renameSync(nights.dataDir, `${nights.dataDir}-elsewhere`);
  mkdirSync(nights.dataDir);

  await nights.until('2025-03-11T04:00:00Z');
  const messages = nights.told();
  // Looked for again each hour, as the dead-man switch sees.
  const each = (event: string): number => messages.filter((one) => one.event === event).length;
  expect(['failed', 'failure', 'start'].map(each)).toEqual([1, 3, 3]);
  expect(messages.find(({ event }) => event === 'failed')?.what).toContain(
    'The job sync failed (DM_DATA_DIR_UNUSABLE)',
  );
  expect((await nights.ready()).status).toBe(503);

  expect(readdirSync(nights.dataDir)).toEqual([]);
  rmdirSync(nights.dataDir);
  renameSync(`${nights.dataDir}-elsewhere`, nights.dataDir);
  await nights.until('2025-03-11T05:30:00Z');
  expect(nights.told().map(({ event }) => event)).toEqual(['start', 'success']);
  // The check of the night before failed for it, too.
  await nights.until('2025-03-12T04:00:00Z');
  expect(nights.told().map(({ event }) => event)).toEqual(['start', 'success', 'recovered']);
  expect(nights.snapshots()).toEqual([1, 2, 3].map((id) => ({ id, state: 'complete' })));
});

it('a walk whose data directory is taken away in its middle says so, calls nothing complete, and is continued when it is back', async () => {
  await using platform = await startSeeded({ pages: 12 });
  platform.faults = [{ operation: 'getPage', effect: { delayMs: 200 } }];
  using folder = testFolder();
  const [data, elsewhere] = [folder.at('data'), folder.at('elsewhere')];
  const env = environmentOf(platform, data);
  const walking = startCli(['sync'], { env });
  await untilPagesServed(platform, 4);
  renameSync(data, elsewhere);
  mkdirSync(data);
  const { code, stderr } = await walking.ended;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/mirror\.db was taken away, or something else was put there: .*\(DM_DATA_DIR_UNUSABLE\)/),
  ]);
  rmSync(data, { recursive: true });
  renameSync(elsewhere, data);
  const next = await runCli(['sync', '--json'], { env });
  expect(JSON.parse(next.stdout)).toMatchObject({ snapshot: 1, state: 'complete' });
  expect((await runCli(['check', '--read-data'], { env })).code).toBe(0);
}, 60_000);

it('a walk whose files lie on a disk that is not there ends before its first request, and what is mirrored can be asked meanwhile: it ended at the first file, and as a fault in Docmirror', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const [data, disk] = [folder.at('data'), folder.at('disk')];
  const objects = join(data, 'objects');
  const env = environmentOf(platform, data);
  await runCli(['sync'], { env });
  renameSync(objects, `${disk}-elsewhere`);
  symlinkSync(disk, objects);
  platform.clearRequestLog();
  const { code, stderr } = await runCli(['sync'], { env });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/objects.*\(DM_DATA_DIR_UNUSABLE\)/)]);
  expect(platform.requestLog.recent()).toEqual([]);
  expect((await runCli(['query', 'select count(*) from pages'], { env })).code).toBe(0);
  renameSync(`${disk}-elsewhere`, disk);
  expect((await runCli(['sync'], { env })).code).toBe(0);
});
