import { Refusal } from '../contract/index.ts';
import { shiftedClock, type Clock, type Logger, type Random, type ShiftedClock } from '../base/index.ts';
import { createBackgroundWork } from './background.ts';
import { createPlatformChecks, type PlatformChecks } from './checks.ts';
import { createRevisionCache } from './content/revision-cache.ts';
import { createLinkMemory } from './content/link-memory.ts';
import { createLru } from './content/lru.ts';
import type { Db, PlatformContext, ReadContent } from './context.ts';
import { ensureOwner, makePeople, type Owner, type PlatformPeople } from './people.ts';
import { apiApp, type ApiParts } from './http/api-app.ts';
import { createFaultInjector } from './http/fault-injector.ts';
import type { FaultPlan } from './http/fault-plan.ts';
import { createFileSigner } from './http/file-signer.ts';
import { filesApp } from './http/files-app.ts';
import { listen } from './http/listen.ts';
import { createRateLimit } from './http/rate.ts';
import { createRequestLog, type RequestLog } from './http/request-log.ts';
import { ImportRefused, readImport, readSource, type ImportLimits } from './import/index.ts';
import { keepSpecsFresh } from './openapi/process-spec.ts';
import { observedClock, type ObservedClock } from './observed-clock.ts';
import { changeCounter } from './store/change-counter.ts';
import { openStore, signingKey } from './store/open-store.ts';
import { purgeSpaces } from './store/spaces.ts';

export interface PlatformOptions {
  clock: Clock;
  random: Random;
  log: Logger;
  /** `127.0.0.1` */
  host?: string;
  /** Port of the API; 0, the default, is any free one. */
  port?: number;
  /** Port of the second origin, which serves the bytes of files; 0 is any free one. */
  filesPort?: number;
  /** A path, or `:memory:`. */
  database: string;
  /** Token of the first user; random when absent. On a database that has one already it becomes that user's token. */
  token?: string;
  /** Title of the organization that a fresh database gets; null for none. */
  organization?: string | null;
  /** Requests per second that are allowed; absent, a million per minute. */
  rate?: number;
  /** Networks that imports may fetch from besides loopback. */
  allowedImportHosts?: readonly string[];
  /** What an import may hold, where that is not the usual. */
  importLimits?: Partial<ImportLimits>;
  faults?: FaultPlan;
  /** Its time can be moved ahead, by `advanceClock` and `POST /_platform/clock`. */
  movableClock?: boolean;
  /** Checks every own answer against the contract; one that breaks it becomes a 500 that says how. */
  checkAnswers?: boolean;
  /** Those of an earlier platform of this process, to be compiled once; its own by default. */
  checks?: PlatformChecks;
  /**
   * Content gets its index when somebody searches it, and not when it is written: for a platform that nobody searches. The first search
   * of others would have to wait.
   */
  indexesLate?: boolean;
}

/** A running embedded platform. Disposing ends both servers and closes the database. */
export interface EmbeddedPlatform extends AsyncDisposable, PlatformPeople {
  /** Base address, without `/v1`. */
  readonly url: string;
  /** The second origin. */
  readonly filesUrl: string;
  /** The owner's token. */
  readonly token: string;
  /** The owner's user id. */
  readonly owner: string;
  readonly requestLog: RequestLog;
  clearRequestLog(): void;
  /** Moves the platform's time ahead; only one started with `movableClock` can. */
  advanceClock(ms: number): void;
  /** Resolves when nothing goes on in the background: every specification is processed. */
  settle(): Promise<void>;
  faults: FaultPlan;
}

const HOST = '127.0.0.1';
const REMEMBERED_DOCUMENTS = 10_000;
const REMEMBERED_SPECS = 20;
const PURGE_INTERVAL_MS = 3_600_000;
const DEFAULT_ORGANIZATION = 'My organization';

/**
 * Starts the platform and resolves when both origins listen. A fresh database gets one user, the owner of the token, and one
 * organization in which that user is an administrator. Throws DM_DATABASE_NEWER, or the system's error for an address or a file
 * that cannot be used; nothing stays open then.
 */
