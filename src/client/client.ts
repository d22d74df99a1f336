import type { Dispatcher } from 'undici';
import { AppError } from '../base/index.ts';
import {
  anyOperationNames,
  operationOf,
  type AnswerOf,
  type AnyOperationName,
  type PagedOperationName,
} from '../contract/index.ts';
import { Aborts } from './aborts.ts';
import { createAgent } from './agent.ts';
import { headersOfCalls, performCall } from './call.ts';
import type { Core } from './core.ts';
import { Credentials } from './credentials.ts';
import { performDownload } from './download.ts';
import { FileHosts } from './file-hosts.ts';
import { Limiter, closedError } from './limiter.ts';
import { Meter } from './meter.ts';
import { OwnWrites } from './own-writes.ts';
import { PageSizes } from './page-sizes.ts';
import { readPages, type ListEnvelope } from './paginate.ts';
import { createReach } from './reach.ts';
import type {
  ApiMethods,
  CallInput,
  CallOptions,
  ClientOptions,
  Download,
  DownloadOptions,
  PageOf,
  PageOptions,
  RawInput,
  RawPage,
} from './types.ts';

const LONGEST_CONNECT_MS = 10_000;

/**
 * A client for one platform. Nothing is sent before the first call. Throws DM_CONFIG_INVALID when the base address is no
 * http(s) address. Dispose of it to close its connections; what is under way then fails.
 */
export function createClient(options: ClientOptions): ApiClient {
  return new ApiClient(options);
}

/**
 * Everything that is asked of one platform: calls, listings and downloads behind one limiter. Every promise rejects with an
 * ApiError, or with the reason of the given signal as soon as it aborts.
 */
export class ApiClient {
  /** Running totals; read only. */
  readonly meter = new Meter();
  /** One typed function per operation. */
  readonly api: ApiMethods;
  readonly #core: Core;
  readonly #agent: Dispatcher;
  readonly #prefix: string;
  readonly #pageSizes = new PageSizes();

  constructor(options: ClientOptions) {
    const base = parseBase(options.baseUrl);
    const { clock, random, log, limits } = options;
    this.#prefix = base.pathname.replace(/\/+$/, '');
    const reach = createReach(base.hostname);
    const timeout = Math.min(limits.timeoutMs, LONGEST_CONNECT_MS);
    const pooled = { connections: limits.concurrency, pipelining: 1 };
    // What a name may lead to depends on who is asked there, so each origin has a lookup of its own.
    const connecting = (origin: string) => ({ ...pooled, connect: { timeout, lookup: reach.lookupFor(origin) } });
    this.#agent = createAgent(options.proxies, connecting);
    const aborts = new Aborts();
    const onWait = options.onWait ?? (() => undefined);
    const credentials = new Credentials(options.token, { origin: base.origin, places: options.tokenPlaces ?? null });
    this.#core = {
      wire: { dispatcher: this.#agent, clock, aborts },
      clock,
      random,
      log,
      limits,
      limiter: new Limiter({ clock, aborts, random, limits, meter: this.meter, onWait }),
      meter: this.meter,
      credentials,
      headers: headersOfCalls(credentials),
      reach,
      fileHosts: new FileHosts({ clock, random, maxWaitMs: limits.maxWaitMs }),
      ownWrites: new OwnWrites(clock),
      onWait,
      onRequest: options.onRequest ?? null,
    };
    this.api = this.#methods();
  }

  /**
   * Calls an operation. What an answer lacks of the ids and lists that the contract promises is DM_BAD_RESPONSE. Reads, and writes that
   * only set, are repeated after network errors, timeouts and 5xx; other writes only when they cannot have arrived. A read that does not
   * show what this client has written is repeated for some seconds. A 429 holds everything back until the server allows it, and is
   * then sent again, for writes too. `sent` of the error tells whether a write may have been done.
   */
  async call<N extends AnyOperationName>(
    name: N,
    input: CallInput<N>,
    options: CallOptions = {},
  ): Promise<AnswerOf<N>> {
    // The answer is typed as documented and kept as sent: readers stay tolerant.
    return (await this.callRaw(name, input as RawInput, options)) as AnswerOf<N>;
  }

