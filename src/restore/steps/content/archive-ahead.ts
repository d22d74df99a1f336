// While the platform is busy with one write, the archive of the next is built: what is waited for is the platform, not the disk.
import type { ApplyContext, PlanStep } from '../../types.ts';
import { buildArchive, layoutOf, type BuiltArchive } from './import-archive.ts';

/** Holds the archive of the step under way and of the one after it. */
export class ArchiveAhead implements AsyncDisposable {
  readonly #begun = new Map<number, Promise<BuiltArchive>>();

  /** Begins to build what a step will import, if it imports the whole content of a space. */
  begin(context: ApplyContext, step: PlanStep | undefined): void {
    if (step?.part !== 'content' || step.kind !== 'revision' || this.#begun.has(step.step)) return;
    if (context.journal.stateOf(step.step) !== undefined || hasLimits(context)) return;
    // It will be skipped, and what nobody takes would be held until the end.
    if (step.needs.some((need) => GIVEN_UP.has(context.journal.stateOf(need)))) return;
    const archive = buildLater(context, step);
    // Whoever takes it hears of its failure.
    archive.catch(() => undefined);
    this.#begun.set(step.step, archive);
  }

  /** The archive for a step; null when none was begun. What was begun for earlier ones, which were skipped, is thrown away. */
  async take({ step }: PlanStep): Promise<BuiltArchive | null> {
    await this.#drop((one) => one < step);
    const archive = this.#begun.get(step);
    this.#begun.delete(step);
    return archive ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#drop(() => true);
  }

  async #drop(isStale: (step: number) => boolean): Promise<void> {
    for (const [step, archive] of this.#begun) {
      if (!isStale(step)) continue;
      this.#begun.delete(step);
      const built = await archive.catch(() => null);
      await built?.[Symbol.asyncDispose]();
    }
  }
}

const GIVEN_UP: ReadonlySet<string | undefined> = new Set(['failed', 'skipped']);

/** Once the write under way is sent. */
async function buildLater(context: ApplyContext, step: PlanStep): Promise<BuiltArchive> {
  await context.clock.sleep(0, context.signal);
  return buildArchive(context, step, layoutOf(context, { space: step.key }));
}

/** What may go in parts is not built whole. */
function hasLimits({ importLimits }: ApplyContext): boolean {
  return importLimits !== undefined && (importLimits.maxPages !== null || importLimits.maxBytes !== null);
}
