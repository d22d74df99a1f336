// What holds a thing that a direct read does not find, read once more by then: a platform says "not found" to those who may no longer see, too,
// and a walk of hours can lose a right after it came by.
import { isRecord } from '../../base/index.ts';
import { directRead, ownParameter, pathFor, type KindName } from '../../contract/index.ts';
import { bodyOf, currentOf, lostRights, noteRights } from '../../mirror/index.ts';
import { goneStatus } from '../failures.ts';
import type { AbsentVisit } from './missing.ts';
import type { Body } from './parts.ts';
import type { Walk } from '../types.ts';

/** A space or organization, as it was read once something below it was not found. */
export interface Above {
  readonly rid: number;
  readonly body: Body;
}

type Container = Extract<KindName, 'space' | 'organization'>;

// The nearest first.
const READABLE = ['space', 'organization'] as const satisfies readonly Container[];

/** Asked once in a run of each, when the first thing in it is not found. Null where nothing above can be read by itself; what is gone itself is looked for by its own visit. */
export async function readAbove(walk: Walk, { kind, path, params }: AbsentVisit): Promise<Above | null> {
  const ids = { ...path, ...params };
  const above = READABLE.find((one) => one !== kind && ids[ownParameter(one)] !== undefined);
  if (above === undefined) return null;
  const rid = currentOf(walk.mirror, above, ids[ownParameter(above)] ?? '')?.rid;
  if (rid === undefined) return null;
  const asked = walk.askedAbove.get(rid) ?? readContainer(walk, above, ids);
  walk.askedAbove.set(rid, asked);
  try {
    const body = await asked;
    return body && { rid, body };
  } catch (error) {
    walk.askedAbove.delete(rid);
    throw error;
  }
}

async function readContainer(walk: Walk, kind: Container, ids: Readonly<Record<string, string>>): Promise<Body | null> {
  const get = directRead(kind);
  try {
    const answer = await walk.client.callRaw(get, { path: pathFor(get, ids) }, { signal: walk.signal });
    return isRecord(answer) ? answer : null;
  } catch (error) {
    if (goneStatus(error) === undefined) throw error;
    return null;
  }
}

/** Takes note of rights that were lost since the walk came by. Call inside a transaction. */
export function noteRightsAbove(walk: Walk, { rid, body }: Above): void {
  noteRights(walk, rid, { lost: lostRights(bodyOf(walk.mirror, rid), body), now: body });
}
