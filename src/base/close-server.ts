import type { Server } from 'node:http';

/** Ends a server and every connection to it. Resolves once that is done, also for one that has ended before. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
