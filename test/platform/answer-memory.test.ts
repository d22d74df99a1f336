import { jsonAnswer } from '../../src/contract/index.ts';
import { describe, expect, it } from 'vitest';
import Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnswerMemory } from '../../src/platform/http/answer-memory.ts';
import type { Visit } from '../../src/platform/http/visit.ts';
import { at, createWorld, importFiles, spaceWithPages, type World } from './world.ts';

const visit = (target: string): Visit =>
  ({ method: 'GET', target, bindings: { incoming: { headers: {} } } }) as unknown as Visit;

async function twice<T>(ask: () => Promise<T>): Promise<T> {
  await ask();
  return ask();
}

const ask = (world: World, spaceId: string) => twice(() => world.call('getSpace', { path: { spaceId } }));

describe('platform/http/answer-memory', () => {
  it('keeps the most recently used up to its size, and nothing that takes too much of it', () => {
    const memory = createAnswerMemory(() => 1, 4000);
    const keep = (target: string, size: number): void =>
      memory.put(visit(target), { operation: 'getSpace', answer: jsonAnswer(200, 'x'.repeat(size)) });
    keep('/huge', 3000);
    expect(memory.get(visit('/huge'))).toBeUndefined();
    for (let i = 0; i < 30; i++) {
      keep(`/${i}`, 200);
      expect(memory.get(visit('/0'))).toBeDefined();
    }
    expect(memory.get(visit('/1'))).toBeUndefined();
    expect(memory.get(visit('/29'))).toBeDefined();
  });

  it('forgets everything when anything was written', () => {
    let changes = 1;
    const memory = createAnswerMemory(() => changes);
    memory.put(visit('/a'), { operation: 'getSpace', answer: jsonAnswer(200, {}) });
    changes++;
    expect(memory.get(visit('/a'))).toBeUndefined();
  });

  it('never outlives a write through the API, or beside it', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, { One: 'text' });
    expect((await ask(world, spaceId)).body.comments).toBe(0);
    const comment = await world.call('createComment', { path: { spaceId }, body: { body: { markdown: 'x' } } });
    expect((await ask(world, spaceId)).body.comments).toBe(1);
    await world.call('deleteComment', { path: { spaceId, commentId: comment.body.id } });
    expect((await ask(world, spaceId)).body.comments).toBe(0);
    const members = () => twice(() => world.call('listMembers', { path: { organizationId: world.organization } }));
    expect((await members()).body.count).toBe(1);
    const person = {
      displayName: 'P',
      email: 'p@example.com',
      organization: world.organization,
      role: 'read' as const,
    };
    world.platform.createUser(person);
    expect((await members()).body.count).toBe(2);
  });

  it('sees what another process writes into the database', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'docmirror-memory-'));
    try {
      const database = join(directory, 'platform.db');
      await using world = await createWorld({ database });
      const { spaceId } = await spaceWithPages(world, {});
      await ask(world, spaceId);
      const other = new Database(database);
      other.prepare('update spaces set title = ? where id = ?').run('Written elsewhere', spaceId);
      other.close();
      expect((await ask(world, spaceId)).body.title).toBe('Written elsewhere');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('keeps the answers of different people apart', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const { token } = world.platform.createUser({
      displayName: 'P',
      email: 'p@example.com',
      organization: world.organization,
      role: 'read',
    });
    const rights = async (token_: string): Promise<boolean | undefined> =>
      (await twice(() => world.call('getSpace', { path: { spaceId }, token: token_ }))).body.permissions.admin;
    expect(await rights(world.platform.token)).toBe(true);
    expect(await rights(token)).toBe(false);
    expect((await world.call('getSpace', { path: { spaceId }, token: 'other' })).status).toBe(401);
  });

  it('does not keep what time changes: download addresses, and spaces that are about to be gone', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, { 'a.md': '![x](assets/a.png)', 'assets/a.png': Buffer.from('x') });
    const address = async (): Promise<string> =>
      at((await twice(() => world.call('listFiles', { path: { spaceId } }))).body.items, 0).downloadURL;
    const old = await address();
    world.clock.advance(3_600_001);
    expect(await address()).not.toBe(old);
    expect((await fetch(await address())).status).toBe(200);
    await world.call('deleteSpace', { path: { spaceId } });
    expect((await ask(world, spaceId)).status).toBe(200);
    world.clock.advance(7 * 86_400_000);
    expect((await ask(world, spaceId)).status).toBe(404);
  });

  it('counts and limits remembered answers like all others, and lets faults meet them', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    world.platform.clearRequestLog();
    const first = await world.call('getSpace', { path: { spaceId } });
    const second = await world.call('getSpace', { path: { spaceId } });
    expect(second.body).toEqual(first.body);
    const left = [first, second].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(at(left, 1)).toBe(at(left, 0) - 1);
    expect(world.platform.requestLog.counts()).toEqual({ getSpace: 2 });
    world.platform.faults = [{ operation: 'getSpace', effect: { status: 503 } }];
    expect((await world.call('getSpace', { path: { spaceId } })).status).toBe(503);
  });
});
