// The address at which a restore hands content to the platform's import: unguessable, for one fetch, for a short time.
import { createReadStream, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, closeServer, shownHost, type Clock, type Random } from '../../base/index.ts';
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
  /** It is being fetched, or has been. */
  taken: boolean;
}

const OFFERED_MS = 15 * 60_000;
const PIECE_BYTES = 65_536;
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
    this.#base = options.publicUrl?.replace(/\/$/, '') ?? `http://${shownHost(options.host)}:${port}`;
  }

  /** Listens; throws DM_PORT_IN_USE. */
  static async start(options: ContentServerOptions): Promise<ContentServer> {
    const offers = new Map<string, Offer>();
    const server = createServer((request, response) => {
      const { method = '', url = '' } = request;
      const path = pathBelowAny(url);
      if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
      const offer = offers.get(path);
      if (offer === undefined || offer.taken || offer.until <= options.clock.monotonic())
        return void response.writeHead(410).end();
      return void hand(offer, response, method === 'HEAD');
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
    const offer: Offer = { content, until: this.#options.clock.monotonic() + OFFERED_MS, taken: false };
    this.#offers.set(path, offer);
    return Promise.resolve({
      url: `${this.#base}${path}`,
      isTaken: () => offer.taken,
      [Symbol.asyncDispose]: () => Promise.resolve(void this.#offers.delete(path)),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeServer(this.#server);
  }
}

/** The last two parts: what is put in front of the server may leave the path of `publicUrl` before them. */
function pathBelowAny(url: string): string {
  const [path = ''] = url.split('?');
  return `/${path.split('/').slice(-2).join('/')}`;
}

/** For one fetch. Whoever only looks leaves it for whoever fetches it, and a fetch that breaks off may be made again. */
async function hand(offer: Offer, response: ServerResponse, headOnly: boolean): Promise<void> {
  const { content } = offer;
  let left = Number.POSITIVE_INFINITY;
  try {
    offer.taken = !headOnly;
    const size = typeof content === 'string' ? statSync(content).size : content.byteLength;
    response.writeHead(200, { ...HEADERS, 'content-type': 'application/zip', 'content-length': size });
    left = size;
    const counted = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of source) {
        left -= piece.byteLength;
        yield piece;
      }
    };
    if (headOnly) response.end();
    else await pipeline(sourceOf(content), counted, response);
  } catch {
    // The platform went away while it read; unless it comes again, its import fails, and that is reported where it was asked for. One
    // that has it all may close the connection before we have seen that it is sent.
    offer.taken = left <= 0;
    response.destroy();
  }
}

function sourceOf(content: Content): Readable {
  return typeof content === 'string' ? createReadStream(content) : Readable.from(piecesOf(content));
}

/** Written as a whole, it would count as sent as soon as it is handed to the system. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
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
