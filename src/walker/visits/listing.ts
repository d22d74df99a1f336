// The visit of a listing, and of a read that has one or a few answers: read to the end first, then taken in as one.
import { isRecord, lazy } from '../../base/index.ts';
import { ApiError } from '../../client/index.ts';
import { kindOf, ownParameter, pathFor, type KindName, type OperationName } from '../../contract/index.ts';
import { addVisit, bodyOf, heldByKey, keyOf, missingSince, setReadMark, shownByMembers } from '../../mirror/index.ts';
import { visitChildren } from './children.ts';
import { absentAfter } from './missing.ts';
import { visitCollection } from './collections.ts';
import { isMadeAgain, readNewField, readValuesAgain } from './field-values.ts';
import { addInviteVisits } from './invites.ts';
import { STAGES } from '../order.ts';
import { demandId } from './demand-id.ts';
import { eachOnce, idIn, isOfKind, keptBody, madeId, type Body } from './parts.ts';
import { undocumented } from '../failures.ts';
import { passesOf, refusesFilter, type Pass } from './passes.ts';
import { countPdf } from './pdfs.ts';
import { forgetListed } from './listed-otherwise.ts';
import { doubtShort } from './shortage.ts';
import { readRightsAgain } from './shown-by-members.ts';
import { seeSpace } from './spaces.ts';
import { Gathered, type Items } from '../gathered.ts';
import { readPacked, shortOf, type Listed } from '../read-to-end.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { isWanted, mayMark } from '../wanted.ts';

const NONE: Listed<Items> = { items: [], count: null };

/** Parameters of a `listing` visit. */
export interface ListingVisit {
  readonly kind: KindName;
  readonly scope: number | null;
  readonly path: Readonly<Record<string, string>>;
  readonly mark: string | null;
  /** 1 when it is read once more, because it lacked something that a direct read shows. */
  readonly round?: number;
  /** It was asked for again, with its parent, because it showed fewer than that counts. */
  readonly recounted?: boolean;
  /** It was never read to its end, and nothing counts what it shows: should it be empty, no other night would miss anything. */
  readonly isNews?: true;
}

/** Where an item was found: the listing that it is of, and what that tells of it. */
interface ItemFound extends ListingVisit {
  /** Ids made so far in a listing whose items have none. */
  readonly made?: Map<string, number>;
  /** A kind below the item that is read whatever its mark says. */
  readonly always?: KindName | undefined;
  /** Place of the item among its siblings; left out where the kind has no order or this is no listing. */
  readonly position?: number;
  /** Of a collection: whether members' listings show its spaces. */
  readonly isShown?: (collection: string) => boolean;
}

/** What a listing showed. */
export interface ListingRead {
  readonly items: Items;
  /** How many fewer it sent than it counts itself; 0 where it counts none. */
  readonly short: number;
}

/** Reads every item of a kind below a parent. One that is empty when it is read for the first time is asked for at once again. */
export async function readListing(walk: Walk, visit: ListingVisit): Promise<ListingRead> {
  const { read } = kindOf(visit.kind);
  if (read.from === 'single') return { items: await readSingle(walk, read.operation, visit), short: 0 };
  if (read.from !== 'list') throw new Error(`${visit.kind} has no listing`);
  const listing = await readPasses(walk, visit);
  return visit.isNews === true && listing.items.length === 0 ? readPasses(walk, visit) : listing;
}

/** Several passes where a filter hides the rest. */
async function readPasses(walk: Walk, visit: ListingVisit): Promise<ListingRead> {
  const passes: Listed<Items>[] = [];
  for (const one of passesOf(walk.mirror, visit)) passes.push(await readPass(walk, visit, one));
  const [only] = passes;
  const items = only !== undefined && passes.length === 1 ? only.items : together(visit.kind, passes);
  return { items, short: shortOfAll(passes, items.length) };
}

/** What moves from one filter to another meanwhile, or is shown by several, is one and the same. */
function together(kind: KindName, passes: readonly Listed<Items>[]): Items {
  const all = new Gathered();
  const shown = new Set<string>();
  for (const { items } of passes) {
    const named: string[] = [];
    for (const body of items) {
      const id = idIn(kind, body);
      if (id === undefined || !shown.has(id)) all.add([body]);
      if (id !== undefined) named.push(id);
    }
    for (const id of named) shown.add(id);
  }
  return all.items();
}

