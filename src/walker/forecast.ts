// What the next walk will ask, computed before it begins: what the marks and the rota will have it read if nothing has moved,
// and what the changes of a night like the last ones cost on top. Nothing is sent.
import { atOnce, type Pieces } from '../base/index.ts';
import { childKinds, isCopy, isKindName, kindOf, type KindName } from '../contract/index.ts';
import {
  countsOf,
  countBegun,
  countReadTrees,
  countTexts,
  currentOf,
  failuresOf,
  heldBelow,
  isSealed,
  listSnapshots,
  type Mirror,
  openedSnapshot,
  type Snapshot,
} from '../mirror/index.ts';
import { entriesLeft, placesLeft } from './budget.ts';
import { whyNotContinue, type Continuing } from './continuing.ts';
import { requestsOfMovedSpace, requestsOfTouchedSpaces } from './moved-space.ts';
import { quietRequests } from './quiet-night.ts';
import { isOfNamed } from './scope.ts';
import { shareOfSpaces } from './spaces-in-scope.ts';
import type { Walk } from './types.ts';
import { knownPasses } from './visits/passes.ts';
import { walkTime } from './walk-time.ts';
import { besides } from './wanted.ts';

export interface Forecast {
  /** Requests of the next walk; null before the first one: only the platform knows its size. */
  readonly requests: number | null;
  /** What it would ask to read all, when its budget ends it before; the same as `requests` when not. */
  readonly toReadAll: number | null;
  /** Of these, what it asks even if nothing has moved. */
  readonly ifNothingChanged: number | null;
  /** The setting that ends it before it has read all; null when none does. */
  readonly endedBy: 'walk.maxRequests' | 'walk.maxDuration' | null;
  readonly estimatedMs: number | null;
  /** Requests per second in that time. */
  readonly perSecond: number | null;
  /** Number of the open walk that would be continued; its requests are not in the forecast. */
  readonly continues: number | null;
  /** The open walk that would be given up instead, and why. */
  readonly givesUp: { readonly snapshot: number; readonly why: string } | null;
}

export type ForecastOptions = Continuing & {
  /** Requests per second that the configuration allows; null for what the platform allows. */
  readonly mostPerSecond: number | null;
};

const NIGHTS = 5;

/** Forecasts the next walk from what is mirrored. */
export function forecastWalk(options: ForecastOptions): Forecast {
  const { mirror } = options;
  const snapshots = listSnapshots(mirror);
  const cutOff = openWalk(options);
  const sealed = snapshots.filter(isSealed);
  if (sealed.length === 0) return { ...UNKNOWN_FORECAST, ...cutOff };
  const id = (snapshots.at(-1)?.id ?? 0) + 1;
  const left = cutOff.givesUp === null ? [] : placesLeft(mirror);
  const quiet = atOnce(quietRequests({ ...options, id, left })) + leftRequests(options, sealed.at(-1));
  const toReadAll = quiet + (options.mode === 'full' ? 0 : changesPerNight(sealed, { ...options, id }));
  const ended = withinBudget(options, toReadAll, walkTime(toReadAll, sealed, options.mostPerSecond));
  const { requests, estimatedMs } = ended;
  const perSecond = estimatedMs === null || estimatedMs === 0 ? null : (requests / estimatedMs) * 1000;
  return { ...ended, toReadAll, ifNothingChanged: quiet, perSecond, ...cutOff };
}

/** Before anything was walked. */
export const UNKNOWN_FORECAST: Forecast = {
  requests: null,
  toReadAll: null,
  ifNothingChanged: null,
  endedBy: null,
  estimatedMs: null,
  perSecond: null,
  continues: null,
  givesUp: null,
};

/**
 * What the last walk knew of and did not come to, because it was limited. Of what a full walk leaves, all that was read before it stands
 * as it is, and is asked for again by the next full walk alone, whose requests have it.
 */
function leftRequests({ mirror, mode, scope, settings }: ForecastOptions, last: Snapshot | undefined): number {
  if (last === undefined || isOfNamed(scope)) return 0;
  const isOfFull = mode === 'full' || last.mode === 'full';
  return entriesLeft(failuresOf(mirror, last.id)).reduce((sum, { kind, tree, visits }) => {
    if (!isKindName(kind) || kindOf(kind).read.from !== 'part') return sum;
    const read = isOfFull ? readBefore(mirror, { kind, tree, id: last.id }) : 0;
    return sum + Math.max(0, visits - read) * (settings.documents === true && besides(kind).length > 0 ? 2 : 1);
  }, 0);
}

interface Entries {
  readonly kind: KindName;
  readonly tree: string;
  /** Number of the snapshot. */
  readonly id: number;
}

