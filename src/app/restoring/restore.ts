import { dirname, join, relative, resolve, sep } from 'node:path';
import { AppError, ensurePrivateDirectory, resolveInside } from '../../base/index.ts';
import { requireTarget } from '../../config/index.ts';
import { readMirror, resolveSnapshot, restoreById, restoreOfPlan, undoFile, type Mirror } from '../../mirror/index.ts';
import {
  applyPlan,
  makePlan,
  parseScope,
  planHash,
  readPlan,
  resumeRestore,
  untilShown,
  verifyRestore,
  writePlan,
  type ApplyProgress,
  type ApplySettings,
  type Choices,
  type Plan,
  type VerifyReport,
} from '../../restore/index.ts';
import { cutOff, refuseUndone } from './cut-off-restore.ts';
import { inOwnMirror } from '../own-mirror.ts';
import type { Kit } from '../kit.ts';
import { followedIn, type Followed } from './followed.ts';
import { targetObserver } from './observe-target.ts';
import { restoresFolder } from '../places.ts';
import { unknownRestores } from './unknown-restores.ts';
import { importLimitsOf } from './import-limits.ts';
import { readPeopleFile } from './people-file.ts';
import {
  keepState,
  mirrorObserver,
  planMending,
  undoPlan,
  withUndo,
  writeUndo,
  type Applied,
} from './restore-in-place.ts';

export interface PlanOptions extends Followed {
  /** Number, time or `latest`. */
  readonly snapshot: string;
  /** What is to come back, as `restore plan --scope` takes it; the only organization of the snapshot when null. */
  readonly scope: string | null;
  /** A condition in SQL over the view of the scope's kind. */
  readonly where: string | null;
  /** Organization of the target; the only one that the token shows when null. */
  readonly toOrganization: string | null;
  /** Writes beside what stands on the target. */
  readonly intoExisting: boolean;
  /** Mends the platform that was mirrored where it is: what is brought back, set back, taken away; null to make everything anew. */
  readonly inPlace: Choices | null;
  /** In place: reads everything again first, moved or not. */
  readonly full: boolean;
  /** Content arrives as change requests. */
  readonly review: boolean;
  /** File that says who is who on the target; null when e-mail addresses tell enough. */
  readonly people: string | null;
  /** Mentions in comments stay as they are, and may call people. */
  readonly keepMentions: boolean;
  /** Comments and replies do not come back. */
  readonly withoutComments: boolean;
  /** The file that the plan goes into. */
  readonly out: string;
}

export interface UndoOptions extends Followed {
  /** Takes away, too, what somebody changed after the restore. */
  readonly evenChanged: boolean;
}

export interface PlannedUndo {
  readonly file: string;
  readonly plan: Plan;
}

export interface RestoreOptions extends Followed {
  /** A resume repeats only what failed, and what was skipped for it. */
  readonly onlyFailed?: boolean;
  /** Comments and replies are left for a resume. */
  readonly withoutComments?: boolean;
  readonly onProgress?: (progress: ApplyProgress) => void;
}

/** Compares a snapshot with the target and writes a plan; nothing is written to the target. */
export async function planRestore(kit: Kit, options: PlanOptions): Promise<Plan> {
  if (options.scope !== null) parseScope(options.scope);
  const { inPlace } = options;
  const plan = inPlace === null ? await planAnew(kit, options) : await planMending(kit, { ...options, inPlace });
  const unknown = await unknownRestores(kit);
  const warned = unknown === null ? [] : [{ check: 'earlier restore', state: 'warn' as const, detail: unknown }];
  const whole = { ...plan, preflight: [...plan.preflight, ...warned] };
  await writePlan(whole, resolve(options.out));
  return whole;
}

async function planAnew(kit: Kit, options: PlanOptions): Promise<Plan> {
  const target = requireTarget(kit.config);
  using mirror = readMirror({ dataDir: kit.config.dataDir, clock: kit.clock });
  return await makePlan({
    mirror,
    snapshot: resolveSnapshot(mirror, options.snapshot).id,
    client: await kit.clientOf(target),
    targetUrl: target.baseUrl,
    scope: options.scope,
    where: options.where,
    toOrganization: options.toOrganization,
    intoExisting: options.intoExisting,
    contentServer: kit.config.contentServer,
    importLimits: importLimitsOf(kit.config),
    review: options.review,
    people: options.people === null ? null : readPeopleFile(options.people),
    keepMentions: options.keepMentions,
    withoutComments: options.withoutComments,
    clock: kit.clock,
    random: kit.random,
    signal: options.signal,
  });
}

