// A check of the daemon reads a part of what is stored: what it finds damaged stays so, whatever the next part is like.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { Nights } from '../support/nights.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: null, check: 0 5 * * *, forget: null, report: null, jitter: 0s}
limits: {requestsPerSecond: 1000}
check: {readShare: 0.34}
export: {enabled: false}
notify: {remindAfter: 30d}
`;

/** One text with another character in the place of its first. */
function change(dataDir: string, to: string): void {
  const db = new Database(join(dataDir, 'mirror.db'));
  db.prepare(`update bodies set data = ? || substr(data, 2) where bid = (select max(text) from versions)`).run(to);
  db.close();
}

it('calls damage over only when it is mended: the check of the next part told that nothing is to be done', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  const told = (): string[] =>
    nights
      .told()
      .filter(({ what }) => what.includes('DM_CHECK_FAILED'))
      .map(({ event }) => event);
  await nights.startDaemon();
  change(nights.dataDir, 'x');

  await nights.until('2025-03-13T06:00:00Z');
  expect(told(), 'three checks, one of each part').toEqual(['failed']);
  await nights.until('2025-03-15T06:00:00Z');
  expect(told(), 'and two more').toEqual([]);
  await nights.stopDaemon();
  await nights.startDaemon();
  expect(told(), 'after a restart').toEqual([]);

  change(nights.dataDir, '#');
  await nights.until('2025-03-16T06:00:00Z');
  expect(told()).toEqual(['recovered']);
});
