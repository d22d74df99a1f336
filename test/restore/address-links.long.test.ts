// Links that people have copied from the app into a text: they name the platform that the mirror is of.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bare, type Bare } from '../support/in-place.ts';
import { createTarget, drill, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

interface Linking extends Bare {
  readonly space: string;
  /** Links to a page of the space, a place in it, a page of another space, and that space. */
  readonly text: string;
}

async function linking(more: (world: TestWorld, space: string, text: string) => Promise<unknown>): Promise<Linking> {
  let [space, text] = ['', ''];
  const all = await bare(async (world) => {
    space = await addSpace(world, 'One');
    const far = await addSpace(world, 'Far');
    await edit(world, space, insert('There', 'Text'));
    await edit(world, far, insert('Out', 'Text'));
    const [{ There = '' }, { Out = '' }] = [await pagesOf(world, space), await pagesOf(world, far)];
    const there = await world.api.getPage({ path: { spaceId: space, pageId: There } });
    const out = await world.api.getPage({ path: { spaceId: far, pageId: Out } });
    const whole = await world.api.getSpace({ path: { spaceId: far } });
    const [own = '', beyond = ''] = [there.urls?.app, out.urls?.app];
    text = `[a](${own}) [b](${own}#top "t") [c](${beyond}) [d](${whole.urls.app ?? ''}) \`[e](${own})\``;
    await more(world, space, text);
  });
  return { ...all, space, text };
}

/** The address at which the app of the target shows the page or space that is meant, whatever its id. */
function appOf({ platform }: Target): string {
  return `${platform.url.replaceAll('.', String.raw`\.`)}/app/s/[\\w-]+`;
}

async function textOf({ client, organization, platform }: Target, page: string): Promise<string> {
  const path = { organizationId: organization, userId: platform.owner };
  const { items } = await client.api.listMemberSpaces({ path });
  const spaceId = items.find(({ space }) => space.title === 'One')?.space.id ?? '';
  const pages = await pagesOf({ api: client.api }, spaceId);
  const query = { format: 'markdown' as const };
  const { markdown = '' } = await client.api.getPage({ path: { spaceId, pageId: pages[page] ?? '' }, query });
  return markdown;
}

it('restore/apply leads addresses of the app to what it has restored: they led to the old platform, and verify did not say so', async () => {
  const all = await linking(async (world, space, text) => edit(world, space, insert('Linking', text)));
  await using world = all.world;
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const own = /\/pages\/[\w-]+/.source;
  const far = appOf(target);
  const text = await textOf(target, 'Linking');
  expect(text).toMatch(
    new RegExp(String.raw`\[a\]\(${own}\) \[b\]\(${own}#top "t"\) \[c\]\(${far}/p/[\w-]+\) \[d\]\(${far}\) `),
  );
  // What is shown as code is no link.
  expect(text.match(new RegExp(world.platform.url, 'g'))).toHaveLength(1);
  const report = await target.verify(restore);
  expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(report).toMatchObject({ passed: true, brokenLinks: { before: 0, after: 0 } });
  expect(await drill(world)).toMatchObject({ passed: true });
});

it('restore/verify counts an address that leads to the old platform still: it was no difference, and no broken link', async () => {
  const all = await linking(async (world, space, text) => edit(world, space, insert('Linking', text)));
  await using world = all.world;
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  const { api } = target.client;
  const path = { organizationId: target.organization, userId: target.platform.owner };
  const { items } = await api.listMemberSpaces({ path });
  const spaceId = items.find(({ space }) => space.title === 'One')?.space.id ?? '';
  const { Linking: page = '' } = await pagesOf({ api }, spaceId);
  await edit({ api }, spaceId, { type: 'update_page', page, document: { markdown: all.text } });
  const report = await target.verify(restore);
  expect(report.differences.filter((one) => one.class === 'exact').map(({ field }) => field)).toEqual(['markdown']);
  expect(report).toMatchObject({ passed: false, brokenLinks: { before: 0, after: 4 } });
});

it('restore/apply leaves addresses of what it does not restore as they are', async () => {
  const all = await linking(async (world, space, text) => edit(world, space, insert('Linking', text)));
  await using world = all.world;
  await using target = await createTarget(world);
  const plan = await target.plan({ scope: `space:${all.space}` });
  expect(plan.preflight.find(({ check }) => check === 'links elsewhere')?.detail).toContain('1 page links into Far');
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  expect((await textOf(target, 'Linking')).match(new RegExp(world.platform.url, 'g'))).toHaveLength(3);
  expect(await target.verify(restore)).toMatchObject({ passed: true, brokenLinks: { before: 0, after: 0 } });
});

it('restore/apply leads addresses in what a change request proposes to what it has restored', async () => {
  const all = await linking(async (world, space, text) =>
    addRequest(world, space, { subject: 'Proposal', changes: [insert('Proposed', text)] }),
  );
  await using world = all.world;
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const report = await target.verify(restore);
  expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(report.passed).toBe(true);
});
