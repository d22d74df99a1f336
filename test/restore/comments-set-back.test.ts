// Comments that stand and are set back: reactions belong to whom they come from, and mentions call nobody again.
import { expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { mirroredAnew } from '../support/in-place.ts';

const anew = mirroredAnew();

it('restore/in-place says that a reaction of somebody else stays: it was said to be taken away, nothing failed, and every plan said so again', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  const { organization } = world;
  const person = { displayName: 'Kim', email: 'kim@example.com', organization, role: 'admin' } as const;
  const { token } = world.platform.createUser(person);
  await using other = world.clientOf({ url: world.platform.url, token });
  const path = { spaceId: made.guide, commentId: made.comment };
  await other.api.updateComment({ path, body: { addedReactions: ['1f680'] } });
  await world.api.updateComment({ path, body: { addedReactions: ['1f44e'] } });
  const plan = await place.plan({ scope: 'kind:comment' });
  expect(planTree(plan)[0]).toContain('those that others gave since stay');
  const { failures } = await place.apply(plan);
  expect(failures.map(({ error }) => error)).toEqual([
    '1f680 stays: others reacted with it, and only they can take it away',
  ]);
  const { reactions } = await world.api.getComment({ path });
  expect(reactions.map(({ emoji }) => emoji)).toEqual(['1f44d', '1f680']);
});

it('restore/in-place calls nobody with the mention in a comment that it sets back, unless that is asked for', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  const path = { spaceId: made.guide, commentId: made.comment };
  const say = (markdown: string): Promise<unknown> => world.api.updateComment({ path, body: { body: { markdown } } });
  await say('Ask @robin about it.');
  const { snapshot } = await world.sync();
  const said: unknown[] = [];
  for (const keepMentions of [false, true]) {
    await say('Spam.');
    const plan = { ...(await place.plan({ snapshot: snapshot.id })), keepMentions };
    expect((await place.apply(plan)).failures).toEqual([]);
    said.push((await world.api.getComment({ path })).body);
  }
  expect(said).toEqual([{ markdown: 'Ask @\u2060robin about it.' }, { markdown: 'Ask @robin about it.' }]);
  expect((await place.plan({ snapshot: snapshot.id })).steps).toEqual([]);
});

it('restore/in-place leaves comments as they are where they are to stay away', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  const path = { spaceId: made.guide, commentId: made.comment };
  await world.api.updateComment({ path, body: { body: { markdown: 'Spam.' } } });
  await world.api.createComment({ path, body: { body: { markdown: 'Added' } } });
  await world.api.updateSpace({ path, body: { title: 'Spam' } });
  const { steps } = await place.plan({ added: true, withoutComments: true });
  expect(steps.map(({ kind, title }) => `${kind} ${title}`)).toEqual(['space Guide']);
});

it('restore/in-place brings a reply back with its reactions', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  const path = { spaceId: made.guide };
  const reply = { ...path, commentId: made.comment, commentReplyId: made.reply };
  await world.api.updateCommentReply({ path: reply, body: { addedReactions: ['1f389'] } });
  const { snapshot } = await world.sync({ mode: 'full' });
  await world.api.deleteComment({ path: { ...path, commentId: made.comment } });
  expect((await place.apply(await place.plan({ snapshot: snapshot.id }))).failures).toEqual([]);
  const comments = (await world.api.listComments({ path })).items.filter(({ replies }) => replies > 0);
  const found = comments.map(({ id: commentId }) => world.api.listCommentReplies({ path: { ...path, commentId } }));
  const reactions = (await Promise.all(found)).flatMap(({ items }) => items.map((one) => one.reactions));
  expect(reactions).toMatchObject([[{ emoji: '1f389', count: 1 }]]);
});

it('restore verify compares comments that stand as they are, also those that an earlier restore has brought: author, time and text were said to differ', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  const path = { spaceId: made.guide };
  const markdown = '_Robin wrote on 2026-01-01 10:00 UTC:_\n\nBrought by an earlier restore.';
  const { id } = await world.api.createComment({ path, body: { body: { markdown } } });
  const { snapshot } = await world.sync();
  for (const commentId of [made.comment, id])
    await world.api.updateComment({ path: { ...path, commentId }, body: { body: { markdown: 'Spam.' } } });
  const { restore, failures } = await place.apply(await place.plan({ snapshot: snapshot.id }));
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});
