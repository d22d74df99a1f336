// The words of a restore beside those of its plan: what an apply works with, its outcome, the report.
import type { Clock, Logger, Random, Telling } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import type { Mirror, SnapshotReader } from '../mirror/index.ts';
import type { ContainerOrder } from './special/container-order.ts';
import type { TalkOrder } from './steps/talk-order.ts';
import type { ContentPlace, ContentPlaceOptions } from './content/content-place.ts';
import type { Untaken } from './journal/untaken.ts';
import type { IdMap } from './journal/id-map.ts';
import type { ImportLimits } from './content/import-parts.ts';
import type { OpenLacks } from './journal/open-lacks.ts';
import type { Plan, PlanStep } from './plan/plan-types.ts';
import type { ArchiveAhead } from './steps/content/archive-ahead.ts';
import type { AppAddresses } from '../export/index.ts';
import type { Headings } from './steps/pages/headings.ts';
import type { KeptFields } from './steps/pages/lost-fields.ts';
import type { NewAddresses } from './steps/content/new-addresses.ts';
import type { Importing } from './inserting/target-import.ts';
import type { SpecReading } from './steps/spec-address.ts';
import type { StepJournal } from './journal/step-journal.ts';

export type {
  Action,
  Choices,
  ClosureEntry,
  FieldMend,
  Mend,
  PageMend,
  PagesMend,
  Part,
  Plan,
  PlanStep,
  PlanSummary,
  Precondition,
  PreflightCheck,
  Right,
} from './plan/plan-types.ts';

export interface ApplyProgress {
  readonly step: number;
  readonly steps: number;
  readonly title: string;
}

export interface ApplySettings {
  readonly mirror: Mirror;
  readonly client: ApiClient;
  /** Where the platform fetches content from. */
  readonly contentServer: ContentPlaceOptions;
  /** What one import may hold; absent, anything. */
  readonly importLimits?: ImportLimits;
  /** Where archives are built: `restores/` of the data directory. */
  readonly workDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly onProgress?: (progress: ApplyProgress) => void;
  /** Keeps what stands on the target, before the first write; absent where nobody will take the restore back. */
  readonly keepBefore?: (plan: Plan, restore: string) => Promise<void>;
  /** Comments and replies are left for a resume. */
  readonly withoutComments?: boolean;
  /** Only what failed in an earlier run, and what was skipped for it. */
  readonly onlyFailed?: boolean;
  /** Of a drill: its target lives no longer than the run, so no note of it waits for the disk. */
  readonly isRehearsal?: boolean;
  readonly signal?: AbortSignal;
}

/** What went wrong with a step, or what a person should know of one that is done. */
export interface StepFailure {
  readonly kind: string;
  readonly key: string;
  readonly title: string;
  /** It was not tried, since what it needs was not done. */
  readonly skipped: boolean;
  readonly error: string;
  /** What to do about it; null for what is only waiting for another step, and for what is done all the same. */
  readonly hint: string | null;
  /** It was changed since the plan was made, or is in no bin: a resume finds it so again, only a new plan sees what it is now. */
  readonly isHeldBack: boolean;
}

export interface TakesBack {
  readonly restore: string;
  /** Lines about what is not taken back, by reason. */
  readonly kept: readonly string[];
  /** Some of it only because somebody changed it since: an undo may be told to touch it even so. */
  readonly keptChanged: boolean;
}

export interface ApplyResult {
  readonly restore: string;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly unsupported: number;
  /** Steps that were not begun, since they were to be left for later. */
  readonly left: number;
  /** Pages that were to be set back or taken away and are as they were, though their steps are done: no resume changes that. */
  readonly untouched: number;
  /** Spaces whose steps are done, and of which some pages have both texts, since somebody edited them too: no resume changes that. */
  readonly mixed: number;
  /** Steps that are done although something of what they were to bring did not come back: no resume changes that. */
  readonly lacking: number;
  readonly failures: readonly StepFailure[];
  /** Change requests in which content waits for people, and what their subjects begin with; null where it was merged. */
  readonly review: { readonly requests: number; readonly subject: string } | null;
  /** Why the snapshot may lack what stood there; null of one that is complete. */
  readonly doubt: string | null;
  /** Of an undo: which restore it takes back, and what it leaves; null of any other. */
  readonly takesBack: TakesBack | null;
  /** Spaces out of the bin, which are as they were when they were deleted, and the snapshot that was asked for; null where there is none. */
  readonly undeleted: {
    readonly spaces: number;
    readonly snapshot: number;
    /** Id of the one; null where there are several. */
    readonly only: string | null;
  } | null;
  readonly requests: number;
  /** Milliseconds of the duration in which the platform or the limiter was waited for. */
  readonly waitedMs: number;
  readonly durationMs: number;
}

/** What every step works with. */
export interface ApplyContext extends ApplySettings {
  readonly restore: string;
  readonly plan: Plan;
  /** What holds the snapshot of the plan: the mirror, or what was read of a target before it was written to. */
  readonly archive: Mirror;
  readonly reader: SnapshotReader;
  readonly ids: IdMap;
  readonly server: ContentPlace;
  /** Of this restore alone; archives are built there. */
  readonly folder: string;
  /** The platform fetches content on this machine. */
  readonly isNear: boolean;
  readonly journal: StepJournal;
  readonly ahead: ArchiveAhead;
  readonly telling: Telling;
  readonly spaceMaking: SpaceMaking;
  readonly importing: Importing;
  readonly specReading: SpecReading;
  readonly headings: Headings;
  readonly keptFields: KeptFields;
  /** Of the snapshot. */
  readonly addresses: AppAddresses;
  /** Of the target. */
  readonly shown: NewAddresses;
  /** Of the snapshot. */
  readonly containers: ContainerOrder;
  readonly talks: TalkOrder;
  /** In place: the live state that the plan was made against. */
  readonly live: SnapshotReader | null;
}

