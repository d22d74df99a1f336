// What somebody deletes while a walk reads it: listed, and not there any more when what is below it is asked for.
import { describe, expect, it } from 'vitest';
import { deletedSpaces } from '../../src/mirror/index.ts';
import { addSpace, edit, furnish, insert } from '../support/content.ts';
import { organizedWorld, walkedWorld } from '../support/furnished.ts';
import { organize } from '../support/organization.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

interface Deleted {
  readonly kind: string;
  /** Id of what goes. */
  readonly id: string;
  readonly remove: () => Promise<unknown>;
}

interface Midway {
  readonly what: string;
  /** The request that comes too late. */
  readonly before: string;
  readonly deleted: (world: TestWorld) => Promise<Deleted>;
}

const WHAT: readonly Midway[] = [
  {
    what: 'a comment',
    before: 'listCommentReplies',
    deleted: async (world) => {
      const { guide: spaceId, comment: commentId } = await furnish(world);
      const remove = (): Promise<unknown> => world.api.deleteComment({ path: { spaceId, commentId } });
      return { kind: 'comment', id: commentId, remove };
    },
  },
  {
    what: 'a space',
    before: 'getPage',
    deleted: async (world) => {
      const { guide: spaceId } = await furnish(world);
      return { kind: 'space', id: spaceId, remove: () => world.api.deleteSpace({ path: { spaceId } }) };
    },
  },
  {
    what: 'a collection with a space',
    before: 'listCollectionSpaces',
    deleted: async (world) => {
      const { nested: collectionId } = await furnish(world);
      const remove = (): Promise<unknown> => world.api.deleteCollection({ path: { collectionId } });
      return { kind: 'collection', id: collectionId, remove };
    },
  },
  {
    what: 'a site',
    before: 'listSiteSections',
    deleted: async (world) => {
      const { site: siteId } = await organize(world);
      const path = { organizationId: world.organization, siteId };
      return { kind: 'site', id: siteId, remove: () => world.api.deleteSite({ path }) };
    },
  },
  {
    what: 'a specification',
    before: 'getOpenApiSpecVersionContent',
    deleted: async (world) => {
      await organize(world);
      const path = { organizationId: world.organization, specSlug: 'given' };
      return { kind: 'openapi-spec', id: 'given', remove: () => world.api.deleteOpenApiSpec({ path }) };
    },
  },
  {
    what: 'a member',
    before: 'listMemberSpaces',
    deleted: async (world) => {
      const userId = (await organize(world)).people['robin'] ?? '';
      const path = { organizationId: world.organization, userId };
      return { kind: 'member', id: userId, remove: () => world.api.deleteMember({ path }) };
    },
  },
];

const heldOf = (world: TestWorld, { kind, id }: Deleted): unknown[] =>
  rowsOf(
    world.mirror,
    'select r.key from resources r join versions v on v.rid = r.rid and v.valid_to is null where r.kind = ? and r.id = ?',
    kind,
    id,
  );

