// Applying a plan: one step after another, each noted in the journal before its write goes out and after its outcome is known.
import { join } from 'node:path';
import { AppError, createTelling, ensurePrivateDirectory, isAbort, toAppError, type ErrorCode } from '../base/index.ts';
import { isComment } from '../contract/index.ts';
import { isOutage, type OutageCode } from '../client/index.ts';
import {
  beginRestore,
  endRestore,
  readerAt,
  restoreById,
  restoreOfPlan,
  halfUndone,
  undone,
  type Mirror,
  type RestoreEnd,
  type RestoreRecord,
  type SnapshotReader,
} from '../mirror/index.ts';
import { resultOf } from './journal/apply-result.ts';
import { archiveOf, checkArchive, stale } from './content/archive.ts';
import { ContainerOrder } from './special/container-order.ts';
import { hostAsked, isOwnHost, openContentPlace } from './content/content-place.ts';
import { idMapOf } from './journal/id-map.ts';
import { demandNotMade } from './journal/made-meanwhile.ts';
import { openMadeSpaces, settleMadeSpaces } from './journal/made-spaces.ts';
import { openOwnChanges, settleOwnChanges } from './journal/own-changes.ts';
import { planHash, readPlan } from './plan/plan-file.ts';
import { StepJournal } from './journal/step-journal.ts';
import { ArchiveAhead } from './steps/archive-ahead.ts';
import { driftedObjects } from './steps/drifted-objects.ts';
import { whyFailed } from './steps/space-gone.ts';
import { SpecReading } from './steps/spec-address.ts';
import { workOf } from './steps/index.ts';
import { writeOrHold } from './steps/made-by-others.ts';
import { demandRights } from './plan/preflight.ts';
import { asImported } from './content/raised-pages.ts';
import { resumeHint } from './journal/resume-hint.ts';
import { isEmpty, readTarget, seenHash } from './target.ts';
import { untilShown } from './journal/until-shown.ts';
import { demandNotGoneOn, demandNotOvertaken } from './journal/undo-file.ts';
import { sourceDoubt } from './source-doubt.ts';
import { withProblems } from './with-problems.ts';
import type { ApplyContext, ApplyResult, ApplySettings, Plan, PlanStep } from './types.ts';

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
  if (used) throw planUsed(mirror, used);
  demandNotGoneOn(mirror, plan);
  for (const step of plan.steps) if (step.part !== 'none') workOf(step);
  using archive = archiveOf(mirror, plan);
  await checkArchive(archive.mirror, plan, { signal: settings.signal });
  await checkPreconditions(settings, plan);
  await checkObjects(settings, archive.mirror, plan);
  await demandNotMade({ ...settings, ...sidesOf(archive.mirror, plan), restore: null }, plan);
  const id = settings.random.id(RESTORE_ID_LENGTH);
  await settings.keepBefore?.(plan, id);
  const { url: target, organization } = plan.target;
  beginRestore(mirror, {
    id,
    plan: input.planFile,
    plan_hash: planHash(plan),
    snapshot: plan.snapshot,
    target,
    organization,
  });
  return await run({ ...settings, archive: archive.mirror }, plan, id);
}

/** Continues a restore that was cut off or had failures: what is done stays done, what is unknown is looked up first. */
export async function resumeRestore(settings: ApplySettings, restore: string): Promise<ApplyResult> {
  const record = restoreById(settings.mirror, restore);
  const plan = await readPlan(record.plan);
  if (planHash(plan) !== record.plan_hash) throw stale(`the file ${record.plan} now holds another plan`, plan);
  demandNotGoneOn(settings.mirror, plan);
  demandNotOvertaken(settings.mirror, record);
  using archive = archiveOf(settings.mirror, plan);
  await checkArchive(archive.mirror, plan, { isBegun: true, signal: settings.signal });
  await untilShown(settings, restore);
  await demandNotMade({ ...settings, ...sidesOf(archive.mirror, plan), restore }, plan);
  return await run({ ...settings, archive: archive.mirror }, plan, restore);
}

async function run(
  settings: ApplySettings & Pick<ApplyContext, 'archive'>,
  plan: Plan,
  restore: string,
): Promise<ApplyResult> {
  const { clock, client, mirror } = settings;
  const { requests, exchangedMs, waitedMs } = client.meter;
  const before = { at: clock.monotonic(), requests, waited: exchangedMs + waitedMs };
  await using server = await openContentPlace(settings.contentServer, settings);
  const journal = new StepJournal(mirror, restore);
  const live = liveOf(settings.archive, plan);
  const ids = idMapOf(plan, journal.entries, live);
  const reader = asImported(readerAt(settings.archive, plan.snapshot), plan);
  const isNear = isOwnHost(hostAsked(settings.contentServer));
  const folder = join(settings.workDir, restore);
  await ensurePrivateDirectory(folder);
  await using ahead = new ArchiveAhead();
  const spaceMaking = { offersCreate: true, donor: null };
  const context: ApplyContext = {
    ...settings,
    plan,
    restore,
    journal,
    server,
    ids,
    reader,
    live,
    folder,
    isNear,
    ahead,
    telling: createTelling(settings.log, STEP_FAILED),
    spaceMaking,
    specReading: new SpecReading(),
    containers: new ContainerOrder(reader, plan.organization),
  };
  try {
    await takeSteps(context);
  } finally {
    context.telling.end({ restore });
  }
  const result = resultOf(plan, restore, journal);
  endRestore(mirror, restore, stateOf(result));
  return {
    ...result,
    doubt: sourceDoubt(settings.archive, plan),
    requests: client.meter.requests - before.requests,
    // One step at a time has one request under way.
    waitedMs: Math.round(client.meter.exchangedMs + client.meter.waitedMs - before.waited),
    durationMs: Math.round(clock.monotonic() - before.at),
  };
}

