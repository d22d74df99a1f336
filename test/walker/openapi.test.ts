import { describe, expect, it } from 'vitest';
import { kindOf } from '../../src/contract/index.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

describe('walker/listing, OpenAPI', () => {
  it('keeps the text of each version of a specification', async () => {
    await using world = await TestWorld.create();
    const path = { organizationId: world.organization };
    const text = (title: string): string =>
      JSON.stringify({ openapi: '3.0.0', info: { title, version: '1' }, paths: {} });
    await world.api.createOpenApiSpec({ path, body: { slug: 'shop', source: { text: text('Shop') } } });
    await world.platform.settle();
    await world.sync();
    await world.api.putOpenApiSpec({ path: { ...path, specSlug: 'shop' }, body: { source: { text: text('Shop 2') } } });
    await world.platform.settle();
    const { snapshot } = await world.sync();
    expect([snapshot.state, kindOf('openapi-spec-content').view]).toEqual(['complete', 'openapi_spec_contents']);
    const rows = rowsOf(world.mirror, 'select filesystem, url from openapi_spec_contents');
    expect(
      rows
        .map(({ filesystem }) => /Shop( 2)?/.exec(String(filesystem))?.[0])
        .toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual(['Shop', 'Shop 2']);
    expect(rows.every(({ url }) => !String(url).includes('?'))).toBe(true);
  });
});
