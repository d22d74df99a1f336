// A space that comes out of the platform's bin.
import { AppError, isRecord } from '../../base/index.ts';
import { hasStatus, REFUSED, unlessGone, unlessThere } from '../answers.ts';
import { madeAtOf } from '../journal/made-spaces.ts';
import { isInBin, textAt } from '../resource.ts';
import type { Resource } from '../../mirror/index.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../types.ts';
import { newParent } from './containers.ts';
import { original, setting } from './original.ts';

/** The platform does not give out what its bin does not show, if it has it there: nothing was written. */
export class InNoBin extends AppError {
  constructor({ title }: PlanStep, cause: AppError) {
    const right = cause.code === 'DM_FORBIDDEN' ? ' Or give the token the right to undelete, and resume.' : '';
    super('DM_NOT_FOUND', `The platform does not have space ${title} in its bin: ${cause.message}`, {
      hint: `Make a new plan: it makes the space anew.${right}`,
      cause,
    });
  }
}

// What is not there, may not be seen, cannot be undeleted, or no operation undeletes.
const IN_NO_BIN = [...REFUSED, 410];

/**
 * Out of the bin, then to where it stood: a space whose collection was deleted comes back outside of all, and one that somebody had
 * transferred before in the organization to which that was.
 */
export const undeleteSpace = setting(async (context, step): Promise<StepOutcome> => {
  const resource = original(context, step);
  const path = { spaceId: resource.id };
  const now = await unlessGone(context.client.callRaw('getSpace', { path }));
  const asked = context.clock.now();
  const undelete = (): Promise<unknown> => context.client.call('restoreSpace', { path });
  // A bin that shows nothing of what is in it is asked for it all the same.
  const space =
    now === undefined ? await unshown(step, undelete) : isRecord(now) && isInBin(now) ? await undelete() : now;
  const parent = newParent(context, resource);
  const isBack = await toItsOrganization(context, { resource, space });
  const stands = isRecord(space) && !isBack ? textAt(space, 'parent') : undefined;
  if (isRecord(space) && stands !== parent)
    await unlessThere(() => context.client.call('moveSpace', { path, body: { parent: parent ?? null } }));
  const cameWith = isRecord(space) ? textAt(space, 'revision') : undefined;
  const outcome = { newId: resource.id, how: 'out of the bin', ...madeAtOf(asked, { before: now, after: space }) };
  return cameWith === undefined ? outcome : { ...outcome, cameWith };
});

/** Outside of all collections. True where it had to be transferred. */
async function toItsOrganization(
  { client }: ApplyContext,
  { resource, space }: { readonly resource: Resource; readonly space: unknown },
): Promise<boolean> {
  const organization = textAt(resource.body, 'organization');
  const now = isRecord(space) ? textAt(space, 'organization') : undefined;
  if (organization === undefined || now === undefined || now === organization) return false;
  await client.call('transferSpace', { path: { spaceId: resource.id }, body: { organization } });
  return true;
}

async function unshown(step: PlanStep, undelete: () => Promise<unknown>): Promise<unknown> {
  try {
    return await undelete();
  } catch (error) {
    throw hasStatus(error, IN_NO_BIN) ? new InNoBin(step, error) : error;
  }
}