/** How many entries of a tree are held as they were before a snapshot. */
function readBefore(mirror: Mirror, { kind, tree, id }: Entries): number {
  const revision = currentOf(mirror, isCopy(kind) ? 'change-request-revision' : 'revision', tree);
  const held = revision === undefined ? [] : heldBelow(mirror, { scope: revision.rid, kind });
  return held.filter(({ key }) => (currentOf(mirror, kind, key)?.valid_from ?? id) < id).length;
}

interface Ended extends Pick<Forecast, 'endedBy' | 'estimatedMs'> {
  readonly requests: number;
}

/** The lesser of two budgets ends a walk. */
function withinBudget({ settings }: ForecastOptions, requests: number, estimatedMs: number | null): Ended {
  const { maxRequests = null, maxDurationMs = null } = settings;
  const byRequests = maxRequests === null ? 1 : maxRequests / requests;
  const byTime = maxDurationMs === null || estimatedMs === null ? 1 : maxDurationMs / estimatedMs;
  const share = Math.min(byRequests, byTime);
  if (!(share < 1)) return { requests, estimatedMs, endedBy: null };
  const time = estimatedMs === null ? null : estimatedMs * share;
  const endedBy = byRequests <= byTime ? 'walk.maxRequests' : 'walk.maxDuration';
  return { requests: Math.round(requests * share), estimatedMs: time, endedBy };
}

/**
 * Says when the next walk of this mode cannot get whole: even if it finds nothing changed it takes more requests than it may make. One of
 * another mode, or when less has its turn, may.
 */
export function* tellTooSmall({ mirror, id, mode, scope, settings, log }: Walk): Pieces<void> {
  const { maxRequests = null } = settings;
  if (maxRequests === null) return;
  const takes = yield* quietRequests({ mirror, mode, scope, settings, id: id + 1 });
  if (takes <= maxRequests) return;
  const what =
    'the next walk of this mode takes more than walk.maxRequests even if nothing has changed: it does not get whole until that is raised';
  log.warn({ snapshot: id, mode, maxRequests, takes }, what);
}

function openWalk(options: ForecastOptions): Pick<Forecast, 'continues' | 'givesUp'> {
  const open = openedSnapshot(options.mirror);
  if (open === undefined) return { continues: null, givesUp: null };
  const why = whyNotContinue(options, open);
  return why === null
    ? { continues: open.id, givesUp: null }
    : { continues: null, givesUp: { snapshot: open.id, why } };
}

/** With the number that the snapshot will have. */
type Next = ForecastOptions & { readonly id: number };

/**
 * What moves in a night as the last ones were, in requests. The first walk of a mirror is no night like others, and where walks are
 * limited it takes several to read all for the first time.
 */
function changesPerNight(sealed: readonly Snapshot[], options: Next): number {
  const { mirror } = options;
  const isWhole = ({ id, scope }: Snapshot): boolean =>
    scope === null && entriesLeft(failuresOf(mirror, id)).length === 0;
  const first = sealed.findIndex(isWhole);
  const nights = first === -1 ? [] : sealed.slice(first + 1).slice(-NIGHTS);
  if (nights.length === 0) return 0;
  const usual = median(nights.map(({ id }) => changesOf(options, id)));
  return Math.round(usual * shareOfSpaces(options));
}

/** One night unlike the others, as after a move, says nothing of the next. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = 0, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (low + high) / 2;
}

/** What was asked in one night because something had moved. */
function changesOf({ mirror, settings, id }: Next, night: number): number {
  const counts = countsOf(mirror, night);
  const added = (kind: KindName): number => counts[kind]?.added ?? 0;
  const moved = (kind: KindName): number => added(kind) + (counts[kind]?.changed ?? 0);
  // A page without a text is told by its tree; of a snapshot into which others were forgotten the versions are more than its own.
  const texts = Math.min(moved('page'), countTexts(mirror, night, 'page'));
  const ofPages = texts * (settings.documents === true ? 2 : 1);
  const ofRequests = added('change-request') * listingsBelow('change-request') + countReadTrees(mirror, night);
  const bytes = moved('file') + countBegun(mirror, night, 'change-request-file');
  const known = { mirror, settings, id };
  const ofMoved = moved('revision') * requestsOfMovedSpace(known, night);
  return ofPages + ofRequests + bytes + ofMoved + requestsOfTouchedSpaces(known, night);
}

/** Listings below something new, but for what is read on request alone. */
function listingsBelow(kind: KindName): number {
  return childKinds(kind).reduce((sum, child) => sum + knownPasses(child), 0);
}