async function readPass(walk: Walk, { kind, path }: ListingVisit, { filter, mayBeNone }: Pass): Promise<Listed<Items>> {
  const { read } = kindOf(kind);
  if (read.from !== 'list') return NONE;
  const input = { path: pathFor(read.operation, path), query: { ...read.query, ...filter } };
  try {
    // A filter that may be none is asked for after others, which were answered by pages of this size. A short count leads to a recount.
    const reading = { ...walk, isSizeTaken: mayBeNone, isCountIgnored: true };
    const kept = embedsWhole(kind) ? (body: Body) => keptBody(kind, body) : undefined;
    return await readPacked({ ...reading, kept }, read.operation, input);
  } catch (error) {
    if (!mayBeNone || !refusesFilter(error)) throw error;
    return NONE;
  }
}

/**
 * True where items embed whole resources at any depth, as each link does its organization, its space and its page: what is kept of it is
 * a tenth of what is sent, and a page may have tens of thousands.
 */
function embedsWhole(kind: KindName): boolean {
  return kindOf(kind).cut !== undefined;
}

/** @param shown How many all passes showed together. */
function shortOfAll(passes: readonly Listed<Items>[], shown: number): number {
  const [first = 0, ...others] = passes.flatMap(({ count }) => count ?? []);
  // A platform that counts without its filter: each pass tells the same, of all of them together.
  if (others.length > 0 && first >= shown && others.every((count) => count === first)) return first - shown;
  return passes.reduce((sum, pass) => sum + shortOf(pass), 0);
}

/** One read below a parent that is there: "not found" means that the parent has none, as a site that is not published. */
async function readSingle(walk: Walk, operation: OperationName, visit: ListingVisit): Promise<Body[]> {
  try {
    const path = pathFor(operation, visit.path);
    const answer = await walk.client.callRaw(operation, { path }, { signal: walk.signal });
    const found: unknown[] = Array.isArray(answer) ? answer : [answer];
    if (!found.every(isRecord)) throw undocumented(`The answer for ${visit.kind} holds what is no object`);
    if (found.every((one) => isOfKind(visit.kind, one))) return found;
    throw undocumented(`The answer for ${visit.kind} has no field that every ${visit.kind} has`);
  } catch (error) {
    const isNone = error instanceof ApiError && error.code === 'DM_NOT_FOUND' && kindOf(visit.kind).parent === 'site';
    if (isNone) return [];
    throw error;
  }
}

/** How many things a listing showed, how many more times one that it had shown already, and how many fewer than it counts itself. */
export interface Shown {
  readonly listed: number;
  readonly repeated: number;
  readonly short: number;
}

/** Takes in a listing that was read to its end: what is there, what is there no more, and what lies below. */
export function takeListing(walk: Walk, visit: ListingVisit, { items, short }: ListingRead): Shown {
  const seen = new Set<number>();
  const made = new Map<string, number>();
  const each = eachOnce(visit.kind, items);
  const widest = visit.kind === 'member' ? widestOf(each) : undefined;
  const places = hasOrder(visit.kind) ? placesAmong(each) : undefined;
  // Asked for once: for each of thousands of collections, all spaces would be gone through.
  const byMembers = lazy(() => shownByMembers(walk.mirror));
  const isShown = (collection: string): boolean => byMembers().has(collection);
  let index = 0;
  for (const body of each) {
    const always = index === widest ? 'space-member' : undefined;
    const position = places?.[index];
    seen.add(
      takeItem(walk, { ...visit, made, always, isShown, ...(position === undefined ? {} : { position }) }, body),
    );
    index += 1;
  }
  // Before what is missing is looked at: a suspicion takes the mark back.
  if (visit.scope !== null && mayMark(walk, visit.kind))
    setReadMark(walk, { scope: visit.scope, kind: visit.kind, mark: visit.mark ?? '' });
  absentAfter(walk, { ...visit, seen });
  forgetListed(walk, visit.kind, seen);
  const shown: Shown = { listed: seen.size, repeated: items.length - seen.size, short };
  doubtShort(walk, visit, shown);
  return shown;
}

