// What a comparison looks at.
import type { IsUntold, SnapshotReader } from '../../mirror/index.ts';
import type { IsAway } from '../away.ts';
import type { IdMap } from '../journal/id-map.ts';
import type { Plan } from '../types.ts';

/** A snapshot, what stands on the target, and what tells which is which. */
export interface Sides {
  readonly plan: Plan;
  readonly original: SnapshotReader;
  readonly restored: SnapshotReader;
  /** What stands in a place of the target that could not be read. */
  readonly isUnread: IsUntold;
  /** Such things are shown as an earlier walk has seen them. */
  readonly keepsUnread: boolean;
  readonly isAway: IsAway;
  readonly ids: IdMap;
  /** In place, the state that the plan was made against: what is not written keeps its id. Null where everything is made anew. */
  readonly live: SnapshotReader | null;
}
