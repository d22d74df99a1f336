import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves bytes on loopback for as long as an import needs them. */
export interface SourceServer extends AsyncDisposable {
  /** Offers the bytes under a name; the address holds until the name is offered again or withdrawn. */
  offer(name: string, bytes: Buffer): string;
  withdraw(name: string): void;
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startSourceServer(): Promise<SourceServer> {
  const sources = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const bytes = sources.get(request.url ?? '');
    if (bytes) response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    else response.writeHead(404).end();
  });
  const port = await listen(server);
  const pathOf = (name: string): string => `/${encodeURIComponent(name)}`;
  return {
    offer(name, bytes) {
      sources.set(pathOf(name), bytes);
      return `http://127.0.0.1:${port}${pathOf(name)}`;
    },
    withdraw: (name) => void sources.delete(pathOf(name)),
    [Symbol.asyncDispose]: () => close(server),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
