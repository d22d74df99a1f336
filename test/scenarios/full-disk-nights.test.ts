// A disk that is full when the night begins, and has room again before it ends.
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mountSmallDisk } from '../chaos/small-disk.ts';
import { Nights } from '../support/nights.ts';
import { addSpace } from '../support/content.ts';
import { editorOf } from '../support/seeded-platform.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: null, check: null, forget: null, report: null, jitter: 0s}
limits: {requestsPerSecond: 1000}
freshness: {snapshot: 26h}
`;

it('walks again an hour after its disk was full, and tells that this is over: nothing was mirrored until the next night', async ({
  skip,
}) => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  mkdirSync(nights.dataDir, { recursive: true });
  using disk = mountSmallDisk(nights.dataDir) ?? skip('a file system may not be mounted here');
  try {
    await nights.startDaemon();
    nights.told();
    await using editor = editorOf(nights.platform);
    const organization = nights.platform.organizations()[0] ?? '';
    await addSpace({ api: editor.api, organization }, 'New');
    disk.fill(0);
    await nights.until('2025-03-11T02:30:00Z');
    const failed = nights.told();
    expect(failed.map(({ event }) => event).toSorted()).toEqual(['disk', 'failed', 'failure', 'start']);
    expect(failed.find(({ event }) => event === 'failed')?.what).toContain('DM_DISK_FULL');
    disk.free();
    await nights.until('2025-03-11T03:30:00Z');
    const mended = nights.told().map(({ event }) => event);
    expect(mended.toSorted()).toEqual(['recovered', 'recovered', 'start', 'success']);
    expect(nights.snapshots()).toEqual([
      { id: 1, state: 'complete' },
      { id: 2, state: 'complete' },
    ]);
    expect(await nights.ready()).toMatchObject({ reasons: ['There is no passed drill yet'] });
  } finally {
    await nights.stopDaemon();
  }
});
