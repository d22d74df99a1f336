// A walk from its first listing to the sealed snapshot, or the continuation of one that was cut off.
import { AppError, canonicalJson, createTelling, inTurns, isRecord, toAppError } from '../base/index.ts';
import { createUnknowns, isKindName, kindOf } from '../contract/index.ts';
import {
  abandonSnapshot,
  acceptShrunk,
  addUsage,
  addVisit,
  clearReadMarks,
  countsOf,
  failedKeys,
  failuresOf,
  lastSealed,
  mendDefinitions,
  mendPaths,
  mendSearch,
  noteFailure,
  noteResumed,
  carryNotOffered,
  notOfferedIn,
  refusedIn,
  openedSnapshot,
  openSnapshot,
  sealSnapshot,
  setTerms,
  waitingVisits,
  type Mirror,
  type Snapshot,
  type Usage,
} from '../mirror/index.ts';
import { createBudget, leftUnvisited, notVisited } from './budget.ts';
import { carryRefused, withdrawnSpaces } from './refusals.ts';
import { carryUnread } from './carried.ts';
import { tellTooSmall } from './forecast.ts';
import { scopeText, whyNotContinue } from './continuing.ts';
import { undocumented } from './failures.ts';
import { visitAll } from './lanes.ts';
import { takeItem, takeListing } from './visits/listing.ts';
import { STAGES } from './order.ts';
import { demandId } from './visits/demand-id.ts';
import { keptBody, type Body } from './visits/parts.ts';
import { take } from './take.ts';
import { termsOf } from './terms.ts';
import type { Walk, WalkOptions, WalkProgress, WalkResult } from './types.ts';
import { placeOfVisit, scopeOfVisit } from './make-visit.ts';
import { wantedKinds } from './wanted.ts';

const COULD_NOT_READ = {
  one: 'could not read',
  more: 'could not read more than these: the snapshot lists them all',
};

/**
 * Visits everything in scope once and seals one snapshot. Continues an open walk of the same platform, scope, mode and terms.
 * Failures of single reads make the snapshot partial; what speaks of more (token refused, platform out of reach, disk full,
 * interrupted) is thrown, and the walk stays open to be continued. Nothing is opened before the platform has answered once.
 */
export async function walk(options: WalkOptions): Promise<WalkResult> {
  refuseOtherPlatform(options);
  const usage = usageSince(options);
  const { requests: earlier, bytes: earlierBytes } = options.client.meter;
  const budget = createBudget(options);
  const current = resumed(options) ?? (await begun(options));
  const onProgress = (progress: WalkProgress): void => {
    usage.addNowAndThen(current.id);
    // The client of a daemon, or of a restore, has asked for other things before.
    const { requests, bytes } = progress;
    options.onProgress?.({ ...progress, requests: requests - earlier, bytes: bytes - earlierBytes });
  };
  try {
    await visitAll({ ...current, onProgress }, budget);
  } finally {
    current.telling.end({ snapshot: current.id });
    usage.add(current.id);
  }
  tellTooSmall(current);
  carryNotOffered(current);
  carryRefused(current);
  carryUnread(current);
  // What sealing takes is part of what the walk took.
  const sealing = sealSnapshot(current, options.settings.brake, {
    usedSince: () => usage.sinceLast(),
    onUnmerged: (error) => tellUnmerged(current, error),
  });
  return finished(current, await inTurns(sealing, options.signal));
}

function tellUnmerged({ log, id }: Walk, error: unknown): void {
  const { code, message } = toAppError(error);
  const what =
    'the snapshot is sealed, but the search index was not merged: the next walk does that; searches find the same';
  log.warn({ snapshot: id, code, why: message }, what);
}

/** That it has moved is said once, and holds for the walk that goes on. */
function refuseOtherPlatform({ mirror, origin, moved }: WalkOptions): void {
  const refusal = moved === true ? null : otherPlatform(mirror, origin);
  if (refusal !== null) throw refusal;
}

