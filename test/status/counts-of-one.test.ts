// A single line, visit, request or document, as it is told.
import { expect, it } from 'vitest';
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { noRuntimeState, readReport, reportHtml } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

it('status tells one of a thing as one: it said "1 lines came", "1 requests" and "100 % of the 1 documents"', async () => {
  using test = await createTestMirror();
  const edited = { updatedAt: '2024-12-30T00:00:00Z' };
  for (const text of ['Old.', 'New.'])
    await test.add({
      spaces: [{ id: 's1', title: 'Guide', pages: [{ id: 'p1', title: 'Home', text, body: edited }] }],
    });
  const walk = { snapshot: 3, visited: 1, waiting: 1, requests: 1 };
  const app = createStatusApp({
    dataDir: test.dataDir,
    clock: manualClock(test.mirror.clock.now()),
    log: silentLogger(),
    freshness: { snapshotMs: 1, drillMs: 1 },
    live: () => ({ ...noRuntimeState, walk }),
  });
  const textOf = async (path: string): Promise<string> => (await app.request(path)).text();
  expect(await textOf('/')).toMatch(/1 visit of 2 known so far, 1 request\s*</);
  expect(await textOf('/browse/changes/detail?from=1&to=2&kind=page&key=s1/p1')).toContain('1 line came, 1 went');
  const report = readReport(test.mirror);
  expect(report && (await reportHtml(report, String))).toContain(
    '100 % of the 1 document whose last edit is known was edited',
  );
});
