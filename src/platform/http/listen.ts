import { AppError, closeServer, isEveryAddress, outerAddress, shownHost } from '../../base/index.ts';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

/** An origin that answers. Disposing ends it and every connection to it. */
export interface Listener extends AsyncDisposable {
  /** `http://host:port`, as others find it. */
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
  return {
    origin: `http://${shownHost(namedHost(at.host))}:${port}`,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

/**
 * Of what listens on every address, one that other machines have a way to, where there is any: answers name addresses of files, and
 * "0.0.0.0" is to each machine itself.
 */
function namedHost(host: string): string {
  return isEveryAddress(host) ? (outerAddress() ?? host) : host;
}

function unusable({ host, port }: { host: string; port: number }, cause: Error): AppError {
  return new AppError('DM_PORT_IN_USE', `${host}:${port} cannot be listened on: ${cause.message}`, {
    hint: 'Choose an address of this machine, and a port that is free.',
    cause,
  });
}
