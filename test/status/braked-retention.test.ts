import { expect, it } from 'vitest';
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { acceptSnapshot } from '../../src/mirror/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';

const NAMES = ['a', 'b', 'c'];
const BRAKE = { deletedShare: 0.5, deletedCount: 2, rewrittenShare: 2, rewrittenCount: 9 };
const NEWEST = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

it('the status page says that nothing is forgotten while the newest snapshot is suspect: it told older ones as to be forgotten', async () => {
  using made = await createTestMirror();
  const { mirror, dataDir } = made;
  for (let night = 1; night <= 3; night++)
    takeSnapshot(mirror, ({ see }) => NAMES.forEach((id) => see(collection(id))));
  takeSnapshot(mirror, ({ bury }) => NAMES.forEach((id) => bury('collection', id)), BRAKE);
  const clock = manualClock(mirror.clock.now());
  const freshness = { snapshotMs: 1, drillMs: 1 };
  const options = { dataDir, clock, log: silentLogger(), live: () => noRuntimeState, freshness };
  const app = createStatusApp({ ...options, retention: () => NEWEST });
  const text = async (): Promise<string> => (await (await app.request('/')).text()).replaceAll(/\s+/g, ' ');
  expect(await text()).toMatch(/Nothing is forgotten while snapshot 4 is suspect\..*to be forgotten/);
  expect(await text()).toMatch(/docmirror snapshots accept 4/);
  acceptSnapshot(mirror, 4, 'meant');
  expect(await text()).not.toContain('Nothing is forgotten');
});
