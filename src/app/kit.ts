import type { Clock, Logger, Random } from '../base/index.ts';
import type { ApiClient, RequestInfo, WaitInfo } from '../client/index.ts';
import { placesOf, type Config, type PlatformConfig } from '../config/index.ts';

/** Follows the requests to a platform, for whoever waits for them. */
export interface RequestWatch {
  /** Requests to this address begin. */
  readonly begun: (baseUrl: string) => void;
  readonly ended: (request: RequestInfo) => void;
  readonly waits: (wait: WaitInfo) => void;
  /** Nothing more is asked for now. */
  readonly idle?: () => void;
}

/** What every verb of the app stands on. */
export interface Kit {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly watch?: RequestWatch;
  /** The client of a platform. One platform has one client, so that one limiter governs all that is asked of it. */
  clientOf(platform: PlatformConfig): Promise<ApiClient>;
}

/** Disposing closes the connections to every platform that was asked. */
export interface OwnKit extends Kit, AsyncDisposable {}

type Parts = Omit<Kit, 'clientOf'>;

export function createKit(parts: Parts): OwnKit {
  const clients = new Map<string, Promise<ApiClient>>();
  return {
    ...parts,
    clientOf: (platform) => clientOf(clients, parts, platform),
    [Symbol.asyncDispose]: () => closeAll([...clients.values()]),
  };
}

function clientOf(
  clients: Map<string, Promise<ApiClient>>,
  parts: Parts,
  platform: PlatformConfig,
): Promise<ApiClient> {
  const known = clients.get(platform.baseUrl);
  if (known) return known;
  const client = openClient(parts, platform);
  clients.set(platform.baseUrl, client);
  // Whoever asks next opens it anew, and is not told of what was wrong before.
  client.catch(() => clients.delete(platform.baseUrl));
  return client;
}

/** Closes every client, whatever becomes of the others; throws what went wrong in closing. */
async function closeAll(clients: readonly Promise<ApiClient>[]): Promise<void> {
  const closing = clients.map(async (opening) => {
    // An opening that failed has told whoever waited for it, and has nothing to close.
    const client = await opening.catch(() => null);
    await client?.[Symbol.asyncDispose]();
  });
  const errors = (await Promise.allSettled(closing)).flatMap((end): unknown[] =>
    end.status === 'rejected' ? [end.reason] : [],
  );
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, 'The connections to several platforms could not be closed');
}

async function openClient(parts: Parts, { baseUrl, token }: PlatformConfig): Promise<ApiClient> {
  // Loaded here: most commands ask no platform.
  const { createClient } = await import('../client/index.ts');
  const { clock, random, log, config, watch } = parts;
  const follow = watch && { onRequest: watch.ended, onWait: watch.waits };
  const { limits, proxies } = config;
  const tokenPlaces = placesOf('token', config);
  const client = createClient({ baseUrl, token, tokenPlaces, clock, random, log, limits, proxies, ...follow });
  watch?.begun(baseUrl);
  return client;
}
