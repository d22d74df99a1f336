// How a walk begins: as the continuation of one that was cut off, or with a new snapshot and the first visits on its frontier.
import { AppError, canonicalJson, createTelling, inTurns, isRecord, lazy } from '../base/index.ts';
import { createUnknowns } from '../contract/index.ts';
import {
  abandonSnapshot,
  acceptedLack,
  acceptShrunk,
  addVisit,
  clearReadMarks,
  heldOf,
  mendDefinitions,
  mendPaths,
  mendSearch,
  noteFailure,
  noteResumed,
  notOfferedIn,
  openedSnapshot,
  openSnapshot,
  readerAt,
  setTerms,
  SignedTexts,
  waitingVisits,
} from '../mirror/index.ts';
import { leftUnvisited, notVisited, placesLeft, spacesLeft } from './budget.ts';
import { whyNotContinue } from './continuing.ts';
import { recordFailure, undocumented } from './failures.ts';
import { takeBackInFull } from './full-order.ts';
import { STAGES } from './order.ts';
import { readToEnd, type Listed } from './read-to-end.ts';
import { NotedSet, type Undo } from './remembered.ts';
import { withdrawnSpaces } from './refusals.ts';
import { isOfNamed, scopeText } from './scope.ts';
import { take } from './take.ts';
import { termsOf } from './terms.ts';
import type { Walk, WalkOptions } from './types.ts';
import { unreadLastTime } from './unread-last-time.ts';
import { demandId } from './visits/demand-id.ts';
import { isCountKnown, noteOwnCount } from './visits/own-count.ts';
import { takeItem, takeListing } from './visits/listing.ts';
import { keptBody, type Body } from './visits/parts.ts';
import { unmovedBefore } from './visits/read-again.ts';
import { wantedKinds } from './wanted.ts';

/** The listing that a walk begins with, for its failures. */
const ORGANIZATIONS = { kind: 'organization', resource: '', scope: null } as const;

// The schemas are read once, for all walks of a process.
const unknowns = lazy(createUnknowns);

const COULD_NOT_READ = {
  one: 'could not read',
  more: 'could not read more than these: the snapshot lists them all',
};

/** The walk to make. Nothing is opened before the platform has answered once; an open walk that is not continued is given up. */
export async function beginWalk(options: WalkOptions): Promise<Walk> {
  return resumed(options) ?? (await begun(options));
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
  return walkOf(options, open.id, { isContinued: true });
}

/** What the open walk had not visited was read by nobody: the marks that would say so are taken back. */
function giveUp({ mirror }: WalkOptions, id: number, why: string): void {
  mirror.store.transaction(() => {
    for (const { scope, kind } of placesLeft(mirror)) clearReadMarks(mirror, scope, kind);
    const waiting = [...waitingVisits(mirror)];
    takeBackInFull({ mirror, id }, spacesLeft(waiting));
    for (const { asked, visits } of leftUnvisited(waiting)) {
      const { code, message } = notVisited(visits, `the walk was given up, since ${why}`);
      noteFailure({ mirror, id }, { ...asked, request: '', status: null, code, error: message });
    }
    abandonSnapshot(mirror, id, why);
  });
}

function walkOf(options: WalkOptions, id: number, { isContinued }: { readonly isContinued: boolean }): Walk {
  const { mirror } = options;
  const undo: Undo = [];
  const wanted = wantedKinds(options.scope.kinds);
  // Gathered once: for each copy that fails, all that is lacking would be gone through.
  const accepted = lazy(() => acceptedLack(mirror));
  return {
    ...options,
    id,
    wanted,
    unread: unreadLastTime(mirror),
    undo,
    treesRead: new NotedSet(undo),
    places: new Map(),
    notOffered: new NotedSet(
      undo,
      notOfferedIn(mirror, id).map(({ kind }) => kind),
    ),
    lookedAbove: new NotedSet(undo),
    askedAbove: new Map(),
    isLackAccepted: (one) => accepted()(one),
    signedTexts: new SignedTexts(readerAt(mirror, id, { damaged: 'empty' })),
    unmoved: new NotedSet(undo, isContinued ? unmovedBefore({ ...options, id, wanted }, placesLeft(mirror)) : []),
    telling: createTelling(options.log, COULD_NOT_READ),
    unknownsIn: unknowns(),
  };
}

