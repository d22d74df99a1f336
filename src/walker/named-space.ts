// Spaces that the configuration or the command line names: read directly, whether or not a listing shows them.
import { isRecord } from '../base/index.ts';
import { ApiError } from '../client/index.ts';
import { operationOf } from '../contract/index.ts';
import { currentOf, wasRouted } from '../mirror/index.ts';
import { takeVerdict, type Verdict } from './absent.ts';
import { pathFor } from './path.ts';
import { seeSpace } from './spaces.ts';
import type { Walk } from './types.ts';

/** Parameters of a `space` visit. */
export interface NamedSpaceVisit {
  readonly key: string;
}

/** Reads the space. "Not found" is a failure for one that was never seen: then its name is wrong. */
export async function readNamedSpace(walk: Walk, { key }: NamedSpaceVisit): Promise<Verdict> {
  const { method, path } = operationOf('getSpace');
  const request = `${method} ${path}`;
  const input = { path: pathFor('getSpace', { spaceId: key }) };
  try {
    const answer = await walk.client.callRaw('getSpace', input, { signal: walk.signal });
    const body = isRecord(answer) ? answer : {};
    // A deleted space still answers for a while and says so itself.
    const { deletedAt } = body;
    return typeof deletedAt === 'string' ? { is: 'gone', status: 200, request, deletedAt } : { is: 'there', body };
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'DM_NOT_FOUND';
    if (!isGone || currentOf(walk.mirror, 'space', key) === undefined) throw error;
    return { is: 'gone', status: error.status ?? 404, request };
  }
}

/** Takes the space in, or ends it with its evidence. */
export function takeNamedSpace(walk: Walk, { key }: NamedSpaceVisit, verdict: Verdict): void {
  if (verdict.is === 'there') return void seeSpace(walk, verdict.body, { route: 'configured' });
  const known = currentOf(walk.mirror, 'space', key);
  if (known === undefined || known.vid === null || wasRouted(walk, known.rid)) return;
  const named = { rid: known.rid, kind: 'space', key, params: { spaceId: key } } as const;
  const asked = { scope: null, path: {}, mark: null, round: 0, listing: 'none: it is named', listed: 0 };
  takeVerdict(walk, { ...named, ...asked }, verdict);
}
