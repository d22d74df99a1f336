// Two restores of one snapshot into one target, each of another scope: what the second brings links to what the first has brought there.
import { expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bareAnew, type Bare } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { twoOrganizations } from '../support/two-organizations.ts';

interface Linked extends Bare {
  readonly one: string;
  readonly two: string;
}

/** Spaces One and Two link to each other's page, in a page, a change request and a comment. */
const linked: () => Promise<Linked> = bareAnew(async (world) => {
  const ids = { one: '', two: '' };
  ids.one = await addSpace(world, 'One');
  ids.two = await addSpace(world, 'Two');
  await edit(world, ids.one, insert('There', 'Text'));
  const link = `See [there](/spaces/${ids.one}/pages/${(await pagesOf(world, ids.one))['There'] ?? ''}).`;
  await edit(world, ids.two, insert('Linking', link), insert('Whole', `See [all](/spaces/${ids.one}).`));
  await addRequest(world, ids.two, { subject: 'Proposal', changes: [insert('Proposed', link)] });
  await world.api.createComment({ path: { spaceId: ids.two }, body: { body: { markdown: link } } });
  const back = `See [it](/spaces/${ids.two}/pages/${(await pagesOf(world, ids.two))['Linking'] ?? ''}).`;
  await edit(world, ids.one, insert('Back', back));
  return ids;
});

/** Ids of the spaces that the target shows, by title. */
async function spacesOf({ client, organization, platform }: Target): Promise<Record<string, string>> {
  const path = { organizationId: organization, userId: platform.owner };
  const { items } = await client.api.listMemberSpaces({ path });
  return Object.fromEntries(items.map(({ space }) => [space.title, space.id]));
}

async function textOf(client: ApiClient, spaceId: string, title: string): Promise<string> {
  const pageId = (await pagesOf(client, spaceId))[title] ?? '';
  const query = { format: 'markdown' as const };
  return (await client.api.getPage({ path: { spaceId, pageId }, query })).markdown ?? '';
}

it('restore/apply turns links to what a restore of another scope has brought to the target: they kept leading to the originals', async () => {
  const { world, one, two } = await linked();
  await using _world = world;
  await using target = await createTarget(world);
  const { client } = target;
  await target.apply(await target.plan({ scope: `space:${one}` }));
  const plan = await target.plan({ scope: `space:${two}`, intoExisting: true });
  expect(plan.preflight.filter(({ check }) => check.startsWith('links'))).toEqual([
    { check: 'links to what is there', state: 'ok', detail: expect.stringMatching(/^links into One of .* lead to/u) },
    { check: 'links from what is there', state: 'warn', detail: expect.stringMatching(/^1 page of One.* links into/u) },
  ]);
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  const { One = '', Two = '' } = await spacesOf(target);
  const into = `/spaces/${One}/pages/${(await pagesOf(client, One))['There'] ?? ''}`;
  expect(await textOf(client, Two, 'Linking')).toContain(`(${into})`);
  expect(await textOf(client, Two, 'Whole')).toContain(`(/spaces/${One})`);
  const [comment] = (await client.api.listComments({ path: { spaceId: Two }, query: { format: 'markdown' } })).items;
  expect(JSON.stringify(comment?.body)).toContain(into);
  const { differences, passed } = await target.verify(restore);
  expect(differences.filter(({ class: is }) => is === 'exact')).toEqual([]);
  expect(passed).toBe(true);
});

it('restore/plan leaves links to what an earlier restore has brought and somebody deleted since', async () => {
  const { world, one, two } = await linked();
  await using _world = world;
  await using target = await createTarget(world);
  await target.apply(await target.plan({ scope: `space:${one}` }));
  await target.client.api.deleteSpace({ path: { spaceId: (await spacesOf(target))['One'] ?? '' } });
  const plan = await target.plan({ scope: `space:${two}`, intoExisting: true });
  expect(plan.linked).toEqual({ space: {}, page: {} });
  expect(plan.preflight.map(({ check }) => check)).toContain('links elsewhere');
});

it('restore/plan leaves links to what stands in its own organization: they were turned to a rehearsal of it in another one', async () => {
  const { world, one, two } = await linked();
  await using _world = world;
  await using target = await createTarget(world);
  const mirrored = { client: world.client, targetUrl: world.platform.url };
  const rehearsal = world.platform.createOrganization({ title: 'Rehearsal' });
  const first = await target.plan({ ...mirrored, scope: `space:${one}`, toOrganization: rehearsal });
  const { failures } = await target.apply(first, { client: world.client });
  expect(failures).toEqual([]);
  const into = { ...mirrored, scope: `space:${two}`, intoExisting: true };
  const plan = await target.plan({ ...into, toOrganization: world.organization });
  expect(plan.linked).toEqual({ space: {}, page: {} });
  expect(plan.preflight.map(({ check }) => check)).not.toContain('links to what is there');
  const rehearsed = await target.plan({ ...into, toOrganization: rehearsal });
  expect(Object.keys(rehearsed.linked?.['space'] ?? {})).toEqual([one]);
});

