// Times of the API are ISO 8601 in whatever zone, as of whoever wrote: what came first is not what their texts say.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { creditOf } from '../../src/restore/special/credit.ts';
import { addSpace } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

// In this order, each text of them before the one above it.
const TIMES = ['2025-03-02T09:00:00+13:00', '2025-03-01T21:00:00Z', '2025-03-01T15:00:00.000-07:00'];

it('restore/plan brings comments, replies and spaces back in the order in which they were made, whatever zones their times are of: answers came before their questions', async () => {
  await using world = await TestWorld.create();
  for (const title of ['First space', 'Second space', 'Third space']) await addSpace(world, title);
  const space = await addSpace(world, 'Talk');
  const path = { spaceId: space };
  for (const said of ['First', 'Second', 'Third']) {
    const { id: commentId } = await world.api.createComment({ path, body: { body: { markdown: said } } });
    for (const reply of ['First', 'Second', 'Third'])
      await world.api.createCommentReply({
        path: { ...path, commentId },
        body: { body: { markdown: `${reply} reply to ${said.toLowerCase()}` } },
      });
  }
  await using proxy = await rewriting(world);
  const timeOf = (text: unknown): string | undefined =>
    TIMES[['First', 'Second', 'Third'].findIndex((nth) => typeof text === 'string' && text.startsWith(nth))];
  proxy.rewrite = changing((one) => {
    const at = timeOf(isRecord(one['body']) ? one['body']['markdown'] : one['title']);
    if (at === undefined) return one;
    return one['object'] === 'space' ? { ...one, createdAt: at } : { ...one, postedAt: at };
  });
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const { steps } = await target.plan();
  const made = (kind: string): string[] =>
    steps.flatMap((step) => (step.kind === kind && step.part === 'create' ? [step.title] : []));
  expect(made('comment')).toEqual(['First', 'Second', 'Third']);
  expect(made('comment-reply')).toEqual(
    ['first', 'second', 'third'].flatMap((said) =>
      ['First', 'Second', 'Third'].map((nth) => `${nth} reply to ${said}`),
    ),
  );
  expect(made('space')).toEqual(['First space', 'Second space', 'Third space', 'Talk']);
});

it.each([
  ['2025-03-01T20:53:20+02:00', '2025-03-01 18:53'],
  ['2025-02-28T23:30:00.000-0130', '2025-03-01 01:00'],
  ['2025-03-01T20:53:20.400Z', '2025-03-01 20:53'],
  ['2025-03-01T20:53:20', '2025-03-01 20:53'],
  ['yesterday', '0000-00-00 00:00'],
])(
  'restore/special/credit says in UTC when a comment of %s was written: the hour of another zone was called UTC',
  (postedAt, at) => {
    expect(creditOf({ postedBy: { displayName: 'Kim' }, postedAt })).toEqual({ author: 'Kim', at });
  },
);