/** A mirror is of one platform: what another one lacks would look deleted. Null where there is no mirror yet, or it is of this one. */
export function otherPlatform(mirror: Mirror, origin: string): AppError | null {
  const [sealed, open] = [lastSealed(mirror), openedSnapshot(mirror)];
  const last = sealed ?? open;
  if (last === undefined || sealed?.origin === origin || open?.origin === origin) return null;
  return new AppError('DM_OTHER_PLATFORM', `This mirror is of ${last.origin}, and the platform to walk is ${origin}`, {
    hint: 'Use another --data-dir for another platform. If it is the same platform at a new address, run `docmirror sync --moved` once.',
  });
}

const USAGE_EVERY_MS = 1000;

interface UsageSince {
  /** What was used since the last time. */
  sinceLast(): Usage;
  add(snapshot: number): void;
  /** `add`, unless it was done a moment ago. */
  addNowAndThen(snapshot: number): void;
}

/** Adds to a snapshot, each time, what was used since the last time; so that a walk cut off by a kill has counted most of it. */
function usageSince({ client, clock, mirror }: WalkOptions): UsageSince {
  let last = { requests: client.meter.requests, bytes: client.meter.bytes, at: clock.monotonic() };
  const sinceLast = (): Usage => {
    const now = { requests: client.meter.requests, bytes: client.meter.bytes, at: clock.monotonic() };
    const used = {
      requests: now.requests - last.requests,
      bytes: now.bytes - last.bytes,
      durationMs: now.at - last.at,
    };
    last = now;
    return used;
  };
  const add = (snapshot: number): void => addUsage(mirror, snapshot, sinceLast());
  return {
    sinceLast,
    add,
    addNowAndThen: (snapshot) => {
      if (clock.monotonic() - last.at >= USAGE_EVERY_MS) add(snapshot);
    },
  };
}

function finished({ mirror, id }: Walk, snapshot: Snapshot): WalkResult {
  return {
    snapshot,
    kinds: countsOf(mirror, id),
    failures: failuresOf(mirror, id),
    notOffered: notOfferedIn(mirror, id),
    refused: refusedIn(mirror, id),
  };
}

/** The walk that was cut off, when it is of the same kind and young enough; another open one is given up. */
function resumed(options: WalkOptions): Walk | undefined {
  const open = openedSnapshot(options.mirror);
  if (!open) return undefined;
  const why = whyNotContinue(options, open);
  if (why !== null) {
    options.log.warn({ snapshot: open.id, why }, 'the open walk is given up');
    giveUp(options, open.id, why);
    return undefined;
  }
  options.log.info({ snapshot: open.id }, 'continuing the walk that was cut off');
  options.mirror.store.transaction(() => {
    noteResumed(options.mirror, open.id);
    if (options.acceptRights === true) acceptShrunk(options.mirror);
  });
  return walkOf(options, open.id, { unmoved: null });
}

/** What the open walk had not visited was read by nobody: the marks that would say so are taken back. */
function giveUp({ mirror }: WalkOptions, id: number, why: string): void {
  mirror.store.transaction(() => {
    const waiting = Array.from(waitingVisits(mirror));
    for (const visit of waiting) {
      const scope = scopeOfVisit(visit);
      if (scope !== null) clearReadMarks(mirror, scope, placeOfVisit(visit).kind);
    }
    for (const { place, visits } of leftUnvisited(waiting)) {
      const { code, message } = notVisited(visits, `the walk was given up, since ${why}`);
      noteFailure({ mirror, id }, { ...place, request: '', status: null, code, error: message });
    }
    abandonSnapshot(mirror, id, why);
  });
}

function walkOf(options: WalkOptions, id: number, { unmoved }: Pick<Walk, 'unmoved'>): Walk {
  const { mirror } = options;
  return {
    ...options,
    id,
    wanted: wantedKinds(options.scope.kinds),
    first: missedSpaces(mirror),
    places: new Map(),
    notOffered: new Set(notOfferedIn(mirror, id).map(({ kind }) => kind)),
    lookedAbove: new Set(),
    unmoved,
    telling: createTelling(options.log, COULD_NOT_READ),
    unknownsIn: createUnknowns(),
  };
}

