// Pages that a platform begins each new space with: no restore brought them, and nobody wrote them. A space comes back without them.
import { AppError } from '../../../base/index.ts';
import {
  UNDER_WAY_STATUSES,
  type ChangeRequest,
  type Page,
  type Revision,
  type Space,
} from '../../../contract/index.ts';
import { hasStatus, isRefused, NOT_PERMITTED } from '../../answers.ts';
import { settleSlugs } from '../../inserting/settle-slugs.ts';
import { wasInserted } from '../../inserting/was-inserted.ts';
import { detailOf } from '../../journal/step-detail.ts';
import { flatten, pagesById } from '../../special/page-places.ts';
import { lastEdit, textAt } from '../../resource.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../../types.ts';
import { withLacks, withProblems, withTold } from '../../with-problems.ts';
import { contentOf, editsIn, isRequest, type ContentPath, type RequestPath } from '../../target/content-there.ts';
import { archiveRequest, createRequest, findRequest, sendChanges } from '../../target/own-request.ts';
import { removalsIn, type Removal } from '../pages/page-siblings.ts';
import { orNull } from '../write-once.ts';
import { nothing } from '../original.ts';

/** Looks into a space that was made just now. A platform that begins one without pages is taken to begin all so. */
export async function withFirstPages(context: ApplyContext, made: StepOutcome): Promise<StepOutcome> {
  const { spaceMaking } = context;
  const space = made.newId;
  if (spaceMaking.beginsBare === true || space === null) return made;
  const there = await orNull(() => contentOf(context, { spaceId: space }));
  if (there === null) return { ...made, isUnseen: true };
  const edits = editsIn(there);
  spaceMaking.beginsBare = edits.size === 0;
  return edits.size === 0 ? made : { ...made, firstPages: Object.fromEntries(edits) };
}

type MadeSpace = Pick<Space, 'id' | 'createdAt'>;

/** The same for one whose making was cut off, which somebody may have put pages into since. */
export async function withFirstPagesOf(context: ApplyContext, made: MadeSpace): Promise<StepOutcome> {
  const edits = await orNull(() => editsAtOnce(context, made));
  if (edits === null) return { newId: made.id, isUnseen: true };
  return { newId: made.id, ...(Object.keys(edits).length === 0 ? {} : { firstPages: edits }) };
}

/** The same before anything is brought into a space that nobody could look into when it was made. */
export async function seeFirstPages(context: ApplyContext, { key }: PlanStep): Promise<void> {
  const { client, journal } = context;
  const entry = journal.madeSpace(key);
  if (entry === undefined || entry.new_id === null || detailOf(entry).isUnseen !== true) return;
  const space = await client.call('getSpace', { path: { spaceId: entry.new_id } });
  journal.noteFirstPages(entry, await editsAtOnce(context, space));
}

/** The platform begins a space with them at the moment at which it makes it. */
const AT_ONCE_MS = 2000;

async function editsAtOnce(context: ApplyContext, { id, createdAt }: MadeSpace): Promise<Record<string, string>> {
  const isAtOnce = (at: string): boolean => Math.abs(Date.parse(at) - Date.parse(createdAt)) <= AT_ONCE_MS;
  const { pages } = await contentOf(context, { spaceId: id });
  const first = flatten(pages).filter((page) => {
    // One that was only made says no time of an edit, and not every platform says when it was made.
    const at = lastEdit({ ...page }) || (textAt({ ...page }, 'createdAt') ?? '');
    return at === '' || isAtOnce(at);
  });
  return Object.fromEntries(first.map((page) => [page.id, lastEdit({ ...page })]));
}

export interface Filled {
  readonly into: ContentPath;
  /** What stands there. */
  readonly made: Revision;
  readonly outcome: StepOutcome;
}

/** Those that stand as they were when the space was made, and that no page of the import was written over. */
export function firstPages(context: ApplyContext, step: PlanStep, { made, outcome }: Filled): Page[] {
  const first = firstEdits(context, step);
  const imported = new Set(Object.values(outcome.map?.['page'] ?? {}));
  return flatten(made.pages).filter((page) => !imported.has(page.id) && first[page.id] === lastEdit({ ...page }));
}

/** True for a space of its own that the platform began with pages. */
function hasFirstPages(context: ApplyContext, step: PlanStep): boolean {
  return Object.keys(firstEdits(context, step)).length > 0;
}

/** When each was last edited as the space was made, by id. */
function firstEdits({ journal }: ApplyContext, { key }: PlanStep): Readonly<Record<string, string>> {
  const entry = journal.madeSpace(key);
  return (entry === undefined ? undefined : detailOf(entry).firstPages) ?? {};
}

