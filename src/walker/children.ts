// Which visits a resource leads to, from the tree of kinds alone.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/index.ts';
import { childKinds, kindOf, type KindName } from '../contract/index.ts';
import { addVisit, countBelow, countUnchangedBelow, readMark, setReadMark } from '../mirror/index.ts';
import { valueAt, type Body } from './parts.ts';
import type { Walk } from './types.ts';

/** A resource that was just seen. */
export interface Parent {
  readonly kind: KindName;
  readonly rid: number;
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Adds a visit for each kind below a resource, or counts that kind as unchanged where the parent proves it. */
export function visitChildren(walk: Walk, parent: Parent): void {
  for (const child of childKinds(parent.kind)) {
    const { read } = kindOf(child);
    if (read.from !== 'list' && read.from !== 'single') continue;
    visitChild(walk, parent, child);
  }
}

function visitChild(walk: Walk, parent: Parent, child: KindName): void {
  const mark = movingMark(child, parent.body);
  if (isNone(walk, parent, child)) {
    setReadMark(walk, { scope: parent.rid, kind: child, mark: mark ?? '' });
    return;
  }
  if (mark !== null && walk.mode === 'incremental' && !isDue(walk, parent.key)) {
    if (readMark(walk.mirror, parent.rid, child)?.mark === mark) {
      countUnchangedBelow(walk, parent.rid, child);
      return;
    }
  }
  const task = kindOf(child).embeds?.['pages'] === undefined ? 'listing' : 'content';
  addVisit(walk, { task, params: { kind: child, scope: parent.rid, path: parent.params, mark } });
}

/** Hash of the parent's fields that move when something of this kind does; null when nothing tells. */
export function movingMark(child: KindName, parentBody: Body): string | null {
  const fields = kindOf(child).movesWith;
  if (fields === undefined) return null;
  const values = fields.map((field) => valueAt(parentBody, field) ?? null);
  return createHash('sha256').update(canonicalJson(values)).digest('base64url').slice(0, 27);
}

function isNone(walk: Walk, parent: Parent, child: KindName): boolean {
  const { countedBy: field, movesWith } = kindOf(child);
  return (
    field !== undefined &&
    movesWith !== undefined &&
    valueAt(parent.body, field) === 0 &&
    countBelow(walk.mirror, parent.rid, child) === 0
  );
}

/** The rota: every scope has its night among `rereadNights`, on which marks are not believed. */
export function isDue(walk: Walk, key: string): boolean {
  const turn = createHash('sha256').update(key).digest().readUInt32BE(0) % walk.settings.rereadNights;
  return turn === walk.id % walk.settings.rereadNights;
}
