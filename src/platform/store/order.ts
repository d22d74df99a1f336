// Where something comes to stand in an order of siblings; siblings that are deleted keep their place but are not pointed at.
import { invalid } from '../../contract/index.ts';
import { positionBetween } from '../position.ts';

export interface Sibling<Type extends string = string> {
  id: string;
  type: Type;
  position: string;
  deleted: number;
}

export interface SiblingPointer {
  type: string;
  id: string;
}

export interface WantedPlace {
  before: SiblingPointer | undefined;
  after: SiblingPointer | undefined;
}

/** The position of something new behind all siblings. */
export function positionAtEnd(siblings: readonly Sibling[]): string {
  return positionBetween(siblings.at(-1)?.position ?? null, null);
}

/** The position that puts something ahead of the sibling with this index. */
export function positionAtIndex(siblings: readonly Sibling[], index: number): string {
  return positionBetween(siblings[index - 1]?.position ?? null, siblings[index]?.position ?? null);
}

/** The index right before, right after, between two neighbours, or at the end when nothing is named; 400 for any other wish. */
export function insertionIndex(siblings: readonly Sibling[], wanted: WantedPlace): number {
  const before = wanted.before && indexOf(siblings, wanted.before, 'position/before');
  const after = wanted.after && indexOf(siblings, wanted.after, 'position/after');
  if (before !== undefined && after !== undefined) {
    const between = siblings.slice(after + 1, before).filter((sibling) => sibling.deleted === 0);
    if (after >= before || between.length > 0) throw invalid('position', 'before and after are not neighbours');
    return before;
  }
  if (before !== undefined) return before;
  return after === undefined ? siblings.length : after + 1;
}

function indexOf(siblings: readonly Sibling[], pointer: SiblingPointer, field: string): number {
  const { id, type } = pointer;
  const index = siblings.findIndex((s) => s.id === id && s.type === type && s.deleted === 0);
  if (index < 0) throw invalid(field, `${type} ${id} does not stand at this place`);
  return index;
}
