// Restores that mend a platform where it is, and the way back from every restore.
import { dirname } from 'node:path';
import { AppError, ensurePrivateDirectory, isAbort, toAppError } from '../../base/index.ts';
import { requireTarget, type PlatformConfig } from '../../config/index.ts';
import {
  clearMarksOf,
  lastSealed,
  resolveSnapshot,
  restoreById,
  snapshotById,
  undoFile,
  undone,
  type Mirror,
  type Pin,
} from '../../mirror/index.ts';
import {
  demandAsked,
  leavesChanged,
  planInPlace,
  planUndo,
  readPlan,
  spacesAskedFor,
  spacesWritten,
  wayBackWritten,
  writesWithin,
  writePlan,
  type ApplyProgress,
  type ApplyResult,
  type Choices,
  type ObserveTarget,
  type Plan,
} from '../../restore/index.ts';
import { inOwnMirror } from '../own-mirror.ts';
import { importLimitsOf } from './import-limits.ts';
import type { Kit } from '../kit.ts';
import { followedIn, type Followed } from './followed.ts';
import { keepBefore, openBefore, readLiveState, readOutline } from './live-state.ts';
import { restoresFolder } from '../places.ts';
import { pinFor, settlePins } from './restore-pins.ts';

interface Mending extends Followed {
  readonly snapshot: string;
  readonly scope: string | null;
  readonly where: string | null;
  readonly inPlace: Choices;
  readonly full: boolean;
  readonly review: boolean;
  readonly keepMentions: boolean;
  readonly withoutComments: boolean;
}

/** Reads the live state into the mirror and plans against it. Throws DM_OTHER_PLATFORM when the target is not what was mirrored. */
export async function planMending(kit: Kit, options: Mending): Promise<Plan> {
  const target = requireTarget(kit.config);
  return inOwnMirror(kit, 'restore plan', (mirror) => mendingIn(kit, mirror, { ...options, target }));
}

async function mendingIn(
  kit: Kit,
  mirror: Mirror,
  { target, ...options }: Mending & { readonly target: PlatformConfig },
): Promise<Plan> {
  const { config, clock, random } = kit;
  const snapshot = resolveSnapshot(mirror, options.snapshot);
  const { scope, where, withoutComments } = options;
  demandAsked({ mirror, snapshot: snapshot.id, scope, where, withoutComments });
  refuseElsewhere(mirror, target.baseUrl);
  const client = await kit.clientOf(target);
  const { signal, full } = options;
  const asked = {
    mirror,
    snapshot: snapshot.id,
    client,
    targetUrl: target.baseUrl,
    scope,
    where,
    review: options.review,
    keepMentions: options.keepMentions,
    withoutComments,
    choices: options.inPlace,
    contentServer: config.contentServer,
    importLimits: importLimitsOf(config),
    clock,
    random,
    signal,
  };
  const reading = { mirror, client, origin: target.baseUrl, full, ...followedIn(options) };
  const planOn = async (some: readonly string[] | null): Promise<Plan> =>
    planInPlace({ ...asked, live: await readLiveState(kit, { ...reading, spaces: some }) });
  const spaces = full ? null : spacesAskedFor(asked);
  const plan = await planOn(spaces);
  return spaces === null || isReadFor(mirror, plan, spaces) ? plan : planOn(null);
}

/** What a plan writes outside of the spaces that were read for it would fail where that was changed since, and so would the next plan. */
function isReadFor(mirror: Mirror, plan: Plan, spaces: readonly string[]): boolean {
  const isWhole = plan.live !== null && snapshotById(mirror, plan.live.snapshot).scope === null;
  return isWhole || writesWithin(plan, spaces);
}

/** In place means there where the snapshot was read: elsewhere nothing has these ids. */
function refuseElsewhere(mirror: Mirror, baseUrl: string): void {
  const origin = lastSealed(mirror)?.origin;
  if (origin === undefined || origin === baseUrl) return;
  throw new AppError(
    'DM_OTHER_PLATFORM',
    `This mirror is of ${origin}, and the target to mend in place is ${baseUrl}`,
    {
      hint: 'Unset DOCMIRROR_TARGET_URL and DOCMIRROR_TARGET_TOKEN, and leave --target-url out, to mend the platform itself; leave --in-place out to restore into the other one. Nothing was asked of the target.',
    },
  );
}

interface Keeping extends Followed {
  readonly mirror: Mirror;
  readonly plan: Plan;
  readonly restore: string;
}

/**
 * Before the first write: what the restore touches is kept as it is, and the mirror must not lose what the restore reads. In place
 * the mirror has both.
 */
export async function keepState(kit: Kit, { mirror, plan, restore, ...followed }: Keeping): Promise<void> {
  if (plan.archive === null && plan.live === null)
    await keepBefore(kit, { plan, restore, client: await kit.clientOf(requireTarget(kit.config)), ...followed });
  pinFor(mirror, plan, restore);
  readWrittenAgain(mirror, plan);
}

/** Not every write moves a time or a counter of what holds it: whoever compares afterwards would be shown what stood before. */
function readWrittenAgain(mirror: Mirror, { live, steps }: Plan): void {
  if (live === null) return;
  mirror.store.transaction(() => {
    for (const step of steps) if (step.part !== 'none') clearMarksOf(mirror, step);
  });
}

interface Undoing extends Followed {
  readonly mirror: Mirror;
  readonly restore: string;
  readonly plan: Plan;
  readonly evenChanged: boolean;
}

