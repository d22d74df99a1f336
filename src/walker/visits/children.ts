// Which visits a resource leads to, from the tree of kinds alone.
import { hash } from 'node:crypto';
import { canonicalJson, valueAt } from '../../base/index.ts';
import { childKinds, isInSpace, kindOf, movedBy, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  countBelow,
  isNotFoundNamed,
  isRefusalNamed,
  readMark,
  setReadMark,
  withoutSignature,
  type ReadMark,
} from '../../mirror/index.ts';
import { placeInTurn, placeOf } from '../order.ts';
import type { Body } from './parts.ts';
import { takeUnmoved, taskFor, uncountUnmovedOf } from './read-again.ts';
import { isUncounted } from './shortage.ts';
import { isSettledStatus, stageOf } from './settled.ts';
import { isKeptOtherwise, lacksShared } from './shared-tree.ts';
import type { Walk } from '../types.ts';
import { isWanted, mayMark } from '../wanted.ts';

/** A resource that was just seen. */
export interface Parent {
  readonly kind: KindName;
  readonly rid: number;
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /** A kind below it that is read whatever its mark says. */
  readonly always?: KindName | undefined;
  /** This walk has taken it in before, and it has changed since. */
  readonly again?: boolean;
}

/** Adds a visit for each kind below a resource, or counts that kind as unchanged where the parent proves it. */
export function visitChildren(walk: Walk, parent: Parent): void {
  for (const child of childKinds(parent.kind)) {
    const { read } = kindOf(child);
    if (read.from !== 'list' && read.from !== 'single') continue;
    if (isWanted(walk, child)) visitChild(walk, parent, child);
  }
}

function visitChild(walk: Walk, parent: Parent, child: KindName): void {
  const mark = movingMark(child, parent.body);
  if (parent.again === true) return visitMoved(walk, parent, { child, mark });
  if (isNone(walk, parent, child)) {
    if (mayMark(walk, child) && !isRefusalNamed(walk, child, parent.key))
      setReadMark(walk, { scope: parent.rid, kind: child, mark: mark ?? '' });
    return;
  }
  if (
    mark !== null &&
    walk.mode === 'incremental' &&
    parent.always !== child &&
    !isKeptOtherwise(walk, parent, child)
  ) {
    const known = readMark(walk.mirror, parent.rid, child);
    if (known?.mark === mark && !isDue(walk, parent, known)) {
      takeUnmoved(walk, parent.rid, child);
      return;
    }
    if (known === undefined && isLeftToItsTurn(walk, parent, child)) return;
  }
  const task = taskFor(child);
  const isNews = isUncounted(child) && readMark(walk.mirror, parent.rid, child) === undefined;
  const params = { kind: child, scope: parent.rid, path: parent.params, mark, ...(isNews ? { isNews } : {}) };
  const place = placeOf(walk, parent.params);
  const stage = stageOf(walk, child, parent.params);
  if (child !== 'change-request-revision' || !isSettledStatus(parent.body))
    return addVisit(walk, { task, params, stage, place });
  // Of what one shows, the next ones mostly show the same; what a full walk finds wrong in one, it mends in those.
  const isNew = readMark(walk.mirror, parent.rid, child) === undefined;
  const isInTurn = isNew || walk.mode === 'full' || lacksShared(walk, parent.key);
  const visit = { ...params, isSettled: true };
  addVisit(walk, { task, params: visit, stage, place: isInTurn ? placeInTurn(place) : place });
}

/**
 * Below what changed in the middle of the walk, only what moved since this walk read it is read once more; what waits to be read is read as
 * it is by then. Each resource counts once.
 */
function visitMoved(walk: Walk, parent: Parent, { child, mark }: { child: KindName; mark: string | null }): void {
  const known = readMark(walk.mirror, parent.rid, child);
  if (mark === null || known === undefined || known.mark === mark) return;
  const wasUnmoved = uncountUnmovedOf(walk, parent.rid, child);
  if (!wasUnmoved && known.snapshot !== walk.id) return;
  const params = { kind: child, scope: parent.rid, path: parent.params, mark, ...(wasUnmoved ? {} : { round: 1 }) };
  const stage = stageOf(walk, child, parent.params);
  addVisit(walk, { task: taskFor(child), params, stage, place: placeOf(walk, parent.params) });
}

