/** The verbs of a restore and what is asked around them: plan, apply, resume, verify, undo, remap, drill; the ledger. */
export { makePlan } from './plan.ts';
export { planInPlace } from './in-place/plan-in-place.ts';
export { spacesAskedFor, spacesWritten, writesWithin } from './in-place/spaces-read.ts';
export { demandAsked } from './plan/demand-asked.ts';
export { parseScope } from './selection/scope.ts';
export type { PeopleChoice } from './special/people.ts';
export { planLines, planOutline } from './plan/plan-outline.ts';
export { planHash, planSummary, readPlan, writePlan } from './plan/plan-file.ts';
export { applyPlan, resumeRestore, type ApplyStop } from './apply.ts';
export type { ImportLimits } from './content/import-parts.ts';
export { needsNewPlan } from './journal/apply-result.ts';
export { untilShown } from './journal/until-shown.ts';
export { verifyRestore } from './verify.ts';
export { planUndo } from './undo.ts';
export { leavesChanged } from './journal/later-restores.ts';
export { archiveOfUndo, beforeFolder, leavesAny, wayBackWritten } from './journal/undo-file.ts';
export { noteRemapped } from './journal/remapped.ts';
export { planRemap } from './remap.ts';
export { runDrill, type DrillOrganization, type DrillResult, type DrillTarget } from './drill.ts';
export { ledger, ledgerOf, type LedgerEntry } from './ledger.ts';
export { OUTLINE_KINDS } from './restored-kinds.ts';
export type {
  ApplyProgress,
  ApplyResult,
  ApplySettings,
  Choices,
  ObserveTarget,
  Plan,
  PlanSummary,
  PreflightCheck,
  StepFailure,
  TargetScope,
  TargetView,
  VerifyReport,
} from './types.ts';
