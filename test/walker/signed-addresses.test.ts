// Addresses of pictures that a store signs anew with each answer.
import { expect, it } from 'vitest';
import { addSpace, importFiles } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it.each([
  ['?expires=%d', 0],
  ['?X-Amz-Date=now&X-Amz-Expires=60&X-Amz-Signature=%d', 0],
  ['?sv=2025&se=%d&sig=a', 0],
  ['?X-Signature=%d', 0],
  ['?width=40&sign=%d&sv=2', 0],
  ['?Policy=p%d&Signature=%d&Key-Pair-Id=K', 0],
  ['?jwt=eyJhbGciOiJIUzI1NiJ9.eyJuIjo%d.c2ln%d', 0],
  // What is signed is another.
  ['?width=%d&sig=%d', 1],
  ['?policy=%d', 1],
  // Nothing says that it ends, or that it is a signature: it may be another picture.
  ['?token=%d', 1],
  ['?version=%d', 1],
])(
  'walker/observe: a space and a member whose picture lies at an address with %s changed every night',
  async (query, changed) => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    await addSpace(world, 'Guide');
    let night = 0;
    const picture = (): string => `https://pictures.example/1.png${query.replaceAll('%d', String(night))}`;
    proxy.rewrite = (_asked, { status, body }) => {
      if (body === undefined) return undefined;
      const shown = (_key: string, value: unknown): unknown => {
        if (typeof value !== 'object' || value === null || !('object' in value)) return value;
        if (value.object === 'user') return { ...value, photoURL: picture() };
        if (value.object === 'space' && 'urls' in value)
          return { ...value, urls: { ...Object(value.urls), icon: picture() } };
        return value;
      };
      return { status, body: JSON.parse(JSON.stringify(body), shown) as unknown };
    };
    await world.sync({ client: proxy.client });
    night = 1;
    const { kinds } = await world.sync({ client: proxy.client });
    expect([kinds['space']?.changed, kinds['member']?.changed]).toEqual([changed, changed]);
  },
);

it('walker/observe takes what people wrote as they wrote it: an address of a link page that looks signed was not kept when it alone moved', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, {
    'SUMMARY.md': '# Table of contents\n\n* [Start](README.md)\n* [Shop](https://shop.example/?exp=first)\n',
    'README.md': '# Start\n',
  });
  await world.sync({ client: proxy.client });
  // Of a platform that tells no times, and the same revision on the night of the rota.
  proxy.rewrite = (_asked, { status, body }) => ({
    status,
    body: JSON.parse(JSON.stringify(body ?? null).replaceAll('exp=first', 'exp=second')) as unknown,
  });
  const { kinds } = await world.sync({ client: proxy.client, mode: 'full' });
  expect(kinds['page']?.changed).toBe(1);
});

it('walker/observe keeps a comment that begins with an address that looks signed: what its words changed to was not kept', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const spaceId = await addSpace(world, 'Guide');
  const markdown = 'https://shop.example/?exp=1 is late';
  await world.api.createComment({ path: { spaceId }, body: { body: { markdown } } });
  await world.sync({ client: proxy.client });
  // Of a platform that tells no time of it.
  proxy.rewrite = (_asked, { status, body }) => ({
    status,
    body: JSON.parse(JSON.stringify(body ?? null).replaceAll('is late', 'is done')) as unknown,
  });
  const { kinds } = await world.sync({ client: proxy.client, mode: 'full' });
  expect(kinds['comment']?.changed).toBe(1);
});

it('walker/visits reads the content of a version of a specification once, whose address is signed anew with each answer: it was a change each night, and read again', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const path = { organizationId: world.organization };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Answers', version: '1' }, paths: {} });
  await world.api.createOpenApiSpec({ path, body: { slug: 'answers', source: { text } } });
  let night = 0;
  let contents = 0;
  proxy.rewrite = ({ path: asked }, { status, body }) => {
    if (asked.endsWith('/content')) contents += 1;
    const signed = (_key: string, value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || !('object' in value)) return value;
      // Versions are listed where their specification moves.
      if (value.object === 'openapi-spec') return { ...value, updatedAt: `2026-01-0${night + 1}T00:00:00.000Z` };
      if (value.object !== 'openapi-spec-version') return value;
      return { ...value, url: `https://store.example/${night < 2 ? 1 : 2}?part=a&Expires=9&Signature=${night}` };
    };
    return { status, body: JSON.parse(JSON.stringify(body ?? null), signed) as unknown };
  };
  const walked = async (): Promise<unknown[]> => {
    const { kinds } = await world.sync({ client: proxy.client });
    return [kinds['openapi-spec-version']?.changed, contents];
  };
  await walked();
  const first = contents;
  night = 1;
  expect(await walked()).toEqual([0, first]);
  night = 2;
  expect(await walked()).toEqual([1, first + 1]);
});
