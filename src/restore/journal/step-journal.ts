// The journal of one restore while it is applied: in memory for looking up, in the mirror for the next run.
import { AppError, isoTime } from '../../base/index.ts';
import { durably, noteDetail, noteStep, stepsOf, type Mirror, type RestoreStep } from '../../mirror/index.ts';
import { detailOf, type OverStanding, type OwnChange, type StepDetail } from './step-detail.ts';
import { StepEntries } from './step-entries.ts';
import type { Untaken } from './untaken.ts';
import type { PlanStep, StepOutcome } from '../types.ts';

type State = RestoreStep['state'];

/** What the system or SQLite refuses of a note: it says nothing of the step, whose write may have been done. */
export class JournalUnwritten extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** What becomes of each step; written before each write goes out and after its outcome is known. */
export class StepJournal {
  readonly #mirror: Mirror;
  readonly #restore: string;
  readonly #isRehearsal: boolean;
  readonly #entries: StepEntries;

  /** Of a rehearsal nothing need be known after a power cut: its target is gone then, and the next one begins anew. */
  constructor(mirror: Mirror, restore: string, { isRehearsal = false }: { readonly isRehearsal?: boolean } = {}) {
    this.#mirror = mirror;
    this.#restore = restore;
    this.#isRehearsal = isRehearsal;
    this.#entries = new StepEntries(stepsOf(mirror, restore));
  }

  get entries(): RestoreStep[] {
    return this.#entries.all;
  }

  stateOf(step: number): State | undefined {
    return this.#entries.get(step)?.state;
  }

  /** When an earlier run began a step that it did not end; undefined for any other. */
  begunAt(step: number): string | undefined {
    const entry = this.#entries.get(step);
    return entry?.state === 'started' && entry.at !== '' ? entry.at : undefined;
  }

  /** Steps without which this one was written. */
  withoutOf(step: number): readonly number[] {
    const entry = this.#entries.get(step);
    return (entry && detailOf(entry).without) ?? [];
  }

  /** True where no try of this step can have written anything yet. */
  hasWrittenNothing(step: number): boolean {
    const entry = this.#entries.get(step);
    return entry === undefined || wroteNothing(entry);
  }

  /** `outlasts`: the note is on the disk at once, with all before it, so that a power cut takes it from no write that must not be repeated. */
  started(step: PlanStep, { outlasts }: { readonly outlasts: boolean }): void {
    const note = (): void => this.#note(step, { state: 'started', detail: this.#kept(step) });
    if (outlasts) this.#outlasting(note);
    else note();
  }

  done(step: PlanStep, { newId, ...detail }: StepOutcome): void {
    this.#note(step, { state: 'done', newId, detail });
  }

  /** With what a person should do about it: who reads the report has nothing else of the error. */
  failed(step: PlanStep, { message, hint, code, isUnwritten, isInNoBin }: StepError): void {
    const unwritten = { ...(isUnwritten && { isUnwritten }), ...(isInNoBin && { isInNoBin }) };
    this.#note(step, { state: 'failed', detail: { ...this.#kept(step), error: message, hint, code, ...unwritten } });
  }

  skipped(step: PlanStep, error: string): void {
    this.#note(step, { state: 'skipped', detail: { error } });
  }

  /** Notes how a step that is under way goes about its write: a later run must know it, whatever becomes of this one. */
  keep(step: PlanStep, how: string): void {
    this.#outlasting(() => this.#note(step, { state: 'started', detail: { ...this.#kept(step), how } }));
  }

  /** What `keep` noted. */
  keptOf(step: PlanStep): string | undefined {
    return this.#kept(step)?.how;
  }

  /** Notes what the target refused of a step that is under way. */
  keepUntaken(step: PlanStep, untaken: readonly Untaken[]): void {
    this.#note(step, { state: 'started', detail: { ...this.#kept(step), untaken } });
  }

  /** What `keepUntaken` noted. */
  untakenOf(step: PlanStep): readonly Untaken[] {
    return this.#kept(step)?.untaken ?? [];
  }

  /** Notes the pages that somebody had changed before a step that is under way wrote them, by the ids that they had. */
  keepChanged(step: PlanStep, changed: readonly string[]): void {
    this.#outlasting(() => this.#note(step, { state: 'started', detail: { ...this.#kept(step), changed } }));
  }

  /** What `keepChanged` noted; undefined before it. */
  changedOf(step: PlanStep): readonly string[] | undefined {
    return this.#kept(step)?.changed;
  }

  /** Notes what an import of a step that is under way has brought, before that is edited. */
  keepBrought(step: PlanStep, brought: StepOutcome): void {
    this.#outlasting(() => this.#note(step, { state: 'started', detail: { ...this.#kept(step), brought } }));
  }

  /** What `keepBrought` noted; undefined before it. */
  broughtOf(step: PlanStep): StepOutcome | undefined {
    return this.#kept(step)?.brought;
  }

