// Applying a plan: one step after another, each noted in the journal before its write goes out and after its outcome is known.
import { join } from 'node:path';
import { createTelling, ensurePrivateDirectory, isAbort, toAppError, type ErrorCode } from '../base/index.ts';
import { isComment } from '../contract/index.ts';
import { AppAddresses } from '../export/index.ts';
import { demandAnswer, endingWith, isOutage, isTokenRefused, type OutageCode } from '../client/index.ts';
import {
  beginRestore,
  endRestore,
  listRestores,
  readerByIds,
  restoreById,
  restoreOfPlan,
  type Mirror,
  type RestoreEnd,
  type SnapshotReader,
} from '../mirror/index.ts';
import { checkObjects, checkPreconditions, demandOrganization, liveOf, planUsed } from './apply-checks.ts';
import { demandNoneCame } from './came-since.ts';
import { resultOf } from './journal/apply-result.ts';
import { archiveOf, checkArchive, stale } from './plan/plan-archive.ts';
import { ContainerOrder } from './special/container-order.ts';
import { hostAsked, isOwnHost, openContentPlace } from './content/content-place.ts';
import { idMapOf } from './journal/id-map.ts';
import { demandNotMade } from './journal/made-meanwhile.ts';
import {
  openMadeSpaces,
  settleMadeSpaces,
  settleWhereBegun,
  openOwnChanges,
  settleOwnChanges,
} from './journal/made-spaces.ts';
import { planHash, readPlan } from './plan/plan-file.ts';
import { JournalUnwritten, StepJournal } from './journal/step-journal.ts';
import { ArchiveAhead } from './steps/content/archive-ahead.ts';
import { whyFailed, resumeHint } from './steps/why-failed.ts';
import { NewAddresses } from './steps/content/new-addresses.ts';
import { isOfFieldMadeLater, undoneLinks, whyWaiting, withUndone, namedStepOf } from './steps/undone-links.ts';
import { SpecReading } from './steps/spec-address.ts';
import { workOf } from './steps/index.ts';
import { InNoBin } from './steps/undelete.ts';
import { TalkOrder } from './steps/talk-order.ts';
import { writeOrHold } from './steps/write-once.ts';
import { asImported } from './content/raised-pages.ts';
import { untilShown } from './journal/until-shown.ts';
import { demandNotGoneOn, demandNotOvertaken } from './journal/undo-file.ts';
import { sourceDoubt } from './source-doubt.ts';
import type { ApplyContext, ApplyResult, ApplySettings, Plan, PlanStep, StepOutcome, StepWork } from './types.ts';

const RESTORE_ID_LENGTH = 12;

/**
 * Applies a plan once. Before the first write: the archive is checked, the plan must fit the snapshot and its preconditions
 * must hold. Throws DM_PLAN_USED, DM_PLAN_STALE or DM_ARCHIVE_DAMAGED with nothing written. A failed object does not stop the rest;
 * a target that refuses the token or no longer answers does (DM_TOKEN_REFUSED, DM_UNREACHABLE, …), and the restore can be resumed.
 */
export async function applyPlan(asked: ApplySettings, input: { plan: Plan; planFile: string }): Promise<ApplyResult> {
  const settings = endingWithSignal(asked);
  const { mirror } = settings;
  const { plan } = input;
  const hash = planHash(plan);
  const used = restoreOfPlan(mirror, hash);
  if (used) throw planUsed(mirror, used);
  demandNotGoneOn(mirror, plan);
  for (const step of plan.steps) if (step.part !== 'none') workOf(step);
  using archive = archiveOf(mirror, plan);
  await checkArchive(archive.mirror, plan, { signal: settings.signal });
  const sides = sidesOf(archive.mirror, plan);
  const target = await checkPreconditions(settings, plan, sides.live);
  await checkObjects(settings, archive.mirror, plan);
  await demandNotMade({ ...settings, ...sides, restore: null }, plan);
  await demandNoneCame({ ...settings, ...sides, there: target.there }, plan);
  const id = settings.random.id(RESTORE_ID_LENGTH);
  await settings.keepBefore?.(plan, id);
  const { url, organization } = plan.target;
  beginRestore(mirror, {
    id,
    plan: input.planFile,
    plan_hash: hash,
    snapshot: plan.snapshot,
    target: url,
    organization,
  });
  return await run({ ...settings, archive: archive.mirror }, plan, id);
}

