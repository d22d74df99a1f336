// What a documentation owner wants to know: how it stands in the last sealed snapshot, and how it got there.
import { atOnce, inTurns, type Pieces } from '../base/index.ts';
import {
  diffSnapshots,
  ownNews,
  FIGURES,
  lastSealed,
  listNights,
  type Difference,
  type Mirror,
  type Night,
} from '../mirror/index.ts';
import { readStand, spaceNames, type SpaceNames, type Stand } from './report-stand.ts';
import { goesWithSpace, wholeSpacesOf } from './whole-spaces.ts';

/** One night, and what stood after it. Bytes and milliseconds. */
export interface ReportNight extends Omit<Night, 'figures'> {
  readonly pages: number;
  readonly files: number;
  readonly openComments: number;
  readonly openChangeRequests: number;
  readonly databaseBytes: number;
  readonly objectBytes: number;
}

export interface ReportTotals {
  readonly spaces: number;
  readonly pages: number;
  readonly files: number;
  readonly comments: number;
  readonly changeRequests: number;
  readonly members: number;
  readonly textBytes: number;
  readonly fileBytes: number;
}

export interface ReportChange extends Difference {
  /** Title of the space that it stands in; null for a space itself, and outside of spaces. */
  readonly spaceTitle: string | null;
  /** Of a space that came or went: how many of each kind did so with it; none of them is listed beside it. */
  readonly within: Readonly<Record<string, number>>;
}

export interface Report extends Stand {
  readonly snapshot: { readonly id: number; readonly state: string; readonly startedAt: string };
  readonly origin: string;
  readonly totals: ReportTotals;
  /** Oldest first. */
  readonly nights: readonly ReportNight[];
  /** Number of the sealed snapshot that it is compared with; null when it is the first. */
  readonly since: number | null;
  readonly changes: readonly ReportChange[];
  /** There are more changes than are listed. */
  readonly moreChanges: boolean;
}

const CHANGES = 100;

/** Null when no snapshot is sealed yet. */
export function readReport(mirror: Mirror): Report | null {
  return atOnce(reportPieces(mirror));
}

function* reportPieces(mirror: Mirror): Pieces<Report | null> {
  const snapshot = lastSealed(mirror);
  if (!snapshot) return null;
  const nights = listNights(mirror);
  const since = nights.at(-2)?.snapshot ?? null;
  const names = spaceNames(mirror);
  yield;
  const changes = yield* changesSince(mirror, names, [since, snapshot.id]);
  yield;
  const stand = yield* readStand(mirror, names, Date.parse(snapshot.started_at));
  return {
    snapshot: { id: snapshot.id, state: snapshot.state, startedAt: snapshot.started_at },
    origin: snapshot.origin,
    totals: totalsOf(nights.at(-1)),
    nights: nights.map(toReportNight),
    ...changes,
    ...stand,
  };
}

interface Read {
  readonly hash: string | null;
  readonly report: Promise<Report | null>;
}

/** A report that is read again only after another snapshot was sealed; others have their turn meanwhile. */
export function reportReader(): (mirror: Mirror) => Promise<Report | null> {
  let last: Read | null = null;
  return (mirror) => {
    const hash = hashNow(mirror);
    if (last !== null && last.hash === hash) return last.report;
    const read: Read = { hash, report: readReportInTurns(mirror) };
    last = read;
    read.report.catch(() => {
      if (last === read) last = null;
    });
    return read.report;
  };
}

/** The same in pieces. Where a snapshot was sealed meanwhile, some of it is of that one: it is read once more then, at once. */
export async function readReportInTurns(mirror: Mirror, signal?: AbortSignal): Promise<Report | null> {
  const before = hashNow(mirror);
  const report = await inTurns(reportPieces(mirror), signal);
  return hashNow(mirror) === before ? report : readReport(mirror);
}

function hashNow(mirror: Mirror): string | null {
  return lastSealed(mirror)?.manifest_hash ?? null;
}

function totalsOf(night: Night | undefined): ReportTotals {
  const figure = (name: string): number => night?.figures[name] ?? 0;
  return {
    spaces: figure('held:space'),
    pages: figure('held:page'),
    files: figure('held:file'),
    comments: figure('held:comment') + figure('held:change-request-comment'),
    changeRequests: figure('held:change-request'),
    members: figure('held:member'),
    textBytes: figure(FIGURES.textBytes),
    fileBytes: figure(FIGURES.fileBytes),
  };
}

function toReportNight({ figures, ...night }: Night): ReportNight {
  return {
    ...night,
    pages: figures['held:page'] ?? 0,
    files: figures['held:file'] ?? 0,
    openComments: figures[FIGURES.openComments] ?? 0,
    openChangeRequests: figures[FIGURES.openChangeRequests] ?? 0,
    databaseBytes: figures[FIGURES.databaseBytes] ?? 0,
    objectBytes: figures[FIGURES.objectBytes] ?? 0,
  };
}

// So many are looked at in some milliseconds.
const AT_ONCE = 1000;

function* changesSince(
  mirror: Mirror,
  names: SpaceNames,
  [since, snapshot]: readonly [since: number | null, snapshot: number],
): Pieces<Pick<Report, 'since' | 'changes' | 'moreChanges'>> {
  if (since === null) return { since, changes: [], moreChanges: false };
  const whole = wholeSpacesOf(mirror, [since, snapshot]);
  const found: Difference[] = [];
  let looked = 0;
  // Of more than are shown, spaces and pages are told before what hangs on them.
  for (const change of ownNews(diffSnapshots(mirror, [since, snapshot], { parentsFirst: true }))) {
    if (++looked % AT_ONCE === 0) yield;
    if (goesWithSpace(whole, change)) continue;
    if (found.length <= CHANGES) found.push(change);
    else if (whole.size === 0) break;
  }
  const changes = found.slice(0, CHANGES).map((one) => ({
    ...one,
    spaceTitle: spaceTitleOf(one, names),
    within: one.kind === 'space' ? Object.fromEntries(whole.get(one.key)?.within ?? []) : {},
  }));
  return { since, changes, moreChanges: found.length > CHANGES };
}

function spaceTitleOf({ kind, space }: Difference, names: SpaceNames): string | null {
  return space === null || kind === 'space' ? null : (names.get(space) ?? space);
}
