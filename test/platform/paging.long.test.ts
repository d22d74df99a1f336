import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { PagedOperationName } from '../../src/contract/index.ts';
import { defined } from '../../src/platform/defined.ts';
import { createWorld, listAll, spaceWithPages, type Input, type World } from './world.ts';

interface Listing {
  operation: PagedOperationName;
  input: Input;
  add(): Promise<string>;
  remove(id: string): Promise<unknown>;
}

async function collections(world: World, nested: boolean): Promise<Listing> {
  const path = { organizationId: world.organization };
  const root = await world.call('createCollection', { path });
  const parents: string[] = [root.body.id];
  return {
    operation: 'listCollections',
    input: { path, query: { nested } },
    add: async () => {
      const parent = nested ? parents.at(-(1 + (parents.length % 3))) : undefined;
      const made = await world.call('createCollection', { path, body: parent === undefined ? {} : { parent } });
      // A place that may vanish is no parent here: what is below it would vanish with it.
      if (parents.length < 4) parents.push(made.body.id);
      return made.body.id;
    },
    remove: async (id) =>
      parents.includes(id) ? undefined : world.call('deleteCollection', { path: { collectionId: id } }),
  };
}

async function comments(world: World, order: string): Promise<Listing> {
  const { spaceId } = await spaceWithPages(world, {});
  return {
    operation: 'listComments',
    input: { path: { spaceId }, query: { order } },
    add: async () =>
      (await world.call('createComment', { path: { spaceId }, body: { body: { markdown: 'x' } } })).body.id,
    remove: (id) => world.call('deleteComment', { path: { spaceId, commentId: id } }),
  };
}

async function collectionSpaces(world: World): Promise<Listing> {
  const path = { organizationId: world.organization };
  const parent = (await world.call('createCollection', { path })).body.id;
  return {
    operation: 'listCollectionSpaces',
    input: { path: { collectionId: parent } },
    add: async () => (await world.call('createSpace', { path, body: { parent } })).body.id,
    remove: (spaceId) => world.call('deleteSpace', { path: { spaceId } }),
  };
}

const listings: [string, (world: World) => Promise<Listing>][] = [
  ['nested collections', (world) => collections(world, true)],
  ['collections of the root', (world) => collections(world, false)],
  ['comments, newest first', (world) => comments(world, 'desc')],
  ['comments, oldest first', (world) => comments(world, 'asc')],
  ['spaces of a collection', collectionSpaces],
];

describe('platform/paging', () => {
  it.each(listings)('shows %s once each while others come and go', async (_, open) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ add: fc.boolean(), which: fc.nat(20) }), { maxLength: 12 }),
        async (start, limit, steps) => {
          await using world = await createWorld();
          const listing = await open(world);
          const added: string[] = [];
          for (let i = 0; i < start; i++) added.push(await listing.add());
          const removed = new Set<string>();
          const pending = [...steps];
          const seen = await listAll(world, listing.operation, {
            ...listing.input,
            query: { ...listing.input.query, limit },
            between: async () => {
              const step = pending.shift();
              if (!step) return;
              const victim = added[step.which % added.length] ?? '';
              if (step.add) await listing.add();
              else if (!removed.has(victim)) {
                removed.add(victim);
                await listing.remove(victim);
              }
            },
          });
          const ids = seen.map((item) => ('id' in item ? item.id : ''));
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of added) if (!removed.has(id)) expect(ids).toContain(id);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('refuses a token of another list, a broken one and a limit out of bounds', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    for (let i = 0; i < 2; i++) await world.call('createCollection', { path });
    const { body } = await world.call('listCollections', { path, query: { limit: 1 } });
    const token = body.next?.page ?? '';
    expect((await world.call('listMembers', { path, query: { page: token } })).status).toBe(400);
    expect((await world.call('listCollections', { path, query: { page: 'rubbish' } })).status).toBe(400);
    const [list] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
    for (const key of [{}, [], [null], 'x']) {
      const page = Buffer.from(JSON.stringify([list, key])).toString('base64url');
      expect((await world.call('listCollections', { path, query: { page } })).status, JSON.stringify(key)).toBe(400);
    }
    const reply = await world.call('listCollections', { path, query: { limit: 1001 } });
    expect(reply.body.error).toEqual({ code: 400, message: 'limit: must be <= 1000' });
    for (const limit of ['', '0x10', '1e2']) {
      expect((await world.call('listCollections', { path, query: { limit } })).status, limit).toBe(400);
    }
  });

  it('takes a limit of 0 as the default of 50, and counts the whole list', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    for (let i = 0; i < 51; i++) await world.call('createCollection', { path });
    const { body } = await world.call('listCollections', { path, query: { limit: 0 } });
    expect(body.items).toHaveLength(50);
    expect(body.count).toBe(51);
    const rest = await world.call('listCollections', { path, query: { page: body.next?.page ?? '' } });
    expect(rest.body.items).toHaveLength(1);
    expect(rest.body.next).toBeUndefined();
  });

  it('tells collections that stand within each other by the hundred in page tokens of bearable length: they were too long for an address, and no walk read on', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    const made: string[] = [];
    for (let nth = 0; nth < 300; nth++) {
      const parent = made.at(-1);
      made.push((await world.call('createCollection', { path, body: defined({ parent }) })).body.id);
    }
    const beside = (await world.call('createCollection', { path })).body.id;
    const first = await world.call('listCollections', { path, query: { limit: 150 } });
    const page = first.body.next?.page ?? '';
    const after = async (): Promise<string[]> => {
      const { body } = await world.call('listCollections', { path, query: { limit: 1000, page } });
      return body.items.map((item) => item.id);
    };
    expect([...first.body.items.map((item) => item.id), ...(await after())]).toEqual([...made, beside]);
    expect(page.length).toBeLessThan(1500);
    // The last one shown is gone: what stood before it is shown once more, and all that stands is shown.
    await world.call('deleteCollection', { path: { collectionId: made[149] ?? '' } });
    expect(await after()).toEqual([...made.slice(63, 149), beside]);
  });
});