/** What an apply has learned about making spaces on its target. */
interface SpaceMaking {
  /** False once the target said that it has no operation that creates a space. */
  offersCreate: boolean;
  /** An empty space that can be copied; null while none is known. */
  donor: string | null;
  /** True where the platform begins a new space without pages; null while none was looked at. */
  beginsBare: boolean | null;
}

/** What a step's write brought. */
export interface StepOutcome {
  /** Id of the new resource; null when the step makes none. */
  readonly newId: string | null;
  /** No step made what has that id: the platform brought it with something else. It is no work of the restore. */
  readonly isFound?: boolean;
  /** Further new ids by kind and original key: the pages and files of an import. */
  readonly map?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What a person should know although the step is done. */
  readonly problem?: string;
  /** Which of several ways was taken. */
  readonly how?: string;
  /** Pages that the plan names and that were not written. */
  readonly untouched?: readonly string[];
  /** The merge met edits of others: some pages have both texts. */
  readonly isMixed?: boolean;
  /** The problem names something that was to come back and did not. */
  readonly isLacking?: boolean;
  /** What an import has not brought, and a later one of the same content may. */
  readonly open?: OpenLacks;
  /** Pages of which an earlier import left the links as they were written, and this one set them. */
  readonly linked?: readonly string[];
  /** Steps that were to make fields it has values of, and had not: once a resume has made one, it sets the values again. */
  readonly without?: readonly number[];
  /** Of several fields of one thing, those that the target has refused: they stay as they were. */
  readonly refusedFields?: readonly string[];
  /** What the target has refused of what the step brings. */
  readonly untaken?: readonly Untaken[];
  /** When each page that was written was last edited, as the platform says: another time means that somebody edited it since. */
  readonly editedAt?: Readonly<Record<string, string>>;
  /** The same before the step wrote them, of those that stood: what had been edited by then, it wrote over. */
  readonly editedFrom?: Readonly<Record<string, string>>;
  /** The change request that waits for people to merge it, and its revision as the step left it: another one is of people. */
  readonly waits?: { readonly request: string; readonly revision: string };
  readonly madeAt?: MadeAt;
  /** Of the content with which a space came out of the bin, which nothing of the restore touches: another one is of people. */
  readonly cameWith?: string;
  /** When what it brought stood there, as the platform says: a page that was edited later was edited by somebody else. */
  readonly broughtAt?: string;
  /** Pages with which the platform began the space that was made: when each was last edited, by id. */
  readonly firstPages?: Readonly<Record<string, string>>;
  /** Nobody could look at what the platform began that space with. */
  readonly isUnseen?: boolean;
  /** Digest of the text of a comment, as the platform showed it when it was made: another one is of people. */
  readonly said?: string;
  /** Its title as the platform showed it when it was made, where that is not the one that it had. */
  readonly called?: string;
}

/** When a space was made, by two clocks: what lies between them tells of a restore that was cut off what was written after it. */
interface MadeAt {
  /** By ours, before the write went out. */
  readonly asked: string;
  /** As the platform says. */
  readonly told: string;
}

/** How a part of a kind is written, and how an earlier write of it is found again. */
export interface StepWork {
  write(context: ApplyContext, step: PlanStep): Promise<StepOutcome>;
  /** Null where the same write again does no harm, or itself goes on with what an earlier one has left. */
  readonly find: Find | null;
  /** It sends its writes as soon as it begins. */
  readonly isAtOnce?: boolean;
}

/** One that must not be done twice. */
export interface MakingWork extends StepWork {
  readonly find: Find;
}

/** Looks for the result of a write whose outcome is unknown; null when it did not happen. */
type Find = (context: ApplyContext, step: PlanStep) => Promise<StepOutcome | null>;

export interface FieldDifference {
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
  readonly differences: readonly FieldDifference[];
  readonly betterThanClaimed: readonly BetterThanClaimed[];
  readonly brokenLinks: { readonly before: number; readonly after: number };
  readonly notRestored: Readonly<Record<string, number>>;
  /** Change requests that wait for people to merge them: their content was compared as it stands in them. */
  readonly waiting: number;
  /** What of the target could not be read, and why: what is missing may be there. */
  readonly unread: readonly string[];
  /** Why the snapshot itself may lack what stood there; null of one that is complete. What it lacks is compared with nothing. */
  readonly doubt: string | null;
  readonly requests: number;
  readonly durationMs: number;
  readonly passed: boolean;
}

/** The live target, walked into a mirror of its own. */
export interface TargetView extends AsyncDisposable {
  readonly mirror: Mirror;
  readonly snapshot: number;
}

export type ObserveTarget = (client: ApiClient, seen: TargetScope) => Promise<TargetView>;

/** What of a target is read. */
export interface TargetScope {
  readonly organizations: readonly string[];
  /** In place, the spaces that it is enough to read; null where only everything is. */
  readonly spaces: readonly string[] | null;
  /** `organization/invite`: no listing shows invites. */
  readonly invites: readonly string[];
}
