// Pages that are links to other things of the platform: the platform that the mirror is of tells them as references, as the reference
// platform does; the embedded one knows addresses alone.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import {
  addCollection,
  addRequest,
  addSpace,
  edit,
  flatten,
  importFiles,
  insert,
  pagesOf,
} from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget, drill, type Target } from '../support/restore.ts';
import { worldAnew } from '../support/copied-world.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

/** What the link pages say instead of the address that they have, by their titles. */
type Links = Record<string, { href?: string; target?: object }>;

interface Places {
  readonly own: string;
  readonly far: string;
  readonly collection: string;
  /** Ids of pages. */
  readonly in: string;
  readonly out: string;
}

let world: TestWorld;
let proxy: Rewriting;
let places: Places;

function referring(value: unknown, links: Links): unknown {
  if (Array.isArray(value)) return value.map((one) => referring(one, links));
  if (!isRecord(value)) return value;
  const said = value['type'] === 'link' ? links[String(value['title'])] : undefined;
  const { href: _href, target: _target, ...rest } = value;
  const page = said === undefined ? value : { ...rest, ...said };
  return Object.fromEntries(Object.entries(page).map(([field, inner]) => [field, referring(inner, links)]));
}

/** A link page for each, between two others; mirrored. */
async function mirroredLinks(links: Links): Promise<void> {
  const lines = Object.keys(links).map((title) => `* [${title}](https://example.com/${title.replaceAll(' ', '-')})\n`);
  const summary = `* [In](in.md)\n${lines.join('')}* [Plain](https://example.com/plain)\n* [Last](last.md)\n`;
  await importFiles(world, places.own, {
    'SUMMARY.md': summary,
    'in.md': '# In\n\nText.\n',
    'last.md': '# Last\n\nText.\n',
  });
  proxy.rewrite = (_asked, { status, body }) =>
    Buffer.isBuffer(body) ? undefined : { status, body: referring(body, links) };
  const { snapshot } = await world.sync({ client: proxy.client });
  expect(snapshot).toMatchObject({ id: 1, state: 'complete' });
}

/** Pages of a space of the target as they stand there, by title. */
async function thereIn({ client, organization, platform }: Target, title: string): Promise<Record<string, Restored>> {
  const path = { organizationId: organization, userId: platform.owner };
  const { items } = await client.api.listMemberSpaces({ path });
  const space = items.find((one) => one.space.title === title)?.space;
  const { pages } = await client.api.getRevision({ path: { spaceId: space?.id ?? '' } });
  const all = flatten(pages).map((page) => [page.title, { app: page.urls?.app, href: page.href }] as const);
  return Object.fromEntries([...all, ['space', { app: space?.urls.app, href: undefined }] as const]);
}

interface Restored {
  readonly app: string | undefined;
  readonly href: string | undefined;
}

const anew = worldAnew(async (one) => {
  const collection = await addCollection(one, 'Shelf');
  const [own, far] = [await addSpace(one, 'Own', collection), await addSpace(one, 'Far')];
  await importFiles(one, own, { 'SUMMARY.md': '* [In](in.md)\n', 'in.md': '# In\n\nText.\n' });
  await edit(one, far, insert('Out', 'Text'));
  const [{ In = '' }, { Out = '' }] = [await pagesOf(one, own), await pagesOf(one, far)];
  return { places: { own, far, collection, in: In, out: Out } };
});

beforeEach(async () => {
  ({ world, places } = await anew());
  proxy = await rewriting(world);
});

afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

function references({ own, far, in: page, out }: Places): Links {
  return {
    'to page': { target: { kind: 'page', page } },
    'to named page': { target: { kind: 'page', page, space: own } },
    'to place': { target: { kind: 'anchor', page, anchor: 'top' } },
    'to far page': { target: { kind: 'page', page: out, space: far } },
    'to space': { target: { kind: 'space', space: far } },
  };
}

