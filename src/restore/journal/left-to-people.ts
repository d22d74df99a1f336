// What is the work of a restore, and of people since: an undo leaves it to them, and says why.
import type { Mirror, Resource, RestoreRecord, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { lastEdit, spaceOf } from '../resource.ts';
import type { Plan } from '../types.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { holdsOthers } from './held-since.ts';
import { LaterRestores } from './later-restores.ts';
import { spacesChangedSince } from './made-spaces.ts';
import type { OwnDrafts } from './own-drafts.ts';
import type { OwnWork } from './own-work.ts';
import { renamedSince } from './renamed-since.ts';
import { detailOf } from './step-detail.ts';
import { keepsWrapped } from './wrapped-roots.ts';

interface Done {
  readonly journal: Mirror;
  readonly record: RestoreRecord;
  readonly plan: Plan;
  readonly steps: readonly RestoreStep[];
  /** Those that have written something. */
  readonly written: readonly RestoreStep[];
  /** What stood before the restore. */
  readonly before: SnapshotReader;
  readonly live: SnapshotReader;
  /** Holds what the restore brought back; null where that is not at hand. */
  readonly originals: SnapshotReader | null;
  readonly own: OwnWork;
  readonly drafts: OwnDrafts;
}

interface Left {
  /** Why something stays; null for what goes, or is set back. */
  readonly keeps: (resource: Resource) => string | null;
  /** The same for what people have put something into since. */
  readonly holds: (resource: Resource) => string | null;
}

export function leftToPeople({ journal, record, own, drafts, originals, ...done }: Done): Left {
  const { plan, steps, written, before, live } = done;
  const isOwn = own.has;
  const later = new LaterRestores(journal, record);
  const changed = changedSince({ record, steps, before, later });
  const renamed = renamedSince({ steps: written, originals });
  const isChanged = (one: Resource): boolean => renamed(one) !== null;
  const holds = holdsOthers(live, { isOwn, isChanged, later, steps: written, originals });
  const meanwhile = changedMeanwhile({ plan, steps, live, isOwn, isChanged, later });
  const whyOwn = (one: Resource): string | null =>
    drafts.whyKept(one) ?? changed(one) ?? meanwhile(one) ?? renamed(one) ?? holds(one);
  const stays = keepsWrapped(own.wrapped, live, (section) => isOwn(section) && whyOwn(section) === null);
  return { keeps: (one) => whyOwn(one) ?? stays(one), holds };
}

interface Restored {
  readonly record: Pick<RestoreRecord, 'ended_at'>;
  readonly steps: readonly RestoreStep[];
  readonly before: SnapshotReader;
  readonly later: LaterRestores;
}

/** Only what says when it was changed can tell. */
function changedSince({ record, steps, before, later }: Restored): (resource: Resource) => string | null {
  // A page may be written by several steps: what the last one saw counts.
  const editedAt = new Map(steps.flatMap((step) => Object.entries(detailOf(step).editedAt ?? {})));
  const whyChanged = spacesChangedSince({ record, steps, later });
  return (resource) => {
    const { kind, key, id, body } = resource;
    if (kind === 'page') {
      // A merge takes over no time of a page that only changed places with others: its last edit stays that from before the restore.
      const was = before.one('page', key);
      const [left, now] = [editedAt.get(id), lastEdit(body)];
      if (left === undefined || [left, was && lastEdit(was.body)].includes(now)) return null;
      return later.whyChanged({ kind, id, space: spaceOf(resource), left, now });
    }
    return kind === 'space' ? whyChanged(resource) : null;
  };
}