/** Reads the first listing, and only then opens a snapshot. */
async function begun(options: WalkOptions): Promise<Walk> {
  const organizations = await readOrganizations(options);
  await readLimits(options);
  if (options.mode === 'full') await mendShown(options);
  return options.mirror.store.transaction(() => {
    const opened = { mode: options.mode, scope: scopeText(options), origin: options.origin };
    const walking = walkOf(options, openSnapshot(options.mirror, opened), { isContinued: false });
    setTerms(walking, canonicalJson(termsOf(options)));
    if (options.acceptRights === true) acceptShrunk(options.mirror);
    if (isOfNamed(options.scope)) takeOnly(walking, organizations.items);
    else takeRoot(walking, organizations);
    for (const key of withdrawnSpaces(walking)) addVisit(walking, { task: 'space', params: { key } });
    addVisit(walking, { task: 'computed', stage: STAGES.order, params: {} });
    addVisit(walking, { task: 'links', stage: STAGES.orderAgain, params: {} });
    if (options.settings.documents === true) addVisit(walking, { task: 'trees', stage: STAGES.beside, params: {} });
    if (options.settings.pdfs === true) addVisit(walking, { task: 'pdfs', stage: STAGES.beside, params: {} });
    return walking;
  });
}

/** What people look through is put right together with what is read again. */
async function mendShown({ mirror, signal }: WalkOptions): Promise<void> {
  await mendDefinitions(mirror);
  await inTurns(mendPaths(mirror), signal);
  await inTurns(mendSearch(mirror), signal);
}

async function readOrganizations(options: WalkOptions): Promise<Listed> {
  const { organizations } = options.scope;
  if (organizations === null) {
    const isCountIgnored = isCountKnown(options, ORGANIZATIONS);
    const read = (): Promise<Listed> => readToEnd({ ...options, isCountIgnored }, 'listOrganizations');
    const listed = await read();
    return listed.items.length > 0 ? listed : read();
  }
  const found: Body[] = [];
  for (const organizationId of organizations) {
    const path = { organizationId };
    const body = await options.client.callRaw('getOrganization', { path }, { signal: options.signal });
    if (!isRecord(body)) throw undocumented(`The answer for organization ${organizationId} is not an object`);
    found.push(body);
  }
  return { items: found, count: null };
}

/** A mistyped id ends the walk before a snapshot is opened. */
async function readLimits({ client, scope, signal }: WalkOptions): Promise<void> {
  for (const spaceId of scope.onlySpaces ?? []) await client.callRaw('getSpace', { path: { spaceId } }, { signal });
  for (const collectionId of scope.onlyCollections ?? []) {
    await client.callRaw('getCollection', { path: { collectionId } }, { signal });
  }
}

function takeRoot(walking: Walk, organizations: Listed): void {
  const listing = { kind: 'organization', scope: null, path: {}, mark: null } as const;
  // Organizations outside a limited walk are not missing: they were not asked for.
  if (walking.scope.organizations === null) {
    takeListing(walking, listing, { items: organizations.items, short: 0 });
    noteOwnCount(walking, ORGANIZATIONS, organizations);
    if (organizations.items.length === 0) noteNone(walking);
  } else for (const organization of organizations.items) takeItem(walking, listing, organization);
  for (const key of walking.scope.extraSpaces) addVisit(walking, { task: 'space', params: { key } });
  // Those of organizations that the token is not shown stand below none.
  if (scopeText(walking) === null)
    addVisit(walking, { task: 'routes', stage: STAGES.settle, params: { rid: null, key: '' } });
}

/** A snapshot of nothing is no backup, however often it is true. Where there was something, what is there no more says so. */
function noteNone(walking: Walk): void {
  if (walking.scope.extraSpaces.length > 0 || heldOf(walking.mirror, 'organization').length > 0) return;
  const hint = 'See with `docmirror doctor` whose token it is; an organization shows itself to its members alone.';
  const what = 'The platform shows this token no organization, so nothing was read';
  recordFailure(walking, ORGANIZATIONS, new AppError('DM_INCOMPLETE', what, { hint }));
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