describe('restore/apply, link pages that refer to what is restored', () => {
  it('come back that lead to mail, a program or a place without a scheme: no drill passed with one, for good', async () => {
    const leading = [
      'mailto:docs@example.com?subject=Hi',
      'tel:+15550100',
      'slack://channel?id=C1',
      '//cdn.example.com/x',
      '#top',
      '/docs/x',
      '/docs/x?y=1#z',
      'www.example.com',
      'example.com/a b',
      '?q=1',
      '../sibling',
      'https://example.com/guide.md',
      'https://example.com/My  <File> (1).pdf?a=1&amp;b',
      'https://example.com/ends ',
    ];
    await mirroredLinks(
      Object.fromEntries(leading.map((href, i) => [`to ${i}`, { href, target: { kind: 'url', url: href } }])),
    );
    const { passed, differences } = await drill(world);
    expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  });

  it('come back as links to the restored ones, where no address is told: they were lost, and no drill passed', async () => {
    await mirroredLinks({
      ...references(places),
      'to collection': { target: { kind: 'collection', collection: places.collection } },
    });
    await using target = await createTarget(world);
    const plan = await target.plan();
    expect(plan.steps.find(({ part }) => part === 'links')?.note).toBe(
      '6 link pages, once what they refer to is there',
    );
    const { restore, failures } = await target.apply(plan);
    expect(failures).toEqual([]);
    const [own, far] = [await thereIn(target, 'Own'), await thereIn(target, 'Far')];
    expect(own).toMatchObject({
      'to page': { href: own['In']?.app },
      'to named page': { href: own['In']?.app },
      'to place': { href: `${own['In']?.app ?? ''}#top` },
      'to far page': { href: far['Out']?.app },
      'to space': { href: far['space']?.app },
      'to collection': { href: expect.stringMatching(`^${target.platform.url}/`) as string },
      Plain: { href: 'https://example.com/plain' },
    });
    expect(Object.keys(own)).toEqual([
      'In',
      ...Object.keys(own).filter((one) => one.startsWith('to ')),
      'Plain',
      'Last',
      'space',
    ]);
    const { differences, passed } = await target.verify(restore);
    expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect(passed).toBe(true);
    expect(new Set(differences.map(({ field }) => field))).toContain('target');
    expect(await drill(world)).toMatchObject({ passed: true });
  });

  it('lead to the restored ones where they have an address of the app: they led to the old platform', async () => {
    const { api } = world;
    const page = await api.getPage({ path: { spaceId: places.far, pageId: places.out } });
    const space = await api.getSpace({ path: { spaceId: places.far } });
    const address = `${page.urls?.app ?? ''}#top`;
    await mirroredLinks({
      'to far page': { target: { kind: 'page', page: places.out, space: places.far }, href: page.urls?.app ?? '' },
      'to space': { target: { kind: 'space', space: places.far }, href: space.urls.app ?? '' },
      'to address': { target: { kind: 'url', url: address }, href: address },
      'by id': { href: `/spaces/${places.far}/pages/${places.out}` },
    });
    await using target = await createTarget(world);
    const { restore, failures } = await target.apply(await target.plan());
    expect(failures).toEqual([]);
    const [own, far] = [await thereIn(target, 'Own'), await thereIn(target, 'Far')];
    expect(own).toMatchObject({
      'to far page': { href: far['Out']?.app },
      'to space': { href: far['space']?.app },
      'to address': { href: `${far['Out']?.app ?? ''}#top` },
      'by id': { href: far['Out']?.app },
    });
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  });

  it('are found again on a platform that reads such an address as a reference: verify called them missing', async () => {
    await mirroredLinks(references(places));
    await using target = await createTarget(world);
    await using there = await rewriting(world, target.platform);
    const read = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(read);
      if (!isRecord(value)) return value;
      const own = Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, read(inner)]));
      const { href = '', ...rest } = own;
      const written = typeof href === 'string' ? href : '';
      const [, space, page] = /\/app\/s\/([^/#]+)(?:\/p\/([^/#]+))?/.exec(written) ?? [];
      if (own['type'] !== 'link' || space === undefined) return own;
      return { ...rest, target: page === undefined ? { kind: 'space', space } : { kind: 'page', page, space } };
    };
    there.rewrite = (_asked, { status, body }) => (Buffer.isBuffer(body) ? undefined : { status, body: read(body) });
    const { client } = there;
    const { restore, failures } = await target.apply(await target.plan({ client, targetUrl: there.url }), { client });
    expect(failures).toEqual([]);
    const { differences, passed } = await target.verify(restore);
    expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect(passed).toBe(true);
  });

  it('lead to the originals where those are not part of the plan: they were lost', async () => {
    await mirroredLinks(references(places));
    await using target = await createTarget(world);
    const { restore, failures } = await target.apply(await target.plan({ scope: `space:${places.own}` }));
    expect(failures).toEqual([]);
    const own = await thereIn(target, 'Own');
    const page = await world.api.getPage({ path: { spaceId: places.far, pageId: places.out } });
    expect(own).toMatchObject({ 'to page': { href: own['In']?.app }, 'to far page': { href: page.urls?.app } });
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  });

  it('come back in a change request, too, and in one that is to be reviewed', async () => {
    await addRequest(world, places.own, { subject: 'Proposal', changes: [insert('Proposed', 'Text')] });
    await mirroredLinks(references(places));
    await using target = await createTarget(world);
    const { restore, failures } = await target.apply(await target.plan());
    expect(failures).toEqual([]);
    expect(await target.verify(restore)).toMatchObject({ passed: true });
    await using other = await createTarget(world);
    const reviewed = await other.apply(await other.plan({ review: true }));
    expect(reviewed.failures).toEqual([]);
    expect(await other.verify(reviewed.restore)).toMatchObject({ passed: true });
  });

  it('come back from imports in parts', async () => {
    await mirroredLinks(references(places));
    await using target = await createTarget(world);
    const plan = await target.plan({ importLimits: { maxPages: 2, maxBytes: null } });
    const { restore, failures } = await target.apply(plan, { importLimits: { maxPages: 2, maxBytes: null } });
    expect(failures).toEqual([]);
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  });

  it.each(['lost', 'killed'] as const)('come back after writes that were %s', async (cut) => {
    await mirroredLinks(references(places));
    await using target = await createTarget(world);
    const { restore } = await target.endure(await target.plan(), cut);
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  });
});

