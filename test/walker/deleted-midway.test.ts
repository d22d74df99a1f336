// What somebody deletes while a walk reads it: listed, and not there any more when what is below it is asked for.
import { describe, expect, it } from 'vitest';
import { deletedSpaces } from '../../src/mirror/index.ts';
import { addSpace, furnish } from '../support/content.ts';
import { organize } from '../support/organization.ts';
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

  it('is told while it can be undeleted, but for a space that no snapshot has ever held: it was offered with a snapshot that lacks it', async () => {
    await using world = await TestWorld.create();
    const { guide } = await furnish(world);
    await world.sync();
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
    await using world = await TestWorld.create();
    const { site } = await organize(world);
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
    await using world = await TestWorld.create();
    const { guide, comment } = await furnish(world);
    await world.sync();
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
