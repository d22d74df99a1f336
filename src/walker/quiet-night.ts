// A walk over the mirror instead of the platform: the same marks, the same rota, the same rules, counting what would be asked
// if nothing had moved.
import { groupBy, lazy, valueAt, type Pieces } from '../base/index.ts';
import { childKinds, kindOf, type KindName } from '../contract/index.ts';
import {
  bodyOf,
  countBelow,
  currentOf,
  heldBelow,
  heldByKey,
  heldOf,
  isRefusalNamed,
  keyOf,
  readMark,
  sharesTexts,
  shownByMembers,
  wayTo,
  type Held,
  type Mirror,
  type ReadMark,
  type ListingPlace,
} from '../mirror/index.ts';
import { isDue, isLeftToItsTurn, isNone, movingMark, type Parent } from './visits/children.ts';
import { isListedTonight } from './visits/collections.ts';
import type { Body } from './visits/parts.ts';
import { passesOf } from './visits/passes.ts';
import { hasText, hidesEdits, isShared, isUntold, tellsEdits, tellsOfText, tellsTexts } from './visits/page-text.ts';
import { revisionToDraw } from './visits/pdfs.ts';
import { partsOf } from './visits/tree.ts';
import { isNotedUnlisted } from './visits/listed-otherwise.ts';
import { isOfSettled } from './visits/settled.ts';
import { isUncounted } from './visits/shortage.ts';
import { isOfNamed } from './scope.ts';
import {
  collectionsBeside,
  collectionsInside,
  collectionsOutside,
  isOfWalked,
  spacesInside,
  spacesOutside,
} from './spaces-in-scope.ts';
import type { WalkOptions } from './types.ts';
import { unreadLastTime, type UnreadLastTime } from './unread-last-time.ts';
import { besides, isWanted, mayMark, wantedKinds } from './wanted.ts';

export type Quiet = Pick<WalkOptions, 'mirror' | 'mode' | 'scope' | 'settings' | 'acceptRights'> & {
  /** Number that the snapshot will have. */
  readonly id: number;
  /** Listings that a walk which is given up has left; none when left out. */
  readonly left?: readonly ListingPlace[];
};

interface Counting extends Quiet {
  readonly wanted: ReadonlySet<KindName> | null;
  /** Keys of spaces that some listing will show, and of those that are asked for by their names. */
  readonly shown: Set<string>;
  readonly unread: UnreadLastTime;
  /** Of each listing whose mark is taken back: its name. */
  readonly unmarked: ReadonlySet<string>;
}

/** Requests of a walk in which nothing has moved; put aside after each space. */
export function* quietRequests(quiet: Quiet): Pieces<number> {
  const counting: Counting = {
    ...quiet,
    wanted: wantedKinds(quiet.scope.kinds),
    shown: new Set(quiet.scope.extraSpaces),
    unread: unreadLastTime(quiet.mirror),
    unmarked: new Set((quiet.left ?? []).flatMap((place) => wayTo(quiet.mirror, place)).map(nameOf)),
  };
  return (yield* requestsOfScope(counting)) + pdfRequests(counting);
}

function nameOf({ scope, kind }: ListingPlace): string {
  return `${scope} ${kind}`;
}

function markIn({ mirror, unmarked }: Counting, place: ListingPlace): ReadMark | undefined {
  return unmarked.has(nameOf(place)) ? undefined : readMark(mirror, place.scope, place.kind);
}

/** The address and the bytes of each PDF that is to be drawn. */
function pdfRequests(counting: Counting): number {
  const { mirror, settings } = counting;
  if (settings.pdfs !== true || !isWanted(counting, 'change-request-pdf')) return 0;
  const spaces = new Set(spacesInside(counting).flatMap((one) => (isOfWalked(counting, one) ? one.key : [])));
  const due = heldOf(mirror, 'change-request').filter(
    (one) => spaces.has(one.params['spaceId'] ?? '') && revisionToDraw(counting, one) !== null,
  );
  return due.length * 2;
}

function* requestsOfScope(counting: Counting): Pieces<number> {
  const { organizations, extraSpaces, invites = [] } = counting.scope;
  const held = heldOf(counting.mirror, 'organization').filter(({ key }) => organizations?.includes(key) ?? true);
  const first = organizations === null ? pages(counting, held.length) : organizations.length;
  if (isOfNamed(counting.scope)) return first + (yield* namedRequests(counting));
  let below = 0;
  for (const one of held) below += yield* organizationRequests(counting, one);
  const spaces = spacesOutside(counting, held);
  const outside = yield* spacesRequests(counting, spaces);
  const known = heldOf(counting.mirror, 'invite').map(({ key }) => key);
  const named = isWanted(counting, 'invite') ? new Set([...known, ...invites]).size : 0;
  const direct =
    collectionsOutside(counting) + extraSpaces.length + spaces.filter(({ key }) => !counting.shown.has(key)).length;
  return first + below + outside + named + direct;
}

