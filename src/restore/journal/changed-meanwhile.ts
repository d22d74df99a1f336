// What people did in a space that a restore made, and its own time does not tell: it is not the restore's alone. That is what they did
// while the restore was still at work, and what they say there on a platform that does not count that as a change of the space.
import { groupBy, isRecord, largestOf } from '../../base/index.ts';
import { isComment, isUnderWay, type KindName } from '../../contract/index.ts';
import type { Resource, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { commentText, lastEdit, textAt } from '../resource.ts';
import { readCredit } from '../special/credit.ts';
import { reviewSubject } from '../target/own-request.ts';
import type { Plan } from '../types.ts';
import { CHANGED_SINCE, IS_LEFT, type LaterRestores } from './later-restores.ts';
import { aheadIn, lastWritten, madeSpaces } from './made-spaces.ts';
import { detailOf } from './step-detail.ts';

interface Stands {
  readonly plan: Pick<Plan, 'snapshot'>;
  readonly steps: readonly RestoreStep[];
  readonly live: SnapshotReader;
  /** True for what the journal knows as made by the restore. */
  readonly isOwn: (resource: Resource) => boolean;
  /** True for what the restore made and somebody has changed since. */
  readonly isChanged: (resource: Resource) => boolean;
  readonly later: LaterRestores;
}

/** By the clock of the platform, in milliseconds. */
interface Meanwhile {
  /** When the restore had made the space. */
  readonly madeBy: number;
  /** When the last of its writes to the pages of the space had ended, at the latest. */
  readonly writtenBy: number;
  /** When the space was last changed, as the restore left it; pages that came later are told by that. */
  readonly until: number;
}

const SAID = ['comment', 'comment-reply', 'change-request'] as const satisfies readonly KindName[];

/** Why a space that the restore made is not to be taken away; null where nothing tells of the work of others. */
export function changedMeanwhile(stands: Stands): (space: Resource) => string | null {
  const { plan, steps, live, isOwn, isChanged, later } = stands;
  const made = new Map(madeSpaces(steps).map((one) => [one.new_id, one]));
  const meanwhileIn = meanwhiles(steps);
  return (space) => {
    const entry = space.kind === 'space' ? made.get(space.id) : undefined;
    const meanwhile = entry && meanwhileIn(entry);
    if (!meanwhile) return null;
    const { madeBy, writtenBy, until } = meanwhile;
    const isIn = (from: number, { body }: Resource): boolean => {
      const at = lastTouched(body);
      return at > from && at <= until;
    };
    const isSaid = (one: Resource): boolean =>
      isIn(madeBy, one) || (lastTouched(one.body) > until && !later.haveWritten(one));
    // What came out of the bin has pages that no step made.
    const isAnew = entry.key !== entry.new_id;
    const firstPages = detailOf(entry).firstPages ?? {};
    const isAdded = (page: Resource): boolean =>
      isAnew && lastTouched(page.body) === 0 && !isOwn(page) && !Object.hasOwn(firstPages, page.id);
    for (const page of live.resources('page', space.key))
      if (!isRecord(page.body['computed']) && (isIn(writtenBy, page) || isAdded(page))) return CHANGED_MEANWHILE;
    for (const kind of SAID)
      for (const one of live.resources(kind, space.key))
        if (isOwn(one) ? isChanged(one) : isOfPeople(one, plan) && isSaid(one))
          return lastTouched(one.body) > until ? CHANGED_SINCE : CHANGED_MEANWHILE;
    return null;
  };
}

const CHANGED_MEANWHILE = `somebody changed it while the restore was still at work: ${IS_LEFT}`;

/** For each space that was made; null where no time is known by which to tell: it was not settled, or the platform says no times. */
function meanwhiles(steps: readonly RestoreStep[]): (made: RestoreStep) => Meanwhile | null {
  const ahead = aheadIn(steps);
  const ofContent = groupBy(
    steps.filter(({ kind }) => kind === 'revision'),
    ({ key }) => key,
  );
  return (made) => {
    const { madeAt, changedAt = null } = detailOf(made);
    const writtenBy = lastWritten([made, ...(ofContent.get(made.key) ?? [])], ahead);
    if (madeAt === undefined || changedAt === null || writtenBy === null) return null;
    return { madeBy: Date.parse(madeAt.told), writtenBy, until: Date.parse(changedAt) };
  };
}

function lastTouched(body: Resource['body']): number {
  const times = [lastEdit(body), ...['createdAt', 'postedAt', 'editedAt'].map((name) => textAt(body, name) ?? '')].map(
    (at) => Date.parse(at),
  );
  return largestOf(times.filter((at) => Number.isFinite(at)).concat(0));
}

/** Neither what a try of the restore left that was cut off, nor one of the change requests in which it gathers what it writes. */
function isOfPeople({ kind, body }: Resource, plan: Pick<Plan, 'snapshot'>): boolean {
  if (isComment(kind)) return readCredit(commentText(body) ?? '') === null;
  return isUnderWay(body['status']) && textAt(body, 'subject')?.startsWith(reviewSubject(plan)) !== true;
}
