// The words of a restore: plan, step, outcome, report.
import type { Clock, Logger, Random } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import type { KindName } from '../contract/index.ts';
import type { Mirror, SnapshotReader } from '../mirror/index.ts';
import type { ContentServer } from './content-server.ts';
import type { IdMap } from './id-map.ts';

/** The closed set of what a plan can do with an object. */
export type Action = 'create' | 'update' | 'delete' | 'noOp' | 'unsupported';

/** Which write of an object a step is; one step sends at most one write. */
export type Part =
  | 'create'
  | 'content'
  | 'links'
  | 'values'
  | 'state'
  | 'settings'
  | 'name'
  | 'defaults'
  | 'order'
  | 'none';

export interface PlanStep {
  /** From 1, in the order of applying. */
  readonly step: number;
  readonly action: Action;
  readonly part: Part;
  readonly kind: KindName;
  /** Key of the original in the snapshot. */
  readonly key: string;
  readonly title: string;
  /** How it comes back, or why it does not. */
  readonly note: string;
  /** Steps that must be done before. */
  readonly needs: readonly number[];
  /** Requests expected. */
  readonly requests: number;
  /** Id of what stands on the target already and is taken for it; null when there is none. */
  readonly adopts: string | null;
  /** Fields of the object that come back best effort, and those that do not, by the ledger; only where it has a value there. */
  readonly bestEffort: readonly string[];
  readonly lost: readonly string[];
}

/** Something that comes along because what was asked for needs it. */
export interface ClosureEntry {
  readonly kind: KindName;
  readonly key: string;
  readonly title: string;
  readonly why: string;
}

/** One line of the table that is shown before the first write. */
export interface PreflightCheck {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}

/** A right of the token on the target organization, by its name among the organization's permissions. */
export type Right = 'admin' | 'createContent' | 'createOpenAPISpec';

export type Precondition =
  | { readonly what: 'organization-empty'; readonly organization: string }
  /** What stands there is what the plan saw: hash of it. */
  | { readonly what: 'organization-as-seen'; readonly organization: string; readonly seen: string };

export interface Plan {
  readonly version: 2;
  /** Used once. */
  readonly nonce: string;
  readonly createdAt: string;
  readonly snapshot: number;
  /** Hash of the snapshot's manifest when the plan was made. */
  readonly manifest: string | null;
  readonly origin: string;
  readonly organization: string;
  readonly target: { readonly url: string; readonly organization: string };
  /** Content arrives as change requests and is left for people to merge. */
  readonly review: boolean;
  /** What was asked for: `organization:ID`, `collection:ID`, `space:ID`, `site:ID` or `kind:NAME`. */
  readonly scope: string;
  readonly closure: readonly ClosureEntry[];
  /** Members of the snapshot to members of the target, by e-mail address. */
  readonly people: Readonly<Record<string, string>>;
  /** Ids that stood on the target before, by kind: never taken for something that the restore made. */
  readonly existing: Readonly<Record<string, readonly string[]>>;
  /** An empty space of the target, to be copied where no operation creates spaces. */
  readonly donor: string | null;
  readonly preflight: readonly PreflightCheck[];
  readonly rights: readonly Right[];
  /** What must still hold when it is applied. */
  readonly preconditions: readonly Precondition[];
  readonly steps: readonly PlanStep[];
}

export interface PlanSummary {
  readonly snapshot: number;
  readonly actions: Readonly<Record<Action, number>>;
  readonly requests: number;
  readonly estimatedMs: number;
}

export interface ApplyProgress {
  readonly step: number;
  readonly steps: number;
  readonly title: string;
}

export interface ApplySettings {
  readonly mirror: Mirror;
  readonly client: ApiClient;
  readonly contentServer: { readonly host: string; readonly port: number; readonly publicUrl: string | null };
  /** Where archives are built: `restores/` of the data directory. */
  readonly workDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly onProgress?: (progress: ApplyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface ApplyResult {
  readonly restore: string;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly unsupported: number;
  readonly failures: readonly { readonly kind: string; readonly key: string; readonly error: string }[];
  readonly requests: number;
  readonly durationMs: number;
}

/** What every step works with. */
export interface ApplyContext extends ApplySettings {
  readonly restore: string;
  readonly plan: Plan;
  readonly reader: SnapshotReader;
  readonly ids: IdMap;
  readonly server: ContentServer;
  readonly spaceMaking: SpaceMaking;
}

/** What an apply has learned about making spaces on its target. */
export interface SpaceMaking {
  /** False once the target said that it has no operation that creates a space. */
  offersCreate: boolean;
  /** An empty space that can be copied; null while none is known. */
  donor: string | null;
}

/** What a step's write brought. */
export interface StepOutcome {
  /** Id of the new resource; null when the step makes none. */
  readonly newId: string | null;
  /** Further new ids by kind and original key: the pages and files of an import. */
  readonly map?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What a person should know although the step is done. */
  readonly problem?: string;
  /** Which of several ways was taken. */
  readonly how?: string;
}

/** How a part of a kind is written, and how an earlier write of it is found again. */
export interface StepWork {
  write(context: ApplyContext, step: PlanStep): Promise<StepOutcome>;
  /** Looks for the result of a write whose outcome is unknown; null when it did not happen. */
  find(context: ApplyContext, step: PlanStep): Promise<StepOutcome | null>;
}

export interface Difference {
  readonly kind: string;
  readonly key: string;
  readonly field: string;
  readonly class: 'exact' | 'bestEffort';
  readonly expected: string;
  readonly got: string;
}

/** A field that came back equal in every resource although the ledger does not claim it. */
export interface BetterThanClaimed {
  readonly kind: string;
  readonly field: string;
  readonly class: 'bestEffort' | 'lost';
  readonly resources: number;
  /** Why it comes back here and is not claimed all the same; null when nobody knows: the ledger is wrong then. */
  readonly explained: string | null;
}

export interface FieldCount {
  fields: number;
  equal: number;
}

export interface VerifyReport {
  readonly fidelity: { readonly exact: FieldCount; readonly bestEffort: FieldCount; readonly lost: FieldCount };
  readonly kinds: Readonly<
    Record<string, { readonly resources: number; readonly missing: number; readonly exact: FieldCount }>
  >;
  readonly differences: readonly Difference[];
  readonly betterThanClaimed: readonly BetterThanClaimed[];
  readonly brokenLinks: { readonly before: number; readonly after: number };
  readonly notRestored: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly durationMs: number;
  readonly passed: boolean;
}

/** The live target, walked into a mirror of its own. */
export interface TargetView extends AsyncDisposable {
  readonly mirror: Mirror;
  readonly snapshot: number;
}

export type ObserveTarget = (client: ApiClient, organization: string) => Promise<TargetView>;
