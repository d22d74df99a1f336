// Asking directly for what a listing no longer shows. Only the platform's own "gone" ends a resource.
import { isRecord } from '../base/index.ts';
import { ApiError } from '../client/index.ts';
import { kindOf, operationOf } from '../contract/index.ts';
import { addVisit, bury, markUnreachable, notAmong, reappear, unroutedSpaces, type Missing } from '../mirror/index.ts';
import { pathFor } from './listing.ts';
import { seeSpace } from './spaces.ts';
import type { Walk } from './types.ts';

export interface AbsentVisit extends Missing {
  readonly listing: string;
  readonly listed: number;
}

/** What a direct read said: gone (with the status that proves it), out of reach, or there after all. */
export type Verdict =
  | { readonly is: 'gone'; readonly status: number; readonly request: string }
  | { readonly is: 'unreachable'; readonly status: number }
  | { readonly is: 'there'; readonly body: Readonly<Record<string, unknown>> };

/** Reads the resource itself. Errors other than gone and forbidden are thrown: they prove nothing. */
export async function readAbsent(walk: Walk, visit: AbsentVisit): Promise<Verdict> {
  const operation = kindOf(visit.kind).get;
  if (operation === undefined) throw new Error(`${visit.kind} has no direct read`);
  const request = `${operationOf(operation).method} ${operationOf(operation).path}`;
  try {
    const answer = await walk.client.callRaw(
      operation,
      { path: pathFor(operation, visit.params) },
      { signal: walk.signal },
    );
    const body = isRecord(answer) ? answer : {};
    // A deleted space still answers for a while and says so itself.
    if (visit.kind === 'space' && body['deletedAt'] != null) return { is: 'gone', status: 200, request };
    return { is: 'there', body };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404 || error.status === 410) return { is: 'gone', status: error.status, request };
    if (error.status === 403) return { is: 'unreachable', status: 403 };
    throw error;
  }
}

/** Ends the resource with its evidence, or notes that it cannot be reached, or that the listing was wrong. */
export function takeVerdict(walk: Walk, visit: AbsentVisit, verdict: Verdict): void {
  switch (verdict.is) {
    case 'gone': {
      const direct = { request: verdict.request, status: verdict.status };
      bury(walk.mirror, walk.id, visit, { listing: visit.listing, listed: visit.listed, direct });
      return;
    }
    case 'unreachable':
      markUnreachable(walk.mirror, walk.id, visit, verdict.status);
      return;
    case 'there':
      reappear(walk.mirror, visit.rid);
      if (visit.kind === 'space') seeSpace(walk, verdict.body, 'direct');
  }
}

/** After all routes were walked: spaces of an organization that none of them showed. */
export function takeRoutes(walk: Walk, organization: { readonly rid: number; readonly key: string }): void {
  const unrouted = unroutedSpaces(walk.mirror, walk.id, organization.rid);
  if (unrouted.size === 0) return;
  for (const one of notAmong(walk.mirror, organization.rid, 'space', new Set())) {
    if (!unrouted.has(one.rid)) continue;
    const listing = `every route of organization ${organization.key}`;
    addVisit(walk.mirror, walk.id, { task: 'absent', stage: 1, params: { ...one, listing, listed: 0 } });
  }
}
