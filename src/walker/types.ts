// What a walk is given and what it answers.
import type { Clock, Logger } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import type { Brake, Failure, KindCounts, Mirror, Snapshot } from '../mirror/index.ts';

/** What a walk is limited to. Everything outside is carried over as it was. */
export interface WalkScope {
  /** Ids; null means every organization that the token shows. */
  readonly organizations: readonly string[] | null;
  /** Ids; when set, only these spaces are visited, and no listing above them. */
  readonly onlySpaces: readonly string[] | null;
  /** Ids of further spaces that no listing may show. */
  readonly extraSpaces: readonly string[];
}

export interface WalkSettings {
  /** Each scope is read again, moved or not, at least every so many nights. */
  readonly rereadNights: number;
  /** Items asked for per page of a listing. */
  readonly pageSize: number;
  readonly brake: Brake;
  /** An open walk younger than this is continued, an older one abandoned; milliseconds. */
  readonly resumeWithinMs: number;
  /** Visits under way at once. */
  readonly lanes: number;
}

export interface WalkProgress {
  readonly snapshot: number;
  readonly visited: number;
  readonly waiting: number;
  readonly requests: number;
  readonly bytes: number;
}

export interface WalkOptions {
  readonly mirror: Mirror;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** `full` reads everything again, moved or not. */
  readonly mode: 'incremental' | 'full';
  readonly scope: WalkScope;
  readonly settings: WalkSettings;
  /** Origin of the platform, kept with the snapshot. */
  readonly origin: string;
  readonly onProgress?: (progress: WalkProgress) => void;
  readonly signal?: AbortSignal;
}

export interface WalkResult {
  readonly snapshot: Snapshot;
  readonly kinds: Readonly<Record<string, KindCounts>>;
  readonly failures: readonly Failure[];
  /** Kinds that the platform says it does not offer (501, 405). */
  readonly notOffered: readonly { readonly kind: string; readonly request: string; readonly status: number }[];
}

/** What every visit works with: the options, and the snapshot that is open. */
export interface Walk extends WalkOptions {
  readonly id: number;
}
