// What the replica makes of addresses that name the same thing otherwise, of methods, and of pages that have no text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atOnce, Secret, seededRandom, silentLogger } from '../../src/base/index.ts';
import { createReplica, type Replica } from '../../src/replica/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const TOKEN = 'tok_of_the_replica';

let world: TestWorld;
let replica: Replica;
let space: string;

beforeAll(async () => {
  world = await TestWorld.create();
  space = await addSpace(world, 'Space');
  await edit(world, space, insert('Empty', ''), insert('[Home](/pages/gone)', 'Some text'));
  const request = await addRequest(world, space, { subject: 'One', changes: [insert('New', '[x](/pages/none)')] });
  const path = { spaceId: space, changeRequestId: request.id };
  await world.api.createChangeRequestComment({ path, body: { body: { markdown: 'Well' } } });
  for (const markdown of ['First', 'Second', 'Third'])
    await world.api.createComment({ path: { spaceId: space }, body: { body: { markdown } } });
  await world.sync({ settings: { documents: true } });
  const { dataDir, clock } = world;
  const random = seededRandom(1);
  replica = createReplica({ dataDir, clock, random, log: silentLogger(), tokens: [Secret.of(TOKEN)] });
});

afterAll(() => world[Symbol.asyncDispose]());

function ask(target: string, method = 'GET') {
  const header = (name: string): string | undefined => (name === 'authorization' ? `Bearer ${TOKEN}` : undefined);
  return atOnce(replica.answer({ method, target, header, base: 'http://replica' }));
}

function parts(token: string): unknown[] {
  return JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
}

async function expectSame(target: string): Promise<void> {
  const headers = { authorization: `Bearer ${world.platform.token}` };
  const response = await fetch(`${world.platform.url}${target}`, { headers });
  const { status, text } = ask(target);
  expect([target, status]).toEqual([target, response.status]);
  expect(JSON.parse(text ?? ''), target).toEqual(await response.json());
}

describe('replica/page tokens', () => {
  it('go on with the list that they came from and no other, whatever its order and filters', () => {
    const comments = `/v1/spaces/${space}/comments`;
    const whole = JSON.parse(ask(`${comments}?order=asc`).text ?? '') as { items: unknown[] };
    const { next } = JSON.parse(ask(`${comments}?order=asc&limit=1`).text ?? '') as { next: { page: string } };
    const rest = JSON.parse(ask(`${comments}?limit=1000&order=asc&page=${next.page}`).text ?? '') as typeof whole;
    expect(rest.items).toEqual(whole.items.slice(1));
    for (const other of ['', 'order=desc&', 'order=asc&status=open&'])
      expect(ask(`${comments}?${other}page=${next.page}`)).toMatchObject({ status: 400 });
    const forged = Buffer.from(JSON.stringify([...parts(next.page).slice(0, 2), -1])).toString('base64url');
    expect(ask(`${comments}?order=asc&page=${forged}`).status).toBe(400);
  });
});

describe('replica/addresses', () => {
  it('name a change request by its number as well as by its id', async () => {
    const requests = `/v1/spaces/${space}/change-requests`;
    const number = (JSON.parse(ask(`${requests}?status=draft`).text ?? '') as { items: { number: number }[] }).items[0]
      ?.number;
    for (const rest of ['', '/content', '/content/pages', '/content/files', '/comments'])
      await expectSame(`${requests}/${number}${rest}`);
    const { pages } = JSON.parse(ask(`${requests}/${number}/content/pages`).text ?? '') as { pages: { id: string }[] };
    expect(pages).toHaveLength(3);
    for (const { id } of pages) {
      await expectSame(`${requests}/${number}/content/page/${id}?format=markdown`);
      await expectSame(`${requests}/${number}/content/page/${id}/links`);
    }
    expect(ask(`${requests}/${Number(number) + 7}`).status).toBe(404);
  });

  it('show a page without a text as empty, not as missing', async () => {
    const { Empty: id = '' } = await pagesOf(world, space);
    for (const format of ['markdown', 'document'])
      await expectSame(`/v1/spaces/${space}/content/page/${id}?format=${format}`);
  });

  it('answer HEAD as GET without the body', () => {
    const target = `/v1/spaces/${space}`;
    const [head, get] = [ask(target, 'HEAD'), ask(target)];
    expect(head).toEqual({ ...get, text: null });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text ?? '')));
    expect(ask('/v1/spaces/nothing', 'HEAD')).toMatchObject({ status: 404, text: null });
  });

  it('refuse what would write, and say that this is a replica and what is possible instead', () => {
    const refused = ask(`/v1/spaces/${space}`, 'PATCH');
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(refused.text).toContain('the replica only reads');
    for (const method of ['GET', 'POST']) {
      const written = ask(`/v1/spaces/${space}/restore`, method);
      expect(written).toMatchObject({ status: 405, headers: { allow: '' } });
      expect(written.text).toContain('this address is only written to');
    }
  });
});
