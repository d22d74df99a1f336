// What stands thousands of levels deep, where what goes down step by step runs out of stack; and what there are very many of.
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../support/cli.ts';
import type { Page } from '../../src/contract/index.ts';
import { at, createWorld, spaceWithPages, type World } from './world.ts';

const BATCH = 50;

interface RequestPath {
  [name: string]: string;
  spaceId: string;
  changeRequestId: string;
}

async function openRequest(world: World, spaceId: string): Promise<RequestPath> {
  const { body } = await world.call('createChangeRequest', { path: { spaceId }, body: { subject: 'Deep' } });
  return { spaceId, changeRequestId: body.id };
}

/** Answers the first refusal, or the last answer. */
async function change(world: World, path: RequestPath, changes: readonly object[]) {
  for (let from = 0; ; from += BATCH) {
    const reply = await world.call('changeContent', { path, body: { changes: changes.slice(from, from + BATCH) } });
    if (reply.status !== 200 || from + BATCH >= changes.length) return reply;
  }
}

/** So many empty pages beside each other; answers their ids. */
async function insertPages(world: World, path: RequestPath, count: number): Promise<string[]> {
  await change(
    world,
    path,
    Array.from({ length: count }, () => ({ type: 'insert_page', title: 'Page', document: { markdown: '' } })),
  );
  return (await world.call('listChangeRequestPages', { path })).body.pages.map(({ id }) => id);
}

/** Puts each page below the one before it. */
function chained(ids: readonly string[]): object[] {
  return ids.slice(1).map((page, i) => ({ type: 'update_page', page, into: at(ids, i) }));
}

/** How many pages stand on each level. */
function levelsOf(pages: readonly Page[]): number[] {
  const levels: number[] = [];
  for (let level = pages; level.length > 0; level = level.flatMap((page) => page.pages ?? []))
    levels.push(level.length);
  return levels;
}

describe('platform/content/changes', () => {
  it('refuses a page that would stand more than 600 levels deep: of 1,400 no request for the content was answered any more', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const path = await openRequest(world, spaceId);
    const ids = await insertPages(world, path, 650);
    const [top = '', ...below] = ids;
    expect((await change(world, path, chained(ids.slice(0, 600)))).status).toBe(200);
    const refused = await change(world, path, [{ type: 'update_page', page: at(ids, 600), into: at(ids, 599) }]);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('changes/0/into: at most 600 pages stand below each other, seen 601');
    // With all that stands below it.
    await change(world, path, [{ type: 'update_page', page: at(below, 0), into: null }]);
    expect((await change(world, path, [{ type: 'update_page', page: top, into: at(ids, 600) }])).status).toBe(200);
    expect((await change(world, path, [{ type: 'update_page', page: at(below, 0), into: top }])).status).toBe(400);
    expect(
      (await change(world, path, [{ type: 'insert_page', into: at(ids, 599), document: { markdown: '' } }])).status,
    ).toBe(200);
  });
});

describe('platform/content/merge', () => {
  it('brings to the root what two requests together would put more than 600 levels deep', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const path = await openRequest(world, spaceId);
    const ids = await insertPages(world, path, 900);
    const [a, b, c] = [ids.slice(0, 300), ids.slice(300, 600), ids.slice(600)];
    for (const chain of [a, b, c]) await change(world, path, chained(chain));
    await world.call('mergeChangeRequest', { path });
    const [first, second] = [await openRequest(world, spaceId), await openRequest(world, spaceId)];
    await change(world, first, [{ type: 'update_page', page: at(b, 0), into: at(a, 299) }]);
    await change(world, second, [{ type: 'update_page', page: at(c, 0), into: at(b, 299) }]);
    for (const request of [first, second]) {
      expect((await world.call('mergeChangeRequest', { path: request })).status).toBe(200);
    }
    const levels = levelsOf((await world.call('listPages', { path: { spaceId } })).body.pages);
    expect(levels).toHaveLength(600);
    expect(levels.reduce((sum, count) => sum + count, 0)).toBe(900);
  });
});

describe('platform/access/content-roles', () => {
  it('finds the rights in a collection thousands of levels deep: whoever is no administrator was answered with 500', async () => {
    using folder = testFolder();
    const database = folder.at('platform.db');
    await using world = await createWorld({ database });
    const path = { organizationId: world.organization };
    const { token } = world.platform.createUser({
      displayName: 'Creator',
      email: 'creator@example.com',
      organization: world.organization,
      role: 'create',
    });
    await world.call('createCollection', { path });
    const other = new Database(database);
    other.exec(`insert into collections (id, organization, parent, title, description, default_level, position)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
      select 'c' || i, organization, iif(i = 1, id, 'c' || (i - 1)), title, null, 'inherit', position from n, collections`);
    other.close();
    const { body: deepest } = await world.call('createCollection', { path, body: { parent: 'c20000' } });
    const space = await world.call('createSpace', { path, body: { parent: deepest.id }, token });
    expect(space.status).toBe(201);
    expect(space.body.permissions).toMatchObject({ view: true, admin: true });
    expect((await world.call('getSpace', { path: { spaceId: space.body.id }, token })).status).toBe(200);
  });
});

describe('platform/handlers/collections', () => {
  it('deletes a collection with 33,000 others in it, each with a space: it was answered with 500', async () => {
    using folder = testFolder();
    const database = folder.at('platform.db');
    await using world = await createWorld({ database });
    const path = { organizationId: world.organization };
    const { body: top } = await world.call('createCollection', { path });
    const { body: space } = await world.call('createSpace', { path, body: { parent: top.id } });
    const other = new Database(database);
    const many = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 33000)';
    other.exec(`insert into collections (id, organization, parent, title, description, default_level, position)
      ${many} select 'c' || i, organization, id, title, null, 'inherit', printf('%08d', i) from n, collections;
      ${many} insert into spaces (id, organization, parent, title, emoji, visibility, created_at, updated_at, deleted_at,
        edit_mode, revision, default_level, position)
      select 's' || i, organization, 'c' || i, title, emoji, visibility, created_at, updated_at, deleted_at,
        edit_mode, revision, default_level, position from n, spaces`);
    other.close();
    expect((await world.call('deleteCollection', { path: { collectionId: top.id } })).status).toBe(205);
    expect((await world.call('listCollections', { path })).body.count).toBe(0);
    for (const spaceId of [space.id, 's1', 's33000']) {
      const { body } = await world.call('restoreSpace', { path: { spaceId } });
      expect([body.parent, body.visibility]).toEqual([undefined, 'private']);
    }
  });
});
