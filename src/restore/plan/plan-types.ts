// The words of a plan: what it would do, why, and what must still hold when it is done.
import type { KindName } from '../../contract/index.ts';

/** The closed set of what a plan can do with an object. */
export type Action = 'create' | 'update' | 'delete' | 'noOp' | 'unsupported';

/** Which write of an object a step is; one step sends at most one write. */
export type Part =
  | 'create'
  | 'content'
  /** Of a change request in place: what is to go from it. */
  | 'removals'
  | 'links'
  | 'values'
  | 'options'
  | 'state'
  | 'settings'
  | 'name'
  | 'defaults'
  | 'order'
  /** In place: a space out of the bin; back into its organization; single fields; where it stands; pages of a space that stands; what is to go. */
  | 'undelete'
  | 'transfer'
  | 'fields'
  | 'place'
  | 'pages'
  | 'remove'
  | 'none';

/** What is set back in an object that stands. */
export interface Mend {
  /** Hash of what the plan saw there: another one holds the step back. Null where nothing is asked again. */
  readonly expects: string | null;
  /** In the terms of the operation that writes them; a field that has no value is null. */
  readonly fields: readonly FieldMend[];
}

export interface FieldMend {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  /** For people, where it is a reference: the titles of what it names. */
  readonly named?: { readonly from: unknown; readonly to: unknown };
}

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
  /** Steps that it links to, or that make a field it has a value of: waited for in one run, and done without when they fail again in the next. */
  readonly linksTo?: readonly number[];
  /** Requests expected. */
  readonly requests: number;
  /** In how many parts content is imported; not there for one. */
  readonly imports?: number;
  /** Requests expected where the target has no import; not there where that makes no difference. */
  readonly byEdits?: number;
  /** Id of what stands on the target already and is taken for it; null when there is none. */
  readonly adopts: string | null;
  /** Fields of the object that come back best effort, and those that do not, by the ledger; only where it has a value there. */
  readonly bestEffort: readonly string[];
  readonly lost: readonly string[];
  /** Only where something that stands is set back or taken away. */
  readonly mend?: Mend;
  /** Of a space that comes out of the bin of another organization: the title of that. */
  readonly binOf?: string;
  /** Of pages: what becomes of each. */
  readonly pages?: PagesMend;
}

/** What becomes of the pages and files of a space that stands. */
export interface PagesMend {
  /** Gone from the space: brought back, under new ids. */
  readonly missing: readonly PageMend[];
  /** Gone, or with other bytes: brought back by import. */
  readonly files: readonly PageMend[];
  /** Set back. */
  readonly changed: readonly PageMend[];
  /** Not in the snapshot: taken away. */
  readonly added: readonly PageMend[];
  /** As they are but for their links, which will lead to what is brought back under new ids. */
  readonly links?: readonly PageMend[];
}

export interface PageMend {
  /** Of the page or file as it stands, or stood. */
  readonly id: string;
  readonly title: string;
  /** Fields that differ, or what else is the matter with it. */
  readonly why: readonly string[];
  /** The short ones of those fields, with their values before and after. */
  readonly fields?: readonly FieldMend[];
  /** The page of the snapshot that this one stands in the place of; itself when absent. */
  readonly of?: string;
  /** Of a missing page, or one in its place: what it comes back below, null for the top; where it stood when absent. */
  readonly below?: string | null;
  /** Of a missing page, since another page has its own: the name that it is imported under. Of a link that stands: the title that it is found by. */
  readonly importedAs?: string;
}

/** In place: what is mended. */
export interface Choices {
  /** Brought back. */
  readonly missing: boolean;
  /** Set back, field by field. */
  readonly changed: boolean;
  /** Taken away, because it is not in the snapshot. */
  readonly added: boolean;
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
  readonly version: 3;
  /** `new`: everything is made anew on the target. `in-place`: only what differs from the live state is mended, on the platform itself. */
  readonly mode: 'new' | 'in-place';
  /** In place: the snapshot of the live state that the plan was made against, in the same archive. */
  readonly live: { readonly snapshot: number; readonly manifest: string | null } | null;
  /** Folder of the archive that holds the snapshots; null is the mirror itself. */
  readonly archive: string | null;
  /** Id of the restore that this plan takes back. */
  readonly undoes: string | null;
  /** What that one had done when the plan was made: hash of it. */
  readonly undoesSteps?: string;
  /** Touches, too, what somebody changed after that one. */
  readonly evenChanged?: true;
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
  /** What was asked for, in words: the scope as it was given, or the condition. */
  readonly scope: string;
  /** Where single resources were asked for: their keys, by kind. */
  readonly only: Readonly<Partial<Record<KindName, readonly string[]>>>;
  readonly closure: readonly ClosureEntry[];
  /** Members of the snapshot to members of the target, by e-mail address and as a file says. */
  readonly people: Readonly<Record<string, string>>;
  /** Member of the target who stands in teams for those who are not there; null for nobody. */
  readonly standIn: string | null;
  /** Mentions in comments are left as they are; else they are written so that they call nobody. */
  readonly keepMentions: boolean;
  /** Ids that stood on the target before, by kind: never taken for something that the restore made. */
  readonly existing: Readonly<Record<string, readonly string[]>>;
  /** In place: new ids, by kind and original key, of what earlier restores made anew and what stands for it now. */
  readonly heirs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Made anew: the same of what is linked to and was brought to the platform by other restores; nothing else goes by these. */
  readonly linked?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** In place: titles of what stands and of which something is written, by kind and key. */
  readonly holders?: Readonly<Record<string, string>>;
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
  /** Where the target turns out to have no import: only the first one tells. */
  readonly requestsWithoutImport: number;
  readonly estimatedMs: number;
}
