import { Counter, Gauge, Registry } from 'prom-client';
import type { Drill } from '../mirror/index.ts';
import { fidelityIn } from './fidelity.ts';
import type { JobState, RuntimeState, RequestCount } from './runtime-state.ts';
import type { StatusReport } from './status-report.ts';
import type { Stored } from './stored.ts';

export interface MetricsInput {
  readonly status: StatusReport;
  readonly live: RuntimeState;
  /** Null when there is no mirror yet. */
  readonly stored: Stored | null;
}

interface Answer {
  readonly contentType: string;
  readonly text: string;
}

/** Everything that can be watched, in Prometheus' text format. */
export async function metricsText(input: MetricsInput): Promise<Answer> {
  const registry = new Registry();
  const set = setter(registry);
  addFreshness(set, input.status);
  addLastSnapshot(set, input.status);
  if (input.stored) addStored(set, input.stored);
  addLive(set, input.live);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

type Labels = Readonly<Record<string, string>>;
type Set = (name: string, help: string, values: readonly (readonly [value: number, labels?: Labels])[]) => void;

function setter(registry: Registry): Set {
  return (name, help, values) => {
    const labelNames = Object.keys(values[0]?.[1] ?? {});
    const about = { name: `docmirror_${name}`, help, labelNames, registers: [registry] };
    if (name.endsWith('_total')) {
      const counter = new Counter(about);
      for (const [value, labels] of values) counter.inc({ ...labels }, value);
      return;
    }
    const gauge = new Gauge(about);
    for (const [value, labels] of values) gauge.set({ ...labels }, value);
  };
}

function addFreshness(set: Set, status: StatusReport): void {
  set(
    'ready',
    '1 while the last complete snapshot and the last passed drill are fresh enough, and no later drill has failed.',
    [[Number(status.ready)]],
  );
  if (status.snapshotAgeMs !== null) {
    set('snapshot_age_seconds', 'Seconds since the last complete snapshot was sealed.', [
      [status.snapshotAgeMs / 1000],
    ]);
  }
  if (status.drillAgeMs !== null) {
    set('drill_age_seconds', 'Seconds since the last passed drill.', [[status.drillAgeMs / 1000]]);
  }
  const { drillOfNewest: drill } = status;
  if (drill === null) return;
  set('drill_passed', '1 when the last drill of what was the newest snapshot passed.', [[Number(drill.passed)]]);
  set('drill_timestamp_seconds', 'When that drill was.', [[Date.parse(drill.at) / 1000]]);
  const fidelity = fidelityOf(drill);
  if (fidelity.length > 0) {
    set(
      'drill_fidelity',
      'Part of the fields of the last drill that came back as they were, by what the ledger claims.',
      fidelity,
    );
  }
  set('drill_duration_seconds', 'How long the last drill took.', [[drill.duration_ms / 1000]]);
}

const CLAIMS = [
  ['exact', 'exact'],
  ['bestEffort', 'best-effort'],
  ['lost', 'lost'],
] as const;

function fidelityOf({ report }: Drill): [number, Labels][] {
  return CLAIMS.flatMap(([name, claim]): [number, Labels][] => {
    const found = fidelityIn(report, name);
    return found !== null && found.fields > 0 ? [[found.equal / found.fields, { claim }]] : [];
  });
}

const STATES = ['complete', 'partial', 'suspect', 'abandoned', 'open'] as const;

function addLastSnapshot(set: Set, status: StatusReport): void {
  set(
    'snapshots',
    'Snapshots by state.',
    STATES.map((state) => [status.snapshots[state] ?? 0, { state }]),
  );
  const last = status.lastSealed;
  if (!last) return;
  set('last_snapshot_number', 'Number of the last sealed snapshot.', [[last.id]]);
  set(
    'last_snapshot_state',
    '1 for the state of the last sealed snapshot.',
    STATES.slice(0, 3).map((state) => [Number(last.state === state), { state }]),
  );
  set('last_snapshot_accepted', '1 when a person accepted what the last sealed snapshot lacks or shows.', [
    [Number(status.accepted !== null)],
  ]);
  set('last_snapshot_requests', 'Requests of the last sealed snapshot.', [[last.requests]]);
  set('last_snapshot_bytes', 'Bytes received for the last sealed snapshot.', [[last.bytes]]);
  set('last_snapshot_duration_seconds', 'How long the last walk took.', [[last.duration_ms / 1000]]);
  set('last_snapshot_failures', 'Reads of the last walk that failed.', [[status.failed]]);
  const kinds = Object.entries(status.kinds).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([outcome, n]): [number, Labels] => [Number(n), { kind, outcome }]),
  );
  if (kinds.length > 0) set('last_snapshot_resources', 'Resources of the last walk by kind and outcome.', kinds);
  addDeletedSpaces(set, status);
}

