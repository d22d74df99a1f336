// What the journal keeps of a step beside its state and the new id.
import { AppError, readableJson } from '../../base/index.ts';
import type { RestoreStep } from '../../mirror/index.ts';
import type { StepOutcome } from '../types.ts';

const EXCERPT = 40;

/** An import puts itself in the place of pages that stand, or beside them, and the target edits no pages. */
export type Misplacing = 'replaces' | 'doubles';

/** Pages stay, and are written where they differ; else what is to be written goes by edits, if the target has them. */
export type OverStanding = 'keeps' | 'by edits' | Misplacing;

export interface StepDetail extends Omit<StepOutcome, 'newId'> {
  readonly error?: string;
  /** What to do about the error; not there where an earlier program kept none. */
  readonly hint?: string;
  /** Of the error. */
  readonly code?: string;
  /** It failed before its first write, or the platform refused that for what somebody has made. */
  readonly isUnwritten?: boolean;
  /** The same, as earlier programs noted it of what somebody had changed. */
  readonly isHeld?: boolean;
  /** The platform does not have the space in its bin that was to come out of it: nothing was written. */
  readonly isInNoBin?: boolean;
  /** Somebody who was not known before: the restore of a later map of people that gave them their role. */
  readonly remappedBy?: string;
  /** Pages that somebody had changed before the step first wrote them, by the ids that they had. */
  readonly changed?: readonly string[];
  /** What an import of the step has brought, where edits of that were still to come: another try goes on with these. */
  readonly brought?: StepOutcome;
  /** Of a run: spaces that other restores made, and when each was last changed before the run and after it. */
  readonly ownChanges?: readonly OwnChange[];
  /** Of all of the restore: what an import was seen to do to pages that stand. */
  readonly overStanding?: OverStanding;
  /** With that: when the last write of finding it out that is known had ended, by our clock. */
  readonly triedAt?: string;
  /** When the space that it made was last changed, as the platform says; null while the restore goes on with it. */
  readonly changedAt?: string | null;
  /** That time is of the last write that was noted when a run was cut off: what changed the space after it may be the restore's own. */
  readonly isCutOff?: boolean;
  /** With that: when it was last changed, as a run saw that wrote nothing into it since. */
  readonly seenAt?: string;
}

export interface OwnChange {
  readonly space: string;
  readonly from: string;
  readonly to: string;
}

/** Throws DM_DATABASE_DAMAGED for what nobody has noted so. */
export function detailOf({ restore, step, detail }: Pick<RestoreStep, 'restore' | 'step' | 'detail'>): StepDetail {
  if (detail === null) return {};
  const read = readableJson(detail);
  if (read !== undefined) return read;
  throw new AppError(
    'DM_DATABASE_DAMAGED',
    `What is noted of step ${step} of restore ${restore} is damaged: it begins ${JSON.stringify(detail.slice(0, EXCERPT))}; expected a JSON object`,
    {
      hint: 'Put back a copy of mirror.db of after that restore. Without one, nothing more can be planned into the organization that it went into, since nobody knows what it made there: restore into another one.',
    },
  );
}
