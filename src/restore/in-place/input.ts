// What a plan in place is made from.
import type { Mirror, Resource, SnapshotReader } from '../../mirror/index.ts';
import type { FieldsWritten } from '../journal/touched.ts';
import type { OrderOf } from '../journal/orders-left.ts';
import type { PlanInput } from '../plan.ts';
import type { Planning } from '../plan/step-list.ts';
import type { Choices } from '../types.ts';

export interface InPlaceInput extends Omit<PlanInput, 'toOrganization' | 'intoExisting' | 'people'> {
  /** Number of the snapshot of the live state, of the same archive; taken just now. */
  readonly live: number;
  readonly choices: Choices;
  /** Folder of the archive, when that is not the mirror. */
  readonly archive?: string;
  /** The restore that this takes back, and what of it may be touched. */
  readonly undoes?: {
    readonly restore: string;
    /** Holds the journal. */
    readonly journal: Mirror;
    readonly touched: (resource: Resource) => boolean;
    /** What of something that stood it wrote; absent where all that differs is set back. */
    readonly wrote?: FieldsWritten;
    /** Whose work the order is in which siblings stand; absent where each is set back. */
    readonly order?: OrderOf;
    /** Why a space is not taken away, or a page not touched, because somebody changed it after the restore; null for what is. */
    readonly keeps?: (resource: Resource) => string | null;
    /** Why something is left where it is, because of what somebody put into it after the restore; null for what is not. */
    readonly holds?: (resource: Resource) => string | null;
    /** Why something is not brought back that the restore left standing; null for what is. */
    readonly stays?: (missing: Resource) => string | null;
    /** Title of another organization, out of whose bin the restore brought a space; null for what lay in no such bin. */
    readonly bins: (resource: Resource) => string | null;
    /** What the restore may have made without being able to note it. */
    readonly doubtful: readonly Resource[];
  };
}

/** What every part of such a plan is made from: here something stands. */
export interface Mending extends Planning {
  readonly live: SnapshotReader;
  /** Of what stands, the fields that may be set back, and with what they were written; null for all. */
  readonly within: FieldsWritten;
  /** Whose work the order is in which siblings stand: only its own one is set back. */
  readonly orderOf: OrderOf;
  /** Why something stays in its organization, because of what would not go along; null for what does not. */
  readonly holds: (resource: Resource) => string | null;
  /** False where comments are left out. */
  readonly comments: boolean;
}
