import { Gauge, Registry } from 'prom-client';
import type { LiveState } from './live-state.ts';
import type { StatusReport } from './status-report.ts';
import type { Stored } from './stored.ts';

export interface MetricsInput {
  readonly status: StatusReport;
  readonly live: LiveState;
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
    const gauge = new Gauge({ name: `docmirror_${name}`, help, labelNames, registers: [registry] });
    for (const [value, labels] of values) gauge.set({ ...labels }, value);
  };
}

function addFreshness(set: Set, status: StatusReport): void {
  set('ready', '1 while the last complete snapshot and the last passed drill are fresh enough.', [
    [Number(status.ready)],
  ]);
  if (status.snapshotAgeMs !== null) {
    set('snapshot_age_seconds', 'Seconds since the last complete snapshot was sealed.', [
      [status.snapshotAgeMs / 1000],
    ]);
  }
  if (status.drillAgeMs !== null) {
    set('drill_age_seconds', 'Seconds since the last passed drill.', [[status.drillAgeMs / 1000]]);
  }
  const [drill] = status.drills;
  if (!drill) return;
  set('drill_passed', '1 when the last drill passed.', [[Number(drill.passed)]]);
  set('drill_duration_seconds', 'How long the last drill took.', [[drill.duration_ms / 1000]]);
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
  set('last_snapshot_requests', 'Requests of the last sealed snapshot.', [[last.requests]]);
  set('last_snapshot_bytes', 'Bytes received for the last sealed snapshot.', [[last.bytes]]);
  set('last_snapshot_duration_seconds', 'How long the last walk took.', [[last.duration_ms / 1000]]);
  set('last_snapshot_failures', 'Reads of the last walk that failed.', [[status.failures.length]]);
  const kinds = Object.entries(status.kinds).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([outcome, n]): [number, Labels] => [Number(n), { kind, outcome }]),
  );
  if (kinds.length > 0) set('last_snapshot_resources', 'Resources of the last walk by kind and outcome.', kinds);
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

function addLive(set: Set, { jobs, walk }: LiveState): void {
  if (jobs.length > 0) {
    const of = (value: (job: LiveState['jobs'][number]) => number): (readonly [number, Labels])[] =>
      jobs.map((job) => [value(job), { job: job.name }]);
    set(
      'job_running',
      '1 while the job runs.',
      of((job) => Number(job.running)),
    );
    set(
      'job_failed',
      '1 when the last run of the job failed.',
      of((job) => Number(job.failure !== null)),
    );
    set(
      'job_next_timestamp_seconds',
      'When the job runs next; 0 when it is not scheduled.',
      of((job) => (job.next ?? 0) / 1000),
    );
  }
  if (!walk) return;
  set('walk_visited', 'Visits made by the walk under way.', [[walk.visited]]);
  set('walk_waiting', 'Visits known to be left for the walk under way.', [[walk.waiting]]);
}