/** Hash of the parent's fields that move when something of this kind does; null when nothing tells. */
export function movingMark(child: KindName, parentBody: Body): string | null {
  const { movesWith: fields, countedBy } = kindOf(child);
  if (fields === undefined || isCounterUntold(parentBody, { fields, countedBy })) return null;
  const { parent } = kindOf(child);
  const signed = parent === null ? [] : (kindOf(parent as KindName).signs ?? []);
  const values = fields.map((field) => {
    const value = valueAt(parentBody, field) ?? null;
    return signed.includes(field) ? withoutSignature(value) : value;
  });
  if (values.every((value) => value === null)) return null;
  return hash('sha256', canonicalJson(values), 'base64url').slice(0, 27);
}

/** True for a counter that the platform does not tell, where no time stands beside it: what is left is the same whatever comes and goes. */
function isCounterUntold(
  parentBody: Body,
  { fields, countedBy }: { readonly fields: readonly string[]; readonly countedBy: string | undefined },
): boolean {
  if (countedBy === undefined || !fields.includes(countedBy) || fields.includes('updatedAt')) return false;
  return valueAt(parentBody, countedBy) === undefined;
}

/** True when the parent counts none, by any counter of theirs, and none is held. A full walk asks: counters may be wrong. */
export function isNone(
  { mirror, mode }: Pick<Walk, 'mirror' | 'mode'>,
  parent: Pick<Parent, 'rid' | 'body'>,
  child: KindName,
): boolean {
  const { countedBy: field, movesWith } = kindOf(child);
  return (
    mode === 'incremental' &&
    field !== undefined &&
    movesWith !== undefined &&
    valueAt(parent.body, field) === 0 &&
    movesWith.every((one) => isNoCount(valueAt(parent.body, one))) &&
    countBelow(mirror, parent.rid, child) === 0
  );
}

function isNoCount(value: unknown): boolean {
  return typeof value !== 'number' || value === 0;
}

/**
 * The rota: every scope has its night among `rereadNights`, on which marks are not believed; one that missed its night, because
 * that walk was limited, is due at once. All that stands below one container has the same night: what leads to it is read then.
 */
export function isDue(
  walk: Pick<Walk, 'id' | 'settings'>,
  parent: Pick<Parent, 'kind' | 'key'>,
  known: ReadMark,
): boolean {
  return walk.id - known.snapshot >= walk.settings.rereadNights || isTurn(walk, parent);
}

function isTurn(
  { id, settings: { rereadNights } }: Pick<Walk, 'id' | 'settings'>,
  parent: Pick<Parent, 'kind' | 'key'>,
) {
  const turn = hash('sha256', containerOf(parent), 'buffer').readUInt32BE(0) % rereadNights;
  return turn === id % rereadNights;
}

/**
 * A listing that is not found, as was accepted, is mostly one that the platform does not have: to ask for it below each space would be
 * most of a quiet night. It stays named, and is asked for again on its night of the rota.
 */
export function isLeftToItsTurn(
  walk: Pick<Walk, 'mirror' | 'id' | 'settings' | 'acceptRights'>,
  parent: Pick<Parent, 'kind' | 'key' | 'body'>,
  child: KindName,
): boolean {
  return walk.acceptRights !== true && isThoughtAbsent(walk, parent, child) && !isTurn(walk, parent);
}

/** Of what its parent counts some, a listing that was not found is one that was not shown: it is asked for whenever others are. */
export function isThoughtAbsent(
  walk: Pick<Walk, 'mirror' | 'id'>,
  { key, body }: Pick<Parent, 'key' | 'body'>,
  child: KindName,
): boolean {
  return isNotFoundNamed(walk, child, key) && movedBy(child).every((field) => isNoCount(valueAt(body, field)));
}

/** A space, or what stands directly below an organization. */
function containerOf({ kind, key }: Pick<Parent, 'kind' | 'key'>): string {
  const segments = isInSpace(kind) ? 1 : 2;
  return key.split('/', segments).join('/');
}
