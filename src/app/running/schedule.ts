// What a daemon does: its jobs at their times, by a configuration that may be exchanged, and who is told of them.
import type { Mutex } from '../../base/index.ts';
import type { Config } from '../../config/index.ts';
import { createDaemon, type Daemon, type JobSchedule, type Memory } from '../../daemon/index.ts';
import type { RuntimeState, WalkState } from '../../status/index.ts';
import { createKit, type Kit, type OwnKit } from '../kit.ts';
import { sync, type SyncOptions, type SyncResult } from '../sync.ts';
import { fixedChanges, keepFixed } from './fixed-settings.ts';
import { jobsOf } from './jobs.ts';
import { createRequestCounter, type RequestCounter } from './request-counter.ts';
import { isLookedAtAgain, SYNC } from './sync-job.ts';
import { pinged } from './sync-and-tell.ts';
import { Teller } from './tell.ts';

// Deadlines come nearer and disks fill up while no job runs.
const LOOK_MS = 3_600_000;

const HELD_BACK = 'held back';

interface ScheduleOptions {
  /** As it is at the start; each configuration has a kit of its own. */
  readonly kit: Kit;
  readonly memory: Memory;
  /** For heavy jobs, shared with other daemons of the process. */
  readonly heavy: Mutex;
  /** Throws where the data directory is no more the one that the daemon was begun in. */
  readonly demandPlace: () => void;
}

export class Schedule implements AsyncDisposable {
  readonly #options: ScheduleOptions;
  readonly #counter: RequestCounter;
  readonly #teller: Teller;
  readonly #daemon: Daemon;
  #kit: OwnKit;
  #walk: WalkState | null = null;

  constructor(options: ScheduleOptions) {
    const { clock, random, log, config, watch } = options.kit;
    const { heavy } = options;
    this.#options = options;
    this.#counter = createRequestCounter(watch);
    this.#kit = this.#kitOf(config);
    this.#teller = new Teller({ kit: () => this.#kit, memory: options.memory, jobs: () => this.#daemon.state() });
    const onChange = (job: string): void => {
      if (job === SYNC) this.#tellHeldBack();
      this.#teller.look();
    };
    this.#daemon = createDaemon({ ...this.#jobsOf(this.#kit), clock, random, log, heavy, onChange });
  }

  #kitOf(config: Config): OwnKit {
    const { clock, random, log } = this.#options.kit;
    return createKit({ config, clock, random, log, watch: this.#counter.watch });
  }

  #jobsOf(kit: Kit): JobSchedule {
    const { memory, demandPlace } = this.#options;
    const { timezone, jitterMs } = kit.config.schedule;
    const isHeldBack = (result: SyncResult, text: string): boolean => {
      const isHeld = isLookedAtAgain(kit, result);
      this.#holdBack(isHeld ? text : null);
      return isHeld;
    };
    const walk = (options: SyncOptions): Promise<SyncResult> => this.#walkWith(kit, options, isHeldBack);
    return { jobs: jobsOf({ kit, memory, sync: walk, demandPlace }), timezone, jitterMs };
  }

  /** A walk outside the schedule, by the present configuration. */
  sync(options: SyncOptions): Promise<SyncResult> {
    return this.#walkWith(this.#kit, options);
  }

  /** What the dead-man switch is told of the last walk unless it is looked at again, be it by the next daemon. */
  #holdBack(text: string | null): void {
    const { memory } = this.#options;
    if (text !== (memory.get(HELD_BACK) ?? null)) void memory.set(HELD_BACK, text);
  }

  /** Once it is known that no other walk comes before the next night: it was the last try, or that night comes first. */
  #tellHeldBack(): void {
    const text = this.#options.memory.get(HELD_BACK);
    const job = this.#daemon.state().find(({ name }) => name === SYNC);
    if (typeof text !== 'string' || job === undefined || (job.retrying === true && !job.running)) return;
    this.#holdBack(null);
    // The walk that looks again tells of itself, however it ends; so did one by hand that did its work since.
    if (job.running || job.failure === null) return;
    this.#teller.ping('failure', text);
  }

  #walkWith(
    kit: Kit,
    options: SyncOptions,
    isHeldBack?: (result: SyncResult, text: string) => boolean,
  ): Promise<SyncResult> {
    const walk = async (onBegin: () => void): Promise<SyncResult> => {
      this.#options.demandPlace();
      return syncWatched(kit, { ...options, onBegin }, (now) => (this.#walk = now));
    };
    return pinged(this.#teller, walk, isHeldBack);
  }

  /** Keeps the schedule until the signal aborts, or, once it is to end after its job, until that is done and told. */
  async run(signal: AbortSignal): Promise<void> {
    using _looking = this.#options.kit.clock.every(LOOK_MS, () => this.#teller.look());
    this.#tellHeldBack();
    this.#teller.look();
    await this.#daemon.run(signal);
    if (!signal.aborted) await this.#teller.settled();
  }

  /** No further job begins. */
  endAfterJob(): void {
    this.#daemon.endAfterJob();
  }

  /** Resolves when no job runs and nothing is being sent. */
  async idle(): Promise<void> {
    await this.#daemon.idle();
    await this.#teller.settled();
  }

  /** What the status page shows beside the mirror. */
  state(): RuntimeState {
    return {
      jobs: this.#daemon.state(),
      walk: this.#walk,
      platform: this.#kit.config.name,
      ...this.#counter.state(),
      ...this.#teller.state(),
    };
  }

  retention(): Config['retention']['policy'] {
    return this.#kit.config.retention.policy;
  }

  /**
   * Works by another configuration from the next job on; what is under way ends as it began. Gives the settings whose change needs
   * a restart, which stay as they were.
   */
  reload(config: Config): string[] {
    const before = this.#kit;
    this.#kit = this.#kitOf(keepFixed(before.config, config));
    this.#daemon.replace(this.#jobsOf(this.#kit));
    // A walk under way goes on with the client that it has.
    void this.#daemon.idle().then(() => before[Symbol.asyncDispose]());
    return fixedChanges(before.config, config);
  }

  /** Waits for what is being sent, for a moment. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#teller[Symbol.asyncDispose]();
    await this.#kit[Symbol.asyncDispose]();
  }
}

/** Notes how far the walk is while it runs. */
async function syncWatched(
  kit: Kit,
  options: SyncOptions,
  note: (walk: WalkState | null) => void,
): Promise<SyncResult> {
  try {
    return await sync(kit, {
      ...options,
      onProgress: (progress) => {
        note(progress);
        options.onProgress?.(progress);
      },
      onExport: (progress) => {
        note(null);
        options.onExport?.(progress);
      },
    });
  } finally {
    note(null);
  }
}
