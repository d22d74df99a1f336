// Making a space, by the first way that the target offers: its create operation, a copy of an empty space, a new site's space.
import { AppError } from '../../base/index.ts';
import type { Space } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { madeAtOf } from '../journal/made-spaces.ts';
import { findItem, itemsOf } from '../listings.ts';
import { isInBin, textAt } from '../resource.ts';
import type { ApplyContext, MakingWork, PlanStep, StepOutcome } from '../types.ts';
import { newParent } from './containers.ts';
import { inOrganization } from './created.ts';
import { withFirstPages, withFirstPagesOf } from './content/first-pages.ts';
import { makeOfTaken, type Instead } from './each-alone.ts';
import { original } from './original.ts';
import { withinLimits } from '../within-limits.ts';
import { withLacks } from '../with-problems.ts';
import { isNotOffered, NOT_TAKEN, unlessThere } from '../answers.ts';

const COPIED = 'a copy of an empty space';
const BY_SITE = 'a new site, which was deleted again';

export const createSpace: MakingWork = {
  write: async (context, step) => {
    const space = original(context, step);
    if (context.spaceMaking.offersCreate) {
      const made = await byOperation(context, space);
      if (made !== null) return withFirstPages(context, made);
      context.spaceMaking.offersCreate = false;
    }
    const donor = await emptyDonor(context);
    if (donor === null) return withFirstPages(context, await bySite(context, step, space));
    const path = { spaceId: donor };
    const copy = await context.client.call('duplicateSpace', { path });
    return settle(context, { space, made: copy, how: COPIED });
  },
  find: async (context, step) => {
    const space = original(context, step);
    const parent = newParent(context, space);
    const { title } = looksOf(space);
    const { within } = insteadOf('createSpace', space);
    for await (const one of targetSpaces(context, parent)) {
      if (
        [title, within?.['title']].includes(one.title) &&
        (one.parent ?? undefined) === parent &&
        !context.ids.isTaken('space', one.id)
      )
        return withLacks(
          await withFirstPagesOf(context, one),
          one.title === title ? [] : [`title is ${one.title} instead of ${title}`],
        );
    }
    return finishSite(context, step, space);
  },
};

/** Null when the target has no such operation. */
async function byOperation(context: ApplyContext, space: Resource): Promise<StepOutcome | null> {
  const parent = newParent(context, space);
  const body = { ...looksOf(space), ...(parent === undefined ? {} : { parent }) };
  const path = inOrganization(context);
  try {
    const asked = context.clock.now();
    const { answer: made, refused } = await makeOfTaken(body, insteadOf('createSpace', space), (some) =>
      context.client.call('createSpace', { path, body: some }),
    );
    return withLacks({ newId: made.id, ...madeAtOf(asked, { after: made }) }, refused);
  } catch (error) {
    if (isNotOffered(error)) return null;
    throw error;
  }
}

function looksOf({ body }: Resource) {
  const emoji = textAt(body, 'emoji');
  return {
    title: textAt(body, 'title') ?? '',
    editMode: 'live' as const,
    ...(emoji === undefined ? {} : { emoji }),
  };
}

/** The title as it is within the limits of the API document; a space without its emoji, or as the platform begins one, is one all the same. */
function insteadOf(operation: 'createSpace' | 'updateSpace', space: Resource): Instead {
  const { title, ...settings } = looksOf(space);
  const without = new Map(Object.keys(settings).map((name) => [name, undefined]));
  const within = withinLimits(operation, { title }, ['title']);
  return { settings: without, setLater: ['editMode'], within, refusals: NOT_TAKEN };
}

/** A space without content whose copy is as good as new: one that was made before in this restore, or one that stood there. */
async function emptyDonor(context: ApplyContext): Promise<string | null> {
  const { spaceMaking, plan, ids } = context;
  if (spaceMaking.donor !== null) return spaceMaking.donor;
  const candidates = [...(plan.donor === null ? [] : [plan.donor]), ...ids.idsOf('space').slice(-1)];
  for (const id of candidates) if (await isBare(context, id)) spaceMaking.donor = id;
  return spaceMaking.donor;
}

async function isBare({ client }: ApplyContext, spaceId: string): Promise<boolean> {
  const { pages, files } = await client.call('getRevision', { path: { spaceId } });
  return pages.length === 0 && files.length === 0;
}

/** The title that a site and its space have until they are what they are to be; it tells an earlier try from all else. */
export function markOf({ restore }: Pick<ApplyContext, 'restore'>, step: Pick<PlanStep, 'step'>): string {
  return `docmirror restore ${restore} step ${step.step}`.slice(0, 50);
}

