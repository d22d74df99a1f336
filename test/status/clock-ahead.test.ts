// A clock that was far ahead dates what it sees into times yet to come: that proves nothing once the clock is right.
import { expect, it } from 'vitest';
import { statusView } from '../../src/cli/views/status.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { conditionsOf } from '../../src/daemon/index.ts';
import { noteShortage, recordDrill, shortageOf } from '../../src/mirror/index.ts';
import { readStatus } from '../../src/status/index.ts';
import { addSpace } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const DAY = 86_400_000;
const LIMITS = { snapshotMs: DAY, drillMs: 8 * DAY, freeDisk: 0.1 };

it('a snapshot and a drill of a time yet to come do not count as fresh until that time', async () => {
  await using world = await TestWorld.create();
  const guide = await addSpace(world, 'Guide');
  const right = world.clock.now();
  world.clock.advance(1000 * DAY);
  await world.sync();
  recordDrill(world.mirror, { snapshot: 1, passed: true, requests: 1, durationMs: 1, report: '{}' });
  expect(readStatus(world.mirror, world.clock.now(), LIMITS).ready).toBe(true);
  const status = readStatus(world.mirror, right, LIMITS);
  expect(status).toMatchObject({
    ready: false,
    reasons: [
      expect.stringMatching(/^The last complete snapshot is dated \S+, 1000 d ahead of the clock of this machine/),
      expect.stringMatching(/^The last passed drill is dated \S+, 1000 d ahead/),
    ],
    remedy: 'docmirror sync, then docmirror drill',
  });
  const told = conditionsOf({ status, jobs: [], disk: null, shrunk: 0, now: right }, LIMITS);
  expect(told.map(({ cause, what }) => [cause, what])).toEqual([
    ['stale complete snapshot', expect.stringContaining('dated 1000 d ahead of the clock') as string],
    ['stale passed drill', expect.stringContaining('dated 1000 d ahead of the clock') as string],
  ]);
  const shown = statusView(
    status,
    { dataDir: '/data', holder: null, pages: 0, flags: '' },
    { style: createStyle(false), width: 200, named: String },
  );
  expect(shown).toMatch(/last complete snapshot +1, 1000 d.* ahead of the clock of this machine\n/);

  await world.api.deleteSpace({ path: { spaceId: guide } });
  await world.sync();
  const [deleted] = readStatus(world.mirror, right, LIMITS).deletedSpaces;
  expect(deleted?.leftMs).toBe(7 * DAY);

  const place = { scope: 1, kind: 'space' };
  noteShortage({ mirror: world.mirror, id: 2 }, place, 1);
  world.clock.advance(right - world.clock.now());
  noteShortage({ mirror: world.mirror, id: 2 }, place, 1);
  expect(Date.parse(shortageOf(world.mirror, place)?.since ?? '')).toBeLessThan(right + DAY);
});