/** Continues a restore that was cut off or had failures: what is done stays done, what is unknown is looked up first. */
export async function resumeRestore(asked: ApplySettings, restore: string): Promise<ApplyResult> {
  const settings = endingWithSignal(asked);
  const record = restoreById(settings.mirror, restore);
  const kept = await readPlan(record.plan);
  if (planHash(kept) !== record.plan_hash) throw stale(`the file ${record.plan} now holds another plan`, kept);
  // The platform may have another address by now.
  const plan = { ...kept, target: { ...kept.target, url: record.target } };
  demandNotGoneOn(settings.mirror, plan);
  demandNotOvertaken(settings.mirror, record);
  using archive = archiveOf(settings.mirror, plan);
  await checkArchive(archive.mirror, plan, { isBegun: true, signal: settings.signal });
  const sides = sidesOf(archive.mirror, plan);
  await demandOrganization(settings, plan, sides.live);
  await untilShown(settings, restore);
  await demandNotMade({ ...settings, ...sides, restore }, plan);
  return await run({ ...settings, archive: archive.mirror }, plan, restore);
}

/** All that is asked of the target ends with the signal, whoever asks. */
function endingWithSignal(settings: ApplySettings): ApplySettings {
  return { ...settings, client: endingWith(settings.client, settings.signal) };
}

type ArchiveSettings = ApplySettings & Pick<ApplyContext, 'archive'>;

