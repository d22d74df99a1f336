import { isoTime, span } from '../base/index.ts';
import {
  acceptedOf,
  broughtBack,
  continuingSync,
  countsOf,
  deletedSpaces,
  lastComplete,
  lastGood,
  lastDrillOfNewest,
  lastPassedDrill,
  lastSealed,
  lastSound,
  listDrills,
  listPins,
  listSnapshots,
  notOfferedIn,
  isOfRights,
  isRefusedIn,
  isWithoutFields,
  reasonsOf,
  refusedIn,
  type Refusal,
  openedSnapshot,
  openRestores,
  type Accepted,
  type DeletedSpace,
  type Drill,
  type KindCounts,
  type Mirror,
  type OpenRestore,
  type Pin,
  type Snapshot,
} from '../mirror/index.ts';
import type { Named } from './named.ts';

/** Milliseconds. */
export interface FreshnessLimits {
  readonly snapshotMs: number;
  readonly drillMs: number;
}

export interface StatusReport {
  readonly at: string;
  /** The last complete snapshot and the last passed drill are fresh enough, and no later drill has failed. */
  readonly ready: boolean;
  /** Why it is not ready; empty when it is. */
  readonly reasons: readonly string[];
  /** The commands that make it ready; null when it is. */
  readonly remedy: string | null;
  readonly lastSealed: Snapshot | null;
  /** That lacks what the platform refuses to the token, which a person may accept. */
  readonly isRefused: boolean;
  /** It is suspect since the platform sends fields no more. */
  readonly isWithoutFields: boolean;
  readonly lastComplete: Snapshot | null;
  /** Number of the one that later ones are measured by: the last complete or accepted one. */
  readonly lastGood: number | null;
  /** The last one that is complete, or lacks nothing but what a person accepted. */
  readonly lastSound: Snapshot | null;
  /** Why what the last sealed snapshot lacks or shows was accepted; null when it was not. */
  readonly accepted: Accepted | null;
  /** Milliseconds between now and when the last sound snapshot was sealed. */
  readonly snapshotAgeMs: number | null;
  /** It was sealed at a time that is yet to come by this clock: one so far away proves no more than one as old. */
  readonly snapshotAhead: boolean;
  /** A walk that is under way, or was cut off. */
  readonly open: Snapshot | null;
  /** The command that continues it; null when there is none. */
  readonly continuing: string | null;
  /** Newest first. */
  readonly recent: readonly Snapshot[];
  readonly snapshots: Readonly<Record<string, number>>;
  readonly drills: readonly Drill[];
  /** The last of what was the newest complete snapshot then, however many of older ones came since: those prove them alone. */
  readonly drillOfNewest: Drill | null;
  readonly drillAgeMs: number | null;
  readonly drillAhead: boolean;
  /** Of the last sealed snapshot. */
  readonly kinds: Readonly<Record<string, KindCounts>>;
  /** Reads of the last sealed snapshot that failed. */
  readonly failed: number;
  readonly notOffered: readonly string[];
  /** What is refused to the token, as was accepted. */
  readonly refused: readonly Refusal[];
  /** Snapshots that are kept whatever a policy says. */
  readonly pins: readonly Pin[];
  /** Time when the walk of the oldest kept snapshot began. */
  readonly oldestAt: string | null;
  /** Deleted on the platform, and still in its bin: they can be undeleted whole. */
  readonly deletedSpaces: readonly DeletedSpace[];
  /** Deleted as the mirror has it, and out of the bin since by a restore: the next walk sees them. */
  readonly broughtBack: readonly BroughtBack[];
  /** Restores that were cut off, or of which something failed; newest first. */
  readonly restores: readonly OpenRestore[];
}

/** Address of the platform that is mirrored, or that a first walk has begun with; before that, of the one that the settings name. */
export function platformWords({ lastSealed: sealed, open }: StatusReport, configured: string | null): string {
  const walked = (sealed ?? open)?.origin;
  return walked ?? (configured === null ? 'none yet' : `${configured}, not walked yet`);
}

export interface BroughtBack {
  readonly id: string;
  readonly title: string;
  readonly restore: string;
}

const RECENT = 14;
const DRILLS = 5;

/** Why a snapshot is not complete, one by one, less the rights that the token lost. */
export function reasonsButOfRights(snapshot: Snapshot): string[] {
  return reasonsOf(snapshot).filter((reason) => !isOfRights(reason));
}

