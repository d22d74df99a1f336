// A platform that writes Markdown its own way: what a comment says is not kept word by word.
import { expect, it } from 'vitest';
import { byCredit, readCredit } from '../../src/restore/special/credit.ts';
import { addSpace } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it.each([
  '_Ann wrote on 2025-03-01 12:00 UTC:_\n\nHello',
  '*Ann wrote on 2025-03-01 12:00 UTC:*\n\nHello',
  '*Ann wrote on 2025\\-03\\-01 12:00 UTC:*  \r\n\r\nHello\r\n',
])('restore/special/credit is read however it is written: %j', (text) => {
  expect(readCredit(text)).toEqual({ author: 'Ann', at: '2025-03-01 12:00' });
});

it('restore/special/credit is none where a text only looks like it', () => {
  for (const text of [
    '**Ann wrote on 2025-03-01 12:00 UTC:**\n\nHello',
    '_Ann wrote on 2025-03-01 12:00 UTC:* \n\nHello',
  ])
    expect(readCredit(text)).toBeNull();
});

it('restore/special/credit tells two comments of one minute apart by their words', () => {
  const text = (slant: string, said: string): string => `${slant}Ann wrote on 2025-03-01 12:00 UTC:${slant}\n\n${said}`;
  const comments = ['One', '* two'].map((said) => ({ body: { markdown: text('*', said) } }));
  expect(byCredit(text('_', '- two'), comments)).toBe(comments[1]);
  expect(byCredit(text('_', 'three'), comments)).toBeUndefined();
});

it('restore/apply makes comments and replies once where answers are lost and the platform slants by other signs: they were made twice', async () => {
  await using world = await TestWorld.create();
  const spaceId = await addSpace(world, 'Zoo');
  const { id: commentId } = await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Said' } } });
  await world.api.createCommentReply({ path: { spaceId, commentId }, body: { body: { markdown: 'Replied' } } });
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const lost = new Set<string>();
  proxy.send = ({ path }, text) => (path.includes('/comments') ? text.replaceAll('_', '*') : undefined);
  proxy.rewrite = ({ method, path }) => {
    const kind = /\/(comments|replies)$/.exec(path)?.[1];
    if (method !== 'POST' || kind === undefined || lost.has(kind)) return undefined;
    lost.add(kind);
    throw new Error('The answer is lost');
  };
  const { client } = proxy;
  const { restore, failures } = await target.apply(await target.plan({ client, targetUrl: proxy.url }), { client });
  expect([failures, [...lost]]).toEqual([[], ['comments', 'replies']]);
  const path = { spaceId: await target.spaceCalled('Zoo') };
  const { items } = await target.client.api.listComments({ path });
  expect(items.map(({ replies }) => replies)).toEqual([1]);
  const { differences } = await target.verify(restore, { client });
  expect(differences.filter(({ kind }) => kind.startsWith('comment'))).toEqual([]);
});