it('restore/plan turns links to the copy in the organization that it goes into: a later rehearsal in another one took them', async () => {
  const { world, one, two } = await linked();
  await using _world = world;
  await using target = await createTarget(world);
  const { organization: toOrganization, platform } = target;
  const rehearsal = platform.createOrganization({ title: 'Rehearsal' });
  await target.apply(await target.plan({ scope: `space:${one}`, toOrganization }));
  await target.apply(await target.plan({ scope: `space:${one}`, toOrganization: rehearsal }));
  const next = { scope: `space:${two}`, intoExisting: true };
  const plan = await target.plan({ ...next, toOrganization });
  expect(plan.linked?.['space']).toEqual({ [one]: (await spacesOf(target))['One'] });
  const third = platform.createOrganization({ title: 'Third' });
  expect((await target.plan({ ...next, toOrganization: third })).linked).toEqual({ space: {}, page: {} });
});

it('restore/plan turns links into another organization to its copy on this platform, and says so, unless the original stands', async () => {
  const { world, first, second } = await twoOrganizations();
  await using _world = world;
  await world.sync();
  await using target = await createTarget(world);
  const { organization, platform } = target;
  const copied = platform.createOrganization({ title: 'Second organization' });
  const mirrored = { client: world.client, targetUrl: world.platform.url };
  const rehearsal = world.platform.createOrganization({ title: 'Rehearsal' });
  const both = `organization:${second.organization}`;
  await target.apply(await target.plan({ scope: both, toOrganization: copied }));
  await target.apply(await target.plan({ ...mirrored, scope: both, toOrganization: rehearsal }), mirrored);
  const next = { scope: `space:${first.linking}`, intoExisting: true };
  const plan = await target.plan({ ...next, toOrganization: organization });
  expect(plan.linked?.['space']).toEqual({
    [second.space]: (await spacesOf({ ...target, organization: copied }))['Same'],
  });
  expect(plan.preflight.filter(({ check }) => check === 'links to what is there')).toEqual([
    expect.objectContaining({ detail: expect.stringMatching(/^links into Same of .* elsewhere on this platform$/u) }),
  ]);
  const own = await target.plan({ ...next, ...mirrored, toOrganization: first.organization });
  expect(own.linked).toEqual({ space: {}, page: {} });
});

it('restore/plan takes a linked space that its token may not read as one that does not stand: it failed as a whole', async () => {
  const { world, one, two } = await linked();
  await using _world = world;
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const choice = { client: proxy.client, targetUrl: proxy.url };
  await target.apply(await target.plan({ ...choice, scope: `space:${one}` }), choice);
  const { One = '' } = await spacesOf(target);
  let status = 403;
  proxy.before = ({ method, path }) =>
    method === 'GET' && path === `/v1/spaces/${One}/content`
      ? { status, body: { error: { code: status } } }
      : undefined;
  const next = { ...choice, scope: `space:${two}`, intoExisting: true };
  const plan = await target.plan(next);
  expect(plan.linked).toEqual({ space: {}, page: {} });
  expect(plan.preflight.map(({ check }) => check)).toContain('links elsewhere');
  status = 422;
  await expect(target.plan(next)).rejects.toMatchObject({ code: 'DM_HTTP_STATUS' });
});

it('restore/plan names what an earlier restore has brought and links to this one by an address: only links by an id were named', async () => {
  const { world, one, two } = await linked();
  await using _world = world;
  const { Linking: page = '' } = await pagesOf(world, two);
  const { urls } = await world.api.getPage({ path: { spaceId: two, pageId: page } });
  await edit(world, one, insert('Copied', `See [it](${urls?.app ?? ''}?from=mail).`));
  const { snapshot } = await world.sync();
  await using target = await createTarget(world);
  await target.apply(await target.plan({ snapshot: snapshot.id, scope: `space:${one}` }));
  const plan = await target.plan({ snapshot: snapshot.id, scope: `space:${two}`, intoExisting: true });
  const said = plan.preflight.find(({ check }) => check === 'links from what is there');
  expect(said?.detail).toMatch(/^2 pages of One/u);
});
