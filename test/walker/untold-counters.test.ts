// A platform that does not count what stands below a member or a comment, or does not say when a specification has moved.
import { describe, expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const COUNTERS = new Set(['teams', 'spaces', 'replies']);
const COUNTING = new Set<unknown>(['member', 'comment']);

describe('walker/children, what moves and is not told', () => {
  it('finds what came in the next night: memberships and replies were missing for up to seven nights, from complete snapshots', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    proxy.rewrite = changing((one) =>
      COUNTING.has(one['object'])
        ? Object.fromEntries(Object.entries(one).filter(([field]) => !COUNTERS.has(field)))
        : one,
    );
    const spaceId = await addSpace(world, 'Guide');
    const { id } = await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Is it so?' } } });
    await world.sync({ client: proxy.client });
    const path = { organizationId: world.platform.organizations()[0] ?? '' };
    const reply = { path: { spaceId, commentId: id }, body: { body: { markdown: 'It is.' } } };
    const shown: unknown[] = [];
    for (const night of [1, 2, 3]) {
      await world.api.createTeam({ path, body: { title: `Team ${night}`, members: [world.platform.owner] } });
      await world.api.createCommentReply(reply);
      const { snapshot } = await world.sync({ client: proxy.client });
      const counts = rowsOf(
        world.mirror,
        'select (select count(*) from team_memberships) as memberships, (select count(*) from comment_replies) as replies',
      );
      shown.push([snapshot.state, ...counts]);
    }
    expect(shown).toEqual([1, 2, 3].map((night) => ['complete', { memberships: night, replies: night }]));
  });

  it('finds the new version of a specification in the next night: it was missing for up to seven nights, from complete snapshots', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    proxy.rewrite = changing((one) =>
      one['object'] === 'openapi-spec' ? { ...one, lastVersion: undefined, updatedAt: undefined } : one,
    );
    const path = { organizationId: world.organization, specSlug: 'pets' };
    const shown: unknown[] = [];
    for (const night of [1, 2, 3]) {
      const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: String(night) }, paths: {} });
      await world.api.putOpenApiSpec({ path, body: { source: { text } } });
      const { snapshot } = await world.sync({ client: proxy.client });
      shown.push([snapshot.state, ...rowsOf(world.mirror, 'select count(*) as versions from openapi_spec_versions')]);
    }
    expect(shown).toEqual([1, 2, 3].map((night) => ['complete', { versions: night }]));
  });
});
