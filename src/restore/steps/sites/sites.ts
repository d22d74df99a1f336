// Sites, their settings, share links and claims.
import { isRecord } from '../../../base/index.ts';
import type { BodyOf } from '../../../contract/index.ts';
import type { Resource } from '../../../mirror/index.ts';
import { itemsOf } from '../../listings.ts';
import { fieldsOut, textAt } from '../../resource.ts';
import { defaultAmong, spacesIn } from '../../special/site-order.ts';
import { proxyOf } from '../../special/site-proxy.ts';
import type { ApplyContext, StepOutcome, StepWork } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import { created, inOrganization } from '../created.ts';
import { makeOfTaken } from '../each-alone.ts';
import { inSite, newSpace } from './in-site.ts';
import { unlessTaken } from '../organization.ts';
import { update, updateEach } from '../operations.ts';
import { nothing, original, setting } from '../original.ts';

// Seen by whoever has a link that nobody has been given; without any, a platform may show it to everybody.
const CLOSED = 'share-link';

const makeSite = created({
  path: inOrganization,
  body: (context, site) => {
    const places = spacesIn(context.reader, site, undefined);
    const spaces = places.map((place) => newSpace(context, place)).filter((id) => id !== undefined);
    const own = fieldsOut<BodyOf<'createSite'>>(site.body, ['type', 'title', 'visibility']);
    return { ...own, ...(own.visibility === undefined ? { visibility: CLOSED } : {}), spaces };
  },
  knownBy: ['title'],
  safe: () => ({ visibility: CLOSED }),
});

export const createSite: StepWork = {
  write: async (context, step) => withPlaces(context, original(context, step), await makeSite.write(context, step)),
  find: async (context, step) => {
    const found = await makeSite.find(context, step);
    return found && withPlaces(context, original(context, step), found);
  },
};

/** With the new ids of what stands at the root of the site. */
async function withPlaces(context: ApplyContext, site: Resource, made: StepOutcome): Promise<StepOutcome> {
  const places = spacesIn(context.reader, site, undefined);
  if (places.length === 0) return made;
  const bySpace = new Map<string, string>();
  const path = { ...inOrganization(context), siteId: made.newId ?? '' };
  const listing = context.client.paginate('listSiteSpaces', { path });
  for await (const { id, space } of itemsOf(listing)) bySpace.set(space.id, id);
  const known = places.flatMap((place) => {
    const id = bySpace.get(newSpace(context, place) ?? '');
    return id === undefined ? [] : [[place.key, id] as const];
  });
  return { ...made, map: { 'site-space': Object.fromEntries(known) } };
}

export const setSite = setting(async (context, step) => {
  const site = original(context, step);
  const { adaptiveContent } = site.body;
  const proxy = proxyOf(site.body);
  const enabled = isRecord(adaptiveContent) ? adaptiveContent['enabled'] : undefined;
  const body: BodyOf<'updateSite'> = {
    ...(proxy === undefined ? {} : { proxy }),
    ...(typeof enabled === 'boolean' ? { adaptiveContent: { enabled } } : {}),
  };
  return updateEach(context, site, body);
});

/** Where there are sections the site opens with one of them, and each of those with its own place. */
export const setSiteDefault = setting(async (context, step) => {
  const site = original(context, step);
  const section = defaultAmong([...context.reader.resources('site-section', site.key)]);
  const place = defaultAmong(spacesIn(context.reader, site, undefined));
  const body: BodyOf<'updateSite'> = section
    ? { defaultSiteSection: context.ids.need('site-section', section.key) }
    : { defaultSiteSpace: context.ids.need('site-space', place?.key ?? '') };
  await update(context, site, body);
});

export const setBasename = setting((context, step) => {
  const site = original(context, step);
  const basename = textAt(site.body, 'basename') ?? '';
  return unlessTaken(() => update(context, site, { basename }), `The base name ${basename}`);
});

export const createShareLink = created({
  path: inSite,
  body: (_context, { body }) => ({ name: textAt(body, 'name') ?? '' }),
  knownBy: ['name'],
});

export const switchOffShareLink = setting(async (context, step) => {
  await update(context, original(context, step), { active: false });
});

/** Not every platform takes the name of a schema of claims: such a one gets it without. */
export const putSchema = setting(async (context, step) => {
  const schema = original(context, step);
  const jsonSchema = schema.body['jsonSchema'] as BodyOf<'putSiteAdaptiveSchema'>['jsonSchema'];
  const path = inSite(context, schema);
  const put = (body: BodyOf<'putSiteAdaptiveSchema'>) => context.client.call('putSiteAdaptiveSchema', { path, body });
  const outcome = { ...nothing, map: { 'site-adaptive-schema': { [schema.key]: path.siteId } } };
  if (jsonSchema?.$id === undefined) {
    await put(jsonSchema === undefined ? {} : { jsonSchema });
    return outcome;
  }
  const withoutName = new Map([['$id', undefined]]);
  const { refused } = await makeOfTaken(jsonSchema, { settings: withoutName }, (some) => put({ jsonSchema: some }));
  return withLacks(outcome, refused);
});
