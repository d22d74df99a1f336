// Verifying a restore: the target is read again, as a walk reads it, and compared with the snapshot.
import { readerAt, restoreById, setRestoreReport, stepsOf, type Mirror, type SnapshotReader } from '../mirror/index.ts';
import type { ApiClient } from '../client/index.ts';
import { kindNames, kindOf } from '../contract/index.ts';
import type { Clock } from '../base/index.ts';
import { compareSnapshots } from './compare/compare.ts';
import { idMapOf } from './id-map.ts';
import { isRestored } from './ledger.ts';
import { countBrokenLinks } from './links.ts';
import { readPlan } from './plan-file.ts';
import type { ObserveTarget, Plan, VerifyReport } from './types.ts';

export interface VerifyInput {
  readonly mirror: Mirror;
  readonly restore: string;
  readonly client: ApiClient;
  readonly observeTarget: ObserveTarget;
  readonly clock: Clock;
}

/** Reads the target and reports how faithful it is: every exact field equal and no new broken link means passed. */
export async function verifyRestore(input: VerifyInput): Promise<VerifyReport> {
  const record = restoreById(input.mirror, input.restore);
  return verifyPlan(input, await readPlan(record.plan));
}

export async function verifyPlan(input: VerifyInput, plan: Plan): Promise<VerifyReport> {
  const before = { at: input.clock.monotonic(), requests: input.client.meter.requests };
  const original = readerAt(input.mirror, plan.snapshot);
  const ids = idMapOf(stepsOf(input.mirror, input.restore));
  await using target = await input.observeTarget(input.client, plan.target.organization);
  const restored = readerAt(target.mirror, target.snapshot);
  const compared = compareSnapshots({
    original,
    restored,
    ids,
    organization: { from: plan.organization, to: plan.target.organization },
  });
  const brokenLinks = {
    before: countBrokenLinks(original, spacesOf(original, plan.organization)),
    after: countBrokenLinks(restored, spacesOf(restored, plan.target.organization)),
  };
  const { exact, bestEffort, lost, kinds, differences } = compared;
  const missing = Object.values(kinds).some((counts) => counts.missing > 0);
  const report: VerifyReport = {
    fidelity: { exact, bestEffort, lost },
    kinds,
    differences,
    brokenLinks,
    notRestored: notRestored(original),
    requests: input.client.meter.requests - before.requests,
    durationMs: Math.round(input.clock.monotonic() - before.at),
    passed: exact.equal === exact.fields && !missing && brokenLinks.after <= brokenLinks.before,
  };
  setRestoreReport(input.mirror, input.restore, report);
  return report;
}

function spacesOf(reader: SnapshotReader, organization: string): Set<string> {
  const spaces = new Set<string>();
  for (const space of reader.resources('space')) if (space.body['organization'] === organization) spaces.add(space.id);
  return spaces;
}

/** Kinds of the snapshot that no restore of this version writes, with how many there are. */
function notRestored(original: SnapshotReader): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of kindNames) {
    if (isRestored(kind) || kindOf(kind).parent === null) continue;
    const count = original.count(kind);
    if (count > 0) counts[kind] = count;
  }
  return counts;
}
