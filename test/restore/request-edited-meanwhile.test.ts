// Somebody goes on with a change request that a plan in place is to set back: that is left as it is.
import { expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import { insert, type Change } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

interface Proposal extends Mirrored {
  readonly propose: (...changes: Change[]) => Promise<unknown>;
  readonly text: () => Promise<string>;
}

/** Its page is edited, and one added to it, after the snapshot. */
async function spoilt(): Promise<Proposal> {
  const there = await anew();
  const { world, made } = there;
  const path = { spaceId: made.guide, changeRequestId: made.requests.open };
  const page = { ...path, pageId: made.pages['Use'] ?? '' };
  const propose = (...changes: Change[]): Promise<unknown> => world.api.changeContent({ path, body: { changes } });
  return {
    ...there,
    propose,
    text: async () =>
      (await world.api.getChangeRequestPage({ path: page, query: { format: 'markdown' } })).markdown ?? '',
  };
}

function say({ made }: Mirrored, words: string): Change {
  return { type: 'update_page', page: made.pages['Use'] ?? '', document: { markdown: `# Use\n\n${words}` } };
}

const OF_SOMEBODY = '# Use\n\nOf somebody.';

it('restore/in-place leaves a change request that somebody edits after the plan was made: the proposal was written over', async () => {
  const there = await spoilt();
  await using _world = there.world;
  await there.propose(say(there, 'Spam.'));
  const plan = await there.place.plan();
  await there.propose(say(there, 'Of somebody.'));
  await expect(there.place.apply(plan)).rejects.toMatchObject({
    code: 'DM_PLAN_STALE',
    message: expect.stringContaining('pages of change request "Clearer use" changed since') as string,
  });
  expect(await there.text()).toBe(OF_SOMEBODY);
});

it('restore/resume leaves a change request that somebody edits after the restore was cut off', async () => {
  const there = await spoilt();
  await using world = there.world;
  await there.propose(say(there, 'Spam.'));
  await world.api.updateCollection({ path: { collectionId: there.made.collection }, body: { title: 'Bad' } });
  const client = cutOnce(world.client, { cut: 'killed', nth: 0, sent: true });
  await expect(there.place.apply(await there.place.plan(), { client })).rejects.toThrow('killed');
  await there.propose(say(there, 'Of somebody.'));
  const { failures } = await there.place.resume(listRestores(world.mirror)[0]?.id ?? '');
  expect(failures).toMatchObject([{ kind: 'change-request-revision', isHeldBack: true }]);
  expect(await there.text()).toBe(OF_SOMEBODY);
});

it.each(['lost', 'killed'] as const)(
  'restore/in-place goes on with a change request that it has written into itself when the answer is %s',
  async (cut) => {
    const there = await spoilt();
    await using world = there.world;
    const { place } = there;
    await there.propose(say(there, 'Spam.'), insert('Casino', 'Win.'));
    const plan = await place.plan({ added: true });
    const client = cutOnce(world.client, { cut, of: 'importChangeRequestContent', nth: 0, sent: true });
    const applied = place.apply(plan, { client });
    if (cut === 'killed') await expect(applied).rejects.toThrow('killed');
    else expect((await applied).failures).toEqual([]);
    const { failures } = await place.resume(listRestores(world.mirror)[0]?.id ?? '');
    expect(failures).toEqual([]);
    expect(await there.text()).toBe('# Use\n\nRun it once.');
    expect((await place.plan({ added: true })).steps).toEqual([]);
  },
);

it('restore/in-place takes nothing out of a change request that somebody edits after the plan was made', async () => {
  const there = await spoilt();
  await using _world = there.world;
  await there.propose(insert('Casino', 'Win.'));
  const plan = await there.place.plan({ added: true });
  await there.propose(say(there, 'Of somebody.'));
  await expect(there.place.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
});
