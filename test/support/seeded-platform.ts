import { seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { seedScale, startPlatform, type EmbeddedPlatform, type PlatformOptions } from '../../src/platform/index.ts';

export interface SeededOptions extends Partial<PlatformOptions> {
  spaces?: number;
  pages?: number;
}

/** A platform with a few spaces, in this process. */
export async function startSeeded({
  spaces = 2,
  pages = 3,
  ...options
}: SeededOptions = {}): Promise<EmbeddedPlatform> {
  const platform = await startPlatform({
    clock: systemClock(),
    random: seededRandom(5),
    log: silentLogger(),
    database: ':memory:',
    token: 'tok_for_tests_only',
    ...options,
  });
  await seedScale({ platform, spaces, pages });
  platform.clearRequestLog();
  return platform;
}
