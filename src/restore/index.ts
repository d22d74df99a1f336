/** Plan, apply, resume, verify, drill. */
export { untilShown } from './journal/until-shown.ts';
export { applyPlan, resumeRestore, type ApplyStop } from './apply.ts';
export { runDrill, type DrillOrganization, type DrillResult, type DrillTarget } from './drill.ts';
export { ledger, ledgerOf, type LedgerEntry } from './ledger.ts';
export type { ImportLimits } from './content/import-parts.ts';
export { planInPlace } from './in-place/plan-in-place.ts';
export { spacesAskedFor, spacesWritten, writesWithin } from './in-place/spaces-read.ts';
export { demandAsked } from './plan/demand-asked.ts';
export { makePlan } from './plan.ts';
export { leavesChanged } from './journal/later-restores.ts';
export { readPeopleFile } from './special/people-file.ts';
export type { PeopleChoice } from './special/people.ts';
export { noteRemapped, planRemap } from './remap.ts';
export { planLines, planOutline } from './plan/plan-outline.ts';
export { planHash, planSummary, readPlan, writePlan } from './plan/plan-file.ts';
export { planUndo } from './undo.ts';
export { OUTLINE_KINDS } from './restored-kinds.ts';
export { archiveOfUndo, beforeFolder, leavesAny } from './journal/undo-file.ts';
export { verifyRestore } from './verify.ts';
export type {
  ApplyProgress,
  ApplyResult,
  StepFailure,
  ApplySettings,
  Choices,
  TargetScope,
  ObserveTarget,
  Plan,
  PlanSummary,
  PreflightCheck,
  TargetView,
  VerifyReport,
} from './types.ts';
export { parseScope } from './selection/scope.ts';
