/** Plan, apply, resume, verify, drill. */
export { untilShown } from './journal/until-shown.ts';
export { applyPlan, resumeRestore, type ApplyStop } from './apply.ts';
export { runDrill, type DrillInput, type DrillOrganization, type DrillResult, type DrillTarget } from './drill.ts';
export { ledger, ledgerOf, type LedgerEntry } from './ledger.ts';
export type { ContentPlaceOptions } from './content/content-place.ts';
export type { ImportLimits } from './content/import-parts.ts';
export type { InPlaceInput } from './in-place/input.ts';
export { planInPlace } from './in-place/plan-in-place.ts';
export { demandAsked } from './plan/demand-asked.ts';
export { makePlan, type PlanInput } from './plan.ts';
export { leavesChanged } from './journal/later-restores.ts';
export { readPeopleFile } from './special/people-file.ts';
export type { PeopleChoice } from './special/people.ts';
export { noteRemapped, planRemap, type RemapInput } from './remap.ts';
export { planLines, planOutline } from './plan/plan-outline.ts';
export { planHash, planSummary, readPlan, writePlan } from './plan/plan-file.ts';
export { planUndo, type UndoInput } from './undo.ts';
export { OUTLINE_KINDS } from './restored-kinds.ts';
export { archiveOfUndo, beforeFolder, leavesAny } from './journal/undo-file.ts';
export { verifyRestore, type VerifyInput } from './verify.ts';
export type {
  ApplyProgress,
  ApplyResult,
  StepFailure,
  ApplySettings,
  BetterThanClaimed,
  Choices,
  ClosureEntry,
  FieldDifference,
  TargetScope,
  ObserveTarget,
  Plan,
  PlanStep,
  PlanSummary,
  PreflightCheck,
  TargetView,
  VerifyReport,
} from './types.ts';
export { parseScope } from './selection/scope.ts';
