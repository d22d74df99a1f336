// The address at which a restore hands content to the platform's import: unguessable, for one fetch, for a short time.
import { createReadStream, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { AppError, type Clock, type Random } from '../base/index.ts';
import type { Content, ContentOffer, ContentPlace } from './content-place.ts';

interface ContentServerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The address under which the platform reaches it; null when host and port are that. */
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly random: Random;
}

interface Offer {
  readonly content: Content;
  readonly until: number;
}

const OFFERED_MS = 15 * 60_000;
const TOKEN_LENGTH = 40;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Serves files at one-time addresses. */
export class ContentServer implements ContentPlace {
  readonly #server: Server;
  readonly #offers: Map<string, Offer>;
  readonly #options: ContentServerOptions;
  readonly #base: string;

  private constructor(server: Server, offers: Map<string, Offer>, options: ContentServerOptions) {
    this.#server = server;
    this.#offers = offers;
    this.#options = options;
    const { port } = server.address() as AddressInfo;
    this.#base = options.publicUrl?.replace(/\/$/, '') ?? `http://${options.host}:${port}`;
  }

  /** Listens; throws DM_PORT_IN_USE. */
  static async start(options: ContentServerOptions): Promise<ContentServer> {
    const offers = new Map<string, Offer>();
    const server = createServer((request, response) => {
      const { method = '', url = '' } = request;
      const [path = ''] = url.split('?');
      if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
      const offer = offers.get(path);
      const content = offer !== undefined && offer.until > options.clock.now() ? offer.content : null;
      // Whoever only looks leaves it for whoever fetches it.
      if (method === 'GET') offers.delete(path);
      return void send(response, content, method === 'HEAD');
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(unusable(options, cause)));
      server.listen(options.port, options.host, resolve);
    });
    return new ContentServer(server, offers, options);
  }

  /** An address for one fetch within a quarter of an hour. */
  offer(content: Content): Promise<ContentOffer> {
    const token = this.#options.random.id(TOKEN_LENGTH);
    const path = `/${token}/content.zip`;
    this.#offers.set(path, { content, until: this.#options.clock.now() + OFFERED_MS });
    return Promise.resolve({
      url: `${this.#base}${path}`,
      [Symbol.asyncDispose]: () => Promise.resolve(void this.#offers.delete(path)),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

async function send(response: ServerResponse, content: Content | null, headOnly: boolean): Promise<void> {
  if (content === null) {
    response.writeHead(410).end();
    return;
  }
  try {
    const size = typeof content === 'string' ? statSync(content).size : content.byteLength;
    response.writeHead(200, { ...HEADERS, 'content-type': 'application/zip', 'content-length': size });
    if (headOnly) response.end();
    else if (typeof content !== 'string') response.end(content);
    else await pipeline(createReadStream(content), response);
  } catch {
    // The platform went away while it read; its import fails, and that is reported where it was asked for.
    response.destroy();
  }
}

function unusable(options: ContentServerOptions, cause: Error): AppError {
  return new AppError(
    'DM_PORT_IN_USE',
    `The content server cannot listen on ${options.host}:${options.port}: ${cause.message}`,
    {
      hint: 'Set contentServer.host and contentServer.port to an address of this machine that is free.',
      cause,
    },
  );
}
