// The change requests in which a restore gathered pages and that nobody has merged: nothing of them is live.
import { canonicalJson } from '../../base/index.ts';
import { isUnderWay } from '../../contract/index.ts';
import type { Resource, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { subjectOf } from '../target/own-request.ts';
import type { Plan } from '../types.ts';
import { detailOf } from './step-detail.ts';
import { CHANGED_SINCE } from './later-restores.ts';

interface Journal {
  readonly plan: Plan;
  readonly restore: string;
  readonly steps: readonly RestoreStep[];
}

export interface OwnDrafts {
  /** Steps of which nothing went live. */
  readonly steps: ReadonlySet<number>;
  /** Ids of those that wait. */
  readonly waiting: ReadonlySet<string>;
  /** Why one is not archived, because somebody edited it after the restore; null where nobody did, as far as that was noted. */
  readonly whyKept: (resource: Pick<Resource, 'kind' | 'id' | 'body'>) => string | null;
}

/** As they stand now: what was merged is live, and is none, whatever became of earlier tries of its step. */
export function ownDrafts({ plan, restore, steps }: Journal, live: SnapshotReader): OwnDrafts {
  const planned = new Map(plan.steps.map((step) => [step.step, step]));
  const found = steps.flatMap((entry) => {
    const step = planned.get(entry.step);
    if (step?.part !== 'pages') return [];
    const { waits } = detailOf(entry);
    const subject = subjectOf({ plan, restore }, step);
    const requests = [...live.resources('change-request', step.key)].filter(({ id, body }) =>
      waits === undefined ? body['subject'] === subject : id === waits.request,
    );
    const isLive = requests.some(({ body }) => body['status'] === 'merged');
    return isLive ? [] : requests.map((request) => ({ entry, request, waits, subject }));
  });
  const left = new Map(
    found.flatMap(({ request, waits, subject }) => {
      const { revision = request.body['revision'] } = waits ?? {};
      return [[request.id, canonicalJson([revision, subject])] as const];
    }),
  );
  return {
    steps: new Set(found.map(({ entry }) => entry.step)),
    waiting: new Set(
      found.filter(({ request }) => isUnderWay(request.body['status'])).map(({ request }) => request.id),
    ),
    whyKept: ({ kind, id, body }) => {
      const was = kind === 'change-request' ? left.get(id) : undefined;
      return was === undefined || was === canonicalJson([body['revision'], body['subject']]) ? null : CHANGED_SINCE;
    },
  };
}
