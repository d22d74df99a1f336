// What verify advises when something differs.
import { describe, expect, it } from 'vitest';
import { createStyle } from '../../src/cli/views/style.ts';
import { afterDifferences, verifyView } from '../../src/cli/views/verify.ts';

describe('cli/restore verify, links', () => {
  it('says which links it counts, since the report of the same mirror counts more', () => {
    const none = { fields: 0, equal: 0 };
    const report = {
      fidelity: { exact: none, bestEffort: none, lost: none },
      kinds: {},
      differences: [],
      betterThanClaimed: [],
      notRestored: {},
      brokenLinks: { before: 3, after: 3 },
      waiting: 0,
      unread: [],
      requests: 1,
      durationMs: 1,
      passed: true,
    };
    const text = verifyView(report, 'Drill', { width: 100, style: createStyle(false), named: String });
    expect(text).toMatch(/broken links +3 before, 3 after, of those that name a page, file or space/);
  });
});

describe('cli/restore verify, differences', () => {
  it('sends nobody to a resume that has nothing to write', () => {
    const advice = afterDifferences({
      id: 'r1',
      state: 'done',
      flags: ' --target-url http://127.0.0.1:8700',
      undoneBy: null,
    });
    expect(advice).toContain('a resume changes nothing');
    expect(advice).toContain('docmirror restore undo r1 --target-url http://127.0.0.1:8700');
  });

  it('names the whole command that writes what was not written', () => {
    const advice = afterDifferences({
      id: 'r1',
      state: 'failed',
      flags: ' --target-url http://127.0.0.1:8700',
      undoneBy: null,
    });
    expect(advice).toContain('docmirror restore resume r1 --target-url http://127.0.0.1:8700');
  });
});
