import type { Plan } from '../../src/restore/index.ts';
import { stepLines } from '../../src/restore/plan/step-lines.ts';

/** The plan write by write, as people read it. */
export function planTree(plan: Plan): string[] {
  return plan.steps.flatMap(stepLines);
}
