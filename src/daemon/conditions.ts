// What is wrong, or ends soon, as far as somebody must be told. Pure: from what was seen to what it means.
import { isoTime, span } from '../base/index.ts';
import { OF_NO_WORK, reasonsButOfRights, type DiskSpace, type JobState, type StatusReport } from '../status/index.ts';
import { undelete } from './deleted-spaces.ts';

export type ConditionEvent =
  | 'partial'
  | 'suspect'
  | 'failed'
  | 'missed'
  | 'stale'
  | 'drill-failed'
  | 'undelete'
  | 'disk'
  | 'token';

/** Holds for some nights; what is told about it is told once. */
export interface Condition {
  /** The same cause has the same name every night. */
  readonly cause: string;
  readonly event: ConditionEvent;
  readonly what: string;
  readonly means: string;
  /** A command line. */
  readonly run: string;
  /** Its end is no good news, and not told. */
  readonly endsSilently?: boolean;
  /** What several conditions come from: one message tells of them all. */
  readonly behind?: string;
  /**
   * What it consists of: told once more when there is something of which nobody was told. One that is the cause of another condition
   * is told with this one.
   */
  readonly parts?: readonly string[];
}

export interface Seen {
  /** Null when the mirror cannot be read: of what it would say nothing is known then. */
  readonly status: StatusReport | null;
  readonly jobs: readonly JobState[];
  readonly disk: DiskSpace | null;
  /** Resources on which the token lost rights. */
  readonly shrunk: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ConditionLimits {
  readonly snapshotMs: number;
  readonly drillMs: number;
  /** The part of the disk below which it counts as almost full. */
  readonly freeDisk: number;
}

/** Of a walk that lacks what is no longer listed alone. */
const UNCONFIRMED = 'DM_INCOMPLETE';

/** Everything that somebody must be told of, what is worst first. */
export function conditionsOf(seen: Seen, limits: ConditionLimits): Condition[] {
  const { status } = seen;
  return [
    ...token(seen),
    ...failed(seen),
    ...(status === null || isUndecided(seen) ? [] : snapshot(status)),
    ...missed(seen),
    ...(status === null ? [] : [...stale(status, limits), ...drill(status, seen), ...undelete(status)]),
    ...disk(seen, limits),
  ];
}

/**
 * Whether the absence of a cause tells that it is over: what hangs on the last run of a job is known once it has run, here and since
 * then, and did not fail otherwise.
 * @param since Milliseconds since the epoch.
 */
export function isKnownOver(cause: string, since: number, seen: Seen): boolean {
  const { status, jobs, disk: space, now } = seen;
  if (cause === 'disk almost full') return space !== null;
  const [kind, name] = cause === 'token refused' ? ['failed', 'sync'] : cause.split(' ');
  // A command beside the daemon does not know what the daemon missed.
  if (kind === 'missed') return jobs.every(({ missed: due }) => due !== undefined);
  if ((kind === 'partial' || kind === 'suspect') && isUndecided(seen)) return false;
  // What a drill found damaged kept it from comparing.
  if (cause === 'drill failed' && isDrillDamaged(seen)) return false;
  if (kind !== 'failed') return status !== null;
  const job = jobs.find((one) => one.name === name);
  // A walk that waits to be confirmed has met none of what others failed for.
  const isWell = job?.failure === null || job?.failure.code === UNCONFIRMED;
  if (job === undefined || job.running || !isWell || !job.last) return false;
  return job.last.at + job.last.ms >= since || since > now;
}

function token({ jobs, shrunk }: Seen): Condition[] {
  const refused = jobs.some(({ failure }) => failure?.code === 'DM_TOKEN_REFUSED');
  const event = 'token';
  const run = 'docmirror doctor';
  if (refused) {
    const means =
      'Nothing is mirrored until there is a token that the platform takes. Nothing stored is lost. A daemon that runs takes a new token from its file within a minute, and one that stands elsewhere when it gets SIGHUP or is restarted.';
    return [{ cause: 'token refused', event, what: 'The platform refuses the access token', means, run }];
  }
  if (shrunk === 0) return [];
  const what = `The access token lost rights on ${shrunk} ${shrunk === 1 ? 'resource' : 'resources'}`;
  const means =
    'What is out of reach is kept as it was, and no snapshot is complete until the right is back. A token that loses rights may be about to be withdrawn. When the loss is meant, `docmirror sync --accept-rights` says so.';
  return [{ cause: 'token lost rights', event, what, means, run }];
}

/**
 * What people delete on any day is no news while the walk that confirms it is still to come; and whether one is to come is known when the
 * walk that is under way has ended, which is later than its snapshot is sealed.
 */
function isUndecided({ jobs }: Seen): boolean {
  return jobs.some(
    ({ name, running, failure, retrying }) =>
      (name === 'sync' && running) || (failure?.code === UNCONFIRMED && retrying === true),
  );
}

/** Told by conditions of their own, or no failure of the job's work. */
const OTHERWISE_TOLD: readonly string[] = [...OF_NO_WORK, 'DM_TOKEN_REFUSED', 'DM_DRILL_FAILED'];

function failed({ jobs }: Seen): Condition[] {
  return jobs.flatMap(({ name, failure, next }) => {
    if (failure === null || OTHERWISE_TOLD.includes(failure.code)) return [];
    const meaning = UNREADABLE.includes(failure.code) ? UNREADABLE_MEANS : MEANINGS[name];
    const what = `The job ${name} failed (${failure.code}): ${failure.message}`;
    const again = next === null ? '' : ` It is tried again at ${isoTime(next)}.`;
    const means = `${meaning ?? 'What it does was not done.'}${again} ${failure.hint}`;
    const run = failure.code === 'DM_CHECK_FAILED' ? 'docmirror check --read-data' : 'docmirror doctor';
    const behind = OF_ALL_JOBS.includes(failure.code) ? { behind: failure.code } : {};
    return [{ cause: `failed ${name} ${failure.code}`, event: 'failed' as const, what, means, run, ...behind }];
  });
}

const UNREADABLE: readonly string[] = ['DM_DATABASE_DAMAGED', 'DM_DATABASE_NEWER'];
/** What one job fails for, each of them fails for. */
const OF_ALL_JOBS: readonly string[] = [...UNREADABLE, 'DM_DATA_DIR_UNUSABLE', 'DM_DISK_FULL'];
const UNREADABLE_MEANS = 'The mirror itself cannot be used, so no night is recorded until that is mended.';

const MEANINGS: Readonly<Record<string, string>> = {
  sync: 'There is no new snapshot of tonight. Earlier ones are untouched.',
  drill: 'It is not proven that the mirror can be restored.',
  check: 'Something that is stored may be damaged.',
  forget: 'Snapshots are kept that the policy would drop.',
  report: 'The report file is that of an earlier night.',
};

const ACCEPT = 'give it the right, or say with `docmirror sync --accept-rights` that this is meant';

function snapshot(status: StatusReport): Condition[] {
  const last = status.lastSealed;
  if (status.accepted !== null) return [];
  if (last?.state === 'partial') {
    const what = `Snapshot ${last.id} is partial: ${last.reason ?? 'something was not read'}`;
    const refused = status.isRefused
      ? ` Some of it is refused to the token (403 or 402), or not there for it (404): ${ACCEPT}.`
      : '';
    const means = `What was not read is kept as it was before, and goes first in the next walk.${refused}`;
    const run = `docmirror snapshots show ${last.id}`;
    return [{ cause: 'partial', event: 'partial', what, means, run, parts: partsOf(last) }];
  }
  if (last?.state !== 'suspect') return [];
  const what = `Snapshot ${last.id} is suspect: ${last.reason ?? 'far more changed than in a usual night'}`;
  const base = status.lastGood;
  const far = status.isWithoutFields
    ? 'The platform sends fields no more that it sent, as after an upgrade that names them otherwise'
    : 'Far more is gone or rewritten than in a usual night';
  const mended = status.isWithoutFields ? 'once it sends them again, `docmirror sync --full`' : 'restore it';
  const means = `${far}. Snapshot ${base ?? 'before it'} still has it all, and nothing is dropped until somebody decides: ${mended}, or \`docmirror snapshots accept ${last.id} --reason "…"\`.`;
  const run = base === null ? `docmirror snapshots show ${last.id}` : `docmirror diff ${base} ${last.id}`;
  return [{ cause: 'suspect', event: 'suspect', what, means, run, parts: partsOf(last) }];
}

/**
 * A number counts by its size alone, ten times more being another: each night has another one. Who was told of many was told of fewer
 * as well. Of rights that were lost a condition of its own tells.
 */
function partsOf(last: NonNullable<StatusReport['lastSealed']>): string[] {
  return reasonsButOfRights(last).flatMap((part) => {
    const [first = ''] = NUMBER.exec(part) ?? [];
    const words = part.replace(/ (?:at once|since snapshot \d+)$/, '').replaceAll(/(?<=\w)s\b/g, '');
    const rest = words.replace(first, '').replaceAll(new RegExp(NUMBER, 'g'), '#');
    const sizes = Math.max(1, first.replaceAll(',', '').length);
    return Array.from({ length: sizes }, (_, size) => `${first === '' ? '' : '#'.repeat(size + 1)}${rest}`);
  });
}

const NUMBER = /\d[\d,]*/;

/** One message for a machine that was down, however many jobs were due meanwhile. */
function missed({ jobs }: Seen): Condition[] {
  const late = jobs.flatMap(({ name, missed: due }) => (due === null || due === undefined ? [] : [{ name, due }]));
  if (late.length === 0) return [];
  const what = `Not run when it was due: ${late.map(({ name, due }) => `${name} (${isoTime(due)})`).join(', ')}`;
  const means =
    'The daemon was not running then, another process held the data directory, or it failed before the daemon was started again. It is caught up as soon as that is possible.';
  return [{ cause: 'missed', event: 'missed', what, means, run: 'docmirror status' }];
}

interface Age {
  readonly age: number | null;
  readonly ahead: boolean;
  readonly limit: number;
}

function stale(status: StatusReport, limits: ConditionLimits): Condition[] {
  const old = (name: string, { age, ahead, limit }: Age): Condition[] => {
    if (age === null || age <= limit) return [];
    const what = ahead
      ? `The last ${name} is dated ${span(age)} ahead of the clock of this machine: one of the two is wrong`
      : `The last ${name} is ${span(age)} old; expected at most ${span(limit)}`;
    const means =
      'The mirror is not ready (`/readyz` answers 503): it shows, or is proven to restore, only what was then.';
    return [{ cause: `stale ${name}`, event: 'stale', what, means, run: 'docmirror status' }];
  };
  return [
    ...old('complete snapshot', {
      age: status.snapshotAgeMs,
      ahead: status.snapshotAhead,
      limit: limits.snapshotMs,
    }),
    ...old('passed drill', { age: status.drillAgeMs, ahead: status.drillAhead, limit: limits.drillMs }),
  ];
}

function isDrillDamaged(seen: Seen): boolean {
  return drillFailure(seen) === 'DM_ARCHIVE_DAMAGED';
}

function drillFailure({ jobs }: Seen): string | undefined {
  return jobs.find(({ name }) => name === 'drill')?.failure?.code;
}

function drill({ drillOfNewest: last }: StatusReport, seen: Seen): Condition[] {
  // Told as what the job failed for.
  if (isDrillDamaged(seen)) return [];
  const failedNow = drillFailure(seen) === 'DM_DRILL_FAILED';
  if (!failedNow && (last === null || last.passed)) return [];
  const what = last === null ? 'The drill did not pass' : `The drill of snapshot ${last.snapshot} did not pass`;
  const means =
    'The rehearsal did not bring back what the snapshot shows: a real restore would not either. The mirror is not ready (`/readyz` answers 503) until a drill passes.';
  return [{ cause: 'drill failed', event: 'drill-failed', what, means, run: 'docmirror drill' }];
}

function disk({ disk: space }: Seen, { freeDisk }: ConditionLimits): Condition[] {
  if (space === null) return [];
  const share = space.size === 0 ? 1 : space.free / space.size;
  const ofFiles = space.files === undefined ? 1 : space.files.free / space.files.size;
  if (Math.min(share, ofFiles) >= freeDisk) return [];
  const percent = Math.floor(Math.min(share, ofFiles) * 100);
  const left =
    ofFiles < share ? `${percent}% of the files that it can hold (inodes) are left` : `${percent}% of it is free`;
  const what = `The disk of the data directory is almost full: ${left}`;
  const means = 'A walk that fills it ends with DM_DISK_FULL; what is stored stays whole.';
  return [
    {
      cause: 'disk almost full',
      event: 'disk',
      what,
      means,
      run: 'docmirror forget --keep-daily 14 --prune --dry-run',
    },
  ];
}
