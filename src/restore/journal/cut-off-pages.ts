// What became of the pages of a step whose end no run could note: its change request tells whether it was merged, and what it wrote.
import type { Revision } from '../../contract/index.ts';
import type { RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { detailOf } from './step-detail.ts';
import { isUnfinished } from './step-journal.ts';
import { lastEdit } from '../resource.ts';
import { contentOf, editsIn } from '../target/content-there.ts';
import { findRequest } from '../target/own-request.ts';
import type { ApplyContext, PlanStep } from '../types.ts';
import { unlessGone } from '../answers.ts';

interface Asking extends Pick<ApplyContext, 'client' | 'plan' | 'restore'> {
  /** What stood before the restore. */
  readonly before: SnapshotReader;
}

/**
 * The steps with what is known of them now. Merged and not noted, a step is as one that was done: what it did not write is not to be taken
 * back, nor what people wrote since. Of what was never merged nothing is live.
 */
export async function withCutOffPages(asking: Asking, steps: readonly RestoreStep[]): Promise<RestoreStep[]> {
  const planned = new Map(asking.plan.steps.map((step) => [step.step, step]));
  const told: RestoreStep[] = [];
  for (const one of steps) {
    const step = planned.get(one.step);
    told.push(step?.part === 'pages' && isUnfinished(one) ? await asMerged(asking, one, step) : one);
  }
  return told;
}

async function asMerged(asking: Asking, one: RestoreStep, step: PlanStep): Promise<RestoreStep> {
  // None where it waits for people to merge it, or where the space went meanwhile, either.
  const request = await unlessGone(findRequest(asking, step, { spaceId: step.key, among: ['merged'] }));
  if (!request) return { ...one, state: 'skipped' };
  const made = await contentOf(asking, { spaceId: step.key, changeRequestId: request.id });
  return {
    ...one,
    state: 'done',
    detail: JSON.stringify({ ...detailOf(one), ...writtenIn(made, asking.before, step) }),
  };
}

/** What stands otherwise in the change request than before it: a page by the time of its last edit, a file by what the plan sets back. */
function writtenIn(made: Revision, before: SnapshotReader, { key, pages: planned }: PlanStep): object {
  const written = [...editsIn(made)].filter(([id, at]) => {
    const was = before.one('page', `${key}/${id}`);
    return was === undefined || lastEdit(was.body) !== at;
  });
  const setBack = new Set(planned?.files.map(({ title }) => title));
  const own = made.files.filter(
    ({ id, name }) => setBack.has(name) || before.one('file', `${key}/${id}`) === undefined,
  );
  const file = Object.fromEntries(own.map(({ id }) => [`${key}/${id}`, id]));
  return { editedAt: Object.fromEntries(written), map: { file } };
}