  /** Notes, in the entry of the step that made a space, when that space was last changed. */
  noteChange(made: RestoreStep, at: string | null, { isCutOff = false, seenAt }: CutOff = {}): void {
    // What was noted there since whoever asks read it is to stay.
    const { step, ...entry } = this.#entries.get(made.step) ?? made;
    const detail = JSON.stringify({ ...detailOf({ step, ...entry }), changedAt: at, isCutOff, seenAt });
    noteDetail(this.#mirror, { restore: this.#restore, step, detail });
    this.#entries.set({ ...entry, step, detail });
  }

  /** Notes, in the entry of the step that made a space, with which pages the platform began it, where nobody could look at once. */
  noteFirstPages(made: RestoreStep, firstPages: StepDetail['firstPages']): void {
    const { isUnseen: _, ...kept } = detailOf(made);
    const detail = JSON.stringify({ ...kept, firstPages });
    noteDetail(this.#mirror, { restore: this.#restore, step: made.step, detail });
    this.#entries.set({ ...made, detail });
  }

  /** Notes what a run has changed in spaces that other restores made. */
  noteOwnChanges(changes: readonly OwnChange[]): void {
    this.#noteOfAll((kept) => ({ ownChanges: [...(kept.ownChanges ?? []), ...changes] }));
  }

  /** Notes what an import was seen to do to pages that stand; once more when no write of finding that out is left. */
  noteOverStanding(overStanding: OverStanding): void {
    this.#noteOfAll(() => ({ overStanding, triedAt: isoTime(this.#mirror.clock.now()) }));
  }

  /** That of an earlier run; undefined when none was far enough. */
  get overStanding(): OverStanding | undefined {
    return this.entries.map((entry) => detailOf(entry).overStanding).find((how) => how !== undefined);
  }

  /** The last change of a space that this restore made, where nobody knows whether it was somebody's or the write that was cut off; else undefined. */
  cutOffAt(space: string): string | undefined {
    const made = this.madeSpace(space);
    return made && detailOf(made).seenAt;
  }

  /** What is noted of the making of a space. */
  madeSpace(space: string): RestoreStep | undefined {
    return this.#entries.madeSpace(space);
  }

  #outlasting(note: () => void): void {
    if (this.#isRehearsal) note();
    else durably(this.#mirror, note);
  }

  #kept({ step }: PlanStep): Kept | undefined {
    const entry = this.#entries.get(step);
    if (entry === undefined) return undefined;
    const detail = detailOf(entry);
    const kept = KEPT.filter((name) => detail[name] !== undefined);
    return kept.length === 0 ? undefined : Object.fromEntries(kept.map((name) => [name, detail[name]]));
  }

  /** What is of no one step stands in the entry of one that is done; else in that of one that was begun. */
  #noteOfAll(change: (kept: StepDetail) => Partial<StepDetail>): void {
    const begun = this.entries.filter(({ state }) => state !== 'skipped');
    const step = begun.find(({ state }) => state === 'done') ?? begun[0];
    if (step === undefined) return;
    const kept = detailOf(step);
    const detail = JSON.stringify({ ...kept, ...change(kept) });
    noteDetail(this.#mirror, { restore: this.#restore, step: step.step, detail });
    this.#entries.set({ ...step, detail });
  }

  #note({ step, kind, key }: PlanStep, { state, newId = null, detail }: Entry): void {
    const noted = this.#entries.get(step);
    const whole = { ...(noted && ofNoStep(detailOf(noted))), ...detail };
    const text = noted === undefined && detail === undefined ? null : JSON.stringify(whole);
    const entry = { restore: this.#restore, step, state, kind, key, new_id: newId, detail: text };
    try {
      noteStep(this.#mirror, entry);
    } catch (error) {
      throw error instanceof Error && !(error instanceof AppError) ? new JournalUnwritten(error) : error;
    }
    this.#entries.set({ ...entry, at: '' });
  }
}

/** What is of no one step, and stays in the entry that holds it whatever becomes of its step. */
function ofNoStep({ ownChanges, overStanding, triedAt }: StepDetail): StepDetail {
  return {
    ...(ownChanges === undefined ? {} : { ownChanges }),
    ...(overStanding === undefined ? {} : { overStanding }),
    ...(triedAt === undefined ? {} : { triedAt }),
  };
}

/** What is noted of a step that is under way, for its next try. */
const KEPT = ['how', 'untaken', 'changed', 'brought'] as const;

type Kept = Pick<StepDetail, (typeof KEPT)[number]>;

interface StepError extends Pick<AppError, 'message' | 'hint' | 'code'> {
  /** Before the first write of all its tries, or for what somebody has changed or made. */
  readonly isUnwritten: boolean;
  readonly isInNoBin: boolean;
}

/** True for a step that has sent no write: whatever happens to its resource is not the restore's doing. */
export function wroteNothing(step: RestoreStep): boolean {
  if (step.state === 'skipped') return true;
  const { isUnwritten, isHeld, isInNoBin } = detailOf(step);
  return [isUnwritten, isHeld, isInNoBin].includes(true);
}

/** True for a step that was begun, and of whose end nobody has noted that it was done: what it was to write may stand. */
export function isUnfinished({ state }: Pick<RestoreStep, 'state'>): boolean {
  return state === 'started' || state === 'failed';
}

interface CutOff {
  readonly isCutOff?: boolean;
  readonly seenAt?: string;
}

interface Entry {
  readonly state: State;
  readonly newId?: string | null;
  readonly detail: object | undefined;
}
