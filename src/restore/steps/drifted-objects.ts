// Before the first write of a plan that mends in place: is everything that it touches still as it saw it?
import type { ApplyContext, PlanStep } from '../types.ts';
import { AppError } from '../../base/index.ts';
import { heldNow } from './held-now.ts';
import { checkLive, checkPlace, checkValues, thingOf, type LiveState, isRequestAsSeen } from './live-object.ts';
import { checkOrganization } from './transfer.ts';

/** What a check needs; reads only. */
type Checking = Pick<ApplyContext, 'client' | 'ids' | 'live' | 'plan'>;

/** The objects that were touched since the plan was made, in words. */
export async function driftedObjects(checking: Checking): Promise<string[]> {
  const { plan } = checking;
  const drifted: string[] = [];
  // What lies in the bin can be looked at only once it is out of it: its own step does so.
  const inBin = new Set(plan.steps.filter(({ part }) => part === 'undelete').map(({ key }) => key));
  const transferred = new Set(
    plan.steps.filter(({ part }) => part === 'transfer').map(({ kind, key }) => `${kind} ${key}`),
  );
  for (const step of plan.steps) {
    if ((step.kind === 'space' || isValues(step)) && inBin.has(step.key)) continue;
    // So it is with the place that something has in the organization that it is to go back to.
    if (step.part === 'place' && transferred.has(`${step.kind} ${step.key}`)) continue;
    const name = thingOf(step);
    if (await isDrifted(checking, step)) drifted.push(name);
    else {
      const held = await newlyHeld(checking, step);
      if (held !== null) drifted.push(`${name}, which holds ${held} now,`);
    }
  }
  return drifted;
}

/** Somebody has put it into what is to be taken away. */
async function newlyHeld(checking: Checking, { part, kind, key }: PlanStep): Promise<string | null> {
  const holder = part === 'remove' ? checking.live?.one(kind, key) : undefined;
  return holder === undefined ? null : heldNow(checking, holder);
}

async function isDrifted(checking: Checking, step: PlanStep): Promise<boolean> {
  const { client, ids, live } = checking;
  const expects = step.mend?.expects ?? null;
  if (step.part === 'place' || step.part === 'transfer' || isValues(step))
    return isOther(() => checkUnhashed(checking, step));
  if (expects === null) return false;
  if (step.part === 'pages') {
    const { revision } = await client.call('getSpace', { path: { spaceId: ids.need('space', step.key) } });
    return revision !== expects;
  }
  if (step.kind === 'change-request-revision') return !(await isRequestAsSeen(checking, step));
  const resource = live?.one(step.kind, step.key);
  return !resource || isOther(() => checkLive({ client, ids }, step, resource));
}

function isValues({ kind, part }: PlanStep): boolean {
  return kind === 'custom-field-value' && part === 'fields';
}

/** Places and values are compared as they are. */
async function checkUnhashed(checking: Checking, step: PlanStep): Promise<LiveState> {
  if (isValues(step)) return checkValues(checking, step);
  const resource = checking.live?.one(step.kind, step.key);
  if (!resource) return 'gone';
  if (step.part === 'transfer') return checkOrganization(checking, step, resource);
  const to = step.mend?.fields[0]?.to;
  const wanted = typeof to === 'string' ? checking.ids.get('collection', to) : undefined;
  return checkPlace(checking, step, { resource, wanted });
}

/** True for what is gone, or neither as the plan saw it nor mended. */
async function isOther(check: () => Promise<LiveState>): Promise<boolean> {
  try {
    return (await check()) === 'gone';
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_OBJECT_DRIFTED') return true;
    throw error;
  }
}
