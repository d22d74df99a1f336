// Asking directly for what a listing no longer shows. Only the platform's own "gone" ends a resource.
import { isRecord } from '../../base/index.ts';
import { ApiError } from '../../client/index.ts';
import { directQuery, directRead, kindOf, operationOf, pathFor } from '../../contract/index.ts';
import {
  addVisit,
  bury,
  clearReadMarks,
  doubtHeld,
  hasRightsOfItsOwn,
  heldBelow,
  markUnlisted,
  markUnreachable,
  noteRefused,
  reappear,
  unroutedSpaces,
  wasRouted,
} from '../../mirror/index.ts';
import { goneStatus, withdrawBelow } from '../failures.ts';
import { takeAlone } from './collections-above.ts';
import { uncount } from './counted.ts';
import { demandSame } from './demand-id.ts';
import { buryValues } from './field-values.ts';
import { takeItem, type ListingVisit } from './listing.ts';
import { isFilteredOut } from './passes.ts';
import type { AbsentVisit } from './missing.ts';
import { isListedOtherwise, noteUnlisted, noteUnlistedAt } from './listed-otherwise.ts';
import { lookForNamed } from './named-collection.ts';
import { placeOf, STAGES } from '../order.ts';
import type { Body } from './parts.ts';
import { acceptedLoss, isRefusal } from '../refusals.ts';
import { organizationOf } from '../scope.ts';
import { uncountUnmoved } from './read-again.ts';
import { mayBeHidden, readAbove, type Above } from './rights-above.ts';
import { readMembersAgain } from './shown-by-members.ts';
import { buryPlaces } from './shown-spaces.ts';
import { seeSpace } from './spaces.ts';
import type { Walk } from '../types.ts';

/** What a direct read said: gone (with the status that proves it), out of reach, or there after all. */
export type Verdict =
  | {
      readonly is: 'gone';
      readonly status: number;
      readonly request: string;
      readonly deletedAt?: string;
      /** What holds it, as it was read once something in it was gone; null where nothing can be. */
      readonly above: Above | null;
    }
  | {
      readonly is: 'unreachable';
      readonly status: number;
      readonly request: string;
      /** The platform itself says so. */
      readonly isRefused: boolean;
    }
  | { readonly is: 'there'; readonly body: Readonly<Record<string, unknown>> };

/** Reads the resource itself. Errors other than gone and forbidden are thrown: they prove nothing. */
export async function readAbsent(walk: Walk, visit: AbsentVisit): Promise<Verdict> {
  const verdict = await askFor(walk, visit);
  // By a refusal something ends where that is accepted, and what is told of a moment ends nothing.
  const isAskedAgain = walk.acceptRights === true && verdict.is === 'unreachable' && verdict.isRefused;
  return isAskedAgain ? askFor(walk, visit) : verdict;
}

async function askFor(walk: Walk, visit: AbsentVisit): Promise<Verdict> {
  const operation = directRead(visit.kind);
  const request = `${operationOf(operation).method} ${operationOf(operation).path}`;
  try {
    const input = { path: pathFor(operation, visit.params), query: directQuery(visit.kind) };
    const answer = await walk.client.callRaw(operation, input, { signal: walk.signal });
    const body = isRecord(answer) ? answer : {};
    demandSame(visit, body);
    // A deleted space still answers for a while and says so itself.
    const { deletedAt } = body;
    if (visit.kind === 'space' && typeof deletedAt === 'string')
      return { is: 'gone', status: 200, request, deletedAt, above: null };
    return { is: 'there', body };
  } catch (error) {
    const status = goneStatus(error);
    if (status !== undefined) return { is: 'gone', status, request, above: await readAbove(walk, visit) };
    if (error instanceof ApiError && error.code === 'DM_FORBIDDEN')
      return { is: 'unreachable', status: error.status ?? 403, request, isRefused: isRefusal(error) };
    throw error;
  }
}

/** Ends the resource with its evidence, or notes that it cannot be reached, or takes it in: then the listing was wrong. */
export function takeVerdict(walk: Walk, visit: AbsentVisit, verdict: Verdict): void {
  if (visit.isSuspected === true && verdict.is !== 'there') return markUnlisted(walk, visit);
  switch (verdict.is) {
    case 'gone': {
      if (mayBeHidden(walk, visit, verdict.above)) return markUnreachable(walk, visit, verdict.status);
      const { request, status, deletedAt } = verdict;
      const direct = { request, status, ...(deletedAt === undefined ? {} : { deletedAt }) };
      const evidence = { listing: visit.listing, listed: visit.listed, direct };
      uncountEnded(walk, visit);
      bury(walk, visit, evidence);
      withdrawBelow(walk, visit);
      if (visit.kind === 'custom-field') buryValues(walk, visit, evidence);
      if (visit.kind === 'space') {
        buryPlaces(walk, visit, evidence);
        readMembersAgain(walk, visit);
      }
      return;
    }
    case 'unreachable':
      if (walk.acceptRights === true && verdict.isRefused && hasRightsOfItsOwn(visit.kind))
        return endAccepted(walk, visit, verdict);
      markUnreachable(walk, visit, verdict.status);
      return;
    case 'there':
      takeThere(walk, visit, verdict.body);
  }
}

