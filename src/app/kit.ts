import type { Clock, Logger, Random } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import type { Config, PlatformConfig } from '../config/index.ts';

/** What every verb of the app stands on. */
export interface Kit {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** The client of a platform. One platform has one client, so that one limiter governs all that is asked of it. */
  clientOf(platform: PlatformConfig): ApiClient;
}
