// What holds a thing that a direct read does not find, read once more by then: a platform says "not found" to those who may no longer see, too,
// and a walk of hours can lose a right after it came by.
import { isRecord } from '../../base/index.ts';
import { directRead, pathFor, type KindName } from '../../contract/index.ts';
import {
  bodyOf,
  isBelowShrunk,
  lostRights,
  noteRights,
  resourceByNumber,
  type Held,
  type NumberedResource,
} from '../../mirror/index.ts';
import { goneStatus } from '../failures.ts';
import type { Body } from './parts.ts';
import type { Walk } from '../types.ts';

/** A space or organization, as it was read once something below it was not found; without a body where it is not found either. */
export interface Above {
  readonly rid: number;
  readonly body: Body | null;
}

const READABLE: readonly KindName[] = ['space', 'organization'];

/** Asked once in a run of each, when the first thing in it is not found. Null where nothing above can be read by itself. */
export async function readAbove(walk: Walk, { rid }: Pick<Held, 'rid'>): Promise<Above | null> {
  const above = nearestAbove(walk, rid);
  if (above === undefined) return null;
  const asked = walk.askedAbove.get(above.rid) ?? readContainer(walk, above);
  walk.askedAbove.set(above.rid, asked);
  try {
    return { rid: above.rid, body: await asked };
  } catch (error) {
    walk.askedAbove.delete(above.rid);
    throw error;
  }
}

function nearestAbove({ mirror }: Pick<Walk, 'mirror'>, rid: number): NumberedResource | undefined {
  const scope = resourceByNumber(mirror, rid)?.scope ?? null;
  const above = scope === null ? undefined : resourceByNumber(mirror, scope);
  return above === undefined || READABLE.includes(above.kind) ? above : nearestAbove({ mirror }, above.rid);
}

async function readContainer(walk: Walk, { kind, params }: NumberedResource): Promise<Body | null> {
  const get = directRead(kind);
  try {
    const answer = await walk.client.callRaw(get, { path: pathFor(get, params) }, { signal: walk.signal });
    return isRecord(answer) ? answer : null;
  } catch (error) {
    if (goneStatus(error) === undefined) throw error;
    return null;
  }
}

/**
 * True for what may be there though it is not found: platforms say so to those who may no longer see it, too. Then the token has lost a
 * right above it, or what it stands in, which this walk has seen, is not found either. Takes note of rights that were lost since the walk
 * came by. Call inside a transaction.
 */
export function mayBeHidden(walk: Walk, { rid, kind }: Pick<Held, 'rid' | 'kind'>, above: Above | null): boolean {
  if (above?.body === null) return true;
  if (above !== null) noteRightsIn(walk, above.rid, above.body);
  return isBelowShrunk(walk.mirror, rid, kind);
}

/** Takes note of rights that were lost since the walk came by. Call inside a transaction. */
export function noteRightsIn(walk: Walk, rid: number, body: Body): void {
  noteRights(walk, rid, { lost: lostRights(bodyOf(walk.mirror, rid), body), now: body });
}
