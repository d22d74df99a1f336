// Taking a restore back: what it touched is brought to the state that was read before it wrote anything.
import { AppError } from '../base/index.ts';
import { endingWith } from '../client/index.ts';
import { readerByIds, restoreById, stepsOf, type Mirror, type Resource } from '../mirror/index.ts';
import type { InPlaceInput } from './in-place/input.ts';
import { planInPlace } from './in-place/plan-in-place.ts';
import { withCutOffPages } from './journal/cut-off-pages.ts';
import { leftToPeople, deletedSince } from './journal/left-to-people.ts';
import { halfMade } from './journal/half-made.ts';
import { ordersLeft } from './journal/orders-left.ts';
import { ownDrafts } from './journal/own-drafts.ts';
import { ownWork } from './journal/own-work.ts';
import { wroteNothing } from './journal/step-journal.ts';
import { stepsHash } from './journal/undo-file.ts';
import type { Plan } from './types.ts';

interface UndoInput extends Omit<InPlaceInput, 'scope' | 'where' | 'review' | 'choices' | 'undoes' | 'mirror'> {
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
  const before = readerByIds(input.mirror, input.snapshot);
  const live = readerByIds(input.mirror, input.live);
  const noted = stepsOf(journal, restore);
  const client = endingWith(input.client, input.signal);
  const steps = await withCutOffPages({ client, plan, restore, before }, noted);
  const drafts = ownDrafts({ plan, restore, steps: noted }, live);
  const written = steps.filter((step) => !wroteNothing(step) && !drafts.steps.has(step.step));
  if (written.length + drafts.waiting.size === 0) throw nothingDone(restore);
  const originals = plan.archive === null ? readerByIds(journal, plan.snapshot) : null;
  const own = ownWork({ plan, restore, written, waiting: drafts.waiting, before, live });
  const record = restoreById(journal, restore);
  const left = leftToPeople({ journal, record, plan, steps, written, before, live, originals, own, drafts });
  const back = await planInPlace({
    ...input,
    scope: `organization:${plan.target.organization}`,
    where: null,
    review: false,
    choices: { missing: true, changed: true, added: true },
    undoes: {
      restore,
      journal,
      touched: own.has,
      bins: otherBins(plan),
      doubtful: halfMade({ plan, restore, steps, originals }, input),
      ...(evenChanged
        ? {}
        : {
            ...left,
            stays: deletedSince(plan, written),
            order: ordersLeft(plan, noted, originals),
            wrote: own.fields,
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

function nothingDone(restore: string): AppError {
  return new AppError('DM_RESTORE_FAILED', `Restore ${restore} has written nothing: there is nothing to take back`, {
    hint: 'Run `docmirror restore list` to see what each restore did.',
  });
}
