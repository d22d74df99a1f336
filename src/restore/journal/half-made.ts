// What a restore may have made when it was cut off, before it could note that: nobody knows its id, but what it was to be called.
import { isComment, type KindName } from '../../contract/index.ts';
import { readerByIds, type Mirror, type Resource, type RestoreStep, type SnapshotReader } from '../../mirror/index.ts';
import { idMapOf } from './id-map.ts';
import { madeSpaces } from './made-spaces.ts';
import { isUnfinished } from './step-journal.ts';
import { commentText, firstOf, titleOf } from '../resource.ts';
import { TITLED_KINDS } from '../restored-kinds.ts';
import { creditOf, readCredit, wordsOf } from '../special/credit.ts';
import { markOf } from '../steps/spaces.ts';
import type { Plan, PlanStep } from '../types.ts';

interface Journal {
  readonly plan: Plan;
  readonly restore: string;
  readonly steps: readonly RestoreStep[];
  /** What the plan brings back; null where it is of another mirror, which need not be there any more. */
  readonly originals: SnapshotReader | null;
}

interface Sides {
  readonly mirror: Mirror;
  /** Number of the snapshot of what stood before the restore. */
  readonly snapshot: number;
  readonly live: number;
}

/**
 * New since before the restore, of the kind and name of something whose making was begun and not ended; of comments and replies, with the
 * credit line of one.
 */
export function halfMade({ plan, restore, steps, originals }: Journal, { mirror, snapshot, live }: Sides): Resource[] {
  const begun = new Set(steps.filter(isUnfinished).map(({ step }) => step));
  const open = plan.steps.filter(({ part, step }) => part === 'create' && begun.has(step));
  if (open.length === 0) return [];
  const [before, now] = [readerByIds(mirror, snapshot), readerByIds(mirror, live)];
  const ids = idMapOf(plan, steps);
  // What is said in a space that stands is said below its key, and one of another space may have the same id.
  const isTaken = ({ kind, key, id }: Resource): boolean =>
    isComment(kind) ? ids.isTakenWithin({ kind, key }, key) : ids.isTaken(kind, id);
  const isNew = (one: Resource): boolean => before.one(one.kind, one.key) === undefined && !isTaken(one);
  const named = namesOf(open, restore);
  return [
    ...TITLED_KINDS.flatMap((kind) => [...now.resources(kind)].filter((one) => named.has(`${kind} ${titleOf(one)}`))),
    ...creditedLike(open, { now, originals, steps }),
  ].filter(isNew);
}

/** Kind and name, and the mark by which a space is made: with a site, which bears it until it has gone. */
function namesOf(open: readonly PlanStep[], restore: string): Set<string> {
  return new Set(
    open
      .filter(({ kind }) => TITLED_KINDS.includes(kind))
      .flatMap((step) => [
        `${step.kind} ${step.title}`,
        ...MARKED.map((kind) => `${kind} ${markOf({ restore }, step)}`),
      ]),
  );
}

const MARKED = ['space', 'site'] as const satisfies readonly KindName[];

interface Credited {
  readonly now: SnapshotReader;
  readonly originals: SnapshotReader | null;
  readonly steps: readonly RestoreStep[];
}

/** Comments and replies with a credit line of one of these, in its space; what lies in a space that the restore made goes with that. */
function creditedLike(open: readonly PlanStep[], { now, originals, steps }: Credited): Resource[] {
  const made = new Set(madeSpaces(steps).map(({ new_id: id }) => id));
  const talk = open.filter(({ kind }) => isComment(kind));
  const wanted = new Set(
    talk.map(({ kind, key }) => {
      const original = originals?.one(kind, key);
      return `${kind} ${firstOf(key)} ${original === undefined ? '' : wordsOf(creditOf(original.body))}`;
    }),
  );
  return [...new Set(talk.map(({ kind }) => kind))].flatMap((kind) =>
    [...now.resources(kind)].filter(({ key, body }) => {
      const credit = readCredit(commentText(body) ?? '');
      if (credit === null || made.has(firstOf(key))) return false;
      return [wordsOf(credit), ''].some((words) => wanted.has(`${kind} ${firstOf(key)} ${words}`));
    }),
  );
}
