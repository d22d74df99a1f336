// Invites: no listing shows them, so they are read one by one, those that the configuration names and those known from before.
import { isRecord } from '../../base/index.ts';
import { operationOf, pathFor } from '../../contract/index.ts';
import {
  addVisit,
  bury,
  currentOf,
  heldBelow,
  heldByKey,
  keyOf,
  markUnreachable,
  noteRoute,
} from '../../mirror/index.ts';
import { goneStatus } from '../failures.ts';
import { keptBody, type Body } from './parts.ts';
import { mayBeHidden, readAbove, type Above } from './rights-above.ts';
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

/** What the platform says of an invite that is not there any more. */
interface Gone {
  readonly status: number;
  readonly above: Above | null;
}

/** Reads an invite. That it is not found is a failure for one that was never seen: then its name is wrong. */
export async function readInvite(walk: Walk, { params }: InviteVisit): Promise<{ body: Body } | Gone> {
  try {
    const answer = await walk.client.callRaw(
      'getInvite',
      { path: pathFor('getInvite', params) },
      { signal: walk.signal },
    );
    return { body: isRecord(answer) ? answer : {} };
  } catch (error) {
    const status = goneStatus(error);
    const known = currentOf(walk.mirror, 'invite', keyOf('invite', params));
    if (status === undefined || known === undefined) throw error;
    return { status, above: await readAbove(walk, known) };
  }
}

/** Takes in an invite, or ends it. */
export function takeInvite(walk: Walk, { params, scope }: InviteVisit, read: { body: Body } | Gone): void {
  if ('body' in read) {
    const { rid } = take(walk, { kind: 'invite', params, scope, body: keptBody('invite', read.body) });
    noteRoute(walk, rid, 'direct');
    return;
  }
  const rid = heldByKey(walk.mirror, 'invite', keyOf('invite', params))?.rid;
  // It ended on an earlier night, and the configuration still names it.
  if (rid === undefined) return;
  const { status, above } = read;
  const held = { rid, kind: 'invite', key: keyOf('invite', params), params } as const;
  if (mayBeHidden(walk, held, above)) return markUnreachable(walk, held, status);
  const { method, path } = operationOf('getInvite');
  const direct = { request: `${method} ${path}`, status };
  bury(walk, held, { listing: 'none: invites are read by id', listed: 0, direct });
}
