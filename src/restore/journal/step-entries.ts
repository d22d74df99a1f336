// What is noted of the steps of one restore, in memory: found by step and, where it made a space, by that space. Each step of a space asks
// for the latter; a look through all entries would take, over a whole restore, as many looks as the square of its steps.
import type { RestoreStep } from '../../mirror/index.ts';

export class StepEntries {
  readonly #byStep = new Map<number, RestoreStep>();
  /** Steps of spaces themselves, such as what made one and what sets its settings, in the order in which they were noted first. */
  readonly #ofSpaces = new Map<string, Set<number>>();

  constructor(entries: readonly RestoreStep[]) {
    for (const entry of entries) this.set(entry);
  }

  get all(): RestoreStep[] {
    return [...this.#byStep.values()];
  }

  get(step: number): RestoreStep | undefined {
    return this.#byStep.get(step);
  }

  set(entry: RestoreStep): void {
    const { step, kind, key } = entry;
    this.#byStep.set(step, entry);
    if (kind !== 'space') return;
    const steps = this.#ofSpaces.get(key);
    if (steps) steps.add(step);
    else this.#ofSpaces.set(key, new Set([step]));
  }

  /** Of the first step of a space that is done: the one that made it. */
  madeSpace(space: string): RestoreStep | undefined {
    for (const step of this.#ofSpaces.get(space) ?? []) {
      const entry = this.#byStep.get(step);
      if (entry?.state === 'done') return entry;
    }
    return undefined;
  }
}