/** True for what people put in order; other listings come by time. */
function hasOrder(kind: KindName): boolean {
  return kindOf(kind).move !== undefined;
}

/** The place of each item among those with the same parent, from 0. */
function placesAmong(items: Items): number[] {
  const next = new Map<unknown, number>();
  return Array.from(items, ({ parent = null }) => {
    const place = next.get(parent) ?? 0;
    next.set(parent, place + 1);
    return place;
  });
}

/** Which member sees most spaces: by whose listing every night shows the spaces that stand in no collection. */
function widestOf(members: Items): number {
  let [best, most, index] = [0, 0, 0];
  for (const { spaces } of members) {
    if (typeof spaces === 'number' && spaces > most) [best, most] = [index, spaces];
    index += 1;
  }
  return best;
}

/** Takes in one resource of a listing, and adds the visits below it. */
export function takeItem(walk: Walk, found: ItemFound, body: Body): number {
  const { kind } = found;
  const params = paramsOf(found, body);
  const key = keyOf(kind, params);
  for (const [field, embedded] of Object.entries(kindOf(kind).embeds ?? {})) {
    const value = body[field];
    if (embedded === 'space') seeSpace(walk, isRecord(value) ? value : {}, { route: kind, isEmbedded: true });
  }
  const before = bodyReadBefore(walk, found, key);
  const isAgain = before !== undefined;
  const areValuesLost = kind === 'custom-field' && isMadeAgain(walk, params, body);
  readRightsAgain(walk, { kind, key, body });
  const { rid, outcome } = take(walk, {
    kind,
    params,
    scope: found.scope,
    body: keptBody(kind, body),
    again: isAgain,
    ...(found.position === undefined ? {} : { position: found.position }),
  });
  if (areValuesLost) readValuesAgain(walk, params);
  if (kind === 'custom-field' && outcome === 'added') readNewField(walk, params);
  // All that follows from it was added the first time.
  if (isAgain && outcome === 'unchanged') return rid;
  if (kind === 'collection') visitCollection(walk, { rid, key }, found.isShown);
  if (kind === 'change-request') countPdf(walk, { key, body, before });
  if (kind === 'organization') visitOrganization(walk, rid, key);
  visitChildren(walk, { kind, rid, key, params, body, always: found.always, again: isAgain });
  return rid;
}

/** What the listing told already when this walk read it before; undefined for what it had not shown. */
function bodyReadBefore({ mirror }: Walk, { kind, round = 0 }: ListingVisit, key: string): Body | undefined {
  if (round === 0) return undefined;
  const held = heldByKey(mirror, kind, key);
  if (held === undefined || missingSince(mirror, held.rid) !== undefined) return undefined;
  return bodyOf(mirror, held.rid) ?? {};
}

function visitOrganization(walk: Walk, rid: number, key: string): void {
  if (isWanted(walk, 'invite')) addInviteVisits(walk, { rid, key });
  // Once every route has been walked, whatever was found late included.
  if (!isWanted(walk, 'space')) return;
  addVisit(walk, { task: 'routes', stage: STAGES.settle, params: { rid, key } });
  addVisit(walk, { task: 'order', stage: STAGES.order, params: { rid, key } });
}

function paramsOf(found: ItemFound, body: Body): Record<string, string> {
  const { kind, path } = found;
  const id = idOfListed(found, body);
  const own = ownParameter(kind);
  return Object.fromEntries(
    kindOf(kind).params.map((name) => [name, name === own && id !== undefined ? id : (path[name] ?? '')]),
  );
}

/** Undefined for the one child of its parent, which needs none. */
function idOfListed({ kind, made = new Map<string, number>() }: ItemFound, body: Body): string | undefined {
  const { id, read } = kindOf(kind);
  if (id !== null) return demandId(kind, body, `No ${kind} of the listing was taken in: one`);
  return read.from === 'list' ? madeId(kind, body, made) : undefined;
}
