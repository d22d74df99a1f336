// Taking a restore back: what it touched is brought to the state that was read before it wrote anything.
import { AppError } from '../base/index.ts';
import {
  readerAt,
  restoreById,
  stepsOf,
  type Mirror,
  type Resource,
  type RestoreRecord,
  type RestoreStep,
  type SnapshotReader,
} from '../mirror/index.ts';
import { detailOf, idMapOf } from './journal/id-map.ts';
import type { InPlaceInput } from './in-place/input.ts';
import { planInPlace } from './in-place/plan-in-place.ts';
import { SITE_DEFAULTS } from './in-place/site-defaults.ts';
import { withCutOffPages } from './journal/cut-off-pages.ts';
import { halfMade } from './journal/half-made.ts';
import { holdsOthers } from './journal/held-since.ts';
import { LaterRestores } from './journal/later-restores.ts';
import { ownDrafts } from './journal/own-drafts.ts';
import { spacesChangedSince } from './journal/made-spaces.ts';
import { keyAbove, lastEdit, lastOf, textAt } from './resource.ts';
import type { Plan, PlanStep } from './types.ts';
import { wroteNothing } from './journal/step-journal.ts';
import { stepsHash } from './journal/undo-file.ts';

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
 * and said, where the platform tells when they were last changed. Other things are set back whoever changed them since.
 */
export async function planUndo({ journal, restore, plan, evenChanged, ...input }: UndoInput): Promise<Plan> {
  const record = restoreById(journal, restore);
  const before = readerAt(input.mirror, input.snapshot);
  const noted = stepsOf(journal, restore);
  const steps = await withCutOffPages({ ...input, plan, restore, before }, noted);
  const live = readerAt(input.mirror, input.live);
  const drafts = ownDrafts({ plan, restore, steps: noted }, live);
  const written = steps.filter((step) => !wroteNothing(step) && !drafts.steps.has(step.step));
  if (written.length + drafts.waiting.size === 0) throw nothingDone(restore);
  const touched = touchedBy(written, plan);
  for (const name of sectionsGone(plan, before, live)) touched.add(name);
  for (const id of drafts.waiting) touched.add(`change-request ${id}`);
  const isOwn = ({ kind, id }: Resource): boolean => touched.has(`${kind} ${id}`);
  const later = new LaterRestores(journal, record);
  const holds = holdsOthers(live, { isOwn, later });
  const originals = plan.archive === null ? readerAt(journal, plan.snapshot) : null;
  const changed = changedSince({ record, steps, before, later });
  const keeps = (one: Resource): string | null => drafts.whyKept(one) ?? changed(one) ?? holds(one);
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
      doubtful: halfMade({ plan, restore, steps, originals }, input),
      ...(evenChanged ? {} : { keeps }),
    },
  });
  return { ...back, undoesSteps: stepsHash(noted) };
}

/** Kinds and ids, on the target, of everything that the restore wrote. */
function touchedBy(steps: readonly RestoreStep[], plan: Plan): Set<string> {
  const begun = new Map(steps.map((step) => [step.step, step]));
  const ids = idMapOf(plan, steps);
  const touched = new Set<string>();
  for (const step of plan.steps) {
    const entry = begun.get(step.step);
    if (!entry) continue;
    const { kind, key } = step;
    const { untouched, editedAt = {} } = detailOf(entry);
    const page = kind === 'change-request-revision' ? 'change-request-page' : 'page';
    for (const id of [...writtenPages(step, untouched), ...Object.keys(editedAt)]) touched.add(`${page} ${id}`);
    touched.add(`${kind} ${ids.get(kind, key) ?? lastOf(key)}`);
    if (kind === 'custom-field-value') for (const { field } of step.mend?.fields ?? []) touched.add(`${kind} ${field}`);
    for (const name of partsOpenedWith(step)) touched.add(name);
    for (const [one, map] of Object.entries(detailOf(entry).map ?? {}))
      for (const id of Object.values(map)) touched.add(`${one} ${id}`);
  }
  for (const step of steps) if (step.new_id !== null) touched.add(`${step.kind} ${step.new_id}`);
  return touched;
}

/** Pages that stood and were set back, taken away or relinked; those that were brought back are in the journal's map. */
function writtenPages({ pages }: PlanStep, untouched: readonly string[] = []): string[] {
  const { changed = [], added = [], links = [] } = pages ?? {};
  return [...changed, ...added, ...links].map(({ id }) => id).filter((id) => !untouched.includes(id));
}

/** The platform tells of the parts of a site what it opens with. */
function partsOpenedWith({ part, mend }: PlanStep): string[] {
  const kinds: Readonly<Record<string, string>> = SITE_DEFAULTS;
  if (part !== 'defaults') return [];
  return (mend?.fields ?? []).flatMap(({ field, from, to }) =>
    [from, to].flatMap((id) => (typeof id === 'string' && kinds[field] !== undefined ? [`${kinds[field]} ${id}`] : [])),
  );
}

/** A section goes with the last space that it shows. */
function sectionsGone({ steps }: Plan, before: SnapshotReader, live: SnapshotReader): string[] {
  return steps.flatMap(({ kind, part, key }) => {
    if (kind !== 'site-space' || part !== 'remove') return [];
    const section = textAt(before.one(kind, key)?.body ?? {}, 'section');
    const isThere = live.one('site-section', `${keyAbove(key)}/${section ?? ''}`) !== undefined;
    return section === undefined || isThere ? [] : [`site-section ${section}`];
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
    const { kind, key, id, body, params } = resource;
    if (kind === 'page') {
      // A merge takes over no time of a page that only changed places with others: its last edit stays that from before the restore.
      const was = before.one('page', key);
      const [left, now] = [editedAt.get(id), lastEdit(body)];
      if (left === undefined || [left, was && lastEdit(was.body)].includes(now)) return null;
      return later.whyChanged({ kind, id, space: params['spaceId'] ?? '', left, now });
    }
    return kind === 'space' ? whyChanged(resource) : null;
  };
}

function nothingDone(restore: string): AppError {
  return new AppError('DM_RESTORE_FAILED', `Restore ${restore} has written nothing: there is nothing to take back`, {
    hint: 'Run `docmirror restore list` to see what each restore did.',
  });
}
