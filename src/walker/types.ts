// What a walk is given and what it answers.
import type { Clock, Logger, Telling } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import type { KindName, Unknown } from '../contract/index.ts';
import type {
  Brake,
  Failure,
  KindCounts,
  Lacking,
  Mirror,
  OutOfReach,
  Refusal,
  SignedTexts,
  Snapshot,
} from '../mirror/index.ts';
import type { Undo } from './remembered.ts';
import type { UnreadLastTime } from './unread-last-time.ts';

/** What a walk is limited to. Everything outside is carried over as it was. */
export interface WalkScope {
  /** Ids; null means every organization that the token shows. */
  readonly organizations: readonly string[] | null;
  /** Ids; when set, only these spaces are visited, and no listing above them. */
  readonly onlySpaces: readonly string[] | null;
  /** Ids of further spaces that no listing may show. */
  readonly extraSpaces: readonly string[];
  /** Ids; when set, only the spaces of these collections and of those nested in them. */
  readonly onlyCollections?: readonly string[] | null;
  /** When set, only these kinds and those they stand below. */
  readonly kinds?: readonly KindName[] | null;
  /** This run visits less than the configuration names: its snapshot does not count as one of everything. */
  readonly limited?: boolean;
  /** `organization/invite`: no listing shows invites. */
  readonly invites?: readonly string[];
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
  /** How many of these may wait for the platform at once where requests or time are limited: what was asked for is waited for, even when the time is over. */
  readonly asking?: number;
  /** Texts of pages as document trees too, beside Markdown: one request more for each page that is read. */
  readonly documents?: boolean;
  /** The PDF of each change request whose revision has moved since its last one. */
  readonly pdfs?: boolean;
  /** Requests and milliseconds after which a run visits nothing new; null is no end. */
  readonly maxRequests?: number | null;
  readonly maxDurationMs?: number | null;
}

export interface WalkProgress {
  readonly snapshot: number;
  readonly visited: number;
  /** Visits that are known of and not made. */
  readonly waiting: number;
  /** Estimate of the visits that waiting ones will lead to, from what earlier ones led to; null while nothing tells. */
  readonly ahead: number | null;
  /** Of this walk, since it was begun or continued. */
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
  /** The platform is the same although its origin is not that of the last snapshot. */
  readonly moved?: boolean;
  /** Takes the rights of the token as they are now for what they should be. */
  readonly acceptRights?: boolean;
  readonly onProgress?: (progress: WalkProgress) => void;
  readonly signal?: AbortSignal;
}

export interface WalkResult {
  readonly snapshot: Snapshot;
  readonly kinds: Readonly<Record<string, KindCounts>>;
  readonly failures: readonly Failure[];
  /** Kinds that the platform says it does not offer (501, 405). */
  readonly notOffered: readonly { readonly kind: string; readonly request: string; readonly status: number }[];
  /** What was read before, and the token may no longer see. */
  readonly unreachable: readonly OutOfReach[];
  /** What the token is refused (403 or 402) and a person has accepted that it is. */
  readonly refused: readonly Refusal[];
}

/** What every visit works with: the options, the snapshot that is open, and what this run remembers. */
export interface Walk extends WalkOptions {
  readonly id: number;
  /** Takes back what this run remembers of a transaction that is undone. */
  readonly undo: Undo;
  /** Kinds that are visited; null is all. */
  readonly wanted: ReadonlySet<KindName> | null;
  /** What was not read the last time: its spaces go first. */
  readonly unread: UnreadLastTime;
  /** Numbers of the trees that this run has taken in. */
  readonly treesRead: Set<number>;
  /** What `placeOf` has found, by space id. */
  readonly places: Map<string, number>;
  /** Kinds that the platform does not offer. */
  readonly notOffered: Set<string>;
  /** Numbers of resources that `lookAbove` has asked about in this run. */
  readonly lookedAbove: Set<number>;
  /** What was answered for what holds something that is gone, by its number; null where that is gone too. */
  readonly askedAbove: Map<number, Promise<Readonly<Record<string, unknown>> | null>>;
  /** Listings that were counted as unchanged without being read, since their marks stood still: `scope kind`. */
  readonly unmoved: Set<string>;
  readonly signedTexts: SignedTexts;
  /** True for what the last snapshot lacks for the same reason, as a person accepted. */
  readonly isLackAccepted: (one: Lacking) => boolean;
  /** Called when answers were taken in. */
  readonly onCommitted?: () => void;
  readonly telling: Telling;
  readonly unknownsIn: (kind: KindName, body: Readonly<Record<string, unknown>>) => Unknown[];
}
