// What a plan is to make anew in place, and another restore has made already: made once more it would stand there twice.
import { AppError } from '../base/index.ts';
import { listRestores, stepsOf, type Mirror, type RestoreRecord, type RestoreStep } from '../mirror/index.ts';
import { newParams } from './compare/find-restored.ts';
import { idMapOf } from './id-map.ts';
import { readLive } from './steps/live-object.ts';
import type { ApplyContext, Plan, PlanStep } from './types.ts';

interface Asking extends Pick<ApplyContext, 'client' | 'reader' | 'live' | 'signal'> {
  /** Holds the journal of every restore. */
  readonly mirror: Mirror;
  /** This restore; null before it begins. */
  readonly restore: string | null;
}

interface Maker {
  readonly step: PlanStep;
  readonly by: RestoreRecord;
  /** Null where the other restore was cut off before it could note what it made. */
  readonly id: string | null;
}

/**
 * Two plans of one snapshot name the same things, and so do a restore that was cut off and the plan that somebody makes instead of
 * resuming it. Throws DM_PLAN_STALE, with nothing written; what was made and has gone again is in nobody's way.
 */
export async function demandNotMade(asking: Asking, plan: Plan): Promise<void> {
  if (plan.mode !== 'in-place') return;
  const own = asking.restore === null ? [] : stepsOf(asking.mirror, asking.restore);
  const done = new Set(own.filter(({ state }) => state === 'done').map(({ step }) => step));
  const open = plan.steps.filter(({ part, step }) => part === 'create' && !done.has(step));
  const making = new Map(open.map((step) => [`${step.kind} ${step.key}`, step]));
  if (making.size === 0) return;
  for (const by of listRestores(asking.mirror).toReversed()) {
    if (by.id === asking.restore || !isOfSamePlace(by, plan)) continue;
    const noted = stepsOf(asking.mirror, by.id);
    for (const one of noted) {
      const maker = makerIn(making, by, { noted: one, plan });
      if (maker !== null && (await stands(asking, plan, { maker, noted }))) throw madeAlready(maker, asking.restore);
    }
  }
}

function isOfSamePlace({ target, organization }: RestoreRecord, plan: Plan): boolean {
  return target === plan.target.url && organization === plan.target.organization;
}

function makerIn(
  making: ReadonlyMap<string, PlanStep>,
  by: RestoreRecord,
  { noted, plan }: { readonly noted: RestoreStep; readonly plan: Plan },
): Maker | null {
  const step = making.get(`${noted.kind} ${noted.key}`);
  if (step === undefined) return null;
  if (noted.state === 'done') return noted.new_id === null ? null : { step, by, id: noted.new_id };
  // Begun before this plan, whatever came of it is in what the plan was made against.
  const isOpen = (noted.state === 'started' || noted.state === 'failed') && noted.at > plan.createdAt;
  return isOpen ? { step, by, id: null } : null;
}

async function stands(
  { client, reader, live, signal }: Asking,
  plan: Plan,
  { maker: { step, id }, noted }: { readonly maker: Maker; readonly noted: readonly RestoreStep[] },
): Promise<boolean> {
  if (id === null) return true;
  const resource = reader.one(step.kind, step.key);
  // What the plan saw standing under that id is no reason to doubt it: it was to be made beside that.
  if (resource === undefined || (live?.keysOf(step.kind, id).length ?? 0) > 0) return false;
  const ids = idMapOf(plan, noted, live);
  // What was to hold it is not there either.
  if (Object.values(newParams(ids, resource)).includes(undefined)) return false;
  return (await readLive({ client, ids, signal }, resource)) !== undefined;
}

function madeAlready({ step, by }: Maker, restore: string | null): AppError {
  const what = `${step.kind} ${step.title}`;
  const isOpen = by.state !== 'done';
  const why = restore === null ? 'The plan no longer fits' : `Restore ${restore} does not go on`;
  const next = isOpen
    ? `Run \`docmirror restore resume ${by.id}\` first; then \`docmirror restore plan\` names what is still missing.`
    : 'Make a new plan with `docmirror restore plan`: it takes what was brought back for what was lost, and names only what is still missing.';
  return new AppError(
    'DM_PLAN_STALE',
    `${why}: restore ${by.id} ${isOpen ? 'may have made' : 'has made'} ${what} anew meanwhile, and it would stand there twice`,
    { hint: `${next} Nothing was written.` },
  );
}
