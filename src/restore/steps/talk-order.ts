// A talk is written in the order in which it was held: no operation puts a comment before one that stands.
import { isRecord } from '../../base/index.ts';
import { isComment, isReply } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import { keyAbove, textAt } from '../resource.ts';
import type { PlanStep } from '../types.ts';

/** What one run could not write of each talk, by which what was said after it waits for the next run. */
export class TalkOrder {
  readonly #reader: SnapshotReader;
  readonly #journal: StepJournal;
  /** The first step of each that was not done. */
  readonly #undone = new Map<string, number>();

  constructor(reader: SnapshotReader, journal: StepJournal) {
    this.#reader = reader;
    this.#journal = journal;
  }

  /** The step that is to be done before; undefined where it may be written. What has waited once is not to be lost for another that fails again. */
  waitedFor(step: PlanStep): number | undefined {
    if (this.#undone.size === 0 || !isSaid(step) || this.#journal.stateOf(step.step) !== undefined) return undefined;
    return this.#undone.get(this.#talkOf(step));
  }

  /** To be told of each step that was tried. */
  tried(step: PlanStep): void {
    if (!isSaid(step) || this.#journal.stateOf(step.step) === 'done') return;
    const talk = this.#talkOf(step);
    if (!this.#undone.has(talk)) this.#undone.set(talk, step.step);
  }

  /** Of a reply the comment; of a comment the page that it stands on, in its space or change request. */
  #talkOf({ kind, key }: PlanStep): string {
    const above = `${kind} ${keyAbove(key)}`;
    if (isReply(kind)) return above;
    const target = this.#reader.one(kind, key)?.body['target'];
    const page = isRecord(target) && isRecord(target['page']) ? textAt(target['page'], 'id') : undefined;
    return `${above} ${page ?? ''}`;
  }
}

function isSaid({ kind, part }: PlanStep): boolean {
  return part === 'create' && isComment(kind);
}
