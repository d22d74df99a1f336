// Where links by the app's address lead afterwards: to the address at which the target shows what came back, if it tells one.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;

type Api = TestWorld['api'];

let world: TestWorld;
let [space, far] = ['', ''];

const anew = worldAnew(async (both) => {
  const [one, other] = [await addSpace(both, 'One'), await addSpace(both, 'Far')];
  await edit(both, other, insert('Out', 'Text'));
  return { space: one, far: other };
});

beforeEach(async () => {
  ({ world, space, far } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

async function addresses(api: Api, spaceId: string): Promise<{ readonly out: string; readonly whole: string }> {
  const { Out: pageId = '' } = await pagesOf({ api }, spaceId);
  const out = (await api.getPage({ path: { spaceId, pageId } })).urls?.app ?? '';
  return { out, whole: (await api.getSpace({ path: { spaceId } })).urls.app ?? '' };
}

async function textIn(api: Api, spaceId: string, title: string): Promise<string> {
  const { [title]: pageId = '' } = await pagesOf({ api }, spaceId);
  return (await api.getPage({ path: { spaceId, pageId }, query: { format: 'markdown' } })).markdown ?? '';
}

/** A text that links to a page of the other space, and to all of that. */
async function addLinks(): Promise<string> {
  const { out, whole } = await addresses(world.api, far);
  const text = `[c](${out}#z) [d](${whole})`;
  await edit(world, space, insert('Linking', text));
  return text;
}

/** Answers with other addresses of the app than the platform has; undefined for none. */
function showAt(proxy: Rewriting, addressOf: (all: Record<string, unknown>) => string | undefined): void {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (!isRecord(value)) return value;
    const all = Object.fromEntries(Object.entries(value).map(([field, one]) => [field, within(one)]));
    if (!isRecord(all['urls']) || !('app' in all['urls'])) return all;
    const { app: _app, ...urls } = all['urls'];
    const app = addressOf(all);
    return { ...all, urls: app === undefined ? urls : { ...urls, app } };
  };
  proxy.rewrite = (_asked, { status, body }) => (Buffer.isBuffer(body) ? undefined : { status, body: within(body) });
}

it('restore/apply leads an address by ids where the target tells none', async () => {
  await addLinks();
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  showAt(proxy, () => undefined);
  const { client } = proxy;
  const { restore, failures } = await target.apply(await target.plan({ client }), { client });
  expect(failures).toEqual([]);
  const [one, out] = [await target.spaceCalled('One'), await target.spaceCalled('Far')];
  const { Out: page = '' } = await pagesOf({ api: client.api }, out);
  expect(await textIn(client.api, one, 'Linking')).toContain(`[c](/spaces/${out}/pages/${page}#z) [d](/spaces/${out})`);
  expect(await target.verify(restore, { client })).toMatchObject({
    passed: true,
    brokenLinks: { before: 0, after: 0 },
  });
});

it('restore/verify knows an address that is the same on both platforms for one that leads to what came back', async () => {
  const named = ({ path, title }: Record<string, unknown>): string => `https://app.test/a/${String(path ?? title)}`;
  await edit(world, space, insert('Linking', '[c](https://app.test/a/Far/out#z) [d](https://app.test/a/Far)'));
  await using from = await rewriting(world);
  await using target = await createTarget(world);
  await using to = await rewriting(world, target.platform);
  for (const proxy of [from, to])
    showAt(proxy, (all) => ('path' in all ? `https://app.test/a/Far/${String(all['path'])}` : named(all)));
  await world.sync({ client: from.client });
  const { client } = to;
  const { restore, failures } = await target.apply(await target.plan({ client }), { client });
  expect(failures).toEqual([]);
  expect(await textIn(client.api, await target.spaceCalled('One'), 'Linking')).toContain(
    '[c](https://app.test/a/Far/out#z) [d](https://app.test/a/Far)',
  );
  expect(await target.verify(restore, { client })).toMatchObject({
    passed: true,
    brokenLinks: { before: 0, after: 0 },
  });
});

it('restore/apply knows a comment with such a link again whose answer was lost: it is made once', async () => {
  const { out, whole } = await addresses(world.api, far);
  const markdown = `[c](${out}#z) [d](${whole})`;
  await world.api.createComment({ path: { spaceId: space }, body: { body: { markdown } } });
  await world.sync();
  await using target = await createTarget(world);
  target.platform.faults = [{ operation: 'createComment', nth: 1, effect: 'cut-after' }];
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const { api } = target.client;
  const now = await addresses(api, await target.spaceCalled('Far'));
  const path = { spaceId: await target.spaceCalled('One') };
  const { items } = await api.listComments({ path, query: { format: 'markdown' } });
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).toContain(`[c](${now.out}#z) [d](${now.whole})`);
  expect((await target.verify(restore)).passed).toBe(true);
});

it('restore/in-place leaves links as good as those it would write: by the new address, or by the new ids, as earlier restores wrote them', async () => {
  const markdown = await addLinks();
  const { Linking: page = '' } = await pagesOf(world, space);
  const path = { spaceId: space };
  const comment = await world.api.createComment({ path, body: { body: { markdown } } });
  await world.sync();
  const place = inPlace(world);
  await world.api.deleteSpace({ path: { spaceId: far } });
  world.clock.advance(8 * DAY_MS);
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  const { items } = await world.api.listMemberSpaces({
    path: { organizationId: world.organization, userId: world.platform.owner },
  });
  const anew = items.find((one) => one.space.title === 'Far')?.space.id ?? '';
  const { out, whole } = await addresses(world.api, anew);
  const byAddress = `[c](${out}#z) [d](${whole})`;
  expect(await textIn(world.api, space, 'Linking')).toContain(byAddress);
  const { Out: at = '' } = await pagesOf(world, anew);
  const byIds = `[c](/spaces/${anew}/pages/${at}#z) [d](/spaces/${anew})`;
  const steps = async (): Promise<unknown> => (await place.plan()).steps.filter(({ part }) => part !== 'none');
  const setComment = (text: string): Promise<unknown> =>
    world.api.updateComment({ path: { ...path, commentId: comment.id }, body: { body: { markdown: text } } });
  for (const text of [byAddress, byIds]) {
    await setComment(text);
    await edit(world, space, { type: 'update_page', page, document: { markdown: `# Linking\n\n${text}` } });
    expect(await steps()).toEqual([]);
  }
  // What somebody wrote since is set back to the new address.
  await setComment('Other');
  await edit(world, space, { type: 'update_page', page, document: { markdown: '# Linking\n\nOther' } });
  const again = await place.apply(await place.plan());
  expect(again.failures).toEqual([]);
  expect(await textIn(world.api, space, 'Linking')).toContain(byAddress);
  const { items: said } = await world.api.listComments({ path, query: { format: 'markdown' } });
  expect(JSON.stringify(said)).toContain(byAddress);
  expect((await place.verify(again.restore)).passed).toBe(true);
});

it.each([false, true])(
  'restore/apply leads addresses to what an earlier restore has brought, also where content waits for review: %s',
  async (review) => {
    await addLinks();
    await world.sync();
    await using target = await createTarget(world);
    const first = await target.apply(await target.plan({ scope: `space:${far}` }));
    expect(first.failures).toEqual([]);
    const { restore, failures } = await target.apply(
      await target.plan({ scope: `space:${space}`, intoExisting: true, review }),
    );
    expect(failures).toEqual([]);
    const { api } = target.client;
    const { out, whole } = await addresses(api, await target.spaceCalled('Far'));
    const path = { spaceId: await target.spaceCalled('One') };
    const meant = `[c](${out}#z) [d](${whole})`;
    if (review) {
      const { items } = await api.listChangeRequests({ path, query: { status: 'draft' } });
      const within = { ...path, changeRequestId: items[0]?.id ?? '' };
      const { pages } = await api.getChangeRequestRevision({ path: within });
      const pageId = pages.find(({ title }) => title === 'Linking')?.id ?? '';
      const shown = await api.getChangeRequestPage({ path: { ...within, pageId }, query: { format: 'markdown' } });
      expect(shown.markdown).toContain(meant);
    } else expect(await textIn(api, path.spaceId, 'Linking')).toContain(meant);
    expect((await target.verify(restore)).passed).toBe(true);
  },
);

it('restore/in-place leaves a text with links into both spaces as it wrote it: each new plan would have written it again', async () => {
  await edit(world, space, insert('There', 'Text'));
  const { There: gone = '' } = await pagesOf(world, space);
  const own = (await world.api.getPage({ path: { spaceId: space, pageId: gone } })).urls?.app ?? '';
  const { out } = await addresses(world.api, far);
  await edit(world, space, insert('Linking', `[a](${own}) [c](${out})`));
  await world.sync();
  const { Out: page = '' } = await pagesOf(world, far);
  await edit(world, space, { type: 'delete_page', page: gone });
  await edit(world, far, { type: 'delete_page', page });
  const place = inPlace(world);
  expect((await place.apply(await place.plan())).failures).toEqual([]);
  const now = await addresses(world.api, far);
  const { There: there = '' } = await pagesOf(world, space);
  expect(await textIn(world.api, space, 'Linking')).toContain(`[a](/pages/${there}) [c](${now.out})`);
  expect((await place.plan()).steps).toEqual([]);
});

it('restore/apply reads the pages of a space once for all comments that lead into it: it read them for each', async () => {
  await edit(world, far, insert('Two', 'Text'), insert('Three', 'Text'));
  const pages = await pagesOf(world, far);
  for (const title of ['Out', 'Two', 'Three']) {
    const { urls } = await world.api.getPage({ path: { spaceId: far, pageId: pages[title] ?? '' } });
    const markdown = `[a](${urls?.app ?? ''})`;
    await world.api.createComment({ path: { spaceId: space }, body: { body: { markdown } } });
  }
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const asked: string[] = [];
  proxy.rewrite = ({ method, path }) => {
    asked.push(`${method} ${path.split('/').at(-1)}`);
    return undefined;
  };
  const { client } = proxy;
  const { failures } = await target.apply(await target.plan({ client }), { client });
  expect(failures).toEqual([]);
  const comments = asked.slice(asked.indexOf('POST comments') - 1, asked.lastIndexOf('POST comments') + 1);
  expect(comments).toEqual(['GET content', 'POST comments', 'POST comments', 'POST comments']);
});
