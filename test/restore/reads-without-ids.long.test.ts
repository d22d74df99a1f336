// A platform, or what stands before it, that answers what a restore reads with 200 and without what was asked for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyOperationNames, operationOf, type AnyOperationName } from '../../src/contract/index.ts';
import { listRestores } from '../../src/mirror/index.ts';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { addCollection, addRequest, addSpace, edit, insert } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';
import { organizedWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

const EMPTY = { status: 200, body: {}, headers: { 'content-type': 'application/json' } };

/** Words that tell nobody which thing is meant. */
const UNNAMED = /undefined|DM_INTERNAL|is not iterable|Cannot read/;

/** The reads that a piece of work asks for. */
async function readsOf(platform: EmbeddedPlatform, work: () => Promise<unknown>): Promise<AnyOperationName[]> {
  platform.clearRequestLog();
  await work();
  const asked = platform.requestLog.counts();
  return anyOperationNames.filter((name) => operationOf(name).method === 'GET' && (asked[name] ?? 0) > 0);
}

/** What a piece of work says while one operation is answered so, its error included. */
async function saidUnder(
  platform: EmbeddedPlatform,
  operation: AnyOperationName,
  work: () => Promise<unknown>,
): Promise<string> {
  platform.faults = [{ operation, effect: EMPTY }];
  try {
    return JSON.stringify(await work());
  } catch (error) {
    return String(error);
  } finally {
    platform.faults = [];
  }
}

/** A comment and a proposal, each with an answer. */
async function addTalk({ api }: TestWorld, spaceId: string): Promise<void> {
  const path = { spaceId };
  const comment = await api.createComment({ path, body: { body: { markdown: 'Why?' } } });
  await api.createCommentReply({ path: { ...path, commentId: comment.id }, body: { body: { markdown: 'So.' } } });
  const request = await addRequest({ api }, spaceId, { subject: 'More', changes: [insert('New', 'Proposed.')] });
  const own = { ...path, changeRequestId: request.id };
  const asked = await api.createChangeRequestComment({ path: own, body: { body: { markdown: 'Now?' } } });
  const reply = { path: { ...own, commentId: asked.id }, body: { body: { markdown: 'Now.' } } };
  await api.createChangeRequestCommentReply(reply);
}

describe('restore into a target whose reads are answered without ids and lists', () => {
  let world: TestWorld;

  beforeAll(async () => {
    const organized = await organizedWorld();
    world = organized;
    await addTalk(world, organized.made.spaces['Guide'] ?? '');
    await addSpace(world, 'Inner', await addCollection(world, 'Outer'));
    await world.platform.settle();
    await world.sync();
  });

  afterAll(() => world[Symbol.asyncDispose]());

  it('names what was read while it is applied, and a resume brings all, each once', async () => {
    await using calm = await createTarget(world);
    const plan = await calm.plan();
    const reads = await readsOf(calm.platform, () => calm.apply(plan));
    const undisturbed = await calm.counts();
    expect(reads.length).toBeGreaterThan(3);
    for (const operation of reads) {
      await using target = await createTarget(world);
      const own = await target.plan();
      const before = new Set(listRestores(world.mirror).map(({ id }) => id));
      const said = await saidUnder(target.platform, operation, () => target.apply(own));
      expect(said, operation).not.toMatch(UNNAMED);
      // Not by its address: a target may have the port that an earlier one had.
      const begun = listRestores(world.mirror).find(({ id }) => !before.has(id));
      const after = begun === undefined ? await target.apply(own) : await target.resume(begun.id);
      expect({ operation, ...after }).toMatchObject({ operation, failed: 0, skipped: 0 });
      expect({ operation, ...(await target.counts()) }).toEqual({ operation, ...undisturbed });
    }
  });

  it('makes no plan of it', async () => {
    await using target = await createTarget(world);
    const { platform } = target;
    for (const operation of await readsOf(platform, () => target.plan()))
      expect(await saidUnder(platform, operation, () => target.plan())).toMatch(
        new RegExp(`\\(${operation}\\) answered 200 with an? object`),
      );
  });

  it('names it in a verification, which called what it could not read missing', async () => {
    await using target = await createTarget(world);
    const { platform } = target;
    const { restore } = await target.apply(await target.plan());
    const reads = await readsOf(platform, () => target.verify(restore));
    expect(reads.length).toBeGreaterThan(10);
    for (const operation of reads) {
      const said = await saidUnder(platform, operation, () => target.verify(restore));
      expect(said, operation).not.toMatch(UNNAMED);
      expect(said, operation).toMatch(/answered 200 with an? object|has no field that every|has no address/);
    }
    expect(await target.verify(restore)).toMatchObject({ passed: true, unread: [] });
  });
});

it('mends in place whose reads were answered without ids and lists, once they are whole', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  const spoil = async (): Promise<void> => {
    await world.api.updateSpace({ path: { spaceId: made.guide }, body: { title: 'Other' } });
    await edit(world, made.guide, {
      type: 'update_page',
      page: made.pages['Home'] ?? '',
      document: { markdown: `# Home\n\nNew ${world.random.id(6)}.` },
    });
  };
  const planned = (): Promise<Plan> => place.plan({ scope: `space:${made.guide}` });
  await spoil();
  const first = await planned();
  const reads = await readsOf(world.platform, () => place.apply(first));
  expect(reads.length).toBeGreaterThan(2);
  for (const operation of reads) {
    await spoil();
    const plan = await planned();
    const said = await saidUnder(world.platform, operation, () => place.apply(plan));
    expect(said, operation).not.toMatch(UNNAMED);
    expect(said, operation).toContain(`(${operation}) answered 200 with an object`);
    await place.apply(await planned());
    const left = (await planned()).steps.filter(({ part }) => part !== 'none');
    expect({ operation, left }).toEqual({ operation, left: [] });
  }
});
