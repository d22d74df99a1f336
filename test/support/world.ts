// A platform, a mirror of it and a client between the two: what walks and restores are tried on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Secret,
  seededRandom,
  shiftedClock,
  silentLogger,
  systemClock,
  type Clock,
  type Random,
  type ShiftedClock,
} from '../../src/base/index.ts';
import { createClient, type ApiClient, type ClientLimits, type RawInput } from '../../src/client/index.ts';
import { openMirror, type Mirror, type MirrorOptions } from '../../src/mirror/index.ts';
import { startPlatform, type EmbeddedPlatform, type PlatformOptions } from '../../src/platform/index.ts';
import { walk, type WalkOptions, type WalkResult, type WalkSettings } from '../../src/walker/index.ts';
import { sharedChecks } from './checks.ts';
import { emptyMirror } from './empty-mirror.ts';

/** Nothing waits: no repetition, so no pause before one. */
export const LIMITS: ClientLimits = {
  concurrency: 8,
  requestsPerSecond: 'auto',
  share: 1,
  timeoutMs: 10_000,
  downloadTimeoutMs: 10_000,
  retries: 0,
  maxWaitMs: 5_000,
};

/** No rota and no brake, so that a test sees only what it asks for. */
export const SETTINGS: WalkSettings = {
  rereadNights: 1_000_003,
  pageSize: 100,
  brake: { deletedShare: 2, deletedCount: 1e9, rewrittenShare: 2, rewrittenCount: 1e9 },
  resumeWithinMs: 3_600_000,
  lanes: 4,
};

export type SyncOptions = Partial<
  Pick<
    WalkOptions,
    | 'mirror'
    | 'client'
    | 'clock'
    | 'log'
    | 'mode'
    | 'scope'
    | 'origin'
    | 'moved'
    | 'signal'
    | 'onProgress'
    | 'acceptRights'
  >
> & {
  settings?: Partial<WalkSettings>;
};

/** A platform with one organization, and an empty mirror in a folder that goes when the world is disposed of. */
export class TestWorld implements AsyncDisposable {
  readonly platform: EmbeddedPlatform;
  /** Of the platform: a path, or `:memory:`. */
  readonly database: string;
  readonly clock: ShiftedClock;
  /** The same time; sleeping moves it on at once. */
  readonly sleepless: Clock;
  readonly random: Random = seededRandom(11);
  readonly log = silentLogger();
  readonly organization: string;
  readonly dataDir: string;
  /** The one that walks; edits go through another, so that its meter counts walks only. */
  readonly client: ApiClient;
  readonly #editor: ApiClient;
  readonly #folders: string[] = [];
  #targets = 0;
  #mirror: Mirror;

  private constructor(
    { platform, database, clock }: Pick<TestWorld, 'platform' | 'database' | 'clock'>,
    opened: { dataDir: string; mirror: Mirror },
  ) {
    this.platform = platform;
    this.database = database;
    this.clock = clock;
    this.sleepless = { ...clock, sleep: (ms) => Promise.resolve(clock.advance(ms)) };
    this.organization = platform.organizations()[0] ?? '';
    this.dataDir = opened.dataDir;
    this.#mirror = opened.mirror;
    this.client = this.clientOf(platform);
    this.#editor = this.clientOf(platform);
  }

  /** Its mirror is an empty one, unless told how to open another. */
  static async create(
    options: Partial<PlatformOptions> = {},
    open: (at: MirrorOptions) => Promise<Mirror> = emptyMirror,
  ): Promise<TestWorld> {
    const clock = shiftedClock(systemClock());
    const { database = ':memory:' } = options;
    const platform = await startPlatform({
      clock,
      random: seededRandom(7),
      log: silentLogger(),
      checks: sharedChecks,
      checkAnswers: true,
      ...options,
      database,
    });
    const dataDir = mkdtempSync(join(tmpdir(), 'docmirror-world-'));
    return new TestWorld({ platform, database, clock }, { dataDir, mirror: await open({ dataDir, clock }) });
  }

  get mirror(): Mirror {
    return this.#mirror;
  }

  /** One function per operation, as the owner. */
  get api(): ApiClient['api'] {
    return this.#editor.api;
  }

  clientOf(platform: { url: string; token: string }, limits: Partial<ClientLimits> = {}): ApiClient {
    return createClient({
      baseUrl: platform.url,
      token: Secret.of(platform.token),
      clock: this.sleepless,
      random: seededRandom(13),
      log: this.log,
      limits: { ...LIMITS, ...limits },
    });
  }

  /** One walk of this world's platform into this world's mirror. */
  sync(options: SyncOptions = {}): Promise<WalkResult> {
    return walk({
      mirror: this.mirror,
      client: this.client,
      clock: this.clock,
      log: this.log,
      mode: 'incremental',
      scope: { organizations: null, onlySpaces: null, extraSpaces: [], invites: this.platform.invites() },
      origin: this.platform.url,
      ...options,
      settings: { ...SETTINGS, ...options.settings },
    });
  }

  /** The walking client, or another, with something done before requests: an edit in the middle of a walk, a cut. */
  hooked(before: (operation: string, input?: RawInput) => Promise<void> | void, client = this.client): ApiClient {
    const hooked: Pick<ApiClient, 'meter' | 'callRaw' | 'paginateRaw' | 'download'> = {
      meter: client.meter,
      callRaw: async (name, input, options) => {
        await before(name, input);
        return client.callRaw(name, input, options);
      },
      async *paginateRaw(name, input, options) {
        await before(name, input);
        yield* client.paginateRaw(name, input, options);
      },
      download: async (address, options) => {
        await before('download');
        return client.download(address, options);
      },
    };
    return hooked as ApiClient;
  }

  /**
   * Of the ids of the next platform to restore into. The journal knows a target by address and organization, and the system gives the
   * port of a target that was closed to another.
   */
  nextTarget(): Random {
    return seededRandom(23 + this.#targets++);
  }

  /** A folder that goes with the world. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'docmirror-folder-'));
    this.keep(folder);
    return folder;
  }

  /** A folder that was there before the world, and goes with it. */
  keep(folder: string): void {
    this.#folders.push(folder);
  }

  /** An empty mirror in a folder of its own; the caller disposes of it. */
  newMirror(): Promise<Mirror> {
    return emptyMirror({ dataDir: this.folder(), clock: this.clock });
  }

  /** Lets another process have the mirror; `open` takes it back. */
  close(): void {
    this.#mirror[Symbol.dispose]();
  }

  async open(): Promise<void> {
    this.#mirror = await openMirror({ dataDir: this.dataDir, clock: this.clock });
  }

  /** Requests of an operation since the log was cleared. */
  asked(operation: string): number {
    return this.platform.requestLog.counts()[operation] ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#mirror[Symbol.dispose]();
    await this.client[Symbol.asyncDispose]();
    await this.#editor[Symbol.asyncDispose]();
    await this.platform[Symbol.asyncDispose]();
    for (const folder of [this.dataDir, ...this.#folders]) rmSync(folder, { recursive: true, force: true });
  }
}
