import type { Secret } from './secret.ts';

/** Where requests go first. An address may hold a password, so it is a secret. */
export interface Proxies {
  /** For requests to http addresses; null is straight there. */
  readonly http: Secret | null;
  readonly https: Secret | null;
  /** Hosts that are asked straight, separated by commas; `*` is all. */
  readonly direct: string;
}
