// A real HTTP server on loopback and a client for it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret, seededRandom, silentLogger, systemClock, type Random } from '../../src/base/index.ts';
import { createClient, type ApiClient, type ClientLimits, type ClientOptions } from '../../src/client/index.ts';

export const TOKEN = 'planted-token-4f9c2d';

export interface SeenRequest {
  method: string;
  url: string;
  authorization: string | null;
  body: string;
}

export interface TestServer extends AsyncDisposable {
  url: string;
  /** Requests in the order of their arrival. */
  seen: SeenRequest[];
}

/** `number` counts requests from 1. */
export type Handler = (request: SeenRequest, response: ServerResponse, number: number) => void;

export async function startServer(handler: Handler): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        authorization: incoming.headers.authorization ?? null,
        body,
      };
      seen.push(request);
      handler(request, response, seen.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export interface Head {
  status: number;
  headers: Record<string, string>;
}

export function sendJson(response: ServerResponse, head: number | Head, body: unknown): void {
  const { status, headers } = typeof head === 'number' ? { status: head, headers: {} } : head;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

export function sendError(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  sendJson(response, { status, headers }, { error: { code: status, message: `refused with ${status}` } });
}

/** Chance that always chooses the shortest wait. */
export function noJitter(): Random {
  return { ...seededRandom(1), next: () => 0 };
}

export type Overrides = Partial<Omit<ClientOptions, 'limits'>> & { limits?: Partial<ClientLimits> };

export function clientFor(server: { url: string }, overrides: Overrides = {}): ApiClient {
  return createClient({
    baseUrl: server.url,
    token: Secret.of(TOKEN),
    clock: systemClock(),
    random: noJitter(),
    log: silentLogger(),
    ...overrides,
    limits: {
      concurrency: 4,
      requestsPerSecond: 10_000,
      share: 1,
      timeoutMs: 1_000_000,
      downloadTimeoutMs: 1_000_000,
      retries: 3,
      maxWaitMs: 900_000,
      ...overrides.limits,
    },
  });
}

/** What a promise is rejected with; fails when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

/** Resolves when the condition holds; it is looked at in every turn of the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
