import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import type { Progress } from '../../src/cli/views/progress.ts';
import { followSync } from '../../src/cli/views/walk-progress.ts';

describe('cli/views/walk-progress', () => {
  it('shows the export after the walk: a sync stood at the end of its walk while it wrote a hundred thousand files', () => {
    const shown: string[] = [];
    const progress = (label: string): Progress => ({
      update: (done, total, note) => {
        shown.push(`${label}: ${done} of ${JSON.stringify(total)}`);
        if (label === 'export') shown.push(`  ${note}`);
      },
      [Symbol.dispose]: () => shown.push(`${label} ends`),
    });
    {
      using follow = followSync({ progress }, manualClock(0));
      const walk = { snapshot: 1, requests: 1, bytes: 0 };
      follow.onProgress({ ...walk, visited: 1, waiting: 9, ahead: null });
      follow.onProgress({ ...walk, visited: 5, waiting: 9, ahead: 86 });
      follow.onProgress({ ...walk, visited: 100, waiting: 0, ahead: 0 });
      follow.onExport({ pages: 50, pagesTotal: 60, files: 3, changeRequests: 0 });
      follow.onExport({ pages: 60, pagesTotal: 60, files: 3, changeRequests: 1200 });
    }
    expect(shown).toEqual([
      'walk: 1 of {"atLeast":10}',
      'walk: 5 of {"about":100}',
      'walk: 100 of 100',
      'walk ends',
      'export: 50 of 60',
      '  3 files',
      'export: 60 of 60',
      '  3 files, 1,200 change requests',
      'export ends',
    ]);
  });
});
