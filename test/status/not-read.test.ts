import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { statusView } from '../../src/cli/views/status.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { markUnreachable, openMirror } from '../../src/mirror/index.ts';
import { readStatus } from '../../src/status/index.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';

it('cli/views/status says what is out of reach, though no request failed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'docmirror-status-'));
  const clock = manualClock(Date.UTC(2025, 0, 1));
  const mirror = await openMirror({ dataDir, clock });
  try {
    takeSnapshot(mirror, ({ see }) => see(collection('shelf')));
    const lines = (): string[] => {
      const report = readStatus(mirror, clock.now(), { snapshotMs: 1, drillMs: 1 });
      const look = { style: createStyle(false), width: 200, named: String };
      return statusView(report, { dataDir, holder: null, pages: 0, flags: '' }, look).split('\n');
    };
    expect(lines()).toContainEqual(expect.stringMatching(/^ *not read +nothing$/));
    takeSnapshot(mirror, ({ id, see }) => {
      const rid = see(collection('shelf'));
      markUnreachable({ mirror, id }, { rid, kind: 'collection', key: 'shelf', params: {} }, 403);
    });
    expect(lines()).toContainEqual(expect.stringMatching(/^ *not read +1 collection out of reach$/));
  } finally {
    mirror[Symbol.dispose]();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