async function takeSteps(context: ApplyContext): Promise<void> {
  const { plan, journal, signal, onProgress, ahead } = context;
  const { steps } = plan;
  const isAny = steps.some((step) => isToDo(context, step, journal));
  if (isAny) await openMadeSpaces(context);
  const opened = isAny ? await openOwnChanges(context) : null;
  for (const [index, step] of steps.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ step: step.step, steps: steps.length, title: `${step.kind} ${step.title}` });
    if (!isToDo(context, step, journal)) continue;
    ahead.begin(context, steps[index + 1]);
    await takeStep(context, step);
  }
  await settleMadeSpaces(context);
  if (opened !== null) await settleOwnChanges(context, opened);
}

const STEP_FAILED = {
  one: 'a step of the restore failed',
  more: 'more steps of the restore failed than these',
};

function stateOf({ failed, skipped, left }: Pick<ApplyResult, 'failed' | 'skipped' | 'left'>): RestoreEnd {
  if (failed + skipped > 0) return 'failed';
  return left > 0 ? 'unfinished' : 'done';
}

function isToDo(settings: ApplySettings, step: PlanStep, journal: StepJournal): boolean {
  return step.part !== 'none' && journal.stateOf(step.step) !== 'done' && !isLeft(settings, step, journal);
}

/** What this run does not begin. */
function isLeft({ onlyFailed, withoutComments }: ApplySettings, step: PlanStep, journal: StepJournal): boolean {
  if (journal.stateOf(step.step) !== undefined) return false;
  return onlyFailed === true || (withoutComments === true && isComment(step.kind));
}

function sidesOf(archive: Mirror, plan: Plan): { reader: SnapshotReader; live: SnapshotReader | null } {
  return { reader: readerAt(archive, plan.snapshot), live: liveOf(archive, plan) };
}

/** The state that the plan was made against; null where everything is made anew. */
function liveOf(archive: Mirror, { live }: Plan): SnapshotReader | null {
  return live && readerAt(archive, live.snapshot);
}

/** Nothing of what the plan sets back or takes away may have been touched since. Throws DM_PLAN_STALE that names what was. */
async function checkObjects(settings: ApplySettings, archive: Mirror, plan: Plan): Promise<void> {
  const live = liveOf(archive, plan);
  if (live === null) return;
  const touched = await driftedObjects({ ...settings, plan, live, ids: idMapOf(plan, [], live) });
  if (touched.length === 0) return;
  const shown = touched.slice(0, SHOWN_OBJECTS);
  const more = touched.length > shown.length ? ` and ${touched.length - shown.length} more` : '';
  throw stale(`${shown.join(', ')}${more} changed since`, plan);
}

const SHOWN_OBJECTS = 5;

async function takeStep(context: ApplyContext, step: PlanStep): Promise<void> {
  const { journal } = context;
  const earlier = journal.stateOf(step.step);
  const isNew = journal.hasWrittenNothing(step.step);
  const isLacking = (one: number): boolean => journal.stateOf(one) !== 'done';
  const blocker = step.needs.find(isLacking);
  if (blocker !== undefined) return journal.skipped(step, `step ${blocker}, which it needs, was not done`);
  const unlinked = step.linksTo?.find(isLacking);
  // What it links to may come back with a resume; when that has failed as well, it is not to be lost for a link.
  if (unlinked !== undefined && earlier === undefined)
    return journal.skipped(step, `step ${unlinked}, which it links to, was not done: a resume writes it in any case`);
  try {
    const work = workOf(step);
    const found = isNew ? null : await work.find?.(context, step);
    const outcome = found ?? (await writeOrHold(context, step, work));
    if (outcome.newId !== null) context.ids.set(step.kind, step.key, outcome.newId);
    context.ids.addAll(outcome.map ?? {});
    const dead = unlinked === undefined ? [] : [`its links to what step ${unlinked} was to bring back lead nowhere`];
    journal.done(step, withProblems(outcome, dead));
  } catch (error) {
    // After an interruption the outcome is unknown: the entry stays "started", and a resume looks it up.
    if (isAbort(error) || endsApply(error)) throw error;
    const isHeld = isNew && toAppError(error).code === 'DM_OBJECT_DRIFTED';
    const failure = await whyFailed(context, step, error);
    const { message, code } = failure;
    context.telling.failed({ step: step.step, kind: step.kind, err: message });
    journal.failed(step, { message, code, hint: resumeHint(failure.hint, context.restore), isHeld });
    if (isOutage(failure)) await endureOutage(context);
  }
}

// These say nothing about one object: to go on would turn every step into a failure.
const ENDS = ['DM_TOKEN_REFUSED', 'DM_RATE_LIMITED', 'DM_DISK_FULL'] as const satisfies readonly ErrorCode[];

/** Errors that end an apply without a word on any of its steps. */
export type ApplyStop = (typeof ENDS)[number] | OutageCode;

function endsApply(error: unknown): boolean {
  const codes: readonly ErrorCode[] = ENDS;
  return codes.includes(toAppError(error).code);
}

/** Goes on when the target answers another request; else throws, and the restore is resumed when it does again. */
async function endureOutage({ client, signal }: ApplyContext): Promise<void> {
  await client.callRaw('listOrganizations', { query: { limit: 1 } }, { signal });
}

/** What stands there must be what the plan saw, and the token must be allowed what the plan needs. */
async function checkPreconditions({ client, signal }: ApplySettings, plan: Plan): Promise<void> {
  const target = await readTarget(client, plan.target.organization, signal);
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
}

function planUsed(mirror: Mirror, { id, state }: RestoreRecord): AppError {
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
