// A drill: the snapshot restored into an ephemeral platform and verified there, without touching the real one.
import { rm } from 'node:fs/promises';
import { codeOf, isRecord } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import { drillFile, dropRehearsals, lastSound, readerAt, recordDrill, type SnapshotReader } from '../mirror/index.ts';
import { applyPlan } from './apply.ts';
import { makePlan } from './plan.ts';
import { writePlan } from './plan/plan-file.ts';
import { textAt, titleOf } from './resource.ts';
import { sourcesOf, type Source } from './selection/sources.ts';
import type { ApplySettings, FieldCount, ObserveTarget, VerifyReport } from './types.ts';
import { verifyPlan } from './verify.ts';

/** An organization as a disaster leaves it once its people were invited again: without content. */
export interface DrillOrganization {
  readonly title: string;
  readonly people: readonly { readonly displayName: string; readonly email: string }[];
}

/** An ephemeral platform with an empty organization for each that was asked for. */
export interface DrillTarget extends AsyncDisposable {
  readonly client: ApiClient;
  readonly url: string;
  readonly organizations: readonly string[];
}

interface DrillInput extends Omit<ApplySettings, 'client'> {
  /** Number of a sealed snapshot. */
  readonly snapshot: number;
  openTarget(organizations: readonly DrillOrganization[]): Promise<DrillTarget>;
  readonly observeTarget: ObserveTarget;
}

export interface DrillResult extends VerifyReport {
  /** Whether it was the newest complete snapshot: only such a drill proves what a restore would bring back. */
  readonly ofNewest: boolean;
}

/**
 * Restores every organization of a snapshot into a fresh platform, verifies it, and records the result in the mirror. Of earlier drills
 * the mirror keeps their results alone.
 */
export async function runDrill(input: DrillInput): Promise<DrillResult> {
  const started = input.clock.monotonic();
  const ofNewest = lastSound(input.mirror)?.id === input.snapshot;
  dropRehearsals(input.mirror);
  const reader = readerAt(input.mirror, input.snapshot);
  const sources = sourcesOf(reader);
  await using target = await input.openTarget(
    sources.map(({ id, title }) => ({ title: title ?? id, people: peopleOf(reader, id) })),
  );
  const reports: VerifyReport[] = [];
  const record = (passed: boolean): DrillResult => {
    const { meter } = target.client;
    const durationMs = Math.round(input.clock.monotonic() - started);
    const all = combine(reports);
    const report = { ...all, requests: meter.requests, durationMs, passed: passed && all.passed, ofNewest };
    recordDrill(input.mirror, { ...report, snapshot: input.snapshot, report: { ...keptReport(report), ofNewest } });
    return report;
  };
  try {
    for (const [index, source] of sources.entries()) {
      reports.push(await rehearse(input, target, { source, organization: target.organizations[index] ?? '' }));
    }
  } catch (error) {
    // A restore would be refused for it, too: that much is proven.
    if (codeOf(error) === 'DM_ARCHIVE_DAMAGED') record(false);
    throw error;
  }
  return record(true);
}

function peopleOf(reader: SnapshotReader, organization: string): DrillOrganization['people'] {
  return [...reader.resources('member', organization)].flatMap((member) => {
    const user = isRecord(member.body['user']) ? member.body['user'] : {};
    const email = textAt(user, 'email');
    return email === undefined ? [] : [{ displayName: titleOf(member), email }];
  });
}

async function rehearse(
  input: DrillInput,
  target: DrillTarget,
  one: { source: Source; organization: string },
): Promise<VerifyReport> {
  const settings: ApplySettings = { ...input, client: target.client, isRehearsal: true };
  const plan = await makePlan({
    ...settings,
    snapshot: input.snapshot,
    targetUrl: target.url,
    scope: `organization:${one.source.id}`,
    where: null,
    toOrganization: one.organization,
    intoExisting: false,
    review: false,
  });
  const planFile = drillFile(input.workDir, plan);
  await writePlan(plan, planFile);
  try {
    const applied = await applyPlan(settings, { plan, planFile });
    const verified = await verifyPlan(
      { ...settings, restore: applied.restore, observeTarget: input.observeTarget },
      plan,
    );
    return { ...verified, passed: verified.passed && applied.failed + applied.skipped === 0 };
  } finally {
    await rm(planFile, { force: true });
  }
}

function combine(reports: readonly VerifyReport[]): VerifyReport {
  const total = (pick: (report: VerifyReport) => number): number => reports.reduce((sum, one) => sum + pick(one), 0);
  const sum = (pick: (report: VerifyReport) => FieldCount): FieldCount => ({
    fields: total((report) => pick(report).fields),
    equal: total((report) => pick(report).equal),
  });
  return {
    fidelity: {
      exact: sum((one) => one.fidelity.exact),
      bestEffort: sum((one) => one.fidelity.bestEffort),
      lost: sum((one) => one.fidelity.lost),
    },
    kinds: kindsOf(reports),
    differences: reports.flatMap((report) => report.differences),
    betterThanClaimed: reports.flatMap((report) => report.betterThanClaimed),
    brokenLinks: {
      before: total((report) => report.brokenLinks.before),
      after: total((report) => report.brokenLinks.after),
    },
    notRestored: leftOf(reports),
    waiting: 0,
    unread: reports.flatMap((report) => report.unread),
    doubt: reports.find(({ doubt }) => doubt !== null)?.doubt ?? null,
    requests: 0,
    durationMs: 0,
    passed: reports.length > 0 && reports.every((report) => report.passed),
  };
}

/** Every kind of every organization. */
function kindsOf(reports: readonly VerifyReport[]): VerifyReport['kinds'] {
  const kinds: Record<string, VerifyReport['kinds'][string]> = {};
  for (const [kind, counts] of reports.flatMap((report) => Object.entries(report.kinds))) {
    const { resources, missing, exact } = kinds[kind] ?? { resources: 0, missing: 0, exact: { fields: 0, equal: 0 } };
    kinds[kind] = {
      resources: resources + counts.resources,
      missing: missing + counts.missing,
      exact: { fields: exact.fields + counts.exact.fields, equal: exact.equal + counts.exact.equal },
    };
  }
  return kinds;
}

function leftOf(reports: readonly VerifyReport[]): VerifyReport['notRestored'] {
  const left: Record<string, number> = {};
  for (const [kind, number] of reports.flatMap((report) => Object.entries(report.notRestored)))
    left[kind] = (left[kind] ?? 0) + number;
  return left;
}

/** The result of every drill is kept, and one that brought nothing back differs in very much. */
const MOST_KEPT = 1000;

interface KeptReport extends VerifyReport {
  /** Differences that are not among those that are kept. */
  readonly differencesLeftOut: number;
}

/** What the mirror keeps of the report of a drill: of very many differences some, those first that it did not pass for. */
export function keptReport(report: VerifyReport): KeptReport {
  const { differences } = report;
  const exact = differences.filter((one) => one.class === 'exact');
  const others = differences.filter((one) => one.class !== 'exact');
  const kept = [...exact, ...others].slice(0, MOST_KEPT);
  return { ...report, differences: kept, differencesLeftOut: differences.length - kept.length };
}
