// A change request whose status the API document does not name: no documented filter of the listing shows it.
import { describe, expect, it } from 'vitest';
import { addRequest, addSpace } from '../support/content.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

interface Answering {
  readonly request: string;
  /** What the listing says to the filter of the new status. */
  readonly byFilter: 'lists' | 'refuses' | 'lists nothing';
}

/** From now on the request is in review. */
function putInReview(proxy: Rewriting, { request, byFilter }: Answering): void {
  const inReview = (one: Record<string, unknown>): Record<string, unknown> => ({ ...one, status: 'in-review' });
  let shown: Record<string, unknown> = {};
  proxy.before = ({ path, query }) => {
    if (!path.endsWith('/change-requests') || query.get('status') !== 'in-review') return undefined;
    const items = byFilter === 'lists' ? [inReview(shown)] : [];
    return byFilter === 'refuses'
      ? { status: 400, body: { error: { code: 400, message: 'no such status' } } }
      : { status: 200, body: { count: items.length, items } };
  };
  proxy.rewrite = ({ path }, { status, body }) => {
    if (path.endsWith('/change-requests')) {
      const { items } = body as { items: Record<string, unknown>[] };
      shown = items.find(({ id }) => id === request) ?? shown;
      const others = items.filter(({ id }) => id !== request);
      return { status, body: { items: others, count: others.length } };
    }
    if (!path.endsWith(`/change-requests/${request}`)) return undefined;
    return { status, body: inReview(body as Record<string, unknown>) };
  };
}

const STATUSES = 'select id, status from change_requests order by status';

describe('walker/passes, a status that no documented filter shows', () => {
  it.each(['lists', 'refuses', 'lists nothing'] as const)(
    'is taken in with what it says of itself, and was a failure on every night (the platform %s by it)',
    async (byFilter) => {
      await using world = await TestWorld.create();
      await using proxy = await rewriting(world);
      const space = await addSpace(world, 'Guide');
      const { id: request } = await addRequest(world, space, { subject: 'One' });
      await addRequest(world, space, { subject: 'Two' });
      await world.sync({ client: proxy.client });
      putInReview(proxy, { request, byFilter });
      const held = { seen: 2, gone: 0, missing: 0, unreachable: 0 };
      for (let night = 0; night < 3; night++) {
        world.clock.advance(24 * 3_600_000);
        const { snapshot, kinds } = await world.sync({ client: proxy.client, settings: { rereadNights: 1 } });
        if (byFilter === 'lists' || night > 0) expect(snapshot, `night ${night}`).toMatchObject({ state: 'complete' });
        expect(kinds['change-request'], `night ${night}`).toMatchObject(held);
      }
      expect(rowsOf(world.mirror, STATUSES).map(({ status }) => status)).toEqual(['draft', 'in-review']);
    },
  );

  it.each([
    ['draft', 400],
    ['draft', 422],
    ['in-review', 500],
  ])(
    'makes a night partial where the platform answers to the filter %s with %i, since it may show what no other does',
    async (status, answered) => {
      await using world = await TestWorld.create();
      await using proxy = await rewriting(world);
      const space = await addSpace(world, 'Guide');
      const { id: request } = await addRequest(world, space, { subject: 'One' });
      const sync = () => world.sync({ client: proxy.client, settings: { rereadNights: 1 } });
      await sync();
      putInReview(proxy, { request, byFilter: 'lists' });
      await sync();
      const { before } = proxy;
      proxy.before = (asked) =>
        asked.path.endsWith('/change-requests') && asked.query.get('status') === status
          ? { status: answered, body: { error: { code: answered, message: 'Not now' } } }
          : before(asked);
      const { snapshot, failures } = await sync();
      expect([snapshot.state, failures.map(({ kind, status: of }) => [kind, of])]).toEqual([
        'partial',
        [['change-request', answered]],
      ]);
    },
  );
});

describe('walker/passes, a platform that knows no status but those of the API document', () => {
  const SETTLED = ['archived', 'merged'];
  const refusing = (proxy: Rewriting, answered: number): void => {
    proxy.before = ({ path, query }) =>
      path.endsWith('/change-requests') && SETTLED.includes(query.get('status') ?? '')
        ? { status: answered, body: { error: { code: answered, message: 'status must be one of draft, open' } } }
        : undefined;
  };

  it.each([400, 422])(
    'shows its change requests, of which none was read and each night failed (it answers the others with %i)',
    async (answered) => {
      await using world = await TestWorld.create();
      await using proxy = await rewriting(world);
      await addRequest(world, await addSpace(world, 'Guide'), { subject: 'One' });
      refusing(proxy, answered);
      const { snapshot, failures } = await world.sync({ client: proxy.client });
      expect([snapshot.state, failures]).toEqual(['complete', []]);
      expect(rowsOf(world.mirror, 'select subject from change_requests')).toEqual([{ subject: 'One' }]);
    },
  );

  it.each(['before the first walk', 'after it'])(
    'leaves a night partial where a space counts more than it shows: one that was merged %s would be lacking unseen',
    async (when) => {
      await using world = await TestWorld.create();
      await using proxy = await rewriting(world);
      const space = await addSpace(world, 'Guide');
      const merge = async (): Promise<void> => {
        const { id: changeRequestId } = await addRequest(world, space, { subject: 'Merged' });
        await world.api.mergeChangeRequest({ path: { spaceId: space, changeRequestId } });
      };
      await addRequest(world, space, { subject: 'One' });
      if (when === 'after it') await world.sync({ client: proxy.client });
      await merge();
      refusing(proxy, 400);
      const { snapshot, failures } = await world.sync({ client: proxy.client });
      expect([snapshot.state, failures.map(({ kind, code }) => [kind, code])]).toEqual([
        'partial',
        [['change-request', 'DM_INCOMPLETE']],
      ]);
      expect(rowsOf(world.mirror, 'select subject from change_requests')).toEqual([{ subject: 'One' }]);
    },
  );

  it('leaves a night partial where no space counts its change requests: nothing would tell of one that was merged', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    await addRequest(world, await addSpace(world, 'Guide'), { subject: 'One' });
    refusing(proxy, 400);
    proxy.rewrite = (_asked, { status, body }) => ({
      status,
      body: JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'changeRequests' ? undefined : value))),
    });
    const { snapshot, failures } = await world.sync({ client: proxy.client });
    expect([snapshot.state, failures.map(({ kind, status }) => [kind, status])]).toEqual([
      'partial',
      [['change-request', 400]],
    ]);
  });
});
