// A collection or space back into the organization that it stood in.
import type { Resource } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';
import type { PlanStep } from '../types.ts';
import { drifted, gone, readLive, type LiveState, type Reading } from './live-object.ts';
import { original, setting } from './original.ts';

/** With everything that is in it. The platform puts it at the root; its place there is set by a step of its own. */
export const transferBack = setting(async (context, step) => {
  const resource = original(context, step);
  const state = await checkOrganization(context, step, resource);
  if (state === 'gone') throw gone(step);
  if (state === 'mended') return;
  const body = { organization: organizationsOf(step).to };
  if (step.kind === 'space') await context.client.call('transferSpace', { path: { spaceId: resource.id }, body });
  else await context.client.call('transferCollection', { path: { collectionId: resource.id }, body });
});

function organizationsOf({ mend }: PlanStep): { from: string; to: string } {
  const [field] = mend?.fields ?? [];
  return { from: String(field?.from), to: String(field?.to) };
}

/** Where it stands: where the plan saw it, or already back. Throws DM_OBJECT_DRIFTED for another organization. */
export async function checkOrganization(context: Reading, step: PlanStep, resource: Resource): Promise<LiveState> {
  const body = await readLive(context, resource);
  if (body === undefined) return 'gone';
  const { from, to } = organizationsOf(step);
  const now = textAt(body, 'organization');
  if (now === to) return 'mended';
  if (now === from) return 'ready';
  throw drifted(step);
}
