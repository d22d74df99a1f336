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

it('has a complete snapshot each night, and tells nobody, where a share link goes each day: every night was partial, and none was ever complete', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await using editor = editorOf(nights.platform);
  const { api } = editor;
  const path = { organizationId: nights.platform.organizations()[0] ?? '' };
  const { id: siteId } = await api.createSite({ path, body: { title: 'Docs', spaces: [] } });
  const links: string[] = [];
  for (const name of ['a', 'b', 'c'])
    links.push((await api.createShareLink({ path: { ...path, siteId }, body: { name } })).id);
  await nights.startDaemon();
  nights.told();
  for (const [day, shareLinkId] of links.slice(1).entries()) {
    await api.deleteShareLink({ path: { ...path, siteId, shareLinkId } });
    await nights.until(`2025-03-${11 + day}T02:30:00Z`);
    expect(nights.told().map(({ event }) => event)).toEqual(['start']);
    await nights.until(`2025-03-${11 + day}T12:00:00Z`);
    expect(nights.told().map(({ event }) => event)).toEqual(['start', 'success']);
    expect(nights.snapshots().at(-1)).toEqual({ id: 3 + 2 * day, state: 'complete' });
  }
});