async function run(settings: ArchiveSettings, plan: Plan, restore: string): Promise<ApplyResult> {
  const { clock, client, mirror } = settings;
  const { requests, exchangedMs, waitedMs } = client.meter;
  const before = { at: clock.monotonic(), requests, waited: exchangedMs + waitedMs };
  // Whoever writes holds the mirror alone.
  const ended = listRestores(mirror).map(({ id }) => id);
  const parts = { clock, random: settings.random, restore, ended };
  await using server = await openContentPlace(settings.contentServer, parts);
  await using ahead = new ArchiveAhead();
  const context = await contextOf(settings, { plan, restore, server, ahead });
  try {
    await takeSteps(context);
  } finally {
    context.telling.end({ restore });
  }
  const result = resultOf(plan, restore, context.journal);
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

type Run = Pick<ApplyContext, 'plan' | 'restore' | 'server' | 'ahead'>;

/** What the steps of a run work with; makes the folder of the restore. */
async function contextOf(settings: ArchiveSettings, run: Run): Promise<ApplyContext> {
  const { plan, restore } = run;
  const journal = new StepJournal(settings.mirror, restore, settings);
  const live = liveOf(settings.archive, plan);
  const reader = asImported(readerByIds(settings.archive, plan.snapshot), plan);
  const folder = join(settings.workDir, restore);
  await ensurePrivateDirectory(folder);
  return {
    ...settings,
    ...run,
    journal,
    ids: idMapOf(plan, journal.entries, live),
    reader,
    live,
    folder,
    isNear: isOwnHost(hostAsked(settings.contentServer)),
    telling: createTelling(settings.log, STEP_FAILED),
    spaceMaking: { offersCreate: true, donor: null, beginsBare: null },
    importing: { isOffered: true, overStanding: null },
    specReading: new SpecReading(),
    headings: { habit: null },
    keptFields: new Set(),
    addresses: new AppAddresses(reader),
    shown: new NewAddresses(),
    containers: new ContainerOrder(reader, plan.organization),
    talks: new TalkOrder(reader, journal),
  };
}

async function takeSteps(context: ApplyContext): Promise<void> {
  const { plan, signal, onProgress, ahead } = context;
  const { steps } = plan;
  const isAny = steps.some((step) => isToDo(context, step));
  if (isAny) await openMadeSpaces(context);
  const opened = isAny ? await openOwnChanges(context) : null;
  for (const [index, step] of steps.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ step: step.step, steps: steps.length, title: `${step.kind} ${step.title}` });
    if (!isToDo(context, step)) continue;
    ahead.begin(context, steps[index + 1]);
    await takeStep(context, step);
    context.talks.tried(step);
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

function isToDo(context: ApplyContext, planned: PlanStep): boolean {
  const { journal, onlyFailed, withoutComments } = context;
  const { step, part, kind } = planned;
  const state = journal.stateOf(step);
  if (state === 'done') return isOfFieldMadeLater(context, planned);
  if (part === 'none') return false;
  // What was begun is gone on with; what was not may be left for later.
  return state !== undefined || !(onlyFailed === true || (withoutComments === true && isComment(kind)));
}

function sidesOf(archive: Mirror, plan: Plan): { reader: SnapshotReader; live: SnapshotReader | null } {
  return { reader: readerByIds(archive, plan.snapshot), live: liveOf(archive, plan) };
}

/** @param isAgain After the target has refused the token (401) at this step and taken it elsewhere. */
async function takeStep(context: ApplyContext, step: PlanStep, isAgain = false): Promise<void> {
  const { journal, plan, client } = context;
  const earlier = journal.stateOf(step.step);
  const isNew = journal.hasWrittenNothing(step.step);
  const isLacking = (one: number): boolean => journal.stateOf(one) !== 'done';
  const blocker = step.needs.find(isLacking);
  if (blocker !== undefined)
    return journal.skipped(step, `${namedStepOf(plan.steps, blocker)}, which it needs, was not done`);
  const before = context.talks.waitedFor(step);
  if (before !== undefined)
    return journal.skipped(
      step,
      `${namedStepOf(plan.steps, before)}, which was said before it, was not done: a resume writes it in any case`,
    );
  const undone = undoneLinks(context, step);
  // What it links to may come back with a resume; when that has failed as well, it is not to be lost for a link.
  const [first] = undone;
  if (first !== undefined && earlier === undefined) return journal.skipped(step, whyWaiting(step, first));
  const { writes } = client.meter;
  try {
    const work = workOf(step);
    if (work.isAtOnce === true) settleWhereBegun(journal, step);
    const found = isNew ? null : await madeEarlier(context, step, { ...work, isCutOff: earlier === 'started' });
    const outcome = found ?? (await writeOrHold(context, step, work));
    if (outcome.newId !== null) context.ids.set(step.kind, step.key, outcome.newId);
    context.ids.addAll(outcome.map ?? {});
    journal.done(step, withUndone(step, outcome, undone));
  } catch (error) {
    // After an interruption the outcome is unknown: the entry stays "started", and a resume looks it up.
    if (isAbort(error) || endsApply(error)) throw error;
    if (isTokenRefused(error)) {
      await demandAnswer(client, context.signal);
      if (!isAgain) return takeStep(context, step, true);
    }
    // What somebody has changed or made was left as it is, if only since the platform refused to have it twice.
    const isHeld = toAppError(error).code === 'DM_OBJECT_DRIFTED';
    const isUnwritten = isNew && (isHeld || client.meter.writes === writes);
    const failure = await whyFailed(context, step, error);
    const { message, code } = failure;
    context.telling.failed({ step: step.step, kind: step.kind, err: message });
    const isInNoBin = error instanceof InNoBin;
    journal.failed(step, { message, code, hint: resumeHint(failure.hint, context.restore), isUnwritten, isInNoBin });
    // Where the target answers nothing, the restore is resumed when it does again.
    if (isOutage(failure)) await demandAnswer(client, context.signal);
  }
}

/** How an earlier try may be found. */
interface Earlier extends Pick<StepWork, 'find'> {
  /** It ended in the middle of its write. One that failed has looked itself where its outcome was not known (`writeOnce`). */
  readonly isCutOff: boolean;
}

/** What an earlier try made; null where it made nothing. That is looked at twice: what one answer lacks would be made again. */
async function madeEarlier(
  context: ApplyContext,
  step: PlanStep,
  { find, isCutOff }: Earlier,
): Promise<StepOutcome | null> {
  const found = (await find?.(context, step)) ?? null;
  return found === null && isCutOff ? ((await find?.(context, step)) ?? null) : found;
}

// These say nothing about one object: to go on would turn every step into a failure.
const ENDS = ['DM_RATE_LIMITED', 'DM_DISK_FULL', 'DM_TOO_MANY_OPEN'] as const satisfies readonly ErrorCode[];

/** Errors that end an apply; these and a token that is taken nowhere without a word on any of its steps. */
export type ApplyStop = (typeof ENDS)[number] | 'DM_TOKEN_REFUSED' | OutageCode;

function endsApply(error: unknown): boolean {
  if (error instanceof JournalUnwritten) return true;
  const codes: readonly ErrorCode[] = ENDS;
  return codes.includes(toAppError(error).code);
}
