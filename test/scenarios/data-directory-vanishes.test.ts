// The disk of the data directory is unmounted under a running daemon: what is there now is no place to begin a new mirror in.
import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Nights } from '../support/nights.ts';

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
  expect(messages.map(({ event }) => event).toSorted()).toEqual(['failed', 'failure', 'start']);
  expect(messages.find(({ event }) => event === 'failed')?.what).toContain(
    'The job sync failed (DM_DATA_DIR_UNUSABLE)',
  );
  expect((await nights.ready()).status).toBe(503);

  expect(readdirSync(nights.dataDir)).toEqual([]);
  rmdirSync(nights.dataDir);
  renameSync(`${nights.dataDir}-elsewhere`, nights.dataDir);
  await nights.until('2025-03-12T04:00:00Z');
  expect(nights.told().map(({ event }) => event)).toEqual(['start', 'success', 'recovered']);
  expect(nights.snapshots()).toEqual([1, 2].map((id) => ({ id, state: 'complete' })));
});
