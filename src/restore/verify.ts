// Verifying a restore: the target is read again, as a walk reads it, and compared with the snapshot.
import {
  failedIn,
  failuresOf,
  readerByIds,
  restoreById,
  setRestoreReport,
  snapshotById,
  stepsOf,
  type Mirror,
  type RestoreStep,
  type SnapshotReader,
} from '../mirror/index.ts';
import type { ApiClient } from '../client/index.ts';
import { awayIn } from './away.ts';
import { inTurns, type Clock, type Pieces } from '../base/index.ts';
import { isComment } from '../contract/index.ts';
import { AppAddresses } from '../export/index.ts';
import { archiveOf } from './plan/plan-archive.ts';
import { compareSnapshots } from './compare/compare.ts';
import { unreadThere } from './compare/unread-there.ts';
import { idMapOf, type IdMap } from './journal/id-map.ts';
import { stepsStanding } from './journal/remapped.ts';
import { shownFrom, sleepUntil } from './journal/until-shown.ts';
import { pagesLeftOut, spacesMade } from './links/links-elsewhere.ts';
import { countOldAddresses } from './links/address-links.ts';
import { countBrokenLinks } from './links/links.ts';
import { spacesWritten } from './in-place/spaces-read.ts';
import { readPlan } from './plan/plan-file.ts';
import { asImported } from './content/raised-pages.ts';
import { sourceDoubt } from './source-doubt.ts';
import type { ObserveTarget, Plan, TargetScope, VerifyReport } from './types.ts';

