// Sections, groups of sections, and the places at which a site shows its spaces.
import { canonicalJson, isRecord } from '../../../base/index.ts';
import type { BodyOf, SiteSpace } from '../../../contract/index.ts';
import type { Resource } from '../../../mirror/index.ts';
import { isGone } from '../../answers.ts';
import { findItem } from '../../listings.ts';
import { fieldsOut, idAt, idsAt, textAt, titleOf } from '../../resource.ts';
import { defaultAmong, spacesIn } from '../../special/site-order.ts';
import type { ApplyContext, MakingWork, PlanStep } from '../../types.ts';
import { created } from '../created.ts';
import { setEachAlone } from '../each-alone.ts';
import { gone, readLive } from '../live-object.ts';
import { withLacks } from '../../with-problems.ts';
import { movedBefore } from './before-later-siblings.ts';
import { writeFreely } from './free-path.ts';
import { inSite, newSpace, siteKey } from './in-site.ts';
import { move, update } from '../operations.ts';
import { nothing, original, setting } from '../original.ts';

const LONGEST_NEW_TITLE = 64;

/** The spaces of a section whose restored ids are known, in their order. */
function placesOf(context: ApplyContext, section: Resource): Resource[] {
  const holder = context.reader.one('site', siteKey(section));
  const places = holder ? spacesIn(context.reader, holder, section.id) : [];
  return places.filter((place) => newSpace(context, place) !== undefined);
}

export const createSection = created({
  path: inSite,
  body: (context, section) => {
    const [first] = placesOf(context, section);
    const spaceId = first && newSpace(context, first);
    if (spaceId === undefined) throw new Error('none of the spaces that it shows was restored');
    return { spaceId, title: titleOf(section).slice(0, LONGEST_NEW_TITLE) };
  },
  knownBy: ['title'],
  limits: 'updateSiteSection',
  // The section was made with its first space.
  map: (context, section, { siteSpaces }) => {
    const [first] = placesOf(context, section);
    const space = first && newSpace(context, first);
    const shown = (Array.isArray(siteSpaces) ? siteSpaces : []).filter(isRecord);
    const id = idAt(shown.find((one) => idAt(one['space']) === space));
    return first && id !== undefined ? { 'site-space': { [first.key]: id } } : {};
  },
});

export const setSection = setting(async (context, step) => {
  const section = original(context, step);
  const fields = ['path', 'condition', 'icon', 'description'] as const;
  const own = fieldsOut<BodyOf<'updateSiteSection'>>(section.body, fields);
  // It was made with its title, as far as that goes with a new one; not each that it may have been given can be given once more.
  const title = titleOf(section);
  const body = title.length > LONGEST_NEW_TITLE ? { title, ...own } : own;
  const send = (some: object, newId?: string): Promise<unknown> => update(context, { ...section, newId }, some);
  return setEachAlone(
    body,
    (some) => writeFreely(context, section, { step, body: some, send }),
    () => readLive(context, section),
  );
});

export const setSectionDefault = setting(async (context, step) => {
  const section = original(context, step);
  const first = defaultAmong(placesOf(context, section));
  // Not known yet where the answer about the section left out its spaces.
  const found = first && (context.ids.get('site-space', first.key) ?? (await findPlace(context, first))?.id);
  const defaultSiteSpace = found ?? context.ids.need('site-space', first?.key ?? '');
  await update(context, section, { defaultSiteSpace });
});

export const createPlace: MakingWork = {
  write: async (context, step) => ({ newId: await makePlace(context, original(context, step)) }),
  find: async (context, step) => {
    const found = await findPlace(context, original(context, step));
    return found === undefined ? null : { newId: found.id };
  },
};

async function makePlace(context: ApplyContext, place: Resource): Promise<string> {
  const path = inSite(context, place);
  const sectionId = newSection(context, place);
  const body = {
    spaceId: context.ids.need('space', idAt(place.body['space']) ?? ''),
    ...(sectionId === undefined ? {} : { sectionId }),
  };
  return (await context.client.call('createSiteSpace', { path, body })).id;
}

/** Where a restored space stands: in the section of its place, or at the root. */
async function findPlace(context: ApplyContext, place: Resource): Promise<SiteSpace | undefined> {
  const space = newSpace(context, place);
  const section = newSection(context, place);
  const listing = context.client.paginate('listSiteSpaces', { path: inSite(context, place) });
  return findItem(listing, (one) => (one.section ?? undefined) === section && one.space.id === space);
}

function newSection(context: ApplyContext, place: Resource): string | undefined {
  const section = textAt(place.body, 'section');
  return section === undefined ? undefined : context.ids.need('site-section', `${siteKey(place)}/${section}`);
}

