// Mends in place that are cut off at some write, gone on with or not, and taken back: what must hold of each of them.
import fc from 'fast-check';
import { expect } from 'vitest';
import { AppError, isAbort } from '../../src/base/index.ts';
import { readerAt, restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { type ApplyResult, type Plan } from '../../src/restore/index.ts';
import { planTree } from './plan-tree.ts';
import { edit } from './content.ts';
import { cutOnce, type Fault } from './cutting.ts';
import {
  anyRun,
  damaged,
  heldIn,
  isAsPlanned,
  leavesAlone,
  withoutStaying,
  type Damaged,
  type Run,
} from './in-place-runs.ts';
import { pagesAt, wordsOf } from './standing.ts';
import { TestWorld } from './world.ts';

export interface CutOffRun {
  readonly run: Run;
  /** The first is of the apply, all others of resumes. */
  readonly faults: readonly Fault[];
  readonly isResumed: boolean;
  /** Of the undo, which is then resumed. */
  readonly undoFault: Fault | null;
  /** Milliseconds between what is done. */
  readonly pause: number;
  /** Somebody writes into the page of this number: once it was cut off first, or before it is taken back. */
  readonly edit: { readonly when: 'cut off' | 'ended'; readonly which: number } | null;
}

const how = { cut: fc.constantFrom('killed', 'killed', 'lost'), sent: fc.boolean() } as const;
/** At a merge, what was written goes live at once, and nothing of that is noted. */
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ ...how, nth: fc.nat({ max: 5 }) }),
  fc.record({ ...how, of: fc.constant('mergeChangeRequest' as const), nth: fc.nat({ max: 1 }) }),
);

export const anyCutOffRun: fc.Arbitrary<CutOffRun> = fc.record({
  run: anyRun,
  faults: fc.array(fault, { minLength: 1, maxLength: 2 }),
  isResumed: fc.boolean(),
  undoFault: fc.option(fault),
  pause: fc.constantFrom(0, 60_000),
  edit: fc.option(fc.record({ when: fc.constantFrom('cut off', 'ended'), which: fc.nat({ max: 40 }) }), { freq: 1 }),
});

type Tell = (what: unknown) => void;

export async function checkCutOff(one: CutOffRun, tell: Tell = () => {}): Promise<void> {
  await using world = await TestWorld.create();
  const ruined = await damaged(world, one.run);
  if (ruined === null) return;
  const { place, plan } = ruined;
  tell([wordsOf(world.mirror, ruined.stood), planTree(plan)]);
  const [first, ...others] = one.faults;
  let result = await orCut(place.apply(plan, { client: cut(world, first) }));
  const restore = restoreOfPlan(world.mirror, planHash(plan))?.id ?? '';
  world.clock.advance(one.pause);
  let isEdited = one.edit?.when === 'cut off' && (await editSome(world, one.edit.which));
  for (const again of others) result = await orCut(place.resume(restore, { client: cut(world, again) }));
  if (one.isResumed) result = await place.resume(restore);
  world.clock.advance(one.pause);
  if (!isEdited) await tellsTheTruth(ruined, { restore, result });
  if (one.edit?.when === 'ended') isEdited = await editSome(world, one.edit.which);
  await isTakenBack(ruined, { restore, fault: one.undoFault, isEdited, tell });
}

const WORDS = 'Words of somebody';

/** False where there is no page with a text. */
async function editSome(world: TestWorld, which: number): Promise<boolean> {
  world.clock.advance(60_000);
  const { snapshot } = await world.sync();
  const pages = [...pagesAt(world.mirror, snapshot.id).values()].filter(({ type }) => type === 'document');
  const page = pages[which % Math.max(pages.length, 1)];
  if (page === undefined) return false;
  const { id, space, title } = page;
  await edit(world, space, { type: 'update_page', page: id, title, document: { markdown: `${WORDS}.` } });
  world.clock.advance(60_000);
  return true;
}

function cut({ client }: TestWorld, one: Fault | undefined): TestWorld['client'] {
  return one === undefined ? client : cutOnce(client, one);
}

