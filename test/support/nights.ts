// A daemon under a clock that only the test moves: nights pass as fast as their work is done.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { createApp, type App, type RunningDaemon } from '../../src/app.ts';
import { AppError, isoTime, manualClock, seededRandom, silentLogger, type ManualClock } from '../../src/base/index.ts';
import { loadConfig, type Config } from '../../src/config/index.ts';
import { listSnapshots, readMirror, type Mirror } from '../../src/mirror/index.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startSeeded } from './seeded-platform.ts';

export interface Told {
  readonly at: string;
  readonly event: string;
  readonly what: string;
  readonly run: string;
}

interface Opened {
  readonly app: App;
  readonly daemon: RunningDaemon;
  readonly ended: Promise<void>;
  readonly controller: AbortController;
}

const HOUR = 3_600_000;

/** On a busy machine the clock runs on by minutes while a request is under way, which would be given up then. */
function patient(yaml: string): string {
  const settings = parse(yaml) as { readonly limits?: object };
  return stringify({ ...settings, limits: { timeout: '1h', ...settings.limits } });
}

/** A platform, a mirror of it, and a daemon that can be stopped and started again. */
export class Nights implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly receiver: Receiver;
  readonly platform: Awaited<ReturnType<typeof startSeeded>>;
  readonly folder = mkdtempSync(join(tmpdir(), 'docmirror-nights-'));
  #yaml: string;
  #opened: Opened | null = null;

  private constructor(clock: ManualClock, yaml: string, world: Pick<Nights, 'receiver' | 'platform'>) {
    this.clock = clock;
    this.#yaml = yaml;
    this.receiver = world.receiver;
    this.platform = world.platform;
  }

  static async create(start: string, yaml: string): Promise<Nights> {
    const clock = manualClock(Date.parse(start));
    return new Nights(clock, yaml, { platform: await startSeeded({ clock }), receiver: await startReceiver() });
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  config(): Config {
    const { url, token } = this.platform;
    const hook = (path: string): string => `${this.receiver.url}/${path}`;
    const environment = {
      DOCMIRROR_BASE_URL: url,
      DOCMIRROR_TOKEN: token,
      DOCMIRROR_STATUS_PORT: '0',
      DOCMIRROR_NOTIFY_WEBHOOK: hook('message'),
      DOCMIRROR_PING_START: hook('start'),
      DOCMIRROR_PING_SUCCESS: hook('success'),
      DOCMIRROR_PING_FAILURE: hook('failure'),
    };
    const readFile = (path: string): string | null => (path.endsWith('docmirror.yaml') ? patient(this.#yaml) : null);
    return loadConfig({ flags: {}, environment, cwd: this.folder, readFile });
  }

  /** Settings of the next daemon. */
  useSettings(yaml: string): void {
    this.#yaml = yaml;
  }

  async startDaemon(): Promise<void> {
    const app = createApp(this.config(), { clock: this.clock, random: seededRandom(2), log: silentLogger() });
    const daemon = await app.openDaemon(await app.lockDaemon('daemon'));
    const controller = new AbortController();
    this.#opened = { app, daemon, controller, ended: daemon.run(controller.signal) };
    await this.workIsDone();
  }

  async stopDaemon(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened === null) return;
    opened.controller.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
    await opened.ended;
    await opened.daemon[Symbol.asyncDispose]();
    await opened.app[Symbol.asyncDispose]();
  }

  /** Moves time to an instant, and stops it for as long as a job works. */
  async until(time: string): Promise<void> {
    const end = Date.parse(time);
    while (this.clock.now() < end) {
      await this.clock.advance(Math.min(HOUR, end - this.clock.now(), this.#leftToNextJob()));
      await this.workIsDone();
    }
  }

  /** Lets what is under way go on, a millisecond of the clock for each turn of the event loop. */
  async workIsDone(): Promise<void> {
    const opened = this.#opened;
    if (opened === null) return this.clock.advance(0);
    let isIdle = false;
    await this.clock.advance(1);
    void opened.daemon.idle().then(() => (isIdle = true));
    while (!isIdle) await this.clock.advance(1);
  }

  /** What `/readyz` answers. */
  async ready(): Promise<{ status: number; reasons: string[] }> {
    const answer = await fetch(`${this.#opened?.daemon.url}/readyz`);
    const { reasons } = (await answer.json()) as { reasons: string[] };
    return { status: answer.status, reasons };
  }

  async metrics(): Promise<string> {
    return (await fetch(`${this.#opened?.daemon.url}/metrics`)).text();
  }

  /** Messages since the last time that somebody asked; pings as `event` with their text. */
  told(): Told[] {
    return this.receiver.received.splice(0).map(({ path, body }) => {
      if (path !== '/message') return { at: '', event: path.slice(1), what: body.trim(), run: '' };
      const { event, what, run } = JSON.parse(body) as Told;
      return { at: isoTime(this.clock.now()), event, what, run };
    });
  }

  /** What they were, each by its name, in their order. */
  events(): string[] {
    return this.told().map(({ event }) => event);
  }

  snapshots(): { id: number; state: string }[] {
    using mirror = this.mirror();
    return listSnapshots(mirror).map(({ id, state }) => ({ id, state }));
  }

  mirror(): Mirror {
    return readMirror({ dataDir: this.dataDir, clock: this.clock });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopDaemon();
    await this.platform[Symbol.asyncDispose]();
    await this.receiver[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #leftToNextJob(): number {
    const jobs = this.#opened?.daemon.state().jobs ?? [];
    const next = jobs.flatMap((job) => (job.next === null ? [] : [job.next - this.clock.now()]));
    return Math.max(1, Math.min(...next.filter((ms) => ms > 0), HOUR));
  }
}
