// What only the running process knows, beside what is in the mirror.
import type { ErrorCode } from '../base/index.ts';

export interface JobState {
  readonly name: string;
  readonly running: boolean;
  /** Its time has come and it is not done yet: it runs, or waits for another job, or for whoever holds the data directory. */
  readonly due?: boolean;
  /** Milliseconds since the epoch; null when it is not scheduled. */
  readonly next: number | null;
  /** The last run, if it failed. */
  readonly failure: {
    readonly at: number;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  } | null;
  /** It failed, and is tried again before its next time. */
  readonly retrying?: boolean;
  /** When the last run of this process began, milliseconds since the epoch, and how long it took; null before the first. */
  readonly last?: { readonly at: number; readonly ms: number } | null;
  /** A due time that passed without a run, milliseconds since the epoch; null when none did since the last run. */
  readonly missed?: number | null;
}

/**
 * Codes of failures that say nothing of a job's own work: somebody else was at work, nothing is there yet, or a snapshot says itself that
 * it lacks what is to be looked at again.
 */
export const OF_NO_WORK: readonly string[] = [
  'DM_DATA_DIR_LOCKED',
  'DM_NO_SNAPSHOT',
  'DM_INCOMPLETE',
] satisfies ErrorCode[];

/** How far the walk under way is. */
export interface WalkState {
  readonly snapshot: number;
  readonly visited: number;
  readonly waiting: number;
  readonly requests: number;
}

export interface RuntimeState {
  readonly jobs: readonly JobState[];
  readonly walk: WalkState | null;
  /** Name in the list of platforms. */
  readonly platform?: string | null;
  /** Requests to the platform since this process began. */
  readonly requests?: readonly RequestCount[];
  /** What the platform last said of its limit: requests left, of so many; null when it says nothing. */
  readonly rate?: { readonly remaining: number; readonly limit: number | null } | null;
  /** The disk of the data directory, bytes; null when it could not be asked. */
  readonly disk?: DiskSpace | null;
  readonly messages?: readonly MessageCount[];
}

export interface RequestCount {
  readonly operation: string;
  /** `none` when no answer came. */
  readonly status: string;
  readonly n: number;
}

export interface DiskSpace {
  readonly free: number;
  readonly size: number;
  /** How many files it takes, and how many more; absent where the file system sets no number. */
  readonly files?: { readonly free: number; readonly size: number };
}

/** Messages and pings since this process began. */
export interface MessageCount {
  readonly channel: string;
  readonly sent: number;
  readonly failed: number;
  /** The last one, if it could not be sent: when, milliseconds since the epoch, and why. */
  readonly unsent?: { readonly at: number; readonly why: string } | null;
}

/** Of a process that runs no job. */
export const noRuntimeState: RuntimeState = { jobs: [], walk: null };
