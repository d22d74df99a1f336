// A check of a large mirror reads for minutes: whoever waits must see it move.
import { describe, expect, it } from 'vitest';
import { createApp, type CheckProgress } from '../../src/app.ts';
import { seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { environmentOf, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('app/check', () => {
  it('tells how far it is with texts, files and the export, one after the other', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const environment = environmentOf(platform, folder.at('data'));
    const config = loadConfig({ flags: {}, environment, cwd: folder.path, readFile: () => null });
    await using app = createApp(config, { clock: systemClock(), random: seededRandom(3), log: silentLogger() });
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