/** Applies a plan once, to the target that it was made for. */
export async function applyRestore(kit: Kit, file: string, options: RestoreOptions): Promise<Applied> {
  const given = resolve(file);
  const plan = await readPlan(given);
  refuseOtherTarget(kit, `The plan ${file}`, plan.target.url);
  return withMirror(kit, async (mirror) => {
    const planFile = await keepPlan(kit, plan, given);
    const settings = await settingsOf(kit, mirror, options);
    const hash = planHash(plan);
    const used = restoreOfPlan(mirror, hash) !== undefined;
    const result = await applyPlan(settings, { plan, planFile }).catch((error: unknown) => {
      const record = used ? undefined : restoreOfPlan(mirror, hash);
      throw cutOff(kit, { ...options, mirror, plan, record }, error);
    });
    return withUndo(kit, { ...options, mirror, plan, result });
  });
}

/** A copy that is there for resume, verify and undo when the given file is gone, or holds the next plan. */
async function keepPlan({ config }: Kit, plan: Plan, given: string): Promise<string> {
  const folder = restoresFolder(config);
  if (given.startsWith(join(folder, sep))) return given;
  const { undoes } = plan;
  const file = undoes === null ? join(folder, `${plan.nonce}.plan.json`) : undoFile(folder, undoes, plan);
  const kept = resolveInside(folder, relative(folder, file));
  await ensurePrivateDirectory(dirname(kept));
  await writePlan(plan, kept);
  return kept;
}

/** A plan that takes a restore back, written beside it. */
export async function planUndoing(kit: Kit, restore: string, options: UndoOptions): Promise<PlannedUndo> {
  return withMirror(kit, async (mirror) => {
    const record = restoreById(mirror, restore);
    refuseOtherTarget(kit, `Restore ${restore}`, record.target);
    await untilShown({ mirror, clock: kit.clock, signal: options.signal }, restore);
    const plan = await undoPlan(kit, { mirror, restore, plan: await readPlan(record.plan), ...options });
    return { file: await writeUndo(kit, restore, plan), plan };
  });
}

/** Continues a restore that was cut off or had failures. */
export function resumeApply(kit: Kit, restore: string, options: RestoreOptions): Promise<Applied> {
  return withMirror(kit, async (mirror) => {
    const record = restoreById(mirror, restore);
    refuseOtherTarget(kit, `Restore ${restore}`, record.target);
    refuseUndone(mirror, restore);
    const plan = await readPlan(record.plan);
    const result = await resumeRestore(await settingsOf(kit, mirror, options), restore).catch((error: unknown) => {
      throw cutOff(kit, { ...options, mirror, plan, record }, error);
    });
    return withUndo(kit, { ...options, mirror, plan, result });
  });
}

/** Reads the target again and compares it, field by field, with the snapshot. */
export function verify(kit: Kit, restore: string, options: RestoreOptions): Promise<VerifyReport> {
  return withMirror(kit, async (mirror) => {
    const record = restoreById(mirror, restore);
    refuseOtherTarget(kit, `Restore ${restore}`, record.target);
    const { mode, archive } = await readPlan(record.plan);
    const isMirrored = mode === 'in-place' && archive === null;
    return verifyRestore({
      mirror,
      restore,
      client: await kit.clientOf(requireTarget(kit.config)),
      observeTarget: isMirrored ? mirrorObserver(kit, mirror, options) : targetObserver(kit, options),
      clock: kit.clock,
      signal: options.signal,
    });
  });
}

/** What was planned for one platform is never written to, nor compared with, another. */
export function refuseOtherTarget({ config }: Kit, what: string, made: string): void {
  const { baseUrl } = requireTarget(config);
  if (made === baseUrl) return;
  throw new AppError(
    'DM_PLAN_STALE',
    `${what} is for ${made} and not for the target of this command, ${baseUrl} as configured`,
    {
      hint: `Give --target-url ${made} with its token, or make a new plan. Nothing was written.`,
    },
  );
}

/** Works on the mirror, with a folder for what a restore writes down. */
export function withMirror<T>(kit: Kit, work: (mirror: Mirror) => Promise<T>): Promise<T> {
  return inOwnMirror(kit, 'restore', async (mirror) => {
    await ensurePrivateDirectory(restoresFolder(kit.config));
    return work(mirror);
  });
}

export async function settingsOf(kit: Kit, mirror: Mirror, options: RestoreOptions): Promise<ApplySettings> {
  const { config, clock, random, log } = kit;
  const { onProgress, onlyFailed = false, withoutComments = false, signal } = options;
  return {
    mirror,
    client: await kit.clientOf(requireTarget(config)),
    contentServer: config.contentServer,
    importLimits: importLimitsOf(config),
    workDir: restoresFolder(config),
    clock,
    random,
    log,
    ...(onProgress ? { onProgress } : {}),
    onlyFailed,
    withoutComments,
    keepBefore: (plan, restore) => keepState(kit, { mirror, plan, restore, ...followedIn(options) }),
    signal,
  };
}
