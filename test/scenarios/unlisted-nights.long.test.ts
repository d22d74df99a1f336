// What people delete on any day and what no operation reads by itself: another look within the night tells that it is gone.
import { expect, it } from 'vitest';

import { Nights } from '../support/nights.ts';
import { editorOf } from '../support/seeded-platform.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: null, check: null, forget: null, report: null, jitter: 0s}
limits: {requestsPerSecond: 1000}
freshness: {snapshot: 26h}
export: {enabled: false}
`;

interface Linked {
  /** Deletes the oldest share link that is left. */
  readonly takeOne: () => Promise<void>;
}

async function makeLinks(
  { platform }: Nights,
  { api }: ReturnType<typeof editorOf>,
  names: readonly string[],
): Promise<Linked> {
  const path = { organizationId: platform.organizations()[0] ?? '' };
  const { id: siteId } = await api.createSite({ path, body: { title: 'Docs', spaces: [] } });
  const links: string[] = [];
  for (const name of names) links.push((await api.createShareLink({ path: { ...path, siteId }, body: { name } })).id);
  return {
    takeOne: async () => {
      await api.deleteShareLink({ path: { ...path, siteId, shareLinkId: links.shift() ?? '' } });
    },
  };
}

it('has a complete snapshot each night, and tells nobody, where a share link goes each day: every night was partial, and none was ever complete', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await using editor = editorOf(nights.platform);
  const { takeOne } = await makeLinks(nights, editor, ['a', 'b', 'c']);
  await nights.startDaemon();
  nights.told();
  for (const day of [0, 1]) {
    await takeOne();
    await nights.until(`2025-03-${11 + day}T02:30:00Z`);
    expect(nights.events()).toEqual(['start']);
    await nights.until(`2025-03-${11 + day}T12:00:00Z`);
    expect(nights.events()).toEqual(['start', 'success']);
    expect(nights.snapshots().at(-1)).toEqual({ id: 3 + 2 * day, state: 'complete' });
  }
});

it('tells the dead-man switch of a walk that nobody looks at again before the next is due: the begin of it had no end', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS.replace('0 2 * * *', '0 * * * *'));
  await using editor = editorOf(nights.platform);
  const { takeOne } = await makeLinks(nights, editor, ['a', 'b']);
  await nights.startDaemon();
  nights.told();
  await takeOne();
  await nights.until('2025-03-10T13:30:00Z');
  expect(nights.events().toSorted()).toEqual(['failure', 'partial', 'start']);
});

it('tells the dead-man switch of the last try as well: where a share link went before each, four walks had no end', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await using editor = editorOf(nights.platform);
  const { takeOne } = await makeLinks(nights, editor, ['a', 'b', 'c', 'd', 'e']);
  await nights.startDaemon();
  nights.told();
  await nights.until('2025-03-11T01:30:00Z');
  const events: string[] = [];
  for (const hour of ['02', '03', '04', '05']) {
    await takeOne();
    await nights.until(`2025-03-11T${hour}:30:00Z`);
    events.push(...nights.events());
  }
  expect(events.toSorted()).toEqual(['failure', 'partial', 'start', 'start', 'start', 'start']);
});

/** Starts a daemon, and another one after the walk that lacked a share link. */
async function startedAnew(nights: Nights, settings: string): Promise<void> {
  await using editor = editorOf(nights.platform);
  const { takeOne } = await makeLinks(nights, editor, ['a', 'b']);
  await nights.startDaemon();
  nights.told();
  await takeOne();
  await nights.until('2025-03-11T02:30:00Z');
  await nights.stopDaemon();
  nights.useSettings(settings);
  await nights.startDaemon();
  await nights.until('2025-03-11T02:50:00Z');
}

it('looks again, and tells the dead-man switch the end, where the daemon is started anew within the waiting hour: the look was lost, and the begin had no end', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await startedAnew(nights, SETTINGS);
  expect(nights.events()).toEqual(['start']);
  await nights.until('2025-03-11T03:30:00Z');
  expect(nights.events()).toEqual(['start', 'success']);
  expect(nights.snapshots().at(-1)).toEqual({ id: 3, state: 'complete' });
});

it('tells the dead-man switch the end of a walk that the settings of the next daemon let nobody look at again', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await startedAnew(nights, SETTINGS.replace('jitter: 0s', 'jitter: 0s, retryAfter: null'));
  const events = nights.events();
  expect(events.toSorted()).toEqual(['failure', 'partial', 'start']);
});
