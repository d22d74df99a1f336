// A restore whose every write is cut off, at three points: before it is sent, after it is processed, after its answer.
import { isAbort } from '../../src/base/index.ts';
import { restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { applyPlan, resumeRestore, type ApplyResult, type ApplySettings, type Plan } from '../../src/restore/index.ts';
import { cutting, type Cut, type CuttingClient } from './cutting.ts';

export type { Cut } from './cutting.ts';

export interface Endured extends Omit<CuttingClient, 'client'> {
  readonly restore: string;
  /** How often it was begun. */
  readonly runs: number;
  readonly result: ApplyResult;
}

const MOST_RUNS = 2000;

export async function endure(
  settings: ApplySettings,
  { plan, planFile, cut }: { plan: Plan; planFile: string; cut: Cut },
): Promise<Endured> {
  const { client, before, after } = cutting(settings.client, cut);
  const cutOff = { ...settings, client };
  let result = await orCut(() => applyPlan(cutOff, { plan, planFile }));
  const restore = restoreOfPlan(settings.mirror, planHash(plan))?.id ?? '';
  for (let runs = 1; runs < MOST_RUNS; runs++) {
    if (result !== null && result.failed + result.skipped === 0) return { restore, runs, result, before, after };
    result = await orCut(() => resumeRestore(cutOff, restore));
  }
  throw new Error(`the restore does not end: ${JSON.stringify(result)}`);
}

async function orCut(work: () => Promise<ApplyResult>): Promise<ApplyResult | null> {
  try {
    return await work();
  } catch (error) {
    if (isAbort(error)) return null;
    throw error;
  }
}
