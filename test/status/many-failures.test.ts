// A night in which a hundred thousand reads failed. Probes come every few seconds, to the daemon that walks.
import { describe, expect, it } from 'vitest';
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { noteFailure, type Mirror } from '../../src/mirror/index.ts';
import { noRuntimeState, readStatus } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { rowsOf } from '../support/state.ts';
import { takeSnapshot } from '../support/snapshots.ts';

const FRESHNESS = { snapshotMs: 1, drillMs: 1 };

function failAt(test: TestMirror, resources: readonly string[]): void {
  takeSnapshot(test.mirror, ({ id }) => {
    const failure = { kind: 'page-document', request: 'GET /x', status: 500, code: 'DM_HTTP_STATUS', error: 'no' };
    for (const resource of resources) noteFailure({ mirror: test.mirror, id }, { ...failure, resource });
  });
}

describe('a night with many failures', () => {
  it('costs a probe no look at any of them: with 100,000, /readyz and /metrics took a second and more each, in which the daemon did nothing else', async () => {
    using test = await createTestMirror();
    failAt(test, ['s/a', 's/b', 's/c']);
    const { store } = test.mirror;
    const asked: string[] = [];
    const prepare: Mirror['store']['prepare'] = (sql) => {
      asked.push(sql);
      return store.prepare(sql);
    };
    const status = readStatus({ ...test.mirror, store: { ...store, prepare } }, 0, FRESHNESS);
    expect(status.failed).toBe(3);
    const plans = asked
      .filter((sql) => sql.includes('requests_failed'))
      .map((sql) => rowsOf(test.mirror, `explain query plan ${sql}`, { snapshot: 1 }).map(({ detail }) => detail));
    expect(plans).toEqual([
      expect.arrayContaining([expect.stringMatching(/^SEARCH f USING INDEX \w+ \(snapshot=\? AND status=\?/)]),
    ]);
  });

  it('is told by the page as a few of them and how many they are', async () => {
    using test = await createTestMirror();
    const clock = manualClock(0);
    failAt(
      test,
      Array.from({ length: 1200 }, (_, n) => `s/page-${String(n).padStart(4, '0')}`),
    );
    const app = createStatusApp({
      dataDir: test.dataDir,
      clock,
      log: silentLogger(),
      freshness: FRESHNESS,
      live: () => noRuntimeState,
    });
    const page = await (await app.request('/')).text();
    expect(page).toContain('Not read: 1,200');
    expect(page.match(/s\/page-\d{4}/g)).toHaveLength(50);
    expect(page).toContain('and 1,150 more: docmirror snapshots show 1');
    expect(await (await app.request('/metrics')).text()).toContain('docmirror_last_snapshot_failures 1200');
  });
});
