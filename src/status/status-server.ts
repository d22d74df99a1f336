import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer, shownHost } from '../base/index.ts';
import { refuseOpenDoor, type AccessSettings } from './access.ts';
import { cannotListen } from './cannot-listen.ts';
import type { StatusAppOptions } from './status-app.ts';

export interface StatusServerOptions extends Omit<StatusAppOptions, 'access'>, Partial<Omit<AccessSettings, 'host'>> {
  readonly host: string;
  /** 0 is any free one. */
  readonly port: number;
  /** How long a connection may take to say what it asks for, ms. */
  readonly askedWithinMs?: number;
}

/** Disposing ends it and every connection to it. */
export interface StatusServer extends AsyncDisposable {
  readonly url: string;
}

// Each takes one of the files that a process may have open, of which a service or a container may have no more than 1,024: whoever opened
// thousands of connections would leave none for a walk.
const MOST_CONNECTIONS = 256;
// Whoever takes all of these and says nothing keeps the probes of a container out for so long, and a quarter of it.
const ASKED_WITHIN_MS = 15_000;
// By whoever names no host, as a load balancer that probes by HTTP/1.0; no browser is among them.
const UNNAMED = 'localhost';

/**
 * Serves the status page. Throws DM_CONFIG_INVALID for an address that others reach without a token, DM_PORT_IN_USE that names the
 * settings when the address cannot be listened on.
 */
export async function startStatusServer(options: StatusServerOptions): Promise<StatusServer> {
  const { host, token = null, openProbes = false, askedWithinMs = ASKED_WITHIN_MS } = options;
  const access: AccessSettings = { host, token, openProbes };
  refuseOpenDoor(access);
  // Loaded here, since whoever only asks how the mirror stands serves no pages.
  const [{ createAdaptorServer }, { createStatusApp }] = await Promise.all([
    import('@hono/node-server'),
    import('./status-app.ts'),
  ]);
  const { fetch } = createStatusApp({ ...options, access });
  const serverOptions = { headersTimeout: askedWithinMs, connectionsCheckingInterval: askedWithinMs / 4 };
  const server = createAdaptorServer({ fetch, serverOptions, hostname: UNNAMED }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  try {
    await listen(server, options);
  } catch (error) {
    throw cannotListen(options, error);
  }
  const { port } = server.address() as AddressInfo;
  return { url: statusAddress({ host: options.host, port }), [Symbol.asyncDispose]: () => closeServer(server) };
}

function listen(server: Server, { host, port }: StatusServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Where a page that listens so is found from this machine. */
export function statusAddress({ host, port }: Pick<StatusServerOptions, 'host' | 'port'>): string {
  return `http://${shownHost(host)}:${port}`;
}
