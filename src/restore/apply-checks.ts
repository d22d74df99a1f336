// What must hold before an apply writes for the first time: the plan is new, and what it was made against is still there.
import { AppError, few } from '../base/index.ts';
import {
  halfUndone,
  readerByIds,
  undone,
  type Mirror,
  type RestoreRecord,
  type SnapshotReader,
} from '../mirror/index.ts';
import { stale } from './plan/plan-archive.ts';
import { idMapOf } from './journal/id-map.ts';
import { demandRights } from './plan/preflight.ts';
import { driftedObjects } from './steps/drifted-objects.ts';
import { hasStatus } from './answers.ts';
import { firstOf } from './resource.ts';
import { isEmpty, NOT_SHOWN, readTarget, readTargetOfGuest, seenHash, type TargetState } from './target.ts';
import type { ApplySettings, Plan } from './types.ts';

/** What stands there must be what the plan saw, and the token must be allowed what the plan needs. Tells what stands there. */
export async function checkPreconditions(
  { client }: ApplySettings,
  plan: Plan,
  live: SnapshotReader | null,
): Promise<TargetState> {
  const read = isOfGuest(plan, live) ? readTargetOfGuest : readTarget;
  const target = await read(client, plan.target.organization);
  for (const condition of plan.preconditions) {
    const { organization } = condition;
    switch (condition.what) {
      case 'organization-empty':
        if (!isEmpty(target)) throw stale(`organization ${organization} is no longer empty`, plan);
        break;
      case 'organization-as-seen':
        if (seenHash(target) !== condition.seen)
          throw stale(`something was added to organization ${organization} or went from it`, plan);
    }
  }
  demandRights(target, plan.rights);
  return target;
}

/** In place, the token was not shown the organization when the plan was made. */
function isOfGuest({ target }: Plan, live: SnapshotReader | null): boolean {
  return live !== null && live.one('organization', target.organization) === undefined;
}

/**
 * The token must be shown the organization, or that of a guest one of the spaces: for one of another account nothing in it is there, and
 * what was to be taken away would count as gone already.
 */
export async function demandOrganization(
  settings: ApplySettings,
  plan: Plan,
  live: SnapshotReader | null,
): Promise<void> {
  const { client } = settings;
  if (live === null || !isOfGuest(plan, live))
    await client.call('getOrganization', { path: { organizationId: plan.target.organization } });
  else
    await demandAnySpace(
      settings,
      plan.steps.map(({ key }) => firstOf(key)).filter((id) => live.one('space', id) !== undefined),
    );
}

async function demandAnySpace({ client }: ApplySettings, spaces: readonly string[]): Promise<void> {
  let refused: Error | null = null;
  for (const spaceId of new Set(spaces)) {
    try {
      await client.call('getSpace', { path: { spaceId } });
      return;
    } catch (error) {
      if (!hasStatus(error, NOT_SHOWN)) throw error;
      refused = error;
    }
  }
  if (refused !== null) throw refused;
}

export function planUsed(mirror: Mirror, { id, state }: RestoreRecord): AppError {
  const hint = `${afterUse(mirror, { id, state })}, or make a new plan. Nothing was written.`;
  return new AppError('DM_PLAN_USED', `The plan was already applied as restore ${id}`, { hint });
}

function afterUse(mirror: Mirror, { id, state }: Pick<RestoreRecord, 'id' | 'state'>): string {
  const [whole, half] = [undone(mirror).get(id), halfUndone(mirror).get(id)];
  if (whole !== undefined) return `It was taken back by restore ${whole}: look at it with \`docmirror restore list\``;
  if (half !== undefined)
    return `Restore ${half} is taking it back: continue that with \`docmirror restore resume ${half}\``;
  return state === 'done'
    ? `It is done: look at it with \`docmirror restore verify ${id}\``
    : `Continue it with \`docmirror restore resume ${id}\``;
}

/** Nothing of what the plan sets back or takes away may have been touched since. Throws DM_PLAN_STALE that names what was. */
export async function checkObjects(settings: ApplySettings, archive: Mirror, plan: Plan): Promise<void> {
  const live = liveOf(archive, plan);
  if (live === null) return;
  const touched = await driftedObjects({ ...settings, plan, live, ids: idMapOf(plan, [], live) });
  if (touched.length === 0) return;
  throw stale(`${few(touched, SHOWN_OBJECTS)} changed since`, plan);
}

const SHOWN_OBJECTS = 5;

/** The state that the plan was made against; null where everything is made anew. */
export function liveOf(archive: Mirror, { live }: Plan): SnapshotReader | null {
  return live && readerByIds(archive, live.snapshot);
}