async function orCut(work: Promise<ApplyResult>): Promise<ApplyResult | null> {
  try {
    return await work;
  } catch (error) {
    if (isAbort(error)) return null;
    throw error;
  }
}

interface Ended {
  readonly restore: string;
  /** Null for one that was killed. */
  readonly result: ApplyResult | null;
}

/** What came to its end is as planned; and what is said to be so, is so. */
async function tellsTheTruth(ruined: Damaged, { restore, result }: Ended): Promise<void> {
  const { world, place, plan, stood } = ruined;
  const isWhole = result !== null && result.failed + result.skipped === 0;
  const { passed } = await place.verify(restore);
  if (isWhole || passed) await isAsPlanned(ruined, { restore, failures: result?.failures ?? [] });
  const now = (await world.sync()).snapshot.id;
  for (const kind of ['space', 'collection'] as const) {
    const [is, was] = [now, stood].map((at) => [...readerAt(world.mirror, at).resources(kind)].length);
    const parts = plan.steps.filter((step) => step.kind === kind).map(({ part }) => part);
    const made = parts.filter((part) => part === 'create' || part === 'undelete').length;
    expect(is, `each ${kind} is made once`).toBeLessThanOrEqual((was ?? 0) + made);
  }
}

interface Undoing {
  readonly restore: string;
  readonly fault: Fault | null;
  readonly isEdited: boolean;
  readonly tell: Tell;
}

/** What was there before is there again, but for what the undo said that it leaves. */
async function isTakenBack(ruined: Damaged, { restore, fault: undoFault, isEdited, tell }: Undoing): Promise<void> {
  const { world, place, plan, stood: was } = ruined;
  const before = (await world.sync()).snapshot.id;
  const back = await orNothing(place.undo(restore, plan));
  if (back === null) {
    if (!isEdited) expect(wordsOf(world.mirror, before), 'nothing was written').toEqual(wordsOf(world.mirror, was));
    return;
  }
  tell([wordsOf(world.mirror, before), planTree(back)]);
  const failures = back.steps.every(({ part }) => part === 'none') ? [] : await undo(ruined, back, undoFault);
  const held = heldIn(failures);
  expect(failures.length, JSON.stringify(failures)).toBe(held.size);
  const end = (await world.sync()).snapshot.id;
  if (held.size > 0)
    return leavesAlone({ live: pagesAt(world.mirror, before), after: pagesAt(world.mirror, end) }, held);
  if (isEdited) {
    expect(wordsOf(world.mirror, end).join('\n'), planTree(back).join('\n')).toContain(WORDS);
    return;
  }
  const words = { is: wordsOf(world.mirror, end), was: wordsOf(world.mirror, was) };
  expect(withoutLeft(back, withoutStaying(back, words)), planTree(back).join('\n')).toEqual(words.was);
}

async function orNothing(undo: Promise<Plan>): Promise<Plan | null> {
  try {
    return await undo;
  } catch (error) {
    if (error instanceof AppError && error.message.includes('has written nothing')) return null;
    throw error;
  }
}

async function undo({ world, place }: Damaged, back: Plan, undoFault: Fault | null): Promise<ApplyResult['failures']> {
  const result = await orCut(place.apply(back, { client: cut(world, undoFault ?? undefined) }));
  if (result !== null && undoFault === null) return result.failures;
  return (await place.resume(restoreOfPlan(world.mirror, planHash(back))?.id ?? '')).failures;
}

/** Without the spaces of which the undo says that they stay, since nobody knows who changed them. */
function withoutLeft({ steps }: Plan, words: readonly string[]): string[] {
  const left = steps.filter(
    ({ kind, action, note }) => kind === 'space' && action === 'unsupported' && note.includes('left as it is'),
  );
  const titles = left.map(({ title }) => `space ${title} in `);
  let isLeft = false;
  return words.filter((line) => {
    if (line.startsWith('space ')) isLeft = titles.some((title) => line.startsWith(title));
    return !isLeft;
  });
}