describe('restore/plan, link pages that refer to what no import knows', () => {
  it('names each that does not come back, and the drill passes: it was lost without a word', async () => {
    await mirroredLinks({
      'to a person': { target: { kind: 'user', user: 'u1' } },
      'to nothing': { target: { kind: 'page', page: 'gone' } },
      'to a file': { target: { kind: 'file', file: 'f1' }, href: 'https://example.com/file' },
    });
    await using target = await createTarget(world);
    const plan = await target.plan();
    const idle = plan.steps.filter(({ kind, action }) => kind === 'page' && action === 'unsupported');
    const note = 'a link page without an address, to what no import refers to: does not come back';
    expect(new Set(idle.map((step) => `${step.title}: ${step.note}`))).toEqual(
      new Set([`to a person: ${note}`, `to nothing: ${note}`]),
    );
    const { restore, failures } = await target.apply(plan);
    expect(failures).toEqual([]);
    const own = await thereIn(target, 'Own');
    expect(own['to a file']).toMatchObject({ href: 'https://example.com/file' });
    const { differences, passed } = await target.verify(restore);
    expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect(passed).toBe(true);
    expect(await drill(world)).toMatchObject({ passed: true });
  });
});

it('restore/in-place brings a link page back that refers to what stands: it was not found among what the platform imported', async () => {
  await mirroredLinks(references(places));
  const { 'to page': page = '', 'to space': space = '' } = await pagesOf(world, places.own);
  for (const gone of [page, space]) await edit(world, places.own, { type: 'delete_page', page: gone });
  const place = inPlace(world, proxy.client);
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  const { pages } = await world.api.getRevision({ path: { spaceId: places.own } });
  const there = Object.fromEntries(flatten(pages).map((one) => [one.title, one]));
  expect(there['to page']?.href).toBe(there['In']?.urls?.app);
  const far = await world.api.getSpace({ path: { spaceId: places.far } });
  expect(there['to space']?.href).toBe(far.urls.app);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});
