// A check of a large mirror reads for minutes: whoever waits must see it move.
import { describe, expect, it } from 'vitest';
import type { CheckProgress } from '../../src/app.ts';
import { appIn } from '../support/app.ts';
import { testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('app/check', () => {
  it('tells how far it is with texts, files and the export, one after the other', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    await using app = appIn(folder, { platform });
    const { signal } = new AbortController();
    await app.sync({ signal });
    const told: CheckProgress[] = [];
    const report = await app.check({ readData: true, onProgress: (progress) => told.push(progress), signal });
    expect(report.passed).toBe(true);
    const parts = [...new Set(told.map(({ part }) => part))];
    expect(parts).toEqual(report.objects > 0 ? ['texts', 'files', 'export'] : ['texts', 'export']);
    for (const part of parts) {
      const own = told.filter((one) => one.part === part);
      expect(
        own.map(({ done }) => done),
        part,
      ).toEqual(own.map((_, index) => index));
      expect(new Set(own.map(({ total }) => total)).size, part).toBe(1);
      expect(own.at(-1)?.done, part).toBeLessThan(own[0]?.total ?? 0);
    }
  });
});
