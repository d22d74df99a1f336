// Comments and replies that a platform sends without Markdown: with no body, or with a document alone.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/plan says of a reply without a text, and of those to such a comment, that they do not come back: an empty one was sent, refused, and no drill passed', async () => {
  await using world = await TestWorld.create();
  const path = { spaceId: await addSpace(world, 'Talk') };
  for (const said of ['Said', 'Bare']) {
    const { id: commentId } = await world.api.createComment({ path, body: { body: { markdown: said } } });
    for (const reply of ['Answer', 'Bare answer', 'Tree answer'])
      await world.api.createCommentReply({ path: { ...path, commentId }, body: { body: { markdown: reply } } });
  }
  await using proxy = await rewriting(world);
  proxy.rewrite = changing((one) => {
    const text = isRecord(one['body']) ? String(one['body']['markdown']) : '';
    if (text.startsWith('Bare')) return { ...one, body: {} };
    return text.startsWith('Tree') ? { ...one, body: { document: { object: 'document', nodes: [] } } } : one;
  });
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const plan = await target.plan();
  const told = plan.steps
    .filter(({ kind }) => kind.startsWith('comment'))
    .map(({ action, kind, note }) => `${action} ${kind}: ${note}`);
  const lacks = 'its text was not sent as Markdown';
  expect(told.toSorted()).toEqual([
    'create comment-reply: with a credit line',
    'create comment: with a credit line',
    ...Array.from({ length: 3 }, () => `unsupported comment-reply: it goes with its comment: ${lacks}`),
    ...Array.from({ length: 2 }, () => `unsupported comment-reply: ${lacks}`),
    `unsupported comment: ${lacks}`,
  ]);
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});
