// Links that people have copied from the app: with a query, in comments, without an import, and to what came back in place.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget, withoutImport } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;

let world: TestWorld;
let [space, far] = ['', ''];

const anew = worldAnew(async (both) => {
  const [one, other] = [await addSpace(both, 'One'), await addSpace(both, 'Far')];
  await edit(both, one, insert('There', 'Text'));
  await edit(both, other, insert('Out', 'Text'));
  return { space: one, far: other };
});

beforeEach(async () => {
  ({ world, space, far } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

type Api = TestWorld['api'];

async function appAddress(spaceId: string, title: string, api: Api = world.api): Promise<string> {
  const { [title]: pageId = '' } = await pagesOf({ api }, spaceId);
  const address = (await api.getPage({ path: { spaceId, pageId } })).urls?.app ?? '';
  expect(address).toContain(pageId);
  return address;
}

async function textIn(api: Api, spaceId: string, title: string): Promise<string> {
  const { [title]: pageId = '' } = await pagesOf({ api }, spaceId);
  return (await api.getPage({ path: { spaceId, pageId }, query: { format: 'markdown' } })).markdown ?? '';
}

async function commentIn(api: Api, spaceId: string): Promise<string> {
  const { items } = await api.listComments({ path: { spaceId }, query: { format: 'markdown' } });
  const [first] = items;
  return first?.body !== undefined && 'markdown' in first.body ? String(first.body.markdown) : '';
}

describe('restore/apply', () => {
  it.each([false, true])(
    'leads addresses with a query, and those in comments, to what it has restored: they led to the old platform (without import: %s)',
    async (isWithout) => {
      const [own, beyond] = [await appAddress(space, 'There'), await appAddress(far, 'Out')];
      const text = `[a](${own}?x=y#z) [b](${own}?x=y) [c](${beyond}#z) [d](${own})`;
      await edit(world, space, insert('Linking', text));
      await world.api.createComment({ path: { spaceId: space }, body: { body: { markdown: text } } });
      await world.sync();
      await using target = await createTarget(world);
      if (isWithout) withoutImport(target.platform);
      const { restore, failures } = await target.apply(await target.plan());
      expect(failures).toEqual([]);
      const { api } = target.client;
      const [one, out] = [await target.spaceCalled('One'), await target.spaceCalled('Far')];
      const { There: there = '' } = await pagesOf({ api }, one);
      const page = await appAddress(out, 'Out', api);
      const meant = (to: string): string => `[a](${to}?x=y#z) [b](${to}?x=y) [c](${page}#z) [d](${to})`;
      expect(await textIn(api, one, 'Linking')).toContain(meant(`/pages/${there}`));
      expect(await commentIn(api, one)).toContain(meant(await appAddress(one, 'There', api)));
      expect(await target.verify(restore)).toMatchObject({ passed: true, brokenLinks: { before: 0, after: 0 } });
    },
  );
});

it('restore/apply leads addresses in a page without a title to what it has restored: setting the title wrote them back as they were', async () => {
  const own = await appAddress(space, 'There');
  await edit(world, space, insert('Linking', `[a](${own}) and more`));
  const { Linking: page = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page, title: '' });
  await world.sync();
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const { api } = target.client;
  const one = await target.spaceCalled('One');
  const { There: there = '' } = await pagesOf({ api }, one);
  expect(await textIn(api, one, '')).toContain(`[a](/pages/${there}) and more`);
  expect((await target.verify(restore)).passed).toBe(true);
});

it('restore/apply lets a change request wait for what it leads to by an address: it came with the old one for good', async () => {
  const beyond = await appAddress(far, 'Out');
  const { There: page = '' } = await pagesOf(world, space);
  const document = { markdown: `# There\n\nSee [c](${beyond}).` };
  await addRequest(world, space, { subject: 'Proposal', changes: [{ type: 'update_page', page, document }] });
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  const contents = plan.steps.filter(({ kind, part }) => kind === 'revision' && part === 'content');
  const nth = 1 + contents.findIndex(({ key }) => key === far);
  target.platform.faults = [{ operation: 'importContent', nth, effect: { status: 500 } }];
  const { restore } = await target.apply(plan);
  target.platform.faults = [];
  expect((await target.resume(restore)).failures).toEqual([]);
  const { api } = target.client;
  const spaceId = await target.spaceCalled('One');
  const { items } = await api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  const path = { spaceId, changeRequestId: items.find(({ subject }) => subject === 'Proposal')?.id ?? '' };
  const { There: pageId = '' } = await pagesOf({ api }, spaceId);
  const shown = await api.getChangeRequestPage({ path: { ...path, pageId }, query: { format: 'markdown' } });
  expect(shown.markdown).toContain(`See [c](${await appAddress(await target.spaceCalled('Far'), 'Out', api)}).`);
});

describe('restore/in-place', () => {
  it('leads addresses of what comes back to where that is now: they led nowhere, and verify did not say so', async () => {
    const [own, beyond] = [await appAddress(space, 'There'), await appAddress(far, 'Out')];
    await edit(world, space, insert('Linking', `[a](${own}?x=y#z) [c](${beyond})`));
    await edit(world, far, insert('Back', `[a](${own})`));
    await world.sync();
    const place = inPlace(world);
    const { There: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'delete_page', page });
    const plan = await place.plan();
    const { restore, failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    const { There: there = '' } = await pagesOf(world, space);
    expect(await textIn(world.api, space, 'Linking')).toContain(`[a](/pages/${there}?x=y#z) [c](${beyond})`);
    expect(await textIn(world.api, far, 'Back')).toContain(`[a](${await appAddress(space, 'There')})`);
    expect((await place.verify(restore)).passed).toBe(true);
    expect((await place.plan()).steps).toEqual([]);
  });

  it('leaves an address that names no id: what came back is shown there again', async () => {
    await using proxy = await rewriting(world);
    const origin = `${world.platform.url}/app`;
    const within = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(within);
      if (!isRecord(value)) return value;
      const all = Object.fromEntries(Object.entries(value).map(([field, one]) => [field, within(one)]));
      const name = isRecord(all['urls']) && 'app' in all['urls'] ? (all['path'] ?? all['title']) : undefined;
      if (typeof name !== 'string') return all;
      const app = 'path' in all ? `${origin}/One/${name}` : `${origin}/${name}`;
      return { ...all, urls: { app } };
    };
    proxy.rewrite = (_asked, { status, body }) => (Buffer.isBuffer(body) ? undefined : { status, body: within(body) });
    await edit(world, space, insert('Linking', `[a](${origin}/One/there)`));
    await world.sync({ client: proxy.client });
    const place = inPlace(world, proxy.client);
    const { There: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'delete_page', page });
    const { restore, failures } = await place.apply(await place.plan());
    expect(failures).toEqual([]);
    expect((await pagesOf(world, space))['There']).not.toBe(page);
    expect(await textIn(world.api, space, 'Linking')).toContain(`[a](${origin}/One/there)`);
    expect((await place.verify(restore)).passed).toBe(true);
    expect((await place.plan()).steps).toEqual([]);
  });

  it('leads addresses of a space that is made anew to it, in pages that stand and in those that come back', async () => {
    const [own, beyond] = [await appAddress(space, 'There'), await appAddress(far, 'Out')];
    const whole = (await world.api.getSpace({ path: { spaceId: far } })).urls.app ?? '';
    await edit(
      world,
      space,
      insert('Linking', `[a](${own}) [c](${beyond}#z) [d](${whole})`),
      insert('Gone', `[c](${beyond})`),
    );
    await world.sync();
    const place = inPlace(world);
    const { Gone: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'delete_page', page });
    await world.api.deleteSpace({ path: { spaceId: far } });
    world.clock.advance(8 * DAY_MS);
    const { restore, failures } = await place.apply(await place.plan());
    expect(failures).toEqual([]);
    const { items } = await world.api.listMemberSpaces({
      path: { organizationId: world.organization, userId: world.platform.owner },
    });
    const anew = items.find((one) => one.space.title === 'Far')?.space.id ?? '';
    const out = await appAddress(anew, 'Out');
    const now = (await world.api.getSpace({ path: { spaceId: anew } })).urls.app ?? '';
    expect(now).toContain(anew);
    expect(await textIn(world.api, space, 'Linking')).toContain(`[a](${own}) [c](${out}#z) [d](${now})`);
    expect(await textIn(world.api, space, 'Gone')).toContain(`[c](${out})`);
    expect((await place.verify(restore)).passed).toBe(true);
    expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
  });
});

