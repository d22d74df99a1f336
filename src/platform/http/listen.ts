import { AppError, closeServer } from '../../base/index.ts';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

/** An origin that answers. Disposing ends it and every connection to it. */
export interface Listener extends AsyncDisposable {
  /** `http://host:port` */
  readonly origin: string;
}

// Whoever shares the thread may be at something else for longer than the 5 s of Node.js: what waits in a connection by then would be lost.
const KEEP_ALIVE_MS = 600_000;

/** Answers requests with the app; throws DM_PORT_IN_USE when the address cannot be used. */
export async function listen(
  app: { fetch(request: Request, bindings: HttpBindings): Response | Promise<Response> },
  at: { host: string; port: number },
): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: (request, bindings) => app.fetch(request, bindings as HttpBindings),
  }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(unusable(at, cause)));
    server.listen(at.port, at.host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return { origin: `http://${host}:${port}`, [Symbol.asyncDispose]: () => closeServer(server) };
}

function unusable({ host, port }: { host: string; port: number }, cause: Error): AppError {
  return new AppError('DM_PORT_IN_USE', `${host}:${port} cannot be listened on: ${cause.message}`, {
    hint: 'Choose an address of this machine, and a port that is free.',
    cause,
  });
}