/** Reads what stands now and plans the way back to what stood before. Throws DM_RESTORE_FAILED when that was not kept, or was done before. */
export async function undoPlan(kit: Kit, undoing: Undoing): Promise<Plan> {
  const { mirror, restore, plan, evenChanged } = undoing;
  if (plan.undoes !== null) throw isUndo(restore, plan.undoes);
  const earlier = undone(mirror).get(restore);
  // What it left because of another restore goes once that was taken back.
  const isAllBack = earlier !== undefined && !leavesChanged(await readPlan(restoreById(mirror, earlier).plan));
  if (isAllBack && !evenChanged) throw isUndone(restore, earlier, 'Nothing is left that can be taken back; ');
  const back = await planBack(kit, undoing);
  if (earlier !== undefined && back.steps.every(({ part }) => part === 'none'))
    throw isUndone(restore, earlier, leavesChanged(back) ? EVEN_CHANGED : 'Nothing is left that can be taken back; ');
  return back;
}

const EVEN_CHANGED = '--even-changed touches, too, what was changed since; ';

async function planBack(kit: Kit, undoing: Undoing): Promise<Plan> {
  const { mirror, restore, plan, evenChanged, signal } = undoing;
  const followed = followedIn(undoing);
  const target = requireTarget(kit.config);
  const client = await kit.clientOf(target);
  const { contentServer } = kit.config;
  const shared = {
    journal: mirror,
    restore,
    plan,
    evenChanged,
    client,
    targetUrl: target.baseUrl,
    contentServer,
    signal,
  };
  const parts = { ...shared, clock: kit.clock, random: kit.random };
  if (plan.live !== null) {
    const reading = { mirror, client, origin: target.baseUrl, full: false, spaces: spacesWritten(plan) };
    const live = await readLiveState(kit, { ...reading, ...followed });
    return planUndo({ ...parts, mirror, snapshot: plan.live.snapshot, live });
  }
  using before = await openBefore(kit, restore);
  const live = await readOutline(kit, { mirror: before, plan, client, ...followed });
  return await planUndo({ ...parts, mirror: before, archive: before.dataDir, snapshot: FIRST, live });
}

export interface Applied extends ApplyResult {
  /**
   * File of a plan that takes the restore back; null where nothing was done, or what stands could not be read once more, or not to
   * its end.
   */
  readonly undoPlan: string | null;
  /** Snapshots that this restore keeps from being forgotten, and why. */
  readonly pins: readonly Pin[];
}

interface Ended extends Followed {
  readonly mirror: Mirror;
  readonly plan: Plan;
  readonly result: ApplyResult;
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/**
 * The way back is written down while what stands is known. Where that fails, or nobody waits for it, `restore undo` makes it when
 * it is asked for.
 */
export async function withUndo(kit: Kit, ended: Ended): Promise<Applied> {
  const { mirror, plan, result, onProgress, signal } = ended;
  const { restore, done } = result;
  // One that was begun before there were such pins gets its own here.
  pinFor(mirror, plan, restore);
  readWrittenAgain(mirror, plan);
  const applied = { ...result, pins: settlePins(mirror, restore) };
  if (done === 0 || plan.undoes !== null) return { ...applied, undoPlan: null };
  // Where a resume had nothing left to do, the one that is there already holds.
  const written = await wayBackWritten(mirror, restoresFolder(kit.config), restore);
  if (written !== null) return { ...applied, undoPlan: written };
  const steps = plan.steps.length;
  onProgress?.({ step: steps, steps, title: READING_BACK });
  try {
    const undo = await undoPlan(kit, { mirror, restore, plan, evenChanged: false, ...followedIn(ended) });
    return { ...applied, undoPlan: await writeUndo(kit, restore, undo) };
  } catch (error) {
    // The restore itself has ended: whoever stops here must still be told its result, and its failures.
    if (!signal.aborted && !isAbort(error)) {
      kit.log.warn({ restore, err: toAppError(error).message }, 'the undo plan could not be written');
    }
    return { ...applied, undoPlan: null };
  }
}

/** Writes a plan that takes a restore back beside that restore; the file. */
export async function writeUndo(kit: Kit, restore: string, plan: Plan): Promise<string> {
  const file = undoFile(restoresFolder(kit.config), restore, plan);
  await ensurePrivateDirectory(dirname(file));
  await writePlan(plan, file);
  return file;
}

/** What was read before the first write. */
const FIRST = 1;

const READING_BACK = 'reading what stands, for the way back';

function isUndone(restore: string, by: string, left: string): AppError {
  return new AppError('DM_RESTORE_UNDONE', `Restore ${restore} was taken back already, by restore ${by}`, {
    hint: `Nothing was written. ${left}a new plan restores again.`,
  });
}

function isUndo(restore: string, undone: string): AppError {
  return new AppError(
    'DM_RESTORE_UNDONE',
    `Restore ${restore} has taken back restore ${undone}; it cannot be taken back itself`,
    {
      hint: 'Apply a new plan of the same snapshot to restore again.',
    },
  );
}

/** The live state as the mirror has it after one more walk: cheaper than to read everything into another one. */
export function mirrorObserver(kit: Kit, mirror: Mirror, options: Followed): ObserveTarget {
  return async (client, { spaces }) => {
    const { baseUrl: origin } = requireTarget(kit.config);
    const reading = { mirror, client, origin, full: false, spaces };
    const snapshot = await readLiveState(kit, { ...reading, ...followedIn(options) });
    return { mirror, snapshot, [Symbol.asyncDispose]: () => Promise.resolve() };
  };
}
