// How a step keeps, for a later try, that it inserts what it brings.
import type { ApplyContext, PlanStep } from '../types.ts';

const NO_IMPORT = 'the target has no import';

/** Begins the words that a step keeps of it. Journals hold them: another program may go on with the restore. */
const HOW = `page by page, as ${NO_IMPORT}`;

/** True for a step of which an earlier try, or this one, has begun to insert. */
export function wasInserted({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep): boolean {
  return journal.keptOf(step)?.startsWith(HOW) === true;
}

const MISPLACED = `${HOW} that leaves what stands`;

/** Why the step inserts, in words: there is no import, or one that does not leave what stands. */
export function whyInserted(context: Pick<ApplyContext, 'journal' | 'importing'>, step: PlanStep): string {
  const { isOffered, overStanding } = context.importing;
  return (isOffered && overStanding === 'by edits') || wasMisplaced(context, step) ? MISPLACED : HOW;
}

/** What the target lacks by which all would come back, in words. */
export function lackedImport(context: Pick<ApplyContext, 'journal' | 'importing'>, step: PlanStep): string {
  return whyInserted(context, step) === MISPLACED ? `${NO_IMPORT} that leaves what stands` : NO_IMPORT;
}

/** Notes that the step begins to insert, unless that is noted already. */
export function keepInserted(context: Pick<ApplyContext, 'journal'>, step: PlanStep, why = HOW): void {
  if (!wasInserted(context, step)) context.journal.keep(step, why);
}

/** Notes that it does, after an import that cannot be merged, before the change request of that is given up. */
export function keepMisplaced({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep, request: string): void {
  journal.keep(step, `${MISPLACED} (${request})`);
}

export function wasMisplaced({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep): boolean {
  return journal.keptOf(step)?.startsWith(MISPLACED) === true;
}

/** True for the change request of such an import: a later try that finds it has yet to archive it. */
export function isGivenUp({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep, request: string): boolean {
  return journal.keptOf(step) === `${MISPLACED} (${request})`;
}
