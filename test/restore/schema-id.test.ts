// A schema of visitor claims that names itself, as the API document shows it and not every platform takes it.
import { beforeEach, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace } from '../support/content.ts';
import { filledWorlds } from '../support/copied-world.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;

const anew = filledWorlds(async (one) => {
  const path = { organizationId: one.organization };
  const spaces = [await addSpace(one, 'Guide')];
  const { id: siteId } = await one.api.createSite({ path, body: { title: 'Answers', spaces } });
  const jsonSchema = {
    type: 'object',
    properties: { isBeta: { type: 'boolean' } },
    additionalProperties: false,
  } as const;
  await one.api.putSiteAdaptiveSchema({ path: { ...path, siteId }, body: { jsonSchema } });
});

beforeEach(async () => {
  world = await anew();
  await using proxy = await rewriting(world);
  proxy.rewrite = (_asked, { status, body }) => {
    const schema = isRecord(body) ? body['jsonSchema'] : undefined;
    if (isRecord(schema)) schema['$id'] = 'https://docs.example.com/claims';
    return { status, body };
  };
  await world.sync({ client: proxy.client });
  return () => world[Symbol.asyncDispose]();
});

it('comes back with its $id: the embedded platform dropped it, and no drill passed', async () => {
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const { differences } = await target.verify(restore);
  expect(differences.filter(({ kind }) => kind === 'site-adaptive-schema')).toEqual([]);
});

it('comes back without its $id where the platform takes none, and says so: none of it came back', async () => {
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  // The platform refuses a schema that is none.
  proxy.send = ({ method }, text) => (method === 'PUT' && text.includes('"$id"') ? '{"jsonSchema":{}}' : undefined);
  const { restore, failures, lacking } = await target.apply(await target.plan(), { client: proxy.client });
  expect(failures.map(({ kind, error }) => [kind, error])).toEqual([
    ['site-adaptive-schema', expect.stringMatching(/^\$id was not taken: /)],
  ]);
  expect(lacking).toBe(1);
  const { differences } = await target.verify(restore);
  const schema = differences.filter(({ kind }) => kind === 'site-adaptive-schema');
  expect(schema.map(({ field, got }) => [field, got?.includes('isBeta')])).toEqual([['jsonSchema', true]]);
});