describe('walker, what is deleted while it is read', () => {
  it.each(WHAT)(
    'is gone that night when it is $what: the snapshot was partial once, as if something had not been read',
    async ({ before, deleted }) => {
      await using world = await TestWorld.create();
      const one = await deleted(world);
      await world.sync();
      let isDeleted = false;
      const client = world.hooked(async (operation, input) => {
        if (isDeleted || operation !== before || !Object.values(input?.path ?? {}).includes(one.id)) return;
        isDeleted = true;
        await one.remove();
      });
      const { snapshot, failures, kinds } = await world.sync({ mode: 'full', client });
      expect([isDeleted, snapshot.state, failures]).toEqual([true, 'complete', []]);
      expect(kinds[one.kind]).toMatchObject({ gone: 1, failed: 0 });
      expect(heldOf(world, one)).toEqual([]);

      const next = await world.sync();
      using fresh = await world.newMirror();
      const first = await world.sync({ mirror: fresh });
      expect(next.snapshot.state).toBe('complete');
      expect(stateOf(world.mirror, next.snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
    },
  );

  it('is read again, page by page, once it is undeleted: a mark of the night on which it went said that nothing had moved', async () => {
    await using world = await walkedWorld();
    const { guide: spaceId, pages } = world.made;
    await edit(world, spaceId, {
      type: 'update_page',
      page: pages['Use'] ?? '',
      document: { markdown: '# Use\n\nNew.' },
    });
    let isDeleted = false;
    const client = world.hooked(async (operation, input) => {
      if (isDeleted || operation !== 'getPage' || input?.path?.['spaceId'] !== spaceId) return;
      isDeleted = true;
      await world.api.deleteSpace({ path: { spaceId } });
    });
    expect((await world.sync({ client })).kinds['space']).toMatchObject({ gone: 1 });
    await world.api.restoreSpace({ path: { spaceId } });
    const { snapshot } = await world.sync();
    using fresh = await world.newMirror();
    const first = await world.sync({ mirror: fresh });
    expect([isDeleted, snapshot.state]).toEqual([true, 'complete']);
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
  });

  it('is read again once it is undeleted, though it went when its pages had been read and only what else it has had not', async () => {
    await using world = await walkedWorld();
    const { guide: spaceId, comment: commentId } = world.made;
    await edit(world, spaceId, insert('New', 'New.'));
    await world.api.createCommentReply({ path: { spaceId, commentId }, body: { body: { markdown: 'Late.' } } });
    let isDeleted = false;
    const client = world.hooked(async (operation, input) => {
      if (isDeleted || operation !== 'listCommentReplies' || input?.path?.['spaceId'] !== spaceId) return;
      isDeleted = true;
      await world.api.deleteSpace({ path: { spaceId } });
    });
    await world.sync({ client, settings: { lanes: 1 } });
    await world.api.restoreSpace({ path: { spaceId } });
    const { snapshot } = await world.sync({ settings: { rereadNights: 1000 } });
    using fresh = await world.newMirror();
    const first = await world.sync({ mirror: fresh });
    expect([isDeleted, snapshot.state]).toEqual([true, 'complete']);
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
  });

  it('is not gone, and no later night is partial for it, when a right was away only for a moment', async () => {
    await using world = await organizedWorld();
    const { site } = world.made;
    await world.sync();
    await using proxy = await rewriting(world);
    proxy.rewrite = ({ path }, { status, body }) => {
      if (path.endsWith(`/sites/${site}/sections`))
        return { status: 404, body: { error: { code: 404, message: 'none' } } };
      if (path !== `/v1/orgs/${world.organization}`) return undefined;
      const own = body as { permissions: object };
      return { status, body: { ...own, permissions: { ...own.permissions, admin: false } } };
    };
    const { snapshot } = await world.sync({ mode: 'full', client: proxy.client });
    expect(snapshot).toMatchObject({ state: 'partial', reason: expect.stringContaining('scope shrank') as string });
    expect((await world.sync()).snapshot).toMatchObject({ state: 'complete', reason: null });
  });

  it('is told while it can be undeleted, but for a space that no snapshot has ever held: it was offered with a snapshot that lacks it', async () => {
    await using world = await walkedWorld();
    const { guide } = world.made;
    const since = await addSpace(world, 'Since then');
    const spaces = new Set([guide, since]);
    const client = world.hooked(async (operation, input) => {
      const [spaceId = ''] = Object.values(input?.path ?? {});
      if (operation === 'listComments' && spaces.delete(spaceId)) await world.api.deleteSpace({ path: { spaceId } });
    });
    const { snapshot } = await world.sync({ mode: 'full', client });
    expect([spaces.size, snapshot.state]).toEqual([0, 'complete']);
    const told = deletedSpaces(world.mirror, world.clock.now());
    expect(told.map(({ id, lastSeen, goneSince }) => [id, lastSeen, goneSince])).toEqual([[guide, 1, 2]]);
  });

  it('is not gone when it was the token that lost its rights meanwhile', async () => {
    await using world = await organizedWorld();
    const { site } = world.made;
    const name = { displayName: 'Backup', email: 'backup@example.com' };
    const { id: userId, token } = world.platform.createUser({
      ...name,
      organization: world.organization,
      role: 'admin',
    });
    await using own = world.clientOf({ url: world.platform.url, token });
    await world.sync({ client: own });
    let role: 'admin' | null = 'admin';
    const client = world.hooked(async (operation) => {
      if (operation !== 'listSiteSections' || role === null) return;
      role = null;
      await world.api.updateMember({ path: { organizationId: world.organization, userId }, body: { role } });
    }, own);
    const { snapshot, kinds } = await world.sync({ mode: 'full', client });
    expect([role, snapshot.state]).toEqual([null, 'partial']);
    expect(Object.values(kinds).map(({ gone }) => gone)).toEqual(Object.values(kinds).map(() => 0));
    expect(rowsOf(world.mirror, 'select id from sites where id = ?', site)).toHaveLength(1);
  });

  it('is not gone when its listing goes on to show it, or when the space does not say that it was deleted', async () => {
    await using world = await walkedWorld();
    const { guide, comment } = world.made;
    const refused = { effect: { status: 404 } } as const;
    world.platform.faults = [
      { operation: 'listCommentReplies', ...refused },
      { operation: 'getRevision', pathPattern: guide, ...refused },
      { operation: 'getSpace', pathPattern: guide, ...refused },
    ];
    const { snapshot, failures, kinds } = await world.sync({ mode: 'full' });
    expect(snapshot.state).toBe('partial');
    expect(failures.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['comment-reply', 'revision']));
    expect(Object.values(kinds).map(({ gone }) => gone)).toEqual(Object.values(kinds).map(() => 0));
    expect(rowsOf(world.mirror, 'select id from comments where id = ?', comment)).toHaveLength(1);
  });
});