/** A walk of named spaces reads each of them by itself; one of collections reads those and their listings. */
function* namedRequests(counting: Counting): Pieces<number> {
  const { onlySpaces, onlyCollections } = counting.scope;
  const spaces = spacesInside(counting);
  const below = yield* spacesRequests(counting, spaces);
  // Each is looked up before a snapshot is opened, then read.
  const named = ((onlySpaces?.length ?? 0) + (onlyCollections?.length ?? 0)) * 2;
  const nested = (onlyCollections ?? []).map((key) => pages(counting, collectionsBeside(counting, key)));
  const held = groupBy(spaces, ({ rid }) => bodyOf(counting.mirror, rid)?.['parent']);
  const listings = [...collectionsInside(counting)].map((key) => pages(counting, held.get(key)?.length ?? 0));
  return named + below + [...nested, ...listings].reduce((sum, one) => sum + one, 0);
}

function* organizationRequests(counting: Counting, organization: Held): Pieces<number> {
  const own = childRequests(counting, { kind: 'organization', one: organization });
  if (!isWanted(counting, 'space')) return own;
  const spaces = heldBelow(counting.mirror, { scope: organization.rid, kind: 'space' });
  let total = own + (yield* spacesRequests(counting, spaces));
  // Gone through once: for each collection anew, thousands of them in thousands of spaces take minutes.
  const held = groupBy(spaces, ({ rid }) => bodyOf(counting.mirror, rid)?.['parent']);
  const shown = shownByMembers(counting.mirror);
  for (const collection of heldBelow(counting.mirror, { scope: organization.rid, kind: 'collection' })) {
    // One that the platform does not list is asked for by itself.
    if (isNotedUnlisted(counting.mirror, collection)) total += 1;
    const isLeft = counting.unmarked.has(nameOf({ scope: collection.rid, kind: 'space' }));
    if (!isLeft && !isListedTonight(counting, collection, (key) => shown.has(key))) continue;
    const inside = held.get(collection.key) ?? [];
    for (const { key } of inside) counting.shown.add(key);
    total += pages(counting, inside.length);
  }
  // A space that no listing shows is asked for by itself.
  return total + spaces.filter(({ key }) => !counting.shown.has(key)).length;
}

/** Of spaces and all that is below them. */
function* spacesRequests(counting: Counting, spaces: readonly Held[]): Pieces<number> {
  let total = 0;
  for (const one of spaces) {
    total += childRequests(counting, { kind: 'space', one });
    yield;
  }
  return total;
}

interface Above {
  readonly kind: KindName;
  readonly one: Held;
  readonly always?: KindName | undefined;
}

function childRequests(counting: Counting, { kind, one, always }: Above): number {
  const body = bodyOf(counting.mirror, one.rid) ?? {};
  const parent: Parent = { kind, rid: one.rid, key: one.key, params: one.params, body, always };
  let total = 0;
  for (const child of childKinds(kind)) {
    const { read } = kindOf(child);
    if ((read.from === 'list' || read.from === 'single') && isWanted(counting, child))
      total += listingRequests(counting, parent, child);
  }
  return total;
}

function listingRequests(counting: Counting, parent: Parent, child: KindName): number {
  const { mirror, mode } = counting;
  if (isNone({ mirror, mode }, parent, child)) return 0;
  const mark = movingMark(child, parent.body);
  if (mark !== null && mode === 'incremental' && parent.always !== child) {
    const known = markIn(counting, { scope: parent.rid, kind: child });
    if (known?.mark === mark && !isDue(counting, parent, known)) return 0;
    if (known === undefined && isLeftToItsTurn(counting, parent, child)) return 0;
  }
  const held = heldBelow(mirror, { scope: parent.rid, kind: child });
  if (kindOf(child).embeds?.['pages'] !== undefined) return 1 + treeRequests(counting, held[0]);
  noteShown(counting, child, held);
  const { read } = kindOf(child);
  const passes = passesOf(mirror, { kind: child, scope: parent.rid }).length;
  const isNews = held.length === 0 && isAskedTwice(counting, parent, child);
  const own = read.from === 'list' ? (passes - 1 + pages(counting, held.length)) * (isNews ? 2 : 1) : 1;
  const widest = child === 'member' ? widestOf(mirror, held) : undefined;
  return held.reduce(
    (sum, one) =>
      sum + childRequests(counting, { kind: child, one, always: one === widest ? 'space-member' : undefined }),
    own,
  );
}

