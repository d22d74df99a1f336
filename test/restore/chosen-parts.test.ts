// Of one kind inside spaces comes back what was asked for and what that stands on; of a change request what was said of it, too.
import { afterAll, describe, expect, it } from 'vitest';
import { type Furnished } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

async function talkative(): Promise<{ world: TestWorld; furnished: Furnished }> {
  const world = await furnishedWorld();
  const furnished = world.made;
  const path = { spaceId: furnished.guide, changeRequestId: furnished.requests.draft };
  await world.api.createChangeRequestComment({ path, body: { body: { markdown: 'When?' } } });
  await world.sync();
  return { world, furnished };
}

const made = talkative();

afterAll(async () => (await made).world[Symbol.asyncDispose]());

const KINDS: readonly string[] = [
  'change-request',
  'change-request-comment',
  'change-request-comment-reply',
  'comment',
  'comment-reply',
];

/** What is made of change requests and talk, by kind. */
async function talkOf(asked: { scope: string; where?: string }): Promise<Record<string, number>> {
  await using target = await createTarget((await made).world);
  const { steps } = await target.plan(asked);
  const counts: Record<string, number> = {};
  for (const { kind, part } of steps)
    if (part === 'create' && KINDS.includes(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe('restore/selection of one kind inside spaces', () => {
  it('brings a change request with what was said of it: it came back without, and nothing said so', async () => {
    const all = { 'change-request': 1, 'change-request-comment': 1, 'change-request-comment-reply': 1 };
    const { open } = (await made).furnished.requests;
    expect(await talkOf({ scope: `change-request:${open}` })).toEqual(all);
    expect(await talkOf({ scope: 'kind:change-request', where: `id = '${open}'` })).toEqual(all);
  });

  it('brings a chosen comment of a change request alone: all change requests, their comments and those of the space came', async () => {
    const where = `id = '${(await made).furnished.requestComment}'`;
    const chosen = await talkOf({ scope: 'kind:change-request-comment', where });
    expect(chosen).toEqual({ 'change-request': 1, 'change-request-comment': 1, 'change-request-comment-reply': 1 });
  });

  it('brings a chosen reply with its comment, and none of the other comments', async () => {
    const where = `id = '${(await made).furnished.reply}'`;
    expect(await talkOf({ scope: 'kind:comment-reply', where })).toEqual({ comment: 1, 'comment-reply': 1 });
  });
});
