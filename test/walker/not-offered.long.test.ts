// An operation that the platform does not offer: said on every night, and never taken from one answer.
import { describe, expect, it } from 'vitest';
import { countsOf, heldOf, isOnlyNotFound } from '../../src/mirror/index.ts';
import { addRequest, addSpace, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const ONCE = [
  ['getPage', 501],
  ['download', 405],
  ['listCommentReplies', 501],
  ['listChangeRequestComments', 405],
] as const;

describe('walker, not offered', () => {
  it.each(ONCE)('hides nothing because %s answered %i once', async (operation, status) => {
    await using world = await furnishedWorld();
    world.platform.faults = [{ operation, nth: 1, effect: { status } }];
    const { snapshot, notOffered } = await world.sync({ settings: { lanes: 1 } });
    expect([snapshot.state, notOffered]).toEqual(['complete', []]);
    world.platform.faults = [];
    using fresh = await world.newMirror();
    const truth = await world.sync({ mirror: fresh });
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, truth.snapshot.id));
  });

  it.each(['getPage', 'download'] as const)(
    'calls it a failure when %s is refused for what a tree lists',
    async (operation) => {
      await using world = await furnishedWorld();
      world.platform.faults = [{ operation, effect: { status: 501 } }];
      const { snapshot, notOffered } = await world.sync();
      expect([snapshot.state, notOffered]).toEqual(['partial', []]);
    },
  );

  it('is not complete while spaces count comments that it refuses to list, whichever space is asked first', async () => {
    await using world = await TestWorld.create();
    const silent = await addSpace(world, 'Silent');
    const spaceId = await addSpace(world, 'Discussed');
    await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Said.' } } });
    world.platform.faults = [{ operation: 'listComments', effect: { status: 405 } }];
    const { snapshot, failures } = await world.sync({ settings: { lanes: 1 } });
    expect([snapshot.state, failures.map(({ kind, resource }) => [kind, resource])]).toEqual([
      'partial',
      [['comment', spaceId]],
    ]);
    world.clock.advance(13 * 3_600_000);
    const later = await world.sync({ mode: 'full' });
    expect([later.snapshot.state, later.notOffered.map(({ kind }) => kind)]).toEqual(['complete', ['comment']]);
    world.platform.faults = [];
    await world.sync({ mode: 'full' });
    expect(rowsOf(world.mirror, 'select space from comments')).toEqual([{ space: spaceId }]);
    expect(silent).not.toBe(spaceId);
  });

  it('says on every night what is not offered, until it is', async () => {
    await using world = await furnishedWorld();
    world.platform.faults = [{ operation: 'listOpenApiSpecs', effect: { status: 501 } }];
    for (let night = 0; night < 3; night++) {
      const { snapshot, notOffered } = await world.sync();
      expect([snapshot.state, notOffered.map(({ kind }) => kind)]).toEqual(['complete', ['openapi-spec']]);
    }
    world.platform.faults = [];
    const { snapshot, notOffered } = await world.sync();
    expect([notOffered, countsOf(world.mirror, snapshot.id)['openapi-spec']]).toEqual([[], undefined]);
  });

  it('says it after a walk that was given up too', async () => {
    await using world = await furnishedWorld();
    world.platform.faults = [{ operation: 'listOpenApiSpecs', effect: { status: 501 } }];
    await world.sync();
    const controller = new AbortController();
    const client = world.hooked((operation) => {
      if (operation === 'listOpenApiSpecs') controller.abort();
    });
    await expect(world.sync({ client, mode: 'full', signal: controller.signal })).rejects.toThrow();
    const scope = {
      organizations: null,
      onlySpaces: null,
      extraSpaces: [],
      kinds: ['organization', 'member'] as const,
    };
    const { notOffered } = await world.sync({ scope });
    expect(notOffered.map(({ kind }) => kind)).toEqual(['openapi-spec']);
  });

  it('asks no more for what is not offered once one place has said so twice, and reads all the rest: each was asked twice', async () => {
    await using world = await furnishedWorld();
    const path = { organizationId: world.organization };
    for (const title of ['One', 'Two', 'Three']) await world.api.createSite({ path, body: { title } });
    using fresh = await world.newMirror();
    const truth = await world.sync({ mirror: fresh });
    world.platform.clearRequestLog();
    world.platform.faults = [{ operation: 'listShareLinks', effect: { status: 501 } }];
    const { snapshot, notOffered } = await world.sync({ settings: { lanes: 1 } });
    expect([snapshot.state, notOffered.map(({ kind }) => kind)]).toEqual(['complete', ['share-link']]);
    // Of each site once, and of one of them once more.
    expect(world.asked('listShareLinks')).toBe(3 + 1);
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, truth.snapshot.id));
  });

  it('asks below each space once in a rota for lists that are not found, as was accepted: both were asked for every night', async () => {
    await using world = await TestWorld.create();
    for (const title of ['One', 'Two', 'Three', 'Four']) await addSpace(world, title);
    const lists = ['getCustomFieldValues', 'listSpaceLinks'] as const;
    const notFound = { status: 404, body: { error: { code: 404, message: 'Not found' } } };
    world.platform.faults = lists.map((operation) => ({ operation, effect: notFound }));
    await world.sync();
    const nights = async (): Promise<unknown[]> => {
      const seen: unknown[] = [];
      for (let night = 0; night < 5; night++) {
        const { snapshot, refused } = await world.sync({ settings: { rereadNights: 5 } });
        seen.push([snapshot.state, refused.length]);
      }
      return seen;
    };
    expect((await world.sync({ acceptRights: true })).refused).toHaveLength(8);
    world.platform.clearRequestLog();
    expect(new Set((await nights()).map(String))).toEqual(new Set(['complete,8']));
    expect(lists.map((one) => world.asked(one))).toEqual([4, 4]);
    // A full walk asks for all of them, and so does one that is told to accept what it finds.
    await world.sync({ mode: 'full' });
    expect(lists.map((one) => world.asked(one))).toEqual([8, 8]);
    world.platform.faults = [];
    expect((await nights()).at(-1)).toEqual(['complete', 0]);
  });

  it.each([
    ['a web page', Buffer.from('<!DOCTYPE html><pre>Cannot GET /v1/</pre>')],
    ['a text', Buffer.from('404 page not found')],
    ['nothing', undefined],
    ['an error of another form', { message: 'no Route matched with those values' }],
  ])(
    'accepts that lists are not there which are answered 404 with %s: every night was partial, for good',
    async (_what, body) => {
      await using world = await TestWorld.create();
      for (const title of ['One', 'Two']) await addSpace(world, title);
      await using proxy = await rewriting(world);
      const { client } = proxy;
      proxy.before = ({ path }) => (/\/(custom-fields|links)$/.test(path) ? { status: 404, body } : undefined);
      const first = await world.sync({ client });
      expect([first.snapshot.state, isOnlyNotFound(world.mirror, first.snapshot.id)]).toEqual(['partial', true]);
      for (const options of [{ acceptRights: true }, {}, { mode: 'full' }] as const) {
        const { snapshot, refused } = await world.sync({ client, ...options });
        expect([snapshot.state, refused.map(({ kind, status }) => `${kind} ${status}`)]).toEqual([
          'complete',
          ['custom-field 404', 'custom-field-value 404', 'custom-field-value 404', 'link 404', 'link 404'],
        ]);
      }
      proxy.before = () => undefined;
      const offered = await world.sync({ client, mode: 'full' });
      expect([offered.snapshot.state, offered.refused]).toEqual(['complete', []]);
    },
  );

  it('asks the next night for change requests that a space counts, though a proxy hid them in the night that was accepted: nobody read them for a rota', async () => {
    await using world = await TestWorld.create();
    await addRequest(world, await addSpace(world, 'Busy'), { subject: 'More', changes: [insert('P', 'text')] });
    const body = '<html>404 Not Found</html>';
    world.platform.faults = [{ operation: 'listChangeRequests', effect: { status: 404, body } }];
    expect((await world.sync({ acceptRights: true })).refused).toMatchObject([{ kind: 'change-request' }]);
    world.platform.faults = [];
    for (let night = 0; night < 2; night++) {
      const { refused, snapshot } = await world.sync({ settings: { rereadNights: 100 } });
      expect([snapshot.state, refused]).toEqual(['complete', []]);
    }
    expect(heldOf(world.mirror, 'change-request')).toHaveLength(1);
  });

  it('does not say that all is only not found while a space is out of reach: to accept that was advised as if it meant what the platform does not offer', async () => {
    await using world = await TestWorld.create();
    const secret = await addSpace(world, 'Secret');
    await addSpace(world, 'Open');
    await using proxy = await rewriting(world);
    const said = (code: number) => ({ status: code, body: { error: { code, message: 'No' } } });
    const noFields = { operation: 'listCustomFields', effect: said(404) } as const;
    world.platform.faults = [noFields];
    const before = await world.sync({ client: proxy.client });
    expect(isOnlyNotFound(world.mirror, before.snapshot.id)).toBe(true);
    proxy.rewrite = ({ path }, { status, body }) => {
      if (path.includes(secret) || typeof body !== 'object' || body === null || !('items' in body)) return undefined;
      const items = (body.items as unknown[]).filter((one) => !JSON.stringify(one).includes(secret));
      return { status, body: { ...body, count: undefined, items } };
    };
    world.platform.faults = [noFields, { operation: 'getSpace', effect: said(403) }];
    const { snapshot, kinds } = await world.sync({ client: proxy.client });
    expect([kinds.space?.unreachable, isOnlyNotFound(world.mirror, snapshot.id)]).toEqual([1, false]);
  });
});