/**
 * True where an empty listing is asked for twice: on each night by a walk that is limited to some kinds, which marks none as read below
 * which others lie; and where its mark is taken back.
 */
function isAskedTwice(counting: Counting, { rid, key }: Parent, child: KindName): boolean {
  const place = { scope: rid, kind: child };
  if (!isUncounted(child) || (mayMark(counting, child) && !counting.unmarked.has(nameOf(place)))) return false;
  return markIn(counting, place) === undefined && !isRefusalNamed(counting, child, key);
}

function noteShown({ mirror, shown }: Counting, child: KindName, held: readonly Held[]): void {
  const field = Object.entries(kindOf(child).embeds ?? {}).find(([, embedded]) => embedded === 'space')?.[0];
  if (field === undefined) return;
  for (const one of held) shown.add(String(valueAt(bodyOf(mirror, one.rid) ?? {}, `${field}.id`)));
}

function widestOf(mirror: Mirror, members: readonly Held[]): Held | undefined {
  const spaces = (one: Held): number => Number((bodyOf(mirror, one.rid) as Body | undefined)?.['spaces'] ?? 0);
  return members.reduce<Held | undefined>((best, one) => (best && spaces(best) >= spaces(one) ? best : one), undefined);
}

/** What a tree leads to though nothing has moved: everything in a full walk, else what was not read the last time, and document trees that are not there yet. */
function treeRequests(counting: Counting, revision: Held | undefined): number {
  if (revision === undefined) return 0;
  const visits = partsOf(counting, revision.kind).reduce((sum, kind) => {
    const { text, bytes } = kindOf(kind);
    if (text) return sum + textRequests(counting, revision.rid, kind);
    return bytes === undefined ? sum : sum + fileRequests(counting, revision.rid, kind);
  }, 0);
  return visits === 0 ? 0 : visits + 1;
}

function textRequests(counting: Counting, scope: number, kind: KindName): number {
  const { mirror } = counting;
  const held = heldBelow(mirror, { scope, kind });
  const tellsBy = (tell: (pages: unknown) => boolean): (() => boolean) =>
    lazy(() => sharesTexts(mirror, scope) || held.some(({ rid }) => tell([bodyOf(mirror, rid)])));
  const [tells, edits] = [tellsBy(tellsTexts), tellsBy(tellsEdits)];
  return held.reduce((sum, one) => sum + pageRequests(counting, { kind, one, tells, edits }), 0);
}

function fileRequests({ mirror, mode, unread }: Counting, scope: number, kind: KindName): number {
  if (mode === 'full') return countBelow(mirror, scope, kind);
  if (unread.spaces.size === 0) return 0;
  return heldBelow(mirror, { scope, kind }).filter(({ key }) => unread.isEntry(kind, key)).length;
}

interface HeldPage {
  readonly kind: KindName;
  readonly one: Held;
  /** Whether its tree tells which pages have a text, and when they are edited. */
  readonly tells: () => boolean;
  readonly edits: () => boolean;
}

function pageRequests(counting: Counting, { kind, one: { key, params }, tells, edits }: HeldPage): number {
  const { mirror, mode, settings, unread } = counting;
  const known = currentOf(mirror, kind, key);
  if (known === undefined) return 0;
  const body = bodyOf(mirror, known.rid) ?? {};
  if (known.text === null && !hasText(body) && (!isUntold(body) || tells())) return 0;
  const isDoubted = mode === 'full' || (hidesEdits(body, edits) && !isOfSettled(counting, params));
  const isRead = isDoubted || unread.isEntry(kind, key);
  const isSame = isShared(mirror, { kind, params });
  if (!isDoubted && isSame) return 0;
  const hasDocument = !isSame && (known.text !== null || isUntold(body) || tellsOfText(body));
  const documents = settings.documents === true && hasDocument ? besides(kind) : [];
  const isHeld = (beside: KindName): boolean => heldByKey(mirror, beside, keyOf(beside, params)) !== undefined;
  const asked = documents.filter((beside) => isWanted(counting, beside) && (isRead || !isHeld(beside)));
  return asked.length + (isRead ? 1 : 0);
}

function pages({ settings }: Quiet, items: number): number {
  return Math.max(1, Math.ceil(items / settings.pageSize));
}