function addDeletedSpaces(set: Set, { deletedSpaces }: StatusReport): void {
  set('deleted_spaces', 'Deleted spaces that the platform can still bring back whole.', [[deletedSpaces.length]]);
  if (deletedSpaces.length === 0) return;
  const left = Math.min(...deletedSpaces.map(({ leftMs }) => leftMs));
  set('deleted_spaces_left_seconds', 'Seconds until that ends for the first of them.', [[left / 1000]]);
}

function addStored(set: Set, stored: Stored): void {
  const rows = Object.entries(stored.rows).map(([kind, n]): [number, Labels] => [n, { kind }]);
  if (rows.length > 0) set('rows', 'Resources in the mirror by kind.', rows);
  set('objects', 'Files in the object store.', [[stored.objects]]);
  set('bytes_on_disk', 'Bytes on disk by part of the mirror.', [
    [stored.databaseBytes, { part: 'database' }],
    [stored.objectBytes, { part: 'objects' }],
  ]);
}

function addLive(set: Set, live: RuntimeState): void {
  addJobs(set, live.jobs);
  const { walk, platform, requests, rate, disk, messages = [] } = live;
  if (platform) set('platform_info', '1, with the name of the platform in the list.', [[1, { platform }]]);
  if (requests) addRequests(set, requests);
  if (rate) {
    set('rate_limit_remaining', 'Requests that the platform last said are left.', [[rate.remaining]]);
    if (rate.limit !== null) set('rate_limit', 'Requests that the platform allows in a window.', [[rate.limit]]);
  }
  if (disk) {
    set('disk_free_bytes', 'Bytes that are free on the disk of the data directory.', [[disk.free]]);
    set('disk_size_bytes', 'Bytes of the disk of the data directory.', [[disk.size]]);
    if (disk.files !== undefined) {
      set('disk_free_files', 'Files (inodes) that this disk can still take.', [[disk.files.free]]);
      set('disk_size_files', 'Files (inodes) that this disk can hold.', [[disk.files.size]]);
    }
  }
  if (messages.length > 0) {
    set(
      'messages_total',
      'Messages and pings since the process began, by channel and outcome.',
      messages.flatMap(({ channel, sent, failed }): [number, Labels][] => [
        [sent, { channel, outcome: 'sent' }],
        [failed, { channel, outcome: 'failed' }],
      ]),
    );
  }
  if (!walk) return;
  set('walk_visited', 'Visits made by the walk under way.', [[walk.visited]]);
  set('walk_waiting', 'Visits known to be left for the walk under way.', [[walk.waiting]]);
}

// The token is refused, and too many requests were sent.
const REFUSALS = ['401', '429'] as const;

function addRequests(set: Set, requests: readonly RequestCount[]): void {
  if (requests.length > 0) {
    set(
      'requests_total',
      'Requests to the platform since the process began, by operation and status.',
      requests.map(({ operation, status, n }) => [n, { operation, status }]),
    );
  }
  // Prometheus sees no increase in a series that begins above 0, such as one of the first refusal.
  set(
    'refusals_total',
    'Requests that the platform refused since the process began: 401 for the token, 429 as too many; from 0 on.',
    REFUSALS.map((refusal) => [
      requests.reduce((sum, { status, n }) => sum + (status === refusal ? n : 0), 0),
      { status: refusal },
    ]),
  );
}

function addJobs(set: Set, jobs: readonly JobState[]): void {
  if (jobs.length === 0) return;
  const add = (name: string, help: string, value: (job: JobState) => number | null): void => {
    const values = jobs.flatMap((job): [number, Labels][] => {
      const found = value(job);
      return found === null ? [] : [[found, { job: job.name }]];
    });
    if (values.length > 0) set(name, help, values);
  };
  add('job_running', '1 while the job runs.', (job) => Number(job.running));
  add('job_failed', '1 when the last run of the job failed.', (job) => Number(job.failure !== null));
  add('job_missed', '1 when a due time passed without a run.', (job) => Number((job.missed ?? null) !== null));
  add(
    'job_next_timestamp_seconds',
    'When the job runs next; 0 when it is not scheduled.',
    (job) => (job.next ?? 0) / 1000,
  );
  add('job_last_timestamp_seconds', 'When the last run of the job in this process began.', (job) =>
    job.last ? job.last.at / 1000 : null,
  );
  add('job_last_duration_seconds', 'How long that run took.', (job) => (job.last ? job.last.ms / 1000 : null));
}
