// What a run of a restore came to, as its journal has it.
import type { RestoreStep } from '../../mirror/index.ts';
import { openLacksOf } from './open-lacks.ts';
import { detailOf } from './step-detail.ts';
import { leavesChanged } from './later-restores.ts';
import { leftOutLines } from '../plan/plan-outline.ts';
import { reviewSubject } from '../target/own-request.ts';
import type { StepJournal } from './step-journal.ts';
import type { ApplyResult, Plan, TakesBack } from '../types.ts';

/** Counts and failures of all runs of the restore so far; what it cost is of the one run. */
export function resultOf(
  plan: Plan,
  restore: string,
  journal: StepJournal,
): Omit<ApplyResult, 'doubt' | 'requests' | 'waitedMs' | 'durationMs'> {
  const { entries } = journal;
  const count = (state: RestoreStep['state']): number => entries.filter((entry) => entry.state === state).length;
  const titles = new Map(plan.steps.map(({ step, title }) => [step, title]));
  const failures = entries.flatMap((entry) => {
    const { error: failure, hint = null } = detailOf(entry);
    const error = failure ?? problemOf(entry, entries);
    const { kind, key, state } = entry;
    const title = titles.get(entry.step) ?? key;
    const more = { hint, isHeldBack: isHeldBack(entry) };
    return error === undefined ? [] : [{ kind, key, title, skipped: state === 'skipped', error, ...more }];
  });
  const unsupported = plan.steps.filter((step) => step.action === 'unsupported').length;
  const left = plan.steps.filter(({ part, step }) => part !== 'none' && journal.stateOf(step) === undefined).length;
  const untouched = entries.reduce((sum, entry) => sum + (detailOf(entry).untouched?.length ?? 0), 0);
  const mixed = entries.filter((entry) => detailOf(entry).isMixed === true).length;
  const lacking = entries.filter((entry) => entry.state === 'done' && isLacking(entry, entries)).length;
  const told = { takesBack: takesBack(plan), undeleted: undeletedBy(plan, journal) };
  const counts = {
    done: count('done'),
    failed: count('failed'),
    skipped: count('skipped'),
    unsupported,
    left,
    untouched,
    mixed,
    lacking,
  };
  return { restore, ...counts, failures, review: reviewOf(plan, journal), ...told };
}

function isHeldBack(entry: RestoreStep): boolean {
  const { code, isInNoBin = false } = detailOf(entry);
  return entry.state === 'failed' && (code === 'DM_OBJECT_DRIFTED' || isInNoBin);
}

/** True where all that failed would fail a resume in the same way: what is there is not what the plan saw. */
export function needsNewPlan(steps: readonly RestoreStep[]): boolean {
  const failed = steps.filter(({ state }) => state === 'failed');
  return failed.length > 0 && failed.every(isHeldBack);
}

/** What a person should know of it, with what it lacks after all that came later. */
function problemOf(entry: RestoreStep, entries: readonly RestoreStep[]): string | undefined {
  const { problem } = detailOf(entry);
  const said = [...(problem === undefined ? [] : [problem]), ...openLacksOf(entry, entries)];
  return said.length === 0 ? undefined : said.join('; ');
}

/** What waits for a field comes with it. */
function isLacking(entry: RestoreStep, entries: readonly RestoreStep[]): boolean {
  const { isLacking: is = false, without = [] } = detailOf(entry);
  return (is && without.length === 0) || openLacksOf(entry, entries).length > 0;
}

function takesBack(plan: Plan): TakesBack | null {
  if (plan.undoes === null) return null;
  return { restore: plan.undoes, kept: leftOutLines(plan), keptChanged: leavesChanged(plan) };
}

/** What had changed in them before they were deleted is not in this plan: nobody could read it then. */
function undeletedBy({ steps, snapshot, undoes }: Plan, journal: StepJournal): ApplyResult['undeleted'] {
  const spaces = steps.filter(({ part, step }) => part === 'undelete' && journal.stateOf(step) === 'done');
  const [first] = spaces;
  if (first === undefined || undoes !== null) return null;
  return { spaces: spaces.length, snapshot, only: spaces.length === 1 ? first.key : null };
}

/** Each space that content came into has a change request of its own. */
function reviewOf(plan: Plan, journal: StepJournal): ApplyResult['review'] {
  if (!plan.review) return null;
  const written = plan.steps.filter(
    ({ kind, part, step }) =>
      kind === 'revision' && (part === 'content' || part === 'pages') && journal.stateOf(step) === 'done',
  );
  return { requests: new Set(written.map(({ key }) => key)).size, subject: reviewSubject(plan) };
}
