// A space that comes out of the platform's bin.
import { AppError, isRecord } from '../../base/index.ts';
import { isGone, isNotOffered, unlessGone, unlessThere } from '../answers.ts';
import { madeAtOf } from '../journal/made-spaces.ts';
import { isInBin, textAt } from '../resource.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../types.ts';
import { newParent } from './containers.ts';
import { original, setting } from './original.ts';

/** The platform does not have in its bin what was to come out of it: nothing was written. */
export class InNoBin extends AppError {
  constructor({ title }: PlanStep, cause: AppError) {
    super('DM_NOT_FOUND', `The platform does not have space ${title} in its bin: ${cause.message}`, {
      hint: 'Make a new plan: it makes the space anew.',
      cause,
    });
  }
}

/** Out of the bin, then to where it stood: a space whose collection was deleted comes back outside of all. */
export const undeleteSpace = setting(async (context, step): Promise<StepOutcome> => {
  const resource = original(context, step);
  const path = { spaceId: resource.id };
  const options = { signal: context.signal };
  // A bin that shows nothing of what is in it is asked for it all the same.
  const now = await unlessGone(context.client.callRaw('getSpace', { path }, options));
  const asked = context.clock.now();
  const isAway = now === undefined || (isRecord(now) && isInBin(now));
  const space = isAway ? await outOfBin(context, step, resource.id) : now;
  const parent = newParent(context, resource);
  if (isRecord(space) && textAt(space, 'parent') !== parent)
    await unlessThere(() => context.client.call('moveSpace', { path, body: { parent: parent ?? null } }, options));
  return { newId: resource.id, how: 'out of the bin', ...madeAtOf(asked, { before: now, after: space }) };
});

async function outOfBin({ client, signal }: ApplyContext, step: PlanStep, spaceId: string): Promise<unknown> {
  try {
    return await client.call('restoreSpace', { path: { spaceId } }, { signal });
  } catch (error) {
    if (!isGone(error) && !isNotOffered(error)) throw error;
    throw new InNoBin(step, error);
  }
}
