// The composition root: configuration -> everything wired.
import { createClient, type ApiClient } from './client/index.ts';
import type { Clock, Logger, Random } from './base/index.ts';
import type { Config, PlatformConfig } from './config/index.ts';
import { readMirror, type Mirror } from './mirror/index.ts';
import type { WalkResult } from './walker/index.ts';
import type { Kit } from './app/kit.ts';
import { sync, type SyncOptions } from './app/sync.ts';

export type { SyncOptions } from './app/sync.ts';

export interface AppParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** The verbs of Docmirror. Disposing closes the connections to every platform that was asked. */
export interface App extends AsyncDisposable, AppParts {
  readonly config: Config;
  /** The mirror for reading; needs no lease, and no platform. Throws DM_NO_SNAPSHOT when there is none. */
  reader(): Mirror;
  /** One walk, one snapshot, its export. Throws DM_CONFIG_MISSING, DM_DATA_DIR_LOCKED and what ends a walk. */
  sync(options: SyncOptions): Promise<WalkResult>;
}

export function createApp(config: Config, parts: AppParts): App {
  const clients = new Map<string, ApiClient>();
  const kit: Kit = { config, ...parts, clientOf: (platform) => clientOf(clients, kit, platform) };
  return {
    config,
    ...parts,
    reader: () => readMirror({ dataDir: config.dataDir, clock: parts.clock }),
    sync: (options) => sync(kit, options),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...clients.values()].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

function clientOf(clients: Map<string, ApiClient>, kit: Kit, { baseUrl, token }: PlatformConfig): ApiClient {
  const known = clients.get(baseUrl);
  if (known) return known;
  const { clock, random, log, config } = kit;
  const client = createClient({ baseUrl, token, clock, random, log, limits: config.limits });
  clients.set(baseUrl, client);
  return client;
}
