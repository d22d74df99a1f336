// Applying a plan: one step after another, each noted in the journal before its write goes out and after its outcome is known.
import { AppError, isAbort, toAppError } from '../base/index.ts';
import {
  beginRestore,
  endRestore,
  noteStep,
  readerAt,
  restoreById,
  restoreOfPlan,
  stepsOf,
  type RestoreStep,
} from '../mirror/index.ts';
import { checkArchive, stale } from './archive.ts';
import { ContentServer } from './content-server.ts';
import { idMapOf } from './id-map.ts';
import { planHash, readPlan } from './plan-file.ts';
import { workOf } from './steps/index.ts';
import { demandRights } from './preflight.ts';
import { isEmpty, readTarget, seenHash } from './target.ts';
import type { ApplyContext, ApplyResult, ApplySettings, Plan, PlanStep, StepOutcome } from './types.ts';

const RESTORE_ID_LENGTH = 12;

/**
 * Applies a plan once. Before the first write: the archive is checked, the plan must fit the snapshot and its preconditions
 * must hold. Throws DM_PLAN_USED, DM_PLAN_STALE or DM_ARCHIVE_DAMAGED with nothing written. A failed object does not stop the rest;
 * a target that refuses the token or no longer answers does (DM_TOKEN_REFUSED, DM_UNREACHABLE, …), and the restore can be resumed.
 */
export async function applyPlan(
  settings: ApplySettings,
  input: { plan: Plan; planFile: string },
): Promise<ApplyResult> {
  const { mirror } = settings;
  const { plan } = input;
  const used = restoreOfPlan(mirror, planHash(plan));
  if (used) throw planUsed(used.id);
  for (const step of plan.steps) if (step.part !== 'none') workOf(step);
  await checkArchive(settings.mirror, plan);
  await checkPreconditions(settings, plan);
  const id = settings.random.id(RESTORE_ID_LENGTH);
  const { url: target, organization } = plan.target;
  beginRestore(mirror, {
    id,
    plan: input.planFile,
    plan_hash: planHash(plan),
    snapshot: plan.snapshot,
    target,
    organization,
  });
  return run(settings, plan, id);
}

/** Continues a restore that was cut off or had failures: what is done stays done, what is unknown is looked up first. */
export async function resumeRestore(settings: ApplySettings, restore: string): Promise<ApplyResult> {
  const record = restoreById(settings.mirror, restore);
  const plan = await readPlan(record.plan);
  if (planHash(plan) !== record.plan_hash) throw stale(`the file ${record.plan} now holds another plan`);
  await checkArchive(settings.mirror, plan);
  return run(settings, plan, restore);
}

async function run(settings: ApplySettings, plan: Plan, restore: string): Promise<ApplyResult> {
  const { clock, client, mirror } = settings;
  const before = { at: clock.monotonic(), requests: client.meter.requests };
  await using server = await ContentServer.start({ ...settings.contentServer, clock, random: settings.random });
  const journal = new Map(stepsOf(mirror, restore).map((step) => [step.step, step]));
  const ids = idMapOf(plan, [...journal.values()]);
  const reader = readerAt(mirror, plan.snapshot);
  const spaceMaking = { offersCreate: true, donor: null };
  const context: ApplyContext = { ...settings, plan, restore, server, ids, reader, spaceMaking };
  for (const step of plan.steps) {
    settings.signal?.throwIfAborted();
    settings.onProgress?.({ step: step.step, steps: plan.steps.length, title: `${step.kind} ${step.title}` });
    if (step.part !== 'none') await takeStep(context, step, journal);
  }
  const result = resultOf(plan, restore, journal);
  endRestore(mirror, restore, result.failed + result.skipped === 0 ? 'done' : 'failed');
  return {
    ...result,
    requests: client.meter.requests - before.requests,
    durationMs: Math.round(clock.monotonic() - before.at),
  };
}

type Journal = Map<number, RestoreStep>;

