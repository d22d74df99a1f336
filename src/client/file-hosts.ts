// Hosts of files that are not the platform: what they say of too many requests is about them alone.
import type { Clock, Random } from '../base/index.ts';
import { Pauses } from './pauses.ts';
import { requestedWaitMs, type ResponseHeaders } from './rate-headers.ts';

export interface FileHostsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxWaitMs: number;
}

export class FileHosts {
  readonly #options: FileHostsOptions;
  /** Those that have refused something. */
  readonly #byOrigin = new Map<string, Pauses>();

  constructor(options: FileHostsOptions) {
    this.#options = options;
  }

  /** Milliseconds for which a host is to be left alone; 0 for one that may be asked. */
  waitMs(origin: string): number {
    const until = this.#byOrigin.get(origin)?.notBefore ?? 0;
    return Math.max(0, until - this.#options.clock.monotonic());
  }

  /** After a 429, with its headers. */
  refused(origin: string, headers: ResponseHeaders): void {
    const { clock, random, maxWaitMs } = this.#options;
    const pauses = this.#byOrigin.get(origin) ?? new Pauses(random, maxWaitMs);
    this.#byOrigin.set(origin, pauses);
    pauses.refused(requestedWaitMs(headers, clock.now()), clock.monotonic());
  }

  /** After anything else. */
  answered(origin: string): void {
    this.#byOrigin.get(origin)?.answered();
  }
}
