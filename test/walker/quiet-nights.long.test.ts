// What a walk asks on a night on which nothing has moved is known before, to the request.
import { expect, it } from 'vitest';
import { forecastWalk, type WalkScope } from '../../src/walker/index.ts';
import { addCollection, addRequest, addSpace, edit, insert } from '../support/content.ts';
import { furnishedWorld, wholeWorld } from '../support/furnished.ts';
import { hidingOfPages, rewriting } from '../support/rewriting.ts';
import { SETTINGS, TestWorld, type SyncOptions } from '../support/world.ts';

const ALL: WalkScope = { organizations: null, onlySpaces: null, extraSpaces: [] };

/** What a walk is forecast to ask where nothing has moved, and what it asks. */
async function asked(world: TestWorld, options: SyncOptions = {}): Promise<[forecast: number | null, asked: number]> {
  const { mirror, clock, platform } = world;
  const { mode = 'incremental', scope = { ...ALL, invites: platform.invites() }, acceptRights = false } = options;
  const settings = { ...SETTINGS, ...options.settings };
  const all = { mirror, clock, origin: platform.url, mode, scope, settings, acceptRights, mostPerSecond: null };
  const { ifNothingChanged } = forecastWalk(all);
  const { snapshot } = await world.sync(options);
  return [ifNothingChanged, snapshot.requests];
}

/** Walks with each, after all was read that any of them reads; answers those of which the forecast was wrong. */
async function wrong(
  world: TestWorld,
  nights: Readonly<Record<string, SyncOptions>>,
  first: SyncOptions = {},
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const _ of ['first', 'again']) await world.sync({ ...first, settings: { documents: true, pdfs: true } });
  for (const [name, options] of Object.entries(nights)) {
    const [forecast, took] = await asked(world, options);
    if (forecast !== took) found.push([name, forecast, took]);
  }
  return found;
}

/** A furnished organization, and collections with others nested in them. */
async function furnished() {
  const world = await wholeWorld();
  const { made } = world;
  const outer = await addCollection(world, 'Outer');
  await addSpace(world, 'One', await addCollection(world, 'Inner', outer));
  for (const title of ['Two', 'Three', 'Four', 'Five']) await addSpace(world, title, outer);
  return { world, outer, ...made };
}

it('walker: a forecast of a quiet night is what that asks, whatever it is limited to', async () => {
  const { world, outer, guide, news } = await furnished();
  await using _ = world;
  const limited = (scope: Partial<WalkScope>): SyncOptions => ({ scope: { ...ALL, ...scope } });
  const nights: Record<string, SyncOptions> = {
    'of all': {},
    'of all, in small pages': { settings: { pageSize: 2 } },
    'with trees and PDFs': { settings: { documents: true, pdfs: true } },
    'on the rota': { settings: { documents: true, rereadNights: 2 } },
    'of all, in full': { mode: 'full', settings: { documents: true, pdfs: true } },
    'of an organization': limited({ organizations: [world.organization] }),
    'of spaces': limited({ onlySpaces: [guide, news] }),
    'of a space, in full': { ...limited({ onlySpaces: [guide] }), mode: 'full', settings: { pdfs: true } },
    'of a collection, in small pages: one listing of collections was counted': {
      ...limited({ onlyCollections: [outer] }),
      settings: { pageSize: 2 },
    },
    'of a space and a collection': limited({ onlySpaces: [news], onlyCollections: [outer] }),
    'of pages': { ...limited({ kinds: ['page'] }), mode: 'full', settings: { documents: true } },
    'of files of change requests': { ...limited({ kinds: ['change-request-file'] }), mode: 'full' },
    'of members': limited({ kinds: ['member'] }),
    'of invites': limited({ kinds: ['invite'], invites: world.platform.invites() }),
  };
  expect(await wrong(world, nights)).toEqual([]);
});

it('walker: a forecast counts no empty page of a merged change request as read: a walk was said to take more than it may, for good', async () => {
  await using world = await TestWorld.create();
  for (const title of ['One', 'Two'])
    await edit(world, await addSpace(world, title), insert('Filled', 'text'), insert('Empty', ''));
  const nights: Record<string, SyncOptions> = {
    'in full': { mode: 'full' },
    'on the rota': { settings: { documents: true, rereadNights: 1 } },
  };
  expect(await wrong(world, nights)).toEqual([]);
});

