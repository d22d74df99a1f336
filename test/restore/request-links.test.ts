// A change request comes back with the links of its pages, even where a space that they lead to comes back later.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, insert, pagesOf } from '../support/content.ts';
import { bare, type Bare } from '../support/in-place.ts';
import { stepsOf } from '../../src/mirror/index.ts';
import { createTarget, nthMade, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

async function textInRequest({ client }: Target, spaceId: string, subject = 'Proposal'): Promise<string> {
  const { items } = await client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  const path = { spaceId, changeRequestId: items.find((one) => one.subject === subject)?.id ?? '' };
  const { pages } = await client.api.getChangeRequestRevision({ path });
  const pageId = flatten(pages).find((page) => page.title === 'Linking')?.id ?? '';
  const query = { format: 'markdown' as const };
  return (await client.api.getChangeRequestPage({ path: { ...path, pageId }, query })).markdown ?? '';
}

/** Space One links to space Other, and has a proposal with a comment that is about something else. */
async function linked(prepare?: (world: TestWorld, one: string) => Promise<unknown>): Promise<Bare> {
  return bare(async (world) => {
    const [one, other] = [await addSpace(world, 'One'), await addSpace(world, 'Other')];
    await edit(world, other, insert('There', 'Text'));
    const there = (await pagesOf(world, other))['There'] ?? '';
    await edit(world, one, insert('Linking', `See [there](/spaces/${other}/pages/${there}).`));
    const request = await addRequest(world, one, { subject: 'Proposal', changes: [insert('Proposed', 'New')] });
    const path = { spaceId: one, changeRequestId: request.id };
    await world.api.createChangeRequestComment({ path, body: { body: { markdown: 'Why?' } } });
    await prepare?.(world, one);
  });
}

async function spaceOne({ client, platform, organization }: Target): Promise<string> {
  const path = { organizationId: organization, userId: platform.owner };
  const { items } = await client.api.listMemberSpaces({ path });
  return items.find(({ space }) => space.title === 'One')?.space.id ?? '';
}

async function liveText({ client }: Target, spaceId: string): Promise<string> {
  const pageId = (await pagesOf(client, spaceId))['Linking'] ?? '';
  const query = { format: 'markdown' as const };
  return (await client.api.getPage({ path: { spaceId, pageId }, query })).markdown ?? '';
}

it('restore/apply a change request turns no link back whose space failed at first', async () => {
  const { world } = await linked();
  await using _world = world;
  await using target = await createTarget(world);
  const plan = await target.plan();
  const nth = nthMade(plan, 'space', 'Other');
  target.platform.faults = [{ operation: 'createSpace', nth, effect: 'cut-before' }];
  const { restore, failed } = await target.apply(plan);
  expect(failed).toBe(1);
  expect((await target.resume(restore)).failures).toEqual([]);
  const report = await target.verify(restore);
  const one = await spaceOne(target);
  expect(await textInRequest(target, one)).toBe(await liveText(target, one));
  expect(report.passed).toBe(true);
});

it('restore/resume a change request comes back with its comments, though a space that another page links to does not', async () => {
  const { world } = await linked();
  await using _world = world;
  await using target = await createTarget(world);
  const plan = await target.plan();
  const one = plan.steps.find(({ kind, title }) => kind === 'space' && title === 'One')?.key ?? '-';
  const nth = nthMade(plan, 'space', 'Other');
  target.platform.faults = [{ operation: 'createSpace', nth, effect: { status: 403 } }];
  const { restore } = await target.apply(plan);
  target.platform.faults = [{ operation: 'createSpace', effect: { status: 403 } }];
  const { failures } = await target.resume(restore);
  expect(failures.filter(({ kind, key }) => kind.startsWith('change-request') && key.startsWith(one))).toEqual([
    expect.objectContaining({ kind: 'change-request-revision', error: expect.stringContaining('lead nowhere') }),
  ]);
  const comments = stepsOf(world.mirror, restore).filter(({ kind }) => kind === 'change-request-comment');
  expect(comments.find(({ key }) => key.startsWith(one))?.state).toBe('done');
});

it('restore/resume a change request that proposes nothing yet shows the links of its space, though they were turned only by the resume', async () => {
  const { world } = await linked((made, one) => addRequest(made, one, { subject: 'Begun' }));
  await using _world = world;
  await using target = await createTarget(world);
  const plan = await target.plan();
  const contents = plan.steps.filter(({ kind, part }) => kind === 'revision' && part === 'content').length;
  const links = plan.steps.filter(({ part }) => part === 'links').length;
  target.platform.faults = [{ operation: 'importContent', nth: contents + 1, count: links, effect: { status: 403 } }];
  const { restore, failed } = await target.apply(plan);
  expect(failed).toBe(links);
  target.platform.faults = [];
  expect((await target.resume(restore)).failures).toEqual([]);
  const one = await spaceOne(target);
  const text = await liveText(target, one);
  expect(await textInRequest(target, one)).toBe(text);
  expect(await textInRequest(target, one, 'Begun')).toBe(text);
});