  /** `call` for an operation whose name is data. */
  callRaw(name: AnyOperationName, input: RawInput, options: CallOptions = {}): Promise<unknown> {
    const call = { operation: name, shape: operationOf(name), prefix: this.#prefix, input };
    return performCall(this.#core, call, options);
  }

  /**
   * The pages of a listing up to the one without `next`. Rejects with DM_PAGING_LOOP when a page token repeats,
   * DM_PAGING_ENDLESS after too many pages, too many empty ones or the same ones again and again, DM_BAD_RESPONSE for anything but a list envelope; a
   * listing that ends without an error was read whole. A page that fails with 400, 413, 5xx or in time is asked for in
   * smaller pieces first, when `pageSize` is given; a size that was refused (400) is asked for in no later listing. A listing whose
   * `count` is more than it sent is asked for once more, and what is new then is handed on too; see `isCountIgnored`.
   */
  paginate<N extends PagedOperationName>(
    name: N,
    input: CallInput<N>,
    options: PageOptions = {},
  ): AsyncIterable<PageOf<N>> {
    return this.paginateRaw(name, input as RawInput, options) as AsyncIterable<PageOf<N>>;
  }

  /** `paginate` for an operation whose name is data. */
  paginateRaw(name: PagedOperationName, input: RawInput, options: PageOptions = {}): AsyncIterable<RawPage> {
    const read = async (page: RawInput, call: CallOptions): Promise<ListEnvelope> =>
      (await this.callRaw(name, page, call)) as ListEnvelope;
    const listing = { operation: name, path: operationOf(name).path, sizes: this.#pageSizes, read };
    return readPages(listing, input, options);
  }

  /**
   * Streams the bytes behind an address to a file: temporary file, hash, size check, fsync, rename. The token goes along only
   * while the address is at the platform's own origin; up to 5 redirects are followed without it, none of them to this machine or
   * its local link unless the platform is there. Rejects with
   * DM_DOWNLOAD_FAILED (status in `status`; after 403, 404 or 410 read the record again, addresses expire), DM_RATE_LIMITED, or
   * the file system's error; no partial file remains.
   */
  download(address: string, options: DownloadOptions): Promise<Download> {
    return performDownload(this.#core, address, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#core.limiter[Symbol.dispose]();
    this.#core.wire.aborts[Symbol.dispose]();
    await this.#agent.destroy(closedError());
  }

  #methods(): ApiMethods {
    const methods = anyOperationNames.map((name): [string, ApiMethod] => [
      name,
      (input = {}, options = {}) => this.callRaw(name, input, options),
    ]);
    return Object.fromEntries(methods) as unknown as ApiMethods;
  }
}

/** The same client: what is asked through this one ends with the signal, unless it is asked with another. */
export function endingWith(client: ApiClient, signal: AbortSignal | undefined): ApiClient {
  if (signal === undefined) return client;
  const ending: Pick<ApiClient, 'callRaw' | 'paginateRaw' | 'download'> = {
    callRaw: (name, input, options) => client.callRaw(name, input, { signal, ...options }),
    paginateRaw: (name, input, options) => client.paginateRaw(name, input, { signal, ...options }),
    download: (address, options) => client.download(address, { signal, ...options }),
  };
  return Object.assign(Object.create(client) as ApiClient, ending);
}

type ApiMethod = (input?: RawInput, options?: CallOptions) => Promise<unknown>;

function parseBase(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const usable =
    url && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
  if (usable) return url;
  throw new AppError(
    'DM_CONFIG_INVALID',
    'The base address of the platform is no http or https address without a password',
    {
      hint: 'Set DOCMIRROR_BASE_URL to an address like https://api.example.com.',
    },
  );
}
