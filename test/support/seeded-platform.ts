import { Secret, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { createClient, type ApiClient } from '../../src/client/index.ts';
import { seedScale, startPlatform, type EmbeddedPlatform, type PlatformOptions } from '../../src/platform/index.ts';
import { sharedChecks } from './checks.ts';

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
    checks: sharedChecks,
    token: 'tok_for_tests_only',
    ...options,
  });
  await seedScale({ platform, spaces, pages });
  platform.clearRequestLog();
  return platform;
}

/** Edits a platform from outside of the program under test. */
export function editorOf(platform: EmbeddedPlatform): ApiClient {
  const limits = {
    concurrency: 4,
    requestsPerSecond: 'auto',
    share: 1,
    timeoutMs: 10_000,
    downloadTimeoutMs: 10_000,
    retries: 0,
    maxWaitMs: 5_000,
  } as const;
  return createClient({
    baseUrl: platform.url,
    token: Secret.of(platform.token),
    clock: systemClock(),
    random: seededRandom(3),
    log: silentLogger(),
    limits,
  });
}
