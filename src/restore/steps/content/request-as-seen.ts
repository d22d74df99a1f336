// A change request that stands and that a plan in place writes into: nobody may have edited it since the plan was made.
import type { ApplyContext, PlanStep } from '../../types.ts';
import { unlessGone } from '../../answers.ts';
import { drifted } from '../live-object.ts';

/** True where it is at the revision that the plan saw; a plan that makes it saw none. */
export async function isRequestAsSeen(
  { client }: Pick<ApplyContext, 'client'>,
  { key, mend }: PlanStep,
): Promise<boolean> {
  const { expects = null } = mend ?? {};
  if (expects === null) return true;
  const [spaceId = '', changeRequestId = ''] = key.split('/');
  const path = { spaceId, changeRequestId };
  const now = await unlessGone(client.call('getChangeRequest', { path }));
  return now?.revision === expects;
}

const SEEN = 'into the change request as it was seen';

/** For the first try of a step: a later one finds there what that has written. Throws DM_OBJECT_DRIFTED. */
export async function demandRequestAsSeen(context: ApplyContext, step: PlanStep): Promise<void> {
  if (step.mend === undefined || context.journal.keptOf(step) !== undefined) return;
  if (!(await isRequestAsSeen(context, step))) throw drifted(step);
  context.journal.keep(step, SEEN);
}