export async function startPlatform(options: PlatformOptions): Promise<EmbeddedPlatform> {
  const opened: (Disposable | AsyncDisposable)[] = [];
  try {
    return await assemble(options, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function assemble(given: PlatformOptions, opened: (Disposable | AsyncDisposable)[]): Promise<EmbeddedPlatform> {
  const moved = given.movableClock ? shiftedClock(given.clock) : null;
  const options = { ...given, clock: moved ?? given.clock };
  const db = openStore(options.database);
  opened.push(db);
  const origins = { api: '', files: '' };
  const context = makeContext(options, db, origins);
  opened.push(context.background);
  const { organization = DEFAULT_ORGANIZATION } = options;
  const owner = ensureOwner(context, { token: options.token, organization });
  const parts: ApiParts = {
    context,
    clock: context.clock,
    changes: changeCounter(db),
    rate: createRateLimit(options.clock, options.rate),
    requests: createRequestLog(),
    faults: createFaultInjector(options, options.faults ?? []),
    checkAnswers: options.checkAnswers ?? false,
    people: makePeople(context, owner.id),
    owner: owner.id,
    advanceClock: moved && clockMover(context, moved),
  };
  const host = options.host ?? HOST;
  const api = await listen(apiApp(parts), { host, port: options.port ?? 0 });
  opened.push(api);
  const files = await listen(filesApp(parts), { host, port: options.filesPort ?? 0 });
  opened.push(files);
  origins.api = api.origin;
  origins.files = files.origin;
  purgeSpaces(context);
  opened.push(options.clock.every(PURGE_INTERVAL_MS, () => purgeLater(context)));
  opened.push(keepSpecsFresh(context));
  return makePlatform(parts, owner, { origins, opened });
}

/** What fails is logged: thrown by a timer, it would end the process, and the daemon with it where the two are one. */
function purgeLater(context: PlatformContext): void {
  context.background.add('purge', async () => purgeSpaces(context));
}

/** What is due at the new time is done at once; timers that wait do not come sooner. */
function clockMover(context: PlatformContext, clock: ShiftedClock): (ms: number) => void {
  return (ms) => {
    clock.advance(ms);
    purgeSpaces(context);
  };
}

function makeContext(
  options: PlatformOptions,
  db: Db,
  origins: { api: string; files: string },
): PlatformContext & { clock: ObservedClock } {
  const { random, log } = options;
  const clock = observedClock(options.clock);
  const key = signingKey(db, random);
  return {
    db,
    clock,
    random,
    log,
    // Known once the server listens, which is before the first request.
    get url() {
      return origins.api;
    },
    signer: createFileSigner({ key, clock, origin: () => origins.files }),
    revisions: createRevisionCache(),
    shown: new WeakMap(),
    documentLinks: createLru(REMEMBERED_DOCUMENTS),
    revisionLinks: createLinkMemory(changeCounter(db)),
    specs: createLru(REMEMBERED_SPECS),
    checks: options.checks ?? createPlatformChecks(),
    readContent: contentReader(options),
    fetchSource: (url, signal) =>
      readSource({ url, clock, allowedHosts: options.allowedImportHosts ?? [], ...(signal ? { signal } : {}) }),
    background: createBackgroundWork(log),
    indexesLate: options.indexesLate ?? false,
  };
}

function contentReader(options: PlatformOptions): ReadContent {
  const { clock, database, allowedImportHosts: allowedHosts = [], importLimits: limits = {} } = options;
  let begun = 0;
  const spool = (): string | undefined => (database === ':memory:' ? undefined : `${database}-import-${++begun}`);
  return async ({ url, source }) => {
    try {
      return await readImport({ url, source, clock, allowedHosts, limits, spool: spool() });
    } catch (error) {
      throw error instanceof ImportRefused ? new Refusal(error.status, error.message) : error;
    }
  };
}

function makePlatform(
  parts: ApiParts,
  owner: Owner,
  running: { origins: { api: string; files: string }; opened: (Disposable | AsyncDisposable)[] },
): EmbeddedPlatform {
  return {
    ...parts.people,
    url: running.origins.api,
    filesUrl: running.origins.files,
    token: owner.token,
    owner: owner.id,
    requestLog: parts.requests,
    clearRequestLog: () => parts.requests.clear(),
    advanceClock: (ms) => {
      if (!parts.advanceClock) throw new Error('the platform was started without movableClock');
      parts.advanceClock(ms);
    },
    settle: () => parts.context.background.settle(),
    get faults() {
      return parts.faults.plan();
    },
    set faults(plan: FaultPlan) {
      parts.faults.setPlan(plan);
    },
    [Symbol.asyncDispose]: () => closeAll(running.opened),
  };
}

/** In the reverse order of opening; a second call finds nothing left. */
async function closeAll(opened: (Disposable | AsyncDisposable)[]): Promise<void> {
  for (const one of opened.splice(0).toReversed()) {
    if (Symbol.asyncDispose in one) await one[Symbol.asyncDispose]();
    else one[Symbol.dispose]();
  }
}