/** Spaces of which the last walk could not read something. */
function missedSpaces(mirror: WalkOptions['mirror']): Set<string> {
  const last = lastSealed(mirror);
  const failed = last === undefined ? [] : failedKeys(mirror, last.id);
  const inSpaces = failed.filter(({ kind }) => isKindName(kind) && kindOf(kind).params[0] === 'spaceId');
  return new Set(inSpaces.map(({ resource }) => resource.split('/', 1)[0] ?? ''));
}

/** Reads the first listing, and only then opens a snapshot. */
async function begun(options: WalkOptions): Promise<Walk> {
  const organizations = await readOrganizations(options);
  await readLimits(options);
  if (options.mode === 'full') await mendShown(options);
  return options.mirror.store.transaction(() => {
    const opened = { mode: options.mode, scope: scopeText(options), origin: options.origin };
    const walking = walkOf(options, openSnapshot(options.mirror, opened), { unmoved: new Set() });
    setTerms(walking, canonicalJson(termsOf(options)));
    if (options.acceptRights === true) acceptShrunk(options.mirror);
    if (options.mode === 'full') mendPaths(options.mirror);
    const { onlySpaces, onlyCollections = null } = options.scope;
    if (onlySpaces !== null || onlyCollections !== null) takeOnly(walking, organizations);
    else takeRoot(walking, organizations);
    for (const key of withdrawnSpaces(walking)) addVisit(walking, { task: 'space', params: { key } });
    addVisit(walking, { task: 'computed', stage: STAGES.order, params: {} });
    if (options.settings.documents === true) addVisit(walking, { task: 'trees', stage: STAGES.beside, params: {} });
    if (options.settings.pdfs === true) addVisit(walking, { task: 'pdfs', stage: STAGES.beside, params: {} });
    return walking;
  });
}

/** What people look through is put right together with what is read again. */
async function mendShown({ mirror, signal }: WalkOptions): Promise<void> {
  await mendDefinitions(mirror);
  await inTurns(mendSearch(mirror), signal);
}

async function readOrganizations(options: WalkOptions): Promise<Body[]> {
  const { organizations } = options.scope;
  const signal = options.signal;
  if (organizations !== null && organizations.length > 0) {
    const found: Body[] = [];
    for (const organizationId of organizations) {
      const body = await options.client.callRaw('getOrganization', { path: { organizationId } }, { signal });
      if (!isRecord(body)) throw undocumented(`The answer for organization ${organizationId} is not an object`);
      found.push(body);
    }
    return found;
  }
  const all: Body[] = [];
  const paging = { pageSize: options.settings.pageSize, signal };
  for await (const page of options.client.paginateRaw('listOrganizations', {}, paging)) all.push(...page.items);
  return all;
}

/** A mistyped id ends the walk before a snapshot is opened. */
async function readLimits({ client, scope, signal }: WalkOptions): Promise<void> {
  for (const spaceId of scope.onlySpaces ?? []) await client.callRaw('getSpace', { path: { spaceId } }, { signal });
  for (const collectionId of scope.onlyCollections ?? []) {
    await client.callRaw('getCollection', { path: { collectionId } }, { signal });
  }
}

function takeRoot(walking: Walk, organizations: readonly Body[]): void {
  const listing = { kind: 'organization', scope: null, path: {}, mark: null } as const;
  // Organizations outside a limited walk are not missing: they were not asked for.
  if (walking.scope.organizations === null) takeListing(walking, listing, organizations);
  else for (const organization of organizations) takeItem(walking, listing, organization);
  for (const key of walking.scope.extraSpaces) addVisit(walking, { task: 'space', params: { key } });
}

/** A walk of named spaces or collections takes in their organizations too, but nothing else below those. */
function takeOnly(walking: Walk, organizations: readonly Body[]): void {
  for (const body of organizations) {
    const organizationId = demandId('organization', body, 'An organization');
    const params = { organizationId };
    take(walking, { kind: 'organization', params, scope: null, body: keptBody('organization', body) });
  }
  const { onlySpaces, onlyCollections } = walking.scope;
  for (const key of onlySpaces ?? []) addVisit(walking, { task: 'space', params: { key } });
  for (const key of onlyCollections ?? []) addVisit(walking, { task: 'collection', params: { key } });
}
