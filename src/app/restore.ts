import { resolve } from 'node:path';
import { AppError, ensurePrivateDirectory } from '../base/index.ts';
import { requireTarget } from '../config/index.ts';
import { openMirror, readMirror, resolveSnapshot, restoreById, takeLease, type Mirror } from '../mirror/index.ts';
import {
  applyPlan,
  makePlan,
  parseScope,
  readPlan,
  resumeRestore,
  verifyRestore,
  writePlan,
  type ApplyProgress,
  type ApplyResult,
  type ApplySettings,
  type Plan,
  type VerifyReport,
} from '../restore/index.ts';
import type { Kit } from './kit.ts';
import { targetObserver } from './observe-target.ts';
import { restoresFolder } from './places.ts';

export interface PlanOptions {
  /** Number, time or `latest`. */
  readonly snapshot: string;
  /** What is to come back, as `restore plan --scope` takes it; the only organization of the snapshot when null. */
  readonly scope: string | null;
  /** Organization of the target; the only one that the token shows when null. */
  readonly toOrganization: string | null;
  /** Writes beside what stands on the target. */
  readonly intoExisting: boolean;
  /** Content arrives as change requests. */
  readonly review: boolean;
  /** The file that the plan goes into. */
  readonly out: string;
  readonly signal: AbortSignal;
}

export interface RestoreOptions {
  readonly onProgress?: (progress: ApplyProgress) => void;
  readonly signal: AbortSignal;
}

/** Compares a snapshot with the target and writes a plan; nothing is written to the target. */
export async function planRestore(kit: Kit, options: PlanOptions): Promise<Plan> {
  if (options.scope !== null) parseScope(options.scope);
  const target = requireTarget(kit.config);
  using mirror = readMirror({ dataDir: kit.config.dataDir, clock: kit.clock });
  const plan = await makePlan({
    mirror,
    snapshot: resolveSnapshot(mirror, options.snapshot).id,
    client: kit.clientOf(target),
    targetUrl: target.baseUrl,
    scope: options.scope,
    toOrganization: options.toOrganization,
    intoExisting: options.intoExisting,
    contentServer: kit.config.contentServer,
    review: options.review,
    clock: kit.clock,
    random: kit.random,
    signal: options.signal,
  });
  await writePlan(plan, resolve(options.out));
  return plan;
}

/** Applies a plan once, to the target that it was made for. */
export async function applyRestore(kit: Kit, file: string, options: RestoreOptions): Promise<ApplyResult> {
  const planFile = resolve(file);
  const plan = await readPlan(planFile);
  refuseOtherTarget(kit, `The plan ${file}`, plan.target.url);
  return withMirror(kit, (mirror) => applyPlan(settingsOf(kit, mirror, options), { plan, planFile }));
}

/** Continues a restore that was cut off or had failures. */
export function resumeApply(kit: Kit, restore: string, options: RestoreOptions): Promise<ApplyResult> {
  return withMirror(kit, (mirror) => {
    refuseOtherTarget(kit, `Restore ${restore}`, restoreById(mirror, restore).target);
    return resumeRestore(settingsOf(kit, mirror, options), restore);
  });
}

/** Reads the target again and compares it, field by field, with the snapshot. */
export function verify(kit: Kit, restore: string, options: RestoreOptions): Promise<VerifyReport> {
  return withMirror(kit, (mirror) => {
    refuseOtherTarget(kit, `Restore ${restore}`, restoreById(mirror, restore).target);
    return verifyRestore({
      mirror,
      restore,
      client: kit.clientOf(requireTarget(kit.config)),
      observeTarget: targetObserver(kit, options.signal),
      clock: kit.clock,
    });
  });
}

/** What was planned for one platform is never written to, nor compared with, another. */
function refuseOtherTarget({ config }: Kit, what: string, made: string): void {
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

async function withMirror<T>(kit: Kit, work: (mirror: Mirror) => Promise<T>): Promise<T> {
  const { config, clock } = kit;
  using _lease = await takeLease(config.dataDir, 'restore');
  await ensurePrivateDirectory(restoresFolder(config));
  using mirror = await openMirror({ dataDir: config.dataDir, clock });
  return await work(mirror);
}

function settingsOf(kit: Kit, mirror: Mirror, { onProgress, signal }: RestoreOptions): ApplySettings {
  const { config, clock, random, log } = kit;
  return {
    mirror,
    client: kit.clientOf(requireTarget(config)),
    contentServer: config.contentServer,
    workDir: restoresFolder(config),
    clock,
    random,
    log,
    ...(onProgress ? { onProgress } : {}),
    signal,
  };
}
