// Before the first write of a plan that mends in place: is everything that it touches still as it saw it?
import type { ApplyContext, Plan, PlanStep } from '../types.ts';
import { AppError } from '../../base/index.ts';
import { checkLive } from './live-object.ts';

/** What a check needs; reads only. */
type Checking = Pick<ApplyContext, 'client' | 'ids' | 'live' | 'signal'>;

/** The steps whose objects were touched since the plan was made. */
export async function driftedObjects(checking: Checking, plan: Plan): Promise<PlanStep[]> {
  const drifted: PlanStep[] = [];
  for (const step of plan.steps) if (await isDrifted(checking, step)) drifted.push(step);
  return drifted;
}

async function isDrifted({ client, ids, live, signal }: Checking, step: PlanStep): Promise<boolean> {
  const expects = step.mend?.expects ?? null;
  if (expects === null) return false;
  if (step.part === 'pages') {
    const { revision } = await client.call('getSpace', { path: { spaceId: ids.need('space', step.key) } }, { signal });
    return revision !== expects;
  }
  const resource = live?.one(step.kind, step.key);
  if (!resource) return true;
  try {
    return (await checkLive({ client, ids, signal }, step, resource)) === 'gone';
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_OBJECT_DRIFTED') return true;
    throw error;
  }
}
