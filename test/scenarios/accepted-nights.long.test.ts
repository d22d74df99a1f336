// A page that can never be read, for an operator who only hears what the daemon sends.
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { seededRandom, silentLogger } from '../../src/base/index.ts';
import { edit } from '../support/content.ts';
import { Nights } from '../support/nights.ts';
import { editorOf } from '../support/seeded-platform.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: null, check: null, forget: null, report: null, jitter: 0s}
limits: {requestsPerSecond: 1000, retries: 0}
freshness: {snapshot: 26h}
export: {enabled: false}
`;

/** Says so by the command, while no daemon holds the mirror. */
async function accept(nights: Nights, snapshot: number): Promise<void> {
  await nights.stopDaemon();
  const parts = { clock: nights.clock, random: seededRandom(1), log: silentLogger() };
  await using app = createApp(nights.config(), parts);
  await app.accept(snapshot, 'ticket 7');
  await nights.startDaemon();
}

/** Mirrors everything once; then a page is rewritten and can be read no more. */
async function beginWithBroken(nights: Nights, editor: ReturnType<typeof editorOf>): Promise<void> {
  await nights.startDaemon();
  using mirror = nights.mirror();
  const { id = '', space = '' } =
    mirror.store.prepare<{ id: string; space: string }>('select id, space from pages order by id').get() ?? {};
  await edit(editor, space, { type: 'update_page', page: id, document: { markdown: 'Rewritten.' } });
  nights.platform.faults = [{ operation: 'getPage', pathPattern: `/page/${id}`, effect: { status: 500 } }];
}

it('is alarmed by it until it is accepted, and by nothing after that: each night failed, and the mirror was never ready again', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await using editor = editorOf(nights.platform);
  await beginWithBroken(nights, editor);
  nights.told();
  await nights.until('2025-03-11T12:00:00Z');
  expect(nights.events().toSorted()).toEqual(['failure', 'partial', 'start']);

  await accept(nights, 2);
  nights.told();
  for (const day of ['12', '13']) {
    await nights.until(`2025-03-${day}T12:00:00Z`);
    expect(nights.events()).toEqual(['start', 'success']);
  }
  expect(nights.snapshots().at(-1)).toEqual({ id: 4, state: 'partial' });
  expect((await nights.ready()).reasons).toEqual(['There is no passed drill yet']);
  expect(await nights.metrics()).toContain('docmirror_last_snapshot_accepted 1');
});

it('is not alarmed by a share link that goes beside it, which another look tells to be gone: each one was an alarm, as what was accepted kept that look away', async () => {
  await using nights = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
  await using editor = editorOf(nights.platform);
  const path = { organizationId: nights.platform.organizations()[0] ?? '' };
  const { id: siteId } = await editor.api.createSite({ path, body: { title: 'Docs', spaces: [] } });
  const { id } = await editor.api.createShareLink({ path: { ...path, siteId }, body: { name: 'a' } });
  await beginWithBroken(nights, editor);
  await nights.until('2025-03-11T12:00:00Z');
  await accept(nights, 2);
  nights.told();
  await editor.api.deleteShareLink({ path: { ...path, siteId, shareLinkId: id } });
  await nights.until('2025-03-12T02:30:00Z');
  expect(nights.events()).toEqual(['start']);
  await nights.until('2025-03-12T12:00:00Z');
  expect(nights.events()).toEqual(['start', 'success']);
  expect((await nights.ready()).reasons).toEqual(['There is no passed drill yet']);
});
