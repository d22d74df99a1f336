// Somebody makes a thing under the name that a plan is to make it with: it is theirs, whatever becomes of the restore.
import { expect, it } from 'vitest';
import { bare, mirrored } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';

it('restore/in-place leaves what somebody has made under the same name: a resume took it for its own, and the undo deleted it', async () => {
  const [name, slug] = ['stage', 'answers'];
  const source = { url: 'http://127.0.0.1:9/api.json' };
  const { world, place } = await bare(async ({ api, organization }) => {
    const path = { organizationId: organization };
    await api.createCustomField({ path, body: { name, type: 'text' } });
    await api.createOpenApiSpec({ path, body: { slug, source } });
    await api.createTeam({ path, body: { title: 'Writers' } });
  });
  await using _world = world;
  const path = { organizationId: world.organization };
  const [team] = (await world.api.listTeams({ path })).items;
  await world.api.deleteCustomField({ path: { ...path, fieldName: name } });
  await world.api.deleteOpenApiSpec({ path: { ...path, specSlug: slug } });
  await world.api.deleteTeam({ path: { ...path, teamId: team?.id ?? '' } });
  const plan = await place.plan();
  await world.api.createCustomField({ path, body: { name, type: 'number' } });
  await world.api.createOpenApiSpec({ path, body: { slug, source } });

  const applied = await place.apply(plan);
  const resumed = await place.resume(applied.restore);
  for (const { failures } of [applied, resumed])
    expect(failures.map(({ kind, isHeldBack }) => [kind, isHeldBack])).toEqual([
      ['custom-field', true],
      ['openapi-spec', true],
    ]);
  expect(resumed.failures[0]?.error).toContain('was made by somebody since the plan was made');
  await place.apply(await place.undo(applied.restore, plan));
  expect((await world.api.listTeams({ path })).items).toEqual([]);
  expect((await world.api.listCustomFields({ path })).items).toMatchObject([{ name, type: 'number' }]);
  expect((await world.api.listOpenApiSpecs({ path })).items).toMatchObject([{ slug }]);
});

it('restore undo leaves what the restore left as it was, since somebody had changed it: it was set back to what stood before', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  const retitle = (collectionId: string, title: string) =>
    world.api.updateCollection({ path: { collectionId }, body: { title } });
  await retitle(made.collection, 'Bad');
  await retitle(made.nested, 'Bad');
  const plan = await place.plan();
  await using proxy = await rewriting(world);
  proxy.rewrite = async ({ method, path }) => {
    if (method === 'PATCH' && path.endsWith(made.collection)) await retitle(made.nested, 'Of somebody');
    return undefined;
  };
  const { restore } = await place.apply(plan, { client: proxy.client });
  const [held] = (await place.resume(restore)).failures;
  expect(held).toMatchObject({ kind: 'collection', isHeldBack: true });
  await place.apply(await place.undo(restore, plan));
  const { items } = await world.api.listCollections({ path: { organizationId: world.organization } });
  expect(items.map(({ title }) => title).toSorted()).toEqual(['Bad', 'Of somebody']);
});
