// Before the first write of a plan that mends in place: is everything that it touches still as it saw it?
import type { ApplyContext, Plan, PlanStep } from '../types.ts';
import { AppError } from '../../base/index.ts';
import { checkLive, checkPlace, checkValues } from './live-object.ts';

/** What a check needs; reads only. */
type Checking = Pick<ApplyContext, 'client' | 'ids' | 'live' | 'signal'>;

/** The steps whose objects were touched since the plan was made. */
export async function driftedObjects(checking: Checking, plan: Plan): Promise<PlanStep[]> {
  const drifted: PlanStep[] = [];
  // What lies in the bin can be looked at only once it is out of it: its own step does so.
  const inBin = new Set(plan.steps.filter(({ part }) => part === 'undelete').map(({ key }) => key));
  for (const step of plan.steps) {
    if (step.kind === 'space' && inBin.has(step.key)) continue;
    if (await isDrifted(checking, step)) drifted.push(step);
  }
  return drifted;
}

async function isDrifted(checking: Checking, step: PlanStep): Promise<boolean> {
  const { client, ids, live, signal } = checking;
  const expects = step.mend?.expects ?? null;
  if (step.part === 'place' || isValues(step)) return isRefused(() => checkUnhashed(checking, step));
  if (expects === null) return false;
  if (step.part === 'pages') {
    const { revision } = await client.call('getSpace', { path: { spaceId: ids.need('space', step.key) } }, { signal });
    return revision !== expects;
  }
  const resource = live?.one(step.kind, step.key);
  if (!resource) return true;
  return isRefused(() => checkLive({ client, ids, signal }, step, resource));
}

function isValues({ kind, part }: PlanStep): boolean {
  return kind === 'custom-field-value' && part === 'fields';
}

/** Places and values are compared as they are. */
async function checkUnhashed(checking: Checking, step: PlanStep): Promise<'ready' | 'mended' | 'gone'> {
  if (isValues(step)) return checkValues(checking, step);
  const resource = checking.live?.one(step.kind, step.key);
  if (!resource) return 'gone';
  const to = step.mend?.fields[0]?.to;
  const wanted = typeof to === 'string' ? checking.ids.get('collection', to) : undefined;
  return checkPlace(checking, step, { resource, wanted });
}

async function isRefused(check: () => Promise<'ready' | 'mended' | 'gone'>): Promise<boolean> {
  try {
    return (await check()) === 'gone';
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_OBJECT_DRIFTED') return true;
    throw error;
  }
}