it('walker: a forecast counts what stands in a named space of an organization that is not walked: that was left out', async () => {
  await using world = await TestWorld.create();
  const first = world.organization;
  const organization = world.platform.createOrganization({ title: 'Second' });
  const spaces: string[] = [];
  const collections: string[] = [];
  for (const maker of [{ api: world.api, organization }, world]) {
    const collection = await addCollection(maker, 'Manuals');
    const space = await addSpace(maker, 'Guide', collection);
    collections.push(collection);
    await edit(world, space, insert('P', 'text'));
    await addRequest(world, space, { subject: 'More', changes: [insert('Q', 'text')] });
    spaces.push(space);
  }
  await addCollection({ api: world.api, organization }, 'Notes');
  const [[named = ''], [within = '']] = [spaces, collections];
  const settings = { pdfs: true };
  const scope = { ...ALL, organizations: [first], extraSpaces: [named] };
  const nights: Record<string, SyncOptions> = {
    full: { scope, mode: 'full', settings },
    'without it': { scope: { ...ALL, organizations: [first] }, mode: 'full', settings },
    'it alone': { scope: { ...ALL, organizations: [first], onlySpaces: [named] }, mode: 'full', settings },
    'its collection': { scope: { ...ALL, organizations: [first], onlyCollections: [within] }, mode: 'full', settings },
    'its collection, listed in pages of two': {
      scope: { ...ALL, onlyCollections: [within] },
      mode: 'full',
      settings: { pageSize: 2 },
    },
    quiet: { scope },
  };
  expect(await wrong(world, nights)).toEqual([]);
});

it('walker: a forecast counts a space once that no listing shows, whether or not the configuration names it: it counted a named one twice', async () => {
  await using world = await furnishedWorld();
  const { news } = world.made;
  await using proxy = await rewriting(world);
  const isNews = (one: Record<string, unknown>): boolean =>
    one['id'] === news || (one['space'] as { id?: string } | undefined)?.id === news;
  proxy.rewrite = ({ path }, { status, body }) => {
    if (path.includes(news) || typeof body !== 'object' || body === null || !('items' in body)) return undefined;
    const items = (body.items as Record<string, unknown>[])
      .filter((one) => !isNews(one))
      .map((one) => (typeof one['spaces'] === 'number' ? { ...one, spaces: one['spaces'] - 1 } : one));
    return { status, body: { ...body, count: undefined, items } };
  };
  const { client } = proxy;
  const named: SyncOptions = { client, scope: { ...ALL, extraSpaces: [news] } };
  expect(await wrong(world, { named, unnamed: { client } }, named)).toEqual([]);
});

it('walker: a forecast counts lists that are not found, as was accepted, on their night of the rota alone: it counted two of each space every night', async () => {
  await using world = await TestWorld.create();
  for (const title of ['One', 'Two', 'Three', 'Four']) await addSpace(world, title);
  const notFound = { status: 404, body: { error: { code: 404, message: 'Not found' } } };
  world.platform.faults = (['getCustomFieldValues', 'listSpaceLinks'] as const).map((operation) => ({
    operation,
    effect: notFound,
  }));
  const accepting: SyncOptions = { acceptRights: true };
  const rota: SyncOptions = { settings: { rereadNights: 4 } };
  const nights = { one: rota, two: rota, three: rota, four: rota, full: { mode: 'full' }, accepting } as const;
  expect(await wrong(world, nights, accepting)).toEqual([]);
});

it.each([
  ['everything is told', [], []],
  ['everything is told, beside written pages', [], ['Home', 'Other']],
  ['computed pages show no seed', ['computedSeed', 'updatedAt', 'createdAt'], []],
  ['computed pages show no seed, beside written ones', ['computedSeed', 'updatedAt', 'createdAt'], ['Home', 'Other']],
  ['written pages tell nothing of edits', ['documentId', 'updatedAt', 'createdAt'], ['Home', 'Other']],
])(
  'walker: a forecast counts the computed pages that are read with their tree where %s: all of a space without others were, or none',
  async (_where, hidden, written) => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    proxy.rewrite = hidingOfPages(...hidden);
    const paths = { '/carts': { get: { tags: ['carts'], responses: { 200: { description: 'All of them' } } } } };
    const text = JSON.stringify({ openapi: '3.0.0', info: { title: 'Carts', version: '1' }, paths });
    const path = { organizationId: world.organization, specSlug: 'shop' };
    await world.api.putOpenApiSpec({ path, body: { source: { text } } });
    await world.platform.settle();
    const space = await addSpace(world, 'Guide');
    world.platform.addComputedPage({ space, spec: 'shop', title: 'Reference' });
    if (written.length > 0) await edit(world, space, ...written.map((title) => insert(title, `Of ${title}.`)));
    const { client } = proxy;
    const nights: Record<string, SyncOptions> = {
      'on the rota': { client, settings: { rereadNights: 1 } },
      'on the rota, with document trees': { client, settings: { rereadNights: 1, documents: true } },
      'in full': { client, mode: 'full' },
    };
    expect(await wrong(world, nights, { client })).toEqual([]);
  },
);
