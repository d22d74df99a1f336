// What a walk has taken in although two answers about it do not agree. Its mark says so until an answer settles it.
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { setMark } from './observe.ts';

/**
 * `text`: it is of another revision than the tree that leads to it. `lacking`: the tree does not lead to it, though it is there.
 * `place`: only its name or place is another, which some platforms may show otherwise here and there.
 */
export type Doubt = 'text' | 'lacking' | 'place';

const SIGNS = { text: '?', lacking: '!', place: '~' } as const;

/** The mark of what is doubted: with that of the thing itself, or for `place` with that of its entry in the tree. */
export function doubtedMark(doubt: Doubt, mark: string): string {
  return SIGNS[doubt] + mark;
}

/** The mark of what only its entry in the tree tells of, since it could not be read itself: it is asked for again. */
export function unreadMark(mark: string): string {
  return `-${mark}`;
}

/** Doubts what is held already, because the tree lacks it. */
export function doubtHeld(mirror: Mirror, rid: number): void {
  setMark(mirror, rid, doubtedMark('lacking', ''));
}

/** What is held directly below a resource and was not seen there: the tree lacks it, or it is missing or out of reach. */
export function unseenBelow({ store }: Mirror, scope: number): { kind: string; key: string }[] {
  const sql = `select r.kind, r.key from resources r join versions v on v.rid = r.rid and v.valid_to is null
    where r.scope = ? and (r.mark = ? or r.rid in (select rid from missing) or r.rid in (select rid from unreachable))`;
  return store.prepare<{ kind: string; key: string }>(sql).all(scope, doubtedMark('lacking', ''));
}

export interface Doubted {
  /** Number of the resource below which it stands. */
  readonly scope: number;
  readonly doubt: Doubt;
  readonly count: number;
}

/** The gravest doubt about what stands directly below a resource and is held, and how many are doubted so; null when none is. */
export function doubtBelow({ mirror, id: snapshot }: OpenSnapshot, scope: number): Doubted | null {
  const sql = `select count(*) as n from resources r join versions v on v.rid = r.rid and v.valid_to is null
    where r.scope = ? and substr(r.mark, 1, 1) = ? and (? = 0 or v.valid_from = ?)`;
  for (const doubt of ['text', 'lacking', 'place'] as const) {
    // A place that was odd on an earlier night, and is as it was, is how the platform shows it.
    const onlyNew = doubt === 'place' ? 1 : 0;
    const count = mirror.store.prepare<{ n: number }>(sql).get(scope, SIGNS[doubt], onlyNew, snapshot)?.n ?? 0;
    if (count > 0) return { scope, doubt, count };
  }
  return null;
}
