// Facts about a mirror as a whole, each by its name.
import type { SqlStore } from '../../base/index.ts';
import type { MirrorTables } from './tables.ts';

/** What is kept so, but for the number of the writer (`fence.ts`). */
export type Fact =
  /** What tells the mirror from every other one. */
  | 'mirror'
  /** The program that made the views. */
  | 'views'
  | 'walk_terms'
  | 'reread_nights'
  /** What of the full-text index is to be merged, and that it is to be made anew. */
  | 'search_pending'
  | 'search_doubted'
  /** Up to which snapshot a walk has caught up (`catch-up.ts`). */
  | 'request_trees'
  | 'computed_pages'
  | 'links_across';

interface Stored {
  readonly store: SqlStore<MirrorTables>;
}

export function factOf({ store }: Stored, name: Fact): string | undefined {
  return store.prepare<{ value: string }>('select value from meta where name = ?').get(name)?.value;
}

export function setFact({ store }: Stored, name: Fact, value: string): void {
  store.prepare('insert or replace into meta (name, value) values (?, ?)').run(name, value);
}

/** False when there was none. */
export function dropFact({ store }: Stored, name: Fact): boolean {
  return store.prepare('delete from meta where name = ?').run(name).changes > 0;
}