/** Takes them away again, each unless something else stands below it. */
export async function withoutFirstPages(context: ApplyContext, step: PlanStep, filled: Filled): Promise<StepOutcome> {
  const { into, made, outcome } = filled;
  const first = firstPages(context, step, filled);
  const removals = removalsIn(made.pages, new Set(first.map(({ id }) => id)));
  if (removals.length === 0) return outcome;
  const going = new Set(removals.map(({ page }) => page));
  const names = first.flatMap(({ id, title }) => (going.has(id) ? [`page ${title}`] : [])).join(', ');
  const lacks: string[] = [];
  const why = await takenAway(context, step, { into, removals, outcome, lacks });
  if (why !== null) return withProblems(outcome, [`${names}, which the platform begins a space with, stays: ${why}`]);
  const how = [outcome.how, `without ${names}, which the platform begins a space with`];
  return withLacks({ ...outcome, how: how.filter((one) => one !== undefined).join(', ') }, lacks);
}

interface Taking {
  readonly into: ContentPath;
  readonly removals: readonly Removal[];
  readonly outcome: StepOutcome;
  /** Gets what is to be told of those that stay. */
  readonly lacks: string[];
}

const NOT_OFFERED = 'the target has no operation that edits pages';

/** Null once they are gone, else what keeps them: for them alone nothing that came back is to fail. */
function takenAway(context: ApplyContext, step: PlanStep, taking: Taking): Promise<string | null> {
  const { into } = taking;
  return unlessRefused(() =>
    isRequest(into) ? sent(context, step, { ...taking, path: into }) : takenByRequest(context, step, taking),
  );
}

/** In a change request that is merged at once; one that cannot be is not left behind. */
async function takenByRequest(
  context: ApplyContext,
  step: PlanStep,
  { into: { spaceId }, ...taking }: Taking,
): Promise<string | null> {
  const begun = await findRequest(context, step, { spaceId, among: UNDER_WAY_STATUSES });
  const request = begun ?? (await createRequest(context, step, spaceId));
  const path = { spaceId, changeRequestId: request.id };
  const why = await unlessRefused(async () => {
    const left = begun === null ? taking.removals : await leftOf(context, path, taking.removals);
    const kept = await sent(context, step, { ...taking, path, removals: left });
    if (kept === null) await context.client.call('mergeChangeRequest', { path });
    return kept;
  });
  const left = why === null ? null : await unlessRefused(() => givenUp(context, path, request));
  return left === null ? why : `${why ?? ''}; its change request ${request.number} is still open: ${left}`;
}

/** Where the token has lost the right to that as well, the step ends, and goes on with it once it has that again. */
async function givenUp(context: ApplyContext, path: RequestPath, { number }: ChangeRequest): Promise<null> {
  try {
    await archiveRequest(context, path);
    return null;
  } catch (error) {
    if (!hasStatus(error, NOT_PERMITTED)) throw error;
    const what = `change request ${number}, which takes away what the platform begins a space with, is neither merged nor archived`;
    throw new AppError(error.code, `${what}: ${error.message}`, { hint: error.hint });
  }
}

/** Those that an earlier try, which was cut off, has not sent. */
async function leftOf(context: ApplyContext, path: RequestPath, removals: readonly Removal[]): Promise<Removal[]> {
  const { pages } = await contentOf(context, path);
  const there = pagesById(pages);
  return removals.filter(({ page }) => there.has(page));
}

interface Sending extends Omit<Taking, 'into'> {
  readonly path: RequestPath;
}

/** What was inserted beside them gets the slugs that they had. */
async function sent(
  context: ApplyContext,
  step: PlanStep,
  { path, removals, outcome, lacks }: Sending,
): Promise<string | null> {
  if ((await sendChanges(context, path, removals)) === null) return NOT_OFFERED;
  if (wasInserted(context, step)) lacks.push(...(await settleSlugs(context, path, outcome)));
  return null;
}

async function unlessRefused(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (error) {
    if (isRefused(error)) return error.message;
    throw error;
  }
}

/** Empties a space that has no pages in the snapshot, before what closes it: no import is written over what it began with. */
export function emptiedFirst(work: StepWork): StepWork {
  return {
    ...work,
    write: async (context, step) => {
      const emptied = await withoutPages(context, step);
      const { how } = emptied;
      const outcome = withTold(await work.write(context, step), emptied);
      return how === undefined ? outcome : { ...outcome, how };
    },
  };
}

async function withoutPages(context: ApplyContext, step: PlanStep): Promise<StepOutcome> {
  const { plan, ids } = context;
  const isFilled = plan.steps.some(
    ({ kind, part, key }) => kind === 'revision' && part === 'content' && key === step.key,
  );
  if (isFilled || plan.review) return nothing;
  await seeFirstPages(context, step);
  if (!hasFirstPages(context, step)) return nothing;
  const into = { spaceId: ids.need('space', step.key) };
  return withoutFirstPages(context, step, { into, made: await contentOf(context, into), outcome: nothing });
}
