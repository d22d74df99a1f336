// Invites: no listing shows them, so they are read one by one, those that the configuration names and those known from before.
import { isRecord } from '../../base/index.ts';
import { operationOf, pathFor } from '../../contract/index.ts';
import {
  addVisit,
  bury,
  currentOf,
  heldBelow,
  heldByKey,
  isBelowShrunk,
  keyOf,
  markUnreachable,
  noteRoute,
} from '../../mirror/index.ts';
import { goneStatus } from '../failures.ts';
import { keptBody, type Body } from './parts.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';

/** Parameters of an `invite` visit. */
export interface InviteVisit {
  readonly kind: 'invite';
  readonly params: Readonly<Record<string, string>>;
  /** Number of the organization's resource. */
  readonly scope: number;
}

/** Adds a visit for each invite of an organization that is known of. */
export function addInviteVisits(walk: Walk, organization: { readonly rid: number; readonly key: string }): void {
  const known = heldBelow(walk.mirror, { scope: organization.rid, kind: 'invite' });
  const named = (walk.scope.invites ?? []).filter((key) => key.startsWith(`${organization.key}/`));
  for (const key of new Set([...named, ...known.map((one) => one.key)])) {
    const params = { organizationId: organization.key, inviteId: key.slice(organization.key.length + 1) };
    const visit: InviteVisit = { kind: 'invite', params, scope: organization.rid };
    addVisit(walk, { task: 'invite', params: { ...visit } });
  }
}

/**
 * Reads an invite; the status by which the platform says that one is gone. That is a failure for one that was never seen: then its name
 * is wrong.
 */
export async function readInvite(walk: Walk, { params }: InviteVisit): Promise<Body | number> {
  try {
    const answer = await walk.client.callRaw(
      'getInvite',
      { path: pathFor('getInvite', params) },
      { signal: walk.signal },
    );
    return isRecord(answer) ? answer : {};
  } catch (error) {
    const status = goneStatus(error);
    const wasSeen = currentOf(walk.mirror, 'invite', keyOf('invite', params)) !== undefined;
    if (status !== undefined && wasSeen) return status;
    throw error;
  }
}

/** Takes in an invite, or ends it. */
export function takeInvite(walk: Walk, { params, scope }: InviteVisit, read: Body | number): void {
  if (typeof read !== 'number') {
    const { rid } = take(walk, { kind: 'invite', params, scope, body: keptBody('invite', read) });
    noteRoute(walk, rid, 'direct');
    return;
  }
  const rid = heldByKey(walk.mirror, 'invite', keyOf('invite', params))?.rid;
  // It ended on an earlier night, and the configuration still names it.
  if (rid === undefined) return;
  // "Not found" is also what a platform says to those who may no longer see.
  if (isBelowShrunk(walk.mirror, rid, 'invite')) {
    return markUnreachable(walk, { rid, kind: 'invite', key: keyOf('invite', params), params }, read);
  }
  const { method, path } = operationOf('getInvite');
  const direct = { request: `${method} ${path}`, status: read };
  bury(walk, { rid }, { listing: 'none: invites are read by id', listed: 0, direct });
}
