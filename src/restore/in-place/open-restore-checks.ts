// Restores that have not come to their end with what a plan is to make: they were cut off, and only their resume finds out what came of
// it, or they wait for people to merge it.
import { isUnderWay } from '../../contract/index.ts';
import {
  stepsOf,
  halfUndone,
  undone,
  type Mirror,
  type RestoreRecord,
  type SnapshotReader,
} from '../../mirror/index.ts';
import { lineageOf, madeBy, restoresInto, toBeMade, whatIsOf, type ToMake, type WhatIs } from '../journal/lineage.ts';
import { subjectOf } from '../target/own-request.ts';
import { isUnfinished, wroteNothing } from '../journal/step-journal.ts';
import type { PlanStep, PreflightCheck } from '../types.ts';

interface Place {
  readonly url: string;
  readonly organization: string;
  readonly live: SnapshotReader;
  /** Id of the restore that the plan itself takes back. */
  readonly undoes: string | undefined;
}

/** One line for each such restore, with what to do before the plan is applied. */
export function openRestoreChecks(
  journal: Mirror,
  { live, undoes, ...place }: Place,
  steps: readonly PlanStep[],
): PreflightCheck[] {
  const here = restoresInto(journal, place);
  const others = here.filter(({ id }) => id !== undoes);
  return [...beingTakenBack(journal, { here: others, steps }), ...makingTheSame(journal, { here, live }, steps)];
}

interface Beside {
  readonly here: readonly RestoreRecord[];
  readonly steps: readonly PlanStep[];
}

/** What it has still to take back would be what this plan is to bring. An undo of the same restore comes instead of it. */
function beingTakenBack(journal: Mirror, { here, steps }: Beside): PreflightCheck[] {
  if (steps.every(({ part }) => part === 'none')) return [];
  const half = halfUndone(journal);
  return here.flatMap(({ id }) => {
    const undo = half.get(id);
    if (undo === undefined) return [];
    return [
      warning(
        `restore ${undo} is taking back restore ${id}, and has not come to its end: run \`docmirror restore resume ${undo}\` first, ` +
          'which goes on with it no more once this plan was applied, and plan again',
      ),
    ];
  });
}

function makingTheSame(
  journal: Mirror,
  { here, live }: { readonly here: readonly RestoreRecord[]; readonly live: SnapshotReader },
  steps: readonly PlanStep[],
): PreflightCheck[] {
  const open = steps.flatMap(toBeMade);
  if (open.length === 0) return [];
  const lineage = lineageOf(journal, here);
  const whatIs = whatIsOf(open, lineage);
  const [backed, half] = [undone(journal), halfUndone(journal)];
  return here.flatMap((restore) =>
    backed.has(restore.id)
      ? []
      : [
          ...cutOffIn(journal, restore, { whatIs, undo: half.get(restore.id) }),
          ...waitingIn(journal, restore, { live, whatIs }),
        ],
  );
}

interface CutOff {
  readonly whatIs: WhatIs;
  /** The restore that is taking it back by now. */
  readonly undo: string | undefined;
}

function cutOffIn(journal: Mirror, { id }: RestoreRecord, { whatIs, undo }: CutOff): PreflightCheck[] {
  const begun = stepsOf(journal, id).filter((step) => isUnfinished(step) && !wroteNothing(step));
  const [first, ...more] = begun.flatMap((step) => whatIs(step) ?? []);
  if (first === undefined) return [];
  return [
    warning(
      `restore ${id} was making ${named(first, more)} and could not note whether it is there: this plan may make it twice. ` +
        `Run \`docmirror restore resume ${undo ?? id}\` first, which ${undo === undefined ? 'looks it up' : 'takes that restore back'}, and plan again`,
    ),
  ];
}

interface Waiting {
  readonly live: SnapshotReader;
  readonly whatIs: WhatIs;
}

/** By what stands: a change request that was merged or archived waits no more. */
function waitingIn(journal: Mirror, restore: RestoreRecord, { live, whatIs }: Waiting): PreflightCheck[] {
  return stepsOf(journal, restore.id).flatMap((step): PreflightCheck[] => {
    if (step.kind !== 'revision' || step.state !== 'done') return [];
    const [first, ...more] = madeBy(step).flatMap((made) => whatIs(made) ?? []);
    if (first === undefined) return [];
    const subject = subjectOf({ plan: restore, restore: restore.id }, step);
    const request = [...live.resources('change-request', step.key)].find(
      ({ body }) => body['subject'] === subject && isUnderWay(body['status']),
    );
    if (request === undefined) return [];
    return [
      warning(
        `restore ${restore.id} has brought ${named(first, more)} back in change request ${String(request.body['number'])}, which waits to be merged: ` +
          'this plan cannot be applied before. Merge it, or archive it, and plan again',
      ),
    ];
  });
}

function named({ kind, title }: ToMake, { length }: readonly ToMake[]): string {
  return `${kind} ${title}${length > 0 ? ` and ${length} more` : ''}`;
}

function warning(detail: string): PreflightCheck {
  return { check: 'earlier restore', state: 'warn', detail };
}
