// Listings against what their parents count: an answer that leaves out what nobody has seen yet shows itself in no other way.
import { AppError } from '../base/index.ts';
import { kindOf, type KindName } from '../contract/index.ts';
import { bodyOf, countBelow, failuresOf, lastSealed, type ReadMark } from '../mirror/index.ts';
import { recordFailure } from './failures.ts';
import { valueAt } from './parts.ts';
import type { Walk } from './types.ts';

export interface Counted {
  readonly kind: KindName;
  readonly scope: number | null;
}

interface Listed extends Counted {
  readonly path: Readonly<Record<string, string>>;
  /** Fields of the parent that move with the listing, as hashed when it was visited. */
  readonly mark: string | null;
  readonly listed: number;
  /** Of the last time that it was read through. */
  readonly before: ReadMark | undefined;
}

/** What the parent says there is of a kind below it; undefined where it says nothing. */
export function countOf(
  { mirror }: Walk,
  { kind, scope }: Counted,
  field = kindOf(kind).countedBy,
): number | undefined {
  const parent = scope === null || field === undefined ? undefined : bodyOf(mirror, scope);
  const counted = parent && field !== undefined ? valueAt(parent, field) : undefined;
  return typeof counted === 'number' ? counted : undefined;
}

/**
 * Records a listing as a failure that shows fewer than its parent counts. When the next walk finds just the same, that is how the
 * platform counts, and stays believed as long as neither moves. Call inside a transaction, when the items are taken in.
 */
export function doubtShort(walk: Walk, { kind, scope, path, mark, listed, before }: Listed): void {
  const { countedBy, countedAtLeastBy } = kindOf(kind);
  const counted = countOf(walk, { kind, scope }, countedBy ?? countedAtLeastBy);
  if (counted === undefined || listed >= counted) return;
  if (before?.mark === (mark ?? '') && listed === countBelow(walk.mirror, scope, kind)) return;
  const resource = Object.values(path).join('/');
  const message = `The listing of each ${kind} below ${resource} shows ${listed}, and ${counted} are counted`;
  if (wasSaid(walk, { kind, resource, message })) return;
  const hint = 'The next walk asks again. If it finds the same, that is taken for how the platform counts.';
  recordFailure(walk, { kind, resource, scope }, new AppError('DM_INCOMPLETE', message, { hint }));
}

function wasSaid({ mirror }: Walk, said: { kind: KindName; resource: string; message: string }): boolean {
  const last = lastSealed(mirror);
  if (last === undefined) return false;
  return failuresOf(mirror, last.id).some(
    ({ kind, resource, error }) => kind === said.kind && resource === said.resource && error === said.message,
  );
}