async function takeStep(context: ApplyContext, step: PlanStep, journal: Journal): Promise<void> {
  const earlier = journal.get(step.step);
  if (earlier?.state === 'done') return;
  const blocker = step.needs.find((need) => journal.get(need)?.state !== 'done');
  if (blocker !== undefined) {
    note(context, journal, {
      step,
      state: 'skipped',
      detail: { error: `step ${blocker}, which it needs, was not done` },
    });
    return;
  }
  try {
    const found = earlier === undefined || earlier.state === 'skipped' ? null : await workOf(step).find(context, step);
    const outcome = found ?? (await write(context, step, journal));
    if (outcome.newId !== null) context.ids.set(step.kind, step.key, outcome.newId);
    context.ids.addAll(outcome.map ?? {});
    note(context, journal, { step, state: 'done', outcome });
  } catch (error) {
    // After an interruption the outcome is unknown: the entry stays "started", and a resume looks it up.
    if (isAbort(error) || ENDS_APPLY.has(toAppError(error).code)) throw error;
    const { message, code } = toAppError(error);
    context.log.warn({ step: step.step, kind: step.kind, err: message }, 'a step of the restore failed');
    note(context, journal, { step, state: 'failed', detail: { error: message } });
    if (OUTAGES.has(code)) await endureOutage(context);
  }
}

// These say nothing about one object: to go on would turn every step into a failure.
const ENDS_APPLY: ReadonlySet<string> = new Set(['DM_TOKEN_REFUSED', 'DM_RATE_LIMITED', 'DM_DISK_FULL']);
const OUTAGES: ReadonlySet<string> = new Set(['DM_UNREACHABLE', 'DM_TIMEOUT']);

/** Goes on when the target answers another request; else throws, and the restore is resumed when it does again. */
async function endureOutage({ client, signal }: ApplyContext): Promise<void> {
  await client.callRaw('listOrganizations', { query: { limit: 1 } }, { signal });
}

function write(context: ApplyContext, step: PlanStep, journal: Journal): Promise<StepOutcome> {
  note(context, journal, { step, state: 'started' });
  return workOf(step).write(context, step);
}

interface Entry {
  readonly step: PlanStep;
  readonly state: RestoreStep['state'];
  readonly outcome?: StepOutcome;
  readonly detail?: { readonly error: string };
}

function note(context: ApplyContext, journal: Journal, { step, state, outcome, detail }: Entry): void {
  const kept = outcome ? { map: outcome.map, problem: outcome.problem, how: outcome.how } : detail;
  const entry = {
    restore: context.restore,
    step: step.step,
    state,
    kind: step.kind,
    key: step.key,
    new_id: outcome?.newId ?? null,
    detail: kept === undefined ? null : JSON.stringify(kept),
  };
  noteStep(context.mirror, entry);
  journal.set(step.step, { ...entry, at: '' });
}

function resultOf(plan: Plan, restore: string, journal: Journal): Omit<ApplyResult, 'requests' | 'durationMs'> {
  const entries = [...journal.values()];
  const count = (state: RestoreStep['state']): number => entries.filter((entry) => entry.state === state).length;
  const failures = entries.flatMap((entry) => {
    const detail = entry.detail === null ? {} : (JSON.parse(entry.detail) as { error?: string; problem?: string });
    const error = detail.error ?? detail.problem;
    return error === undefined ? [] : [{ kind: entry.kind, key: entry.key, error }];
  });
  const unsupported = plan.steps.filter((step) => step.action === 'unsupported').length;
  return { restore, done: count('done'), failed: count('failed'), skipped: count('skipped'), unsupported, failures };
}

/** What stands there must be what the plan saw, and the token must be allowed what the plan needs. */
async function checkPreconditions({ client, signal }: ApplySettings, plan: Plan): Promise<void> {
  const target = await readTarget(client, plan.target.organization, signal);
  for (const condition of plan.preconditions) {
    const { organization } = condition;
    switch (condition.what) {
      case 'organization-empty':
        if (!isEmpty(target)) throw stale(`organization ${organization} is no longer empty`);
        break;
      case 'organization-as-seen':
        if (seenHash(target) !== condition.seen)
          throw stale(`something was added to organization ${organization} or went from it`);
    }
  }
  demandRights(target, plan.rights);
}

function planUsed(restore: string): AppError {
  return new AppError('DM_PLAN_USED', `The plan was already applied as restore ${restore}`, {
    hint: `Continue it with \`docmirror restore resume ${restore}\`, or make a new plan.`,
  });
}
