// Which version of a specification is its newest is said by the specification.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { askingReplica } from '../support/replica.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const spec = (version: string): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version }, paths: {} });

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (!isRecord(value)) return value;
  const own = Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withoutTimes(inner)]));
  if (own['object'] === 'openapi-spec-version') delete own['createdAt'];
  return own;
}

it('replica/latest is the last version of its specification where versions have no time: the oldest was shown as the latest', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  await world.api.createOpenApiSpec({ path, body: { slug: 'pets', source: { text: spec('1') } } });
  await world.platform.settle();
  for (const version of ['2', '3']) {
    await world.api.putOpenApiSpec({ path: { ...path, specSlug: 'pets' }, body: { source: { text: spec(version) } } });
    await world.platform.settle();
  }
  const last = await world.api.getOpenApiSpec({ path: { ...path, specSlug: 'pets' } });
  await using proxy = await rewriting(world);
  proxy.rewrite = (_asked, { status, body }) => ({ status, body: withoutTimes(body) });
  expect((await world.sync({ client: proxy.client })).snapshot).toMatchObject({ state: 'complete' });
  const ask = askingReplica(world.dataDir);
  const versions = `/v1/orgs/${world.organization}/openapi/pets/versions`;
  expect(ask(`${versions}/latest`).body).toMatchObject({ id: last.lastVersion });
  expect(JSON.stringify(ask(`${versions}/latest/content`).body)).toContain('"version":"3"');
  expect(ask(versions).body).toMatchObject({ count: 3, items: [{ id: last.lastVersion }, {}, {}] });
});
