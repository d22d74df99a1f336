// Taking a restore back: what it touched is brought to the state that was read before it wrote anything.
import { AppError } from '../base/index.ts';
import {
  readerByIds,
  restoreById,
  stepsOf,
  type Mirror,
  type Resource,
  type RestoreRecord,
  type RestoreStep,
  type SnapshotReader,
} from '../mirror/index.ts';
import { changedMeanwhile } from './journal/changed-meanwhile.ts';
import { deletedSince } from './journal/deleted-since.ts';
import { detailOf } from './journal/step-detail.ts';
import type { InPlaceInput } from './in-place/input.ts';
import { pathsAside, withAside } from './journal/paths-aside.ts';
import { planInPlace } from './in-place/plan-in-place.ts';
import { placesGone } from './in-place/transfers.ts';
import { withCutOffPages } from './journal/cut-off-pages.ts';
import { halfMade } from './journal/half-made.ts';
import { holdsOthers } from './journal/held-since.ts';
import { LaterRestores } from './journal/later-restores.ts';
import { ordersLeft } from './journal/orders-left.ts';
import { ownDrafts } from './journal/own-drafts.ts';
import { spacesChangedSince } from './journal/made-spaces.ts';
import { fieldsWrittenBy, touchedBy } from './journal/touched.ts';
import { keyAbove, lastEdit, spaceOf, textAt } from './resource.ts';
import type { Plan } from './types.ts';
import { wroteNothing } from './journal/step-journal.ts';
import { renamedSince } from './journal/renamed-since.ts';
import { stepsHash } from './journal/undo-file.ts';
import { keepsWrapped, wrappedRoots } from './journal/wrapped-roots.ts';

export interface UndoInput extends Omit<InPlaceInput, 'scope' | 'where' | 'review' | 'choices' | 'undoes' | 'mirror'> {
  /** Holds the journal. */
  readonly journal: Mirror;
  /** Holds the states before and now, as `snapshot` and `live`. */
  readonly mirror: Mirror;
  readonly restore: string;
  readonly plan: Plan;
  /** Touches, too, what somebody changed after the restore. */
  readonly evenChanged: boolean;
}

/**
 * A plan that takes a restore back, as far as the ledger allows. Pages that others edited since, and spaces in which they did, are left,
 * and said, where the platform tells when they were last changed, and so are fields that do not stand as the restore wrote them.
 */
export async function planUndo({ journal, restore, plan, evenChanged, ...input }: UndoInput): Promise<Plan> {
  const record = restoreById(journal, restore);
  const before = readerByIds(input.mirror, input.snapshot);
  const noted = stepsOf(journal, restore);
  const steps = await withCutOffPages({ ...input, plan, restore, before }, noted);
  const live = readerByIds(input.mirror, input.live);
  const drafts = ownDrafts({ plan, restore, steps: noted }, live);
  const written = steps.filter((step) => !wroteNothing(step) && !drafts.steps.has(step.step));
  if (written.length + drafts.waiting.size === 0) throw nothingDone(restore);
  const touched = touchedBy(written, plan);
  const places = placesGone(plan, before, live);
  for (const { id } of places) touched.addOwn('site-space', id);
  for (const id of sectionsGone([...placesRemoved(plan, before), ...places], live)) touched.addOwn('site-section', id);
  for (const id of drafts.waiting) touched.addOwn('change-request', id);
  const begun = new Set(written.map(({ step }) => step));
  const wrapped = wrappedRoots({ plan, isWritten: (step) => begun.has(step), before, live });
  for (const { kind, id, params } of wrapped) touched.add(kind, id, params['siteId'] ?? '');
  const asides = pathsAside(live, restore, plan.target.organization);
  const whole = new Set(asides.filter((one) => touched.hasOwn(one)));
  for (const { kind, id } of asides) touched.addOwn(kind, id);
  const isOwn = (one: Resource): boolean => touched.has(one);
  const later = new LaterRestores(journal, record);
  const originals = plan.archive === null ? readerByIds(journal, plan.snapshot) : null;
  const changed = changedSince({ record, steps, before, later });
  const renamed = renamedSince({ steps: written, originals });
  const isChanged = (one: Resource): boolean => renamed(one) !== null;
  const holds = holdsOthers(live, { isOwn, isChanged, later, steps: written, originals });
  const meanwhile = changedMeanwhile({ plan, steps, live, isOwn, isChanged, later });
  const whyOwn = (one: Resource): string | null =>
    drafts.whyKept(one) ?? changed(one) ?? meanwhile(one) ?? renamed(one) ?? holds(one);
  const stay = keepsWrapped(wrapped, live, (section) => isOwn(section) && whyOwn(section) === null);
  const keeps = (one: Resource): string | null => whyOwn(one) ?? stay(one);
  const back = await planInPlace({
    ...input,
    scope: `organization:${plan.target.organization}`,
    where: null,
    review: false,
    choices: { missing: true, changed: true, added: true },
    undoes: {
      restore,
      journal,
      touched: isOwn,
      bins: otherBins(plan),
      doubtful: halfMade({ plan, restore, steps, originals }, input),
      ...(evenChanged
        ? {}
        : {
            keeps,
            holds,
            stays: deletedSince(plan, written),
            order: ordersLeft(plan, noted, originals),
            wrote: withAside(fieldsWrittenBy(written, plan), asides, (one) => whole.has(one)),
          }),
    },
  });
  return { ...back, undoesSteps: stepsHash(noted), ...(evenChanged ? { evenChanged } : {}) };
}

function otherBins({ steps }: Plan): (resource: Resource) => string | null {
  const bins = new Map(
    steps.flatMap(({ kind, key, binOf }) => (binOf === undefined ? [] : [[`${kind} ${key}`, binOf]])),
  );
  return ({ kind, key }) => bins.get(`${kind} ${key}`) ?? null;
}

function placesRemoved({ steps }: Plan, before: SnapshotReader): Resource[] {
  const keys = steps.filter(({ kind, part }) => kind === 'site-space' && part === 'remove').map(({ key }) => key);
  return keys.flatMap((key) => before.one('site-space', key) ?? []);
}

/** Ids of sections: a section goes with the last space that it shows. */
function sectionsGone(places: readonly Resource[], live: SnapshotReader): string[] {
  return places.flatMap(({ key, body }) => {
    const section = textAt(body, 'section');
    const isThere = live.one('site-section', `${keyAbove(key)}/${section ?? ''}`) !== undefined;
    return section === undefined || isThere ? [] : [section];
  });
}

interface Restored {
  readonly record: Pick<RestoreRecord, 'ended_at'>;
  readonly steps: readonly RestoreStep[];
  /** What stood before the restore. */
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

function nothingDone(restore: string): AppError {
  return new AppError('DM_RESTORE_FAILED', `Restore ${restore} has written nothing: there is nothing to take back`, {
    hint: 'Run `docmirror restore list` to see what each restore did.',
  });
}
