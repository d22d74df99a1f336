// What only the running process knows, beside what is in the mirror.

export interface JobState {
  readonly name: string;
  readonly running: boolean;
  /** Milliseconds since the epoch; null when it is not scheduled. */
  readonly next: number | null;
  /** The last run, if it failed. */
  readonly failure: {
    readonly at: number;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  } | null;
}

/** How far the walk under way is. */
export interface WalkState {
  readonly snapshot: number;
  readonly visited: number;
  readonly waiting: number;
  readonly requests: number;
}

export interface LiveState {
  readonly jobs: readonly JobState[];
  readonly walk: WalkState | null;
}

/** Of a process that runs no job. */
export const noLiveState: LiveState = { jobs: [], walk: null };