describe('restore of links of the table of contents by an address with a query', () => {
  /** Where those of a space lead. */
  const leads = async (api: Api, spaceId: string): Promise<unknown[]> =>
    (await api.getRevision({ path: { spaceId } })).pages.flatMap(({ href }) => href ?? []);

  let shown = '';
  beforeEach(async () => {
    const whole = (await world.api.getSpace({ path: { spaceId: far } })).urls.app ?? '';
    shown = await appAddress(far, 'Out');
    await importFiles(world, space, { 'SUMMARY.md': `* [Page](${shown}?x=y#z)\n* [Space](${whole}?x=y)\n` });
    await world.sync();
  });

  it('leads them to what was restored: they led to the old platform', async () => {
    await using target = await createTarget(world);
    const { restore, failures } = await target.apply(await target.plan());
    expect(failures).toEqual([]);
    const { api } = target.client;
    const spaceId = await target.spaceCalled('Far');
    const { Out: pageId = '' } = await pagesOf({ api }, spaceId);
    const there = (await api.getPage({ path: { spaceId, pageId } })).urls?.app ?? '';
    const whole = (await api.getSpace({ path: { spaceId } })).urls.app ?? '';
    expect(await leads(api, await target.spaceCalled('One'))).toEqual([`${there}?x=y#z`, `${whole}?x=y`]);
    expect((await target.verify(restore)).passed).toBe(true);
  });

  it('names those that lead to what comes back in place, and sets them by the next plan: no plan said a word of them', async () => {
    const { Out: page = '' } = await pagesOf(world, far);
    await edit(world, far, { type: 'delete_page', page });
    const place = inPlace(world);
    const first = await place.plan();
    expect(first.steps.filter(({ part }) => part === 'none').map(({ title }) => title)).toEqual(['Page']);
    expect((await place.apply(first)).failures).toEqual([]);
    expect((await place.apply(await place.plan())).failures).toEqual([]);
    expect((await leads(world.api, space))[0]).toBe(`${await appAddress(far, 'Out')}?x=y#z`);
    expect((await place.plan()).steps).toEqual([]);
  });
});