export const setPlace = setting(async (context, step) => {
  const place = original(context, step);
  const { id: siteSpaceId, as, isMade, isFound } = await placeAt(context, step, place);
  const send = (some: object, newId = siteSpaceId): Promise<unknown> => update(context, { ...place, newId }, some);
  const body = unlike(fieldsOut<BodyOf<'updateSiteSpace'>>(place.body, ['path', 'condition']), as);
  const isAsItWas = Object.keys(body).length === 0;
  const write = (some: object): Promise<unknown> => writeFreely(context, place, { step, body: some, send });
  const set = isAsItWas ? nothing : await setEachAlone(body, write);
  const done = { ...set, newId: siteSpaceId, ...(isFound ? { isFound } : {}) };
  const next = isMade ? laterPlace(context, place) : undefined;
  if (next === undefined) return done;
  return withLacks(done, await movedBefore(context, { ...place, newId: siteSpaceId }, next));
});

interface PlaceAt {
  readonly id: string;
  /** As it was found; null for one that a step made. */
  readonly as: Readonly<Record<string, unknown>> | null;
  /** A try of this step made it, behind all that stand beside it. */
  readonly isMade: boolean;
  /** It came with its space. */
  readonly isFound: boolean;
}

/** The place, made where nothing shows its space: its site may have been made without that, or shows it no more once it is out of the bin. */
async function placeAt(context: ApplyContext, step: PlanStep, place: Resource): Promise<PlaceAt> {
  const { ids, journal } = context;
  const known = ids.get('site-space', step.key);
  if (known !== undefined) return { id: known, as: null, isMade: false, isFound: false };
  const isMade = journal.keptOf(step) === MADE;
  const found = await findPlace(context, place);
  if (found !== undefined)
    return { id: found.id, as: { ...found }, isMade, isFound: !isMade && isOutOfBin(context, place) };
  journal.keep(step, MADE);
  return { id: await makePlace(context, place), as: null, isMade: true, isFound: false };
}

const MADE = 'made';

/** True for a place that may have come with its space. A section that the restore makes shows what that puts there. */
function isOutOfBin({ plan: { steps } }: ApplyContext, place: Resource): boolean {
  const [space, section] = [idAt(place.body['space']), `${siteKey(place)}/${textAt(place.body, 'section') ?? ''}`];
  const isSectionMade = steps.some(
    ({ kind, part, key }) => kind === 'site-section' && part === 'create' && key === section,
  );
  return !isSectionMade && steps.some(({ part, key }) => part === 'undelete' && key === space);
}

/** Of some fields those that are otherwise there. */
function unlike<Fields extends object>(fields: Fields, as: PlaceAt['as']): Partial<Fields> {
  if (as === null) return fields;
  const differing = Object.entries(fields).filter(
    ([name, value]) => canonicalJson(value ?? null) !== canonicalJson(as[name] ?? null),
  );
  return Object.fromEntries(differing) as Partial<Fields>;
}

/** New id of the nearest later place beside it that is there: what is made comes behind all of them. */
function laterPlace({ ids, reader }: ApplyContext, place: Resource): string | undefined {
  const site = reader.one('site', siteKey(place));
  const beside = site ? spacesIn(reader, site, textAt(place.body, 'section')) : [];
  const later = beside.slice(beside.findIndex(({ key }) => key === place.key) + 1);
  return later.map(({ key }) => ids.get('site-space', key)).find((id) => id !== undefined);
}

export const createGroup = created({
  path: inSite,
  body: (context, group) => {
    const key = siteKey(group);
    const inside = idsAt(group.body['sections']).map((id) => context.ids.get('site-section', `${key}/${id}`));
    const sections = inside.filter((id) => id !== undefined);
    return { ...fieldsOut<BodyOf<'createSiteSectionGroup'>>(group.body, ['title', 'icon']), sections };
  },
  knownBy: ['title'],
});

/**
 * To the end of those that it stands with. Only a whole turn through all of them makes the order, so a resume does no harm. Throws
 * DM_OBJECT_DRIFTED for one that is not there any more.
 */
export const moveToEnd = setting(async (context, step) => {
  const part = original(context, step);
  if (part.kind !== 'site-space') {
    await movedLast(context, step, { part, id: context.ids.need(part.kind, step.key) });
    return nothing;
  }
  const known = context.ids.get(part.kind, step.key);
  const id = known ?? (await findPlace(context, part))?.id;
  if (id === undefined) throw gone(step);
  await movedLast(context, step, { part, id });
  // One that came with its space out of the bin has no id in the state before, by which it would be found again.
  return known === undefined ? { newId: id, isFound: true } : nothing;
});

async function movedLast(
  context: ApplyContext,
  step: PlanStep,
  { part, id }: { readonly part: Resource; readonly id: string },
): Promise<void> {
  try {
    await move(context, { ...part, newId: id }, {});
  } catch (error) {
    // A platform without the operation answers the same.
    if (isGone(error) && (await readLive(context, part)) === undefined) throw gone(step);
    throw error;
  }
}
