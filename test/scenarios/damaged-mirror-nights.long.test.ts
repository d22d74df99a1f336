// A mirror that can no longer be read ends no daemon: somebody is told, and it goes on once a copy is put back.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Nights } from '../support/nights.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: null, check: null, forget: null, report: null, jitter: 0s}
limits: {requestsPerSecond: 1000, retries: 0}
freshness: {snapshot: 90h}
`;

it('tells that the mirror cannot be read, calls nothing over for that, and goes on when it is put back', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  const told = (): string[] =>
    nights
      .told()
      .map(({ event }) => event)
      .toSorted();
  await nights.startDaemon();
  nights.platform.faults = [{ operation: 'listSites', effect: { status: 500 } }];
  await nights.until('2025-03-11T03:00:00Z');
  expect(told()).toEqual(['failure', 'partial', 'start', 'start', 'success']);
  await nights.stopDaemon();
  nights.platform.faults = [];
  const [file, copy] = [join(nights.dataDir, 'mirror.db'), join(nights.folder, 'copy.db')];
  copyFileSync(file, copy);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  writeFileSync(file, 'no database '.repeat(10_000));

  await nights.startDaemon();
  const messages = nights.told();
  expect(messages.map(({ event }) => event).toSorted()).toEqual(['failed', 'failure', 'start']);
  expect(messages.find(({ event }) => event === 'failed')?.what).toBe(
    `The job sync failed (DM_DATABASE_DAMAGED): file is not a database (data directory ${nights.dataDir})`,
  );
  expect((await nights.ready()).status).toBe(500);

  copyFileSync(copy, file);
  await nights.until('2025-03-12T03:00:00Z');
  expect(told()).toEqual(['recovered', 'recovered', 'start', 'success']);
  expect(nights.snapshots()).toEqual([1, 2, 3].map((id) => ({ id, state: id === 2 ? 'partial' : 'complete' })));
});

it('tells once that the mirror cannot be read, however many jobs fail for it', async () => {
  const jobs = 'sync: 0 2 * * *, drill: 0 3 * * *, check: 0 4 * * *, forget: null, report: 0 5 * * *';
  await using nights = await Nights.create(
    '2025-03-10T12:00:00Z',
    `schedule: {timezone: UTC, ${jobs}, jitter: 0s}\nexport: {enabled: false}\nfreshness: {snapshot: 90h}\nlimits: {requestsPerSecond: 1000}`,
  );
  await nights.startDaemon();
  const [file, copy] = [join(nights.dataDir, 'mirror.db'), join(nights.folder, 'copy.db')];
  copyFileSync(file, copy);
  const wal = [`${file}-wal`, `${file}-shm`];
  for (const path of wal) rmSync(path, { force: true });
  writeFileSync(file, 'no database '.repeat(10_000));
  nights.told();
  await nights.until('2025-03-11T06:00:00Z');
  expect(nights.told().map(({ event }) => event)).toEqual(['start', 'failure', 'failed']);
  for (const path of wal) rmSync(path, { force: true });
  copyFileSync(copy, file);
  await nights.until('2025-03-12T06:00:00Z');
  expect(nights.told().map(({ event }) => event)).toEqual(['start', 'success', 'recovered']);
});