interface VerifyInput {
  readonly mirror: Mirror;
  readonly restore: string;
  readonly client: ApiClient;
  readonly observeTarget: ObserveTarget;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the target and reports how faithful it is: every exact field equal and no new broken link means passed. Throws
 * DM_SNAPSHOT_UNKNOWN, before anything is read, when a snapshot that it needs was forgotten.
 */
export async function verifyRestore(input: VerifyInput): Promise<VerifyReport> {
  const { mirror, restore, clock } = input;
  const plan = await readPlan(restoreById(mirror, restore).plan);
  const [begun, since] = [clock.now(), usageNow(input)];
  const report = await verifyPlan(input, plan);
  const shownAt = shownFrom(stepsOf(mirror, restore));
  // Read within seconds of the last write, a platform may not show that yet: what differs then differs for sure once it does.
  if (report.passed || shownAt === null || begun >= shownAt) return report;
  await sleepUntil(input, shownAt);
  return verifyPlan(input, plan, since);
}

function usageNow({ clock, client }: VerifyInput) {
  return { at: clock.monotonic(), requests: client.meter.requests };
}

/** The same with the plan at hand; keeps the report with the restore. What was used counts from `since`. */
export async function verifyPlan(input: VerifyInput, plan: Plan, since = usageNow(input)): Promise<VerifyReport> {
  using archive = archiveOf(input.mirror, plan);
  demandSnapshots(archive.mirror, plan);
  const original = asImported(readerByIds(archive.mirror, plan.snapshot), plan);
  const live = plan.live && readerByIds(archive.mirror, plan.live.snapshot);
  const journal = stepsStanding(input.mirror, input.restore);
  const ids = idMapOf(plan, journal, live);
  await using target = await input.observeTarget(input.client, observedBy(plan));
  const restored = readerByIds(target.mirror, target.snapshot);
  const comparing = compareSnapshots({
    plan: withoutLeft(plan, journal),
    original,
    restored,
    isUnread: failedIn(target.mirror, target.snapshot),
    keepsUnread: target.mirror === input.mirror,
    isAway: awayIn(target.mirror, target.snapshot),
    ids,
    live,
  });
  // Of ten thousand pages it takes seconds: signals, and who asks whether the daemon lives, have their turn meanwhile.
  const compared = await inTurns(comparing, input.signal);
  const brokenLinks = await inTurns(brokenIn(plan, { original, restored, ids }), input.signal);
  const { exact, bestEffort, lost, kinds, differences, betterThanClaimed, waiting } = compared;
  const missing = Object.values(kinds).some((counts) => counts.missing > 0);
  const proven = exact.fields + bestEffort.fields + lost.fields > 0 || !bringsBack(plan);
  const report: VerifyReport = {
    fidelity: { exact, bestEffort, lost },
    kinds,
    differences,
    // What stands keeps what no restore could give it: that proves nothing about the ledger.
    betterThanClaimed: plan.mode === 'in-place' ? [] : betterThanClaimed,
    brokenLinks,
    notRestored: notRestored(plan, journal),
    waiting,
    unread: unreadThere(failuresOf(target.mirror, target.snapshot), { plan, original }),
    doubt: sourceDoubt(archive.mirror, plan),
    requests: input.client.meter.requests - since.requests,
    durationMs: Math.round(input.clock.monotonic() - since.at),
    passed: proven && exact.equal === exact.fields && !missing && brokenLinks.after <= brokenLinks.before,
  };
  setRestoreReport(input.mirror, input.restore, report);
  return report;
}

/** Where what it brings stands then: an undo may transfer something to another organization again. Of invites those that it sets back. */
function observedBy(plan: Plan): TargetScope {
  const { target, steps, mode } = plan;
  const transfers = steps.filter(({ part }) => part === 'transfer').flatMap(({ mend }) => mend?.fields ?? []);
  const invites = steps.filter(({ kind, part }) => kind === 'invite' && part !== 'none');
  return {
    organizations: [...new Set([target.organization, ...transfers.map(({ to }) => String(to))])],
    invites: invites.map(({ key }) => key),
    spaces: mode === 'in-place' ? spacesWritten(plan) : null,
  };
}

/** A reader of a snapshot that is gone finds what others left of it, or nothing: then everything would seem equal. */
function demandSnapshots(archive: Mirror, { snapshot, live }: Plan): void {
  snapshotById(archive, snapshot);
  if (live !== null) snapshotById(archive, live.snapshot);
}

/** True when something must be there to be compared. */
function bringsBack({ steps }: Plan): boolean {
  return steps.some(({ part, action, mend, pages }) => {
    if (part === 'none') return false;
    const content = [pages?.missing, pages?.files, pages?.changed].some((list = []) => list.length > 0);
    return action === 'create' || content || (mend?.fields.length ?? 0) > 0;
  });
}

interface Sides {
  readonly original: SnapshotReader;
  readonly restored: SnapshotReader;
  readonly ids: IdMap;
}

/** Links of the restored spaces, before and after. Those to what was not asked for lead to the original, to what another restore brought, or nowhere, as the plan says. */
function* brokenIn(plan: Plan, { original, restored, ids }: Sides): Pieces<VerifyReport['brokenLinks']> {
  const own = spacesMade(plan.steps);
  const left = new Set(Object.values(plan.linked?.['space'] ?? {}));
  for (const { id } of original.resources('space')) if (!own.has(id)) left.add(id);
  const made = new Set([...own].map((key) => ids.get('space', key)).filter((id) => id !== undefined));
  const leftPages = yield* pagesLeftOut(original, plan);
  return {
    before: yield* countBrokenLinks(original, { spaces: own, left, leftPages }),
    after:
      (yield* countBrokenLinks(restored, { spaces: made, left, leftPages })) +
      (yield* countOldAddresses({ addresses: new AppAddresses(original), restored, ids }, made)),
  };
}

/** Comments that were left for later are not missed. */
function withoutLeft(plan: Plan, journal: readonly RestoreStep[]): Plan {
  const begun = new Set(journal.map(({ step }) => step));
  return { ...plan, steps: plan.steps.filter(({ kind, step }) => !isComment(kind) || begun.has(step)) };
}

/** What the plan says cannot come back, by kind; people who are known by now are not among it. */
function notRestored(plan: Plan, journal: readonly RestoreStep[]): Record<string, number> {
  const done = new Set(journal.filter(({ state }) => state === 'done').map(({ step }) => step));
  const counts: Record<string, number> = {};
  for (const { kind, action, step } of plan.steps)
    if (action === 'unsupported' && !done.has(step)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
