// A walk of single kinds by hand is no night's walk.
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { seededRandom, silentLogger } from '../../src/base/index.ts';
import { Nights } from '../support/nights.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: null, check: null, forget: null, report: null, jitter: 0s}
limits: {requestsPerSecond: 1000, retries: 0}
`;

it('a night that was missed is caught up, although members alone were read by hand since', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await nights.startDaemon();
  await nights.stopDaemon();
  await nights.until('2025-03-11T12:00:00Z');
  {
    const { clock } = nights;
    await using app = createApp(nights.config(), { clock, random: seededRandom(2), log: silentLogger() });
    let isDone = false;
    const walked = app.sync({ kinds: ['member'], signal: new AbortController().signal }).finally(() => (isDone = true));
    while (!isDone) await clock.advance(1);
    expect((await walked).snapshot).toMatchObject({ id: 2, state: 'complete' });
  }
  await nights.startDaemon();
  expect(nights.snapshots().map(({ id }) => id)).toEqual([1, 2, 3]);
});
