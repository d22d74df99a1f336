/** Plan, apply, resume, verify, drill. */
export { applyPlan, resumeRestore } from './apply.ts';
export { isDrill, runDrill, type DrillInput, type DrillOrganization, type DrillTarget } from './drill.ts';
export { ledger, ledgerOf, type LedgerEntry } from './ledger.ts';
export { makePlan, type PlanInput } from './plan.ts';
export { planSummary, planTree, readPlan, writePlan } from './plan-file.ts';
export { verifyRestore, type VerifyInput } from './verify.ts';
export type {
  ApplyProgress,
  ApplyResult,
  ApplySettings,
  BetterThanClaimed,
  ClosureEntry,
  Difference,
  ObserveTarget,
  Plan,
  PlanStep,
  PlanSummary,
  PreflightCheck,
  TargetView,
  VerifyReport,
} from './types.ts';
export { parseScope } from './scope.ts';
