import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { at, createWorld, spaceWithPages, type World } from './world.ts';

/** What the document's tables say, kept as simply as possible. */
interface Model {
  comments: Map<string, { open: boolean; replies: number; request: string | null }>;
  requests: Map<string, 'draft' | 'open' | 'archived' | 'merged'>;
}

interface Step {
  act: 'comment' | 'remove' | 'resolve' | 'reopen' | 'reply' | 'request' | 'status' | 'merge' | 'duplicate';
  which: number;
  status: 'draft' | 'open' | 'archived';
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('comment', 'remove', 'resolve', 'reopen', 'reply', 'request', 'status', 'merge', 'duplicate'),
  which: fc.nat(9),
  status: fc.constantFrom('draft', 'open', 'archived'),
});

function pick<Value>(map: Map<string, Value>, which: number): [string, Value] | undefined {
  return [...map][which % Math.max(map.size, 1)];
}

async function takeRequestStep(run: { world: World; spaceId: string; model: Model }, { act, which, status }: Step) {
  const { world, spaceId, model } = run;
  if (act === 'request') {
    const made = await world.call('createChangeRequest', { path: { spaceId } });
    model.requests.set(made.body.id, 'draft');
    return;
  }
  const [id, state] = pick(model.requests, which) ?? [];
  if (id === undefined || state === undefined) return;
  const path = { spaceId, changeRequestId: id };
  if (act === 'merge') {
    const done = (await world.call('mergeChangeRequest', { path })).status === 200;
    expect(done).toBe(state === 'draft' || state === 'open');
    if (done) model.requests.set(id, 'merged');
  } else {
    const done = (await world.call('updateChangeRequest', { path, body: { status } })).status === 200;
    expect(done).toBe(state !== 'merged');
    if (done) model.requests.set(id, status);
  }
}

async function takeCommentStep(run: { world: World; spaceId: string; model: Model }, { act, which }: Step) {
  const { world, spaceId, model } = run;
  if (act === 'comment') {
    const request = which % 2 === 0 ? null : (pick(model.requests, which)?.[0] ?? null);
    const made = await world.call(request === null ? 'createComment' : 'createChangeRequestComment', {
      path: { spaceId, ...(request === null ? {} : { changeRequestId: request }) },
      body: { body: { markdown: 'text' } },
    });
    model.comments.set(made.body.id, { open: true, replies: 0, request });
    return;
  }
  const [id, comment] = pick(model.comments, which) ?? [];
  if (id === undefined || !comment) return;
  const request = comment.request;
  const path = { spaceId, commentId: id, ...(request === null ? {} : { changeRequestId: request }) };
  const onRequest = request !== null;
  if (act === 'remove') {
    await world.call(onRequest ? 'deleteChangeRequestComment' : 'deleteComment', { path });
    model.comments.delete(id);
  } else if (act === 'reply') {
    const body = { body: { markdown: 'reply' } };
    await world.call(onRequest ? 'createChangeRequestCommentReply' : 'createCommentReply', { path, body });
    comment.replies++;
  } else {
    const resolved = act === 'resolve';
    await world.call(onRequest ? 'updateChangeRequestComment' : 'updateComment', { path, body: { resolved } });
    comment.open = !resolved;
  }
}

async function compare({ world, spaceId, model }: { world: World; spaceId: string; model: Model }) {
  const count = (status: string): number => [...model.requests.values()].filter((one) => one === status).length;
  const openComments = (request: string | null): number =>
    [...model.comments.values()].filter((one) => one.open && one.request === request).length;
  const { body: space } = await world.call('getSpace', { path: { spaceId } });
  expect(space).toMatchObject({
    comments: openComments(null),
    changeRequests: model.requests.size,
    changeRequestsOpen: count('open'),
    changeRequestsDraft: count('draft'),
  });
  for (const [id, status] of model.requests) {
    const { body } = await world.call('getChangeRequest', { path: { spaceId, changeRequestId: id } });
    expect(body).toMatchObject({ status, comments: openComments(id) });
  }
  const { body: listed } = await world.call('listComments', { path: { spaceId }, query: { limit: 1000 } });
  expect(listed.count).toBe([...model.comments.values()].filter((one) => one.request === null).length);
  for (const comment of listed.items) expect(comment.replies).toBe(model.comments.get(comment.id)?.replies);
}

describe('platform/counters', () => {
  it('agree with a simple model after any sequence of writes', async () => {
    await using world = await createWorld();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { spaceId } = await spaceWithPages(world, { One: 'text' });
        const merged = await world.call('listChangeRequests', { path: { spaceId }, query: { status: 'merged' } });
        const first = at(merged.body.items, 0);
        const run = {
          world,
          spaceId,
          model: { comments: new Map(), requests: new Map([[first.id, 'merged']]) } as Model,
        };
        for (const one of steps) {
          if (['request', 'status', 'merge'].includes(one.act)) await takeRequestStep(run, one);
          else if (one.act === 'duplicate') await world.call('duplicateSpace', { path: { spaceId } });
          else await takeCommentStep(run, one);
        }
        await compare(run);
      }),
      { numRuns: 15 },
    );
  });
});
