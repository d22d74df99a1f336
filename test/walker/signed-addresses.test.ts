// Addresses of pictures that a store signs anew with each answer.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it.each([
  ['?expires=%d', 0],
  ['?X-Amz-Date=now&X-Amz-Expires=60&X-Amz-Signature=%d', 0],
  ['?sv=2025&se=%d&sig=a', 0],
  // Nothing says that it ends: it may be another picture.
  ['?version=%d', 1],
])(
  'walker/observe: a space and a member whose picture lies at an address with %s changed every night',
  async (query, changed) => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    await addSpace(world, 'Guide');
    let night = 0;
    const picture = (): string => `https://pictures.example/1.png${query.replace('%d', String(night))}`;
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