async function bySite(context: ApplyContext, step: PlanStep, space: Resource): Promise<StepOutcome> {
  const mark = markOf(context, step);
  const input = { path: inOrganization(context), body: { title: mark, spaces: 'empty' as const } };
  const site = await context.client.call('createSite', input).catch((error: unknown) => {
    throw isNotOffered(error) ? noWay(error) : error;
  });
  return takeFromSite(context, site.id, { space, mark });
}

function noWay(cause: unknown): AppError {
  const what =
    'The target offers no way to make a space: no create operation, no empty space to copy, no site with a new one';
  return new AppError('DM_RESTORE_FAILED', what, {
    hint: 'Make an empty space by hand in the target organization and plan again with --into-existing: it is copied then.',
    cause,
  });
}

/** Keeps the space of a site and deletes the site. Until the very end the space bears the mark, by which it is found again. */
async function takeFromSite(
  context: ApplyContext,
  siteId: string,
  { space, mark }: { space: Resource; mark: string },
): Promise<StepOutcome> {
  const path = { ...inOrganization(context), siteId };
  const { items } = await context.client.call('listSiteSpaces', { path });
  const [place] = items;
  if (!place) throw new Error(`site ${siteId} was made without a space`);
  const { id, title } = place.space;
  if (title !== mark) await context.client.call('updateSpace', { path: { spaceId: id }, body: { title: mark } });
  await context.client.call('deleteSite', { path });
  return settle(context, { space, made: place.space, how: BY_SITE });
}

interface Made {
  readonly space: Resource;
  readonly made: Space;
  readonly how: string;
}

/** Puts a space where it belongs; its own title comes last. */
async function settle(context: ApplyContext, { space, made, how }: Made): Promise<StepOutcome> {
  const parent = newParent(context, space) ?? null;
  const path = { spaceId: made.id };
  await unlessThere(() => context.client.call('moveSpace', { path, body: { parent } }));
  const asked = context.clock.now();
  const { answer: after, refused } = await makeOfTaken(looksOf(space), insteadOf('updateSpace', space), (body) =>
    context.client.call('updateSpace', { path, body }),
  );
  return withLacks({ newId: made.id, how, ...madeAtOf(asked, { after }) }, refused);
}

/** Goes on with what an earlier try left half done: a site of its own title, or a space that has no place yet. */
async function finishSite(context: ApplyContext, step: PlanStep, space: Resource): Promise<StepOutcome | null> {
  const mark = markOf(context, step);
  const input = { path: inOrganization(context), query: { title: mark } };
  const listing = context.client.paginate('listSites', input);
  const site = await findItem(listing, ({ title }) => title === mark);
  return site ? takeFromSite(context, site.id, { space, mark }) : finishLoose(context, mark, space);
}

/** A copy bears the title of what was copied; only this restore makes such spaces, and it makes one at a time. */
async function finishLoose(context: ApplyContext, mark: string, space: Resource): Promise<StepOutcome | null> {
  const donors = new Set([context.plan.donor, ...context.ids.idsOf('space')].filter((id) => id !== null));
  const all: Space[] = [];
  for await (const one of targetSpaces(context, undefined)) all.push(one);
  const titles = all.filter(({ id }) => donors.has(id)).map(({ title }) => title);
  for (const one of all) {
    if (context.ids.isTaken('space', one.id)) continue;
    const isCopy = titles.some((title) => one.title.startsWith(title));
    if (one.title !== mark && !isCopy) continue;
    if (await isBare(context, one.id))
      return settle(context, { space, made: one, how: one.title === mark ? BY_SITE : COPIED });
  }
  return null;
}

/** Spaces of a collection; without one, all that the members of the organization show, each once. None that lies in the bin, which some listings go on to show. */
async function* targetSpaces(context: ApplyContext, parent: string | undefined): AsyncIterable<Space> {
  for await (const space of shownSpaces(context, parent)) if (!isInBin({ ...space })) yield space;
}

async function* shownSpaces(context: ApplyContext, parent: string | undefined): AsyncIterable<Space> {
  const { client } = context;
  if (parent !== undefined) {
    const path = { collectionId: parent };
    yield* itemsOf(client.paginate('listCollectionSpaces', { path }));
    return;
  }
  const path = inOrganization(context);
  const seen = new Set<string>();
  for await (const { id: userId } of itemsOf(client.paginate('listMembers', { path }))) {
    const input = { path: { ...path, userId } };
    for await (const { space } of itemsOf(client.paginate('listMemberSpaces', input))) {
      if (!seen.has(space.id)) yield space;
      seen.add(space.id);
    }
  }
}