/** What this walk has seen of it, before it ended, the snapshot does not show. */
function uncountEnded(walk: Walk, visit: AbsentVisit): void {
  if (visit.counted !== true && !(visit.kind === 'space' && wasRouted(walk, visit.rid))) return;
  uncount(walk, visit);
  uncountUnmoved(walk, visit);
}

/** That the token may not see it any more is meant: it ends, with that as its evidence. */
function endAccepted(walk: Walk, visit: AbsentVisit, { request, status }: { request: string; status: number }): void {
  uncountEnded(walk, visit);
  noteRefused(walk, { kind: visit.kind, resource: visit.key, scope: null, request, status });
  bury(walk, visit, { ...acceptedLoss(request, status), listing: visit.listing, listed: visit.listed });
  withdrawBelow(walk, visit);
  // It may be shown again any night.
  if (visit.scope !== null) clearReadMarks(walk.mirror, visit.scope, visit.kind);
}

/** What is there although its listing lacks it: the listing was not whole, and may lack more that nobody knows of yet. */
function takeThere(walk: Walk, visit: AbsentVisit, body: Body): void {
  const { kind, rid, scope, path = {}, mark = null, round = 0, params } = visit;
  // Until its listing shows it: then it is taken in as one that the walk has not come by yet.
  if (kindOf(kind).read.from !== 'list' || round > 0) reappear(walk.mirror, rid);
  if (kind === 'space') return void seeSpace(walk, body, { route: 'direct' });
  // A page or file that the tree does not have: the revision has moved, or its tree was not whole. It is read again for that.
  if (kindOf(kind).read.from !== 'list') return doubtHeld(walk.mirror, rid);
  if (kind === 'collection' && scope === null) return takeAlone(walk, body);
  if (kind === 'collection' && body['organization'] !== path['organizationId'])
    return takeTransferred(walk, visit, body);
  // It has moved to where no documented filter shows it; the next walk asks for that too.
  if (isFilteredOut(kind, body)) return void takeItem(walk, { kind, scope, path: params, mark, round }, body);
  const isKnown = round === 0 && isListedOtherwise(walk, visit);
  if (round === 0 && !isKnown) {
    const again: ListingVisit = { kind, scope, path, mark, round: 1 };
    addVisit(walk, { task: 'listing', params: { ...again }, place: placeOf(walk, path) });
    return;
  }
  if (isKnown) reappear(walk.mirror, rid);
  takeItem(walk, { kind, scope, path: params, mark }, body);
  if (isKnown) noteUnlistedAt(walk, visit);
  else noteUnlisted(walk, visit);
}

/** A collection that was transferred is rightly lacking from the listing of the organization that it left. */
function takeTransferred(walk: Walk, { kind, params, mark = null, scope }: AbsentVisit, body: Body): void {
  takeItem(walk, { kind, scope: organizationOf(walk, body) ?? scope, path: params, mark }, body);
}

/** Parameters of a `routes` visit: an organization; its number is null for all that the mirror does not have, and its key empty. */
export interface RoutesVisit {
  readonly rid: number | null;
  readonly key: string;
}

/** After all routes were walked: spaces of an organization that none of them showed, and collections that only spaces name. */
export function takeRoutes(walk: Walk, { rid: scope, key }: RoutesVisit): void {
  if (scope === null) askCollections(walk);
  else lookForNamed(walk, { rid: scope, key });
  const unrouted = unroutedSpaces(walk, scope);
  if (unrouted.size === 0) return;
  const held = heldBelow(walk.mirror, { scope, kind: 'space' });
  const lacking = held.filter(({ rid }) => unrouted.has(rid));
  const listed = held.length - lacking.length;
  const listing = scope === null ? 'every route of all organizations' : `every route of organization ${key}`;
  for (const one of lacking) askDirectly(walk, { ...one, scope, listing, listed });
}

/** Those of organizations that the mirror does not have: no listing shows them. */
function askCollections(walk: Walk): void {
  for (const one of heldBelow(walk.mirror, { scope: null, kind: 'collection' }))
    askDirectly(walk, { ...one, scope: null, listing: 'none: its organization is not shown', listed: 0 });
}

function askDirectly(walk: Walk, visit: AbsentVisit): void {
  addVisit(walk, { task: 'absent', stage: STAGES.absent, params: { ...visit } });
}
