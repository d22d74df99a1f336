// What callers hand in and get back, derived from the contract.
import type { Clock, Logger, Proxies, Random, Secret } from '../base/index.ts';
import type {
  AnswerOf,
  AnyOperationName,
  BodyOf,
  ItemOf,
  PagedOperationName,
  PathOf,
  QueryOf,
  allOperations,
} from '../contract/index.ts';

/** Durations are milliseconds. */
export interface ClientLimits {
  /** Requests under way at once, downloads included. */
  concurrency: number;
  /** `auto`: what the server's headers allow, 10 per second while it sends none. */
  requestsPerSecond: number | 'auto';
  /** The part of the server's own limit that is used, above 0 up to 1. */
  share: number;
  timeoutMs: number;
  downloadTimeoutMs: number;
  /** How often a request that may be repeated is sent again. */
  retries: number;
  /** The longest wait that the server may ask for. */
  maxWaitMs: number;
}

/** One request that ended, whatever its end; retries are told one by one. */
export interface RequestInfo {
  /** Name of the operation, or `download`. */
  readonly operation: string;
  readonly method: string;
  /** Path and query, safe to show; for a download the address, safe to show. */
  readonly target: string;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly ms: number;
  /** Bytes of the body that were received. */
  readonly bytes: number;
  /** What the platform said of its limit with this answer; null when nothing. */
  readonly rate: { readonly limit: number | null; readonly remaining: number } | null;
}

/** A wait of a second or more that has begun. */
export interface WaitInfo {
  /** `rate-limited`: the server said so (429); `paced`: to stay below the rate; `retry`: before a request is repeated. */
  readonly reason: 'rate-limited' | 'paced' | 'retry';
  readonly ms: number;
}

export interface ClientOptions {
  /** Without `/v1`. */
  baseUrl: string;
  token: Secret;
  /** Where the token may be set, for the error that says it was refused. */
  tokenPlaces?: string;
  clock: Clock;
  random: Random;
  log: Logger;
  limits: ClientLimits;
  /** Everything is asked straight without. */
  proxies?: Proxies;
  onWait?: (info: WaitInfo) => void;
  onRequest?: (info: RequestInfo) => void;
}

export interface CallOptions {
  /** Higher goes first when requests wait; 0 when absent. */
  priority?: number | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Names of fields whose lists, in an answer of several megabytes, come as LargeList instead of being held as arrays; of a field that
   * holds an object, the lists within it.
   */
  largeLists?: readonly string[] | undefined;
  /** Of an answer, bytes that are taken at most; when absent 64 MiB, 256 MiB of a tree. */
  mostBytes?: number | undefined;
  /** Of a write that a platform may not offer: its 404 is told at once, be what it names just made or not. */
  mayLack?: boolean | undefined;
}

export interface PageOptions extends CallOptions {
  /** Items asked for per page; the server's choice when absent. */
  pageSize?: number | undefined;
  /** A listing with more pages than this is taken for endless; 100,000 when absent. */
  maxPages?: number | undefined;
  /** Pages of this size were answered before: 400 is about something else. */
  isSizeTaken?: boolean | undefined;
  /** A listing that counts more than it sends (`count`) is not asked for once more. */
  isCountIgnored?: boolean | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Where the bytes go; its folder must exist, a file that is there is replaced. */
  toPath: string;
  /** Bytes that the record of the file promises. */
  expectedSize?: number | undefined;
  /** The address is the operator's own: its host may be this machine. */
  trusted?: boolean | undefined;
}

export interface Download {
  /** 64 lower-case hex digits. */
  sha256: string;
  /** Bytes. */
  size: number;
  contentType: string | null;
}

/** Input of a call whose operation is data. */
export interface RawInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export interface RawPage {
  items: Record<string, unknown>[];
  /** How many the platform says that the whole listing has: a hint, which it may leave out and which may be wrong. */
  count?: number;
}

type Empty = Record<never, never>;
type Declared<N extends AnyOperationName> = (typeof allOperations)[N];
type PathPart<N extends AnyOperationName> = keyof PathOf<N> extends never
  ? { readonly path?: Empty }
  : { readonly path: PathOf<N> };
type QueryPart<N extends AnyOperationName> =
  Empty extends QueryOf<N> ? { readonly query?: QueryOf<N> } : { readonly query: QueryOf<N> };
type BodyPart<N extends AnyOperationName> = [BodyOf<N>] extends [undefined]
  ? { readonly body?: undefined }
  : Declared<N> extends { readonly bodyOptional: true }
    ? { readonly body?: BodyOf<N> }
    : { readonly body: BodyOf<N> };

/** Input of an operation: `path`, `query` and `body` are required exactly where the operation has and needs them. */
export type CallInput<N extends AnyOperationName> = PathPart<N> & QueryPart<N> & BodyPart<N>;

/** One function per operation; the input may be left out where the operation needs none. */
export type ApiMethods = {
  readonly [N in AnyOperationName]: Empty extends CallInput<N>
    ? (input?: CallInput<N>, options?: CallOptions) => Promise<AnswerOf<N>>
    : (input: CallInput<N>, options?: CallOptions) => Promise<AnswerOf<N>>;
};

export interface PageOf<N extends PagedOperationName> {
  items: ItemOf<N>[];
  /** A hint of the platform; never relied upon. */
  count?: number;
}
