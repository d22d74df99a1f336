import type { Clock, Logger, Random } from '../base/index.ts';
import type { ApiClient, RequestInfo, WaitInfo } from '../client/index.ts';
import type { Config, PlatformConfig } from '../config/index.ts';

/** Follows the requests to a platform, for whoever waits for them. */
export interface RequestWatch {
  /** Requests to this address begin. */
  readonly begun: (baseUrl: string) => void;
  readonly ended: (request: RequestInfo) => void;
  readonly waits: (wait: WaitInfo) => void;
}

/** What every verb of the app stands on. */
export interface Kit {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly watch?: RequestWatch;
  /** The client of a platform. One platform has one client, so that one limiter governs all that is asked of it. */
  clientOf(platform: PlatformConfig): ApiClient;
}
