// What the next walk will ask, computed before it begins: what the marks and the rota will have it read if nothing has moved,
// and what the last nights' changes cost on top. Nothing is sent.
import { kindOf, type KindName } from '../contract/index.ts';
import { countsOf, listSnapshots, openedSnapshot, type Mirror, type Snapshot } from '../mirror/index.ts';
import { whyNotContinue, type Continuing } from './continuing.ts';
import { quietRequests, shareOfSpaces } from './quiet-night.ts';
import { walkTime } from './walk-time.ts';

export interface Forecast {
  /** Requests of the next walk; null before the first one: only the platform knows its size. */
  readonly requests: number | null;
  /** Of these, what it asks even if nothing has moved. */
  readonly ifNothingChanged: number | null;
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
  const sealed = snapshots.filter(({ state }) => state === 'complete' || state === 'partial' || state === 'suspect');
  if (sealed.length === 0)
    return { requests: null, ifNothingChanged: null, estimatedMs: null, perSecond: null, ...cutOff };
  const id = (snapshots.at(-1)?.id ?? 0) + 1;
  const quiet = quietRequests({ ...options, id });
  const requests = quiet + (options.mode === 'full' ? 0 : changesPerNight(mirror, sealed, options));
  const estimatedMs = walkTime(requests, sealed, options.mostPerSecond);
  const perSecond = estimatedMs === null || estimatedMs === 0 ? null : (requests / estimatedMs) * 1000;
  return { requests, ifNothingChanged: quiet, estimatedMs, perSecond, ...cutOff };
}

function openWalk(options: ForecastOptions): Pick<Forecast, 'continues' | 'givesUp'> {
  const open = openedSnapshot(options.mirror);
  if (open === undefined) return { continues: null, givesUp: null };
  const why = whyNotContinue(options, open);
  return why === null
    ? { continues: open.id, givesUp: null }
    : { continues: null, givesUp: { snapshot: open.id, why } };
}

/** What moved in the last nights, in requests; the first walk of a mirror is no night like others. */
function changesPerNight(mirror: Mirror, sealed: readonly Snapshot[], options: ForecastOptions): number {
  const { settings } = options;
  const nights = sealed.slice(1).slice(-NIGHTS);
  if (nights.length === 0) return 0;
  const perPage = settings.documents === true ? 2 : 1;
  const total = nights.reduce((sum, night) => {
    const counts = countsOf(mirror, night.id);
    const moved = (kind: KindName): number => (counts[kind]?.added ?? 0) + (counts[kind]?.changed ?? 0);
    const bytes = moved('file') + moved('change-request-file');
    return sum + moved('page') * perPage + bytes + moved('revision') * requestsOfMovedSpace();
  }, 0);
  return Math.round((total / nights.length) * shareOfSpaces(options));
}

/** A space that moved is read through: its tree, the comparison, and the listings that move with it. */
function requestsOfMovedSpace(): number {
  const listings: KindName[] = ['revision', 'link', 'comment', 'custom-field-value', 'change-request'];
  const passes = listings.map((kind) => {
    const { read } = kindOf(kind);
    return read.from === 'list' ? (read.each?.values.length ?? 1) : 1;
  });
  return passes.reduce((sum, one) => sum + one, 1);
}