/** How the mirror stands at an instant; `mirror` is null when there is none yet. */
export function readStatus(mirror: Mirror | null, now: number, limits: FreshnessLimits): StatusReport {
  if (mirror === null) return nothingYet(now);
  const sealed = lastSealed(mirror);
  const sound = lastSound(mirror);
  const snapshots = listSnapshots(mirror);
  const open = openedSnapshot(mirror);
  const [sealedAt, drilledAt] = [sound?.sealed_at ?? null, lastPassedDrill(mirror)?.at ?? null];
  const snapshotAgeMs = ageOf(sealedAt, now);
  const drillAgeMs = ageOf(drilledAt, now);
  const isRefused = sealed !== undefined && isRefusedIn(mirror, sealed.id);
  const kinds = sealed ? countsOf(mirror, sealed.id) : {};
  const drillOfNewest = lastDrillOfNewest(mirror) ?? null;
  const failed = drillOfNewest?.passed === false ? drillOfNewest : null;
  const reasons = [
    ...notFresh(wantedSnapshot(snapshots, sound), { at: sealedAt, now, limit: limits.snapshotMs }),
    ...notFresh('passed drill', { at: drilledAt, now, limit: limits.drillMs }),
    ...(failed === null ? [] : [`The last drill, of snapshot ${failed.snapshot} at ${failed.at}, did not pass`]),
  ];
  return {
    at: isoTime(now),
    ready: reasons.length === 0,
    reasons,
    remedy: remedyFor({
      sealed,
      isRefused,
      stale: isOlder(snapshotAgeMs, limits.snapshotMs),
      unproven: failed !== null || isOlder(drillAgeMs, limits.drillMs),
    }),
    lastSealed: sealed ?? null,
    isRefused,
    isWithoutFields: sealed !== undefined && isWithoutFields(sealed),
    lastComplete: lastComplete(mirror) ?? null,
    lastGood: lastGood(mirror),
    lastSound: sound ?? null,
    accepted: sealed ? acceptedOf(mirror, sealed.id) : null,
    snapshotAgeMs,
    snapshotAhead: isAhead(sealedAt, now),
    open: open ?? null,
    continuing: open ? continuingSync(mirror, open) : null,
    recent: snapshots.slice(-RECENT).toReversed(),
    snapshots: countBy(snapshots),
    drills: listDrills(mirror, DRILLS),
    drillOfNewest,
    drillAgeMs,
    drillAhead: isAhead(drilledAt, now),
    kinds,
    failed: Object.values(kinds).reduce((sum, { failed }) => sum + failed, 0),
    ...deletedIn(mirror, now),
    restores: openRestores(mirror),
    pins: listPins(mirror),
    oldestAt: snapshots[0]?.started_at ?? null,
    refused: sealed ? refusedIn(mirror, sealed.id) : [],
    notOffered: sealed ? notOfferedIn(mirror, sealed.id).map(({ kind }) => kind) : [],
  };
}

/** What is not fresh, told apart from a complete one of a limited walk, which people see and which counts for nothing here. */
function wantedSnapshot(snapshots: readonly Snapshot[], sound: Snapshot | undefined): string {
  const isLimited = snapshots.some(
    ({ id, state, scope }) => state === 'complete' && scope !== null && id > (sound?.id ?? 0),
  );
  return isLimited ? 'complete snapshot of everything' : 'complete snapshot';
}

/** Spaces that were deleted and that the platform can still bring back: those that are gone, and those that a restore has brought back. */
function deletedIn(mirror: Mirror, now: number): Pick<StatusReport, 'deletedSpaces' | 'broughtBack'> {
  const bin = deletedSpaces(mirror, now);
  const back = broughtBack(mirror, bin, now);
  return {
    deletedSpaces: bin.filter(({ id }) => !back.has(id)),
    broughtBack: bin.flatMap(({ id, title }) => {
      const restore = back.get(id);
      return restore === undefined ? [] : [{ id, title, restore }];
    }),
  };
}

/** The same report, the commands in it as `named` gives them. */
export function namedIn(report: StatusReport, named: Named): StatusReport {
  const { remedy, continuing } = report;
  return { ...report, remedy: remedy && named(remedy), continuing: continuing && named(continuing) };
}

function nothingYet(now: number): StatusReport {
  return {
    at: isoTime(now),
    ready: false,
    reasons: ['There is no mirror yet'],
    remedy: 'docmirror sync, then docmirror drill',
    lastSealed: null,
    isRefused: false,
    isWithoutFields: false,
    lastComplete: null,
    lastGood: null,
    lastSound: null,
    accepted: null,
    snapshotAgeMs: null,
    snapshotAhead: false,
    open: null,
    continuing: null,
    recent: [],
    snapshots: {},
    drills: [],
    drillOfNewest: null,
    drillAgeMs: null,
    drillAhead: false,
    kinds: {},
    failed: 0,
    notOffered: [],
    refused: [],
    deletedSpaces: [],
    broughtBack: [],
    restores: [],
    pins: [],
    oldestAt: null,
  };
}

function ageOf(iso: string | null, now: number): number | null {
  return iso === null ? null : Math.abs(now - Date.parse(iso));
}

function isAhead(iso: string | null, now: number): boolean {
  return iso !== null && Date.parse(iso) > now;
}

interface Lack {
  readonly sealed: Snapshot | undefined;
  /** It lacks what the token may not read. */
  readonly isRefused: boolean;
  readonly stale: boolean;
  readonly unproven: boolean;
}

/** A walk ends no suspicion, and gives the token no right: a person looks first. */
function remedyFor({ sealed, isRefused, stale, unproven }: Lack): string | null {
  const isForPerson = sealed?.state === 'suspect' || isRefused;
  const look = isForPerson && sealed ? `docmirror snapshots show ${sealed.id}` : 'docmirror sync';
  const commands = [...(stale ? [look] : []), ...(unproven ? ['docmirror drill'] : [])];
  return commands.length === 0 ? null : commands.join(', then ');
}

function isOlder(age: number | null, limit: number): boolean {
  return age === null || age > limit;
}

interface Dated {
  readonly at: string | null;
  readonly now: number;
  readonly limit: number;
}

function notFresh(what: string, { at, now, limit }: Dated): string[] {
  const age = ageOf(at, now);
  if (age === null) return [`There is no ${what} yet`];
  if (!isOlder(age, limit)) return [];
  if (!isAhead(at, now)) return [`The last ${what} is ${span(age)} old; expected at most ${span(limit)}`];
  return [
    `The last ${what} is dated ${at}, ${span(age)} ahead of the clock of this machine; one of the two is wrong, and its age is not known`,
  ];
}

function countBy(snapshots: readonly Snapshot[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of snapshots) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
