// In place: computed pages that came since the snapshot, on a platform that knows no page to be taken away there.
import { expect, it } from 'vitest';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/in-place sets pages back beside a computed page that the platform does not take away: it refused the whole batch, and was said to have no operation that edits pages', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
  await world.sync();
  const paths = { '/all': { get: { responses: { 200: { description: 'All' } } } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths });
  const path = { organizationId: world.organization, specSlug: 'api' };
  await world.api.putOpenApiSpec({ path, body: { source: { text } } });
  world.platform.addComputedPage({ space, spec: 'api', title: 'Operations' });
  await world.platform.settle();
  const { Home: page = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page, title: 'Start' });
  const place = inPlace(world);
  const plan = await place.plan({ added: true });
  await using proxy = await rewriting(world);
  let batches = 0;
  proxy.before = ({ method, path: asked }) => {
    if (method !== 'POST' || !/\/change-requests\/[^/]+\/content$/.test(asked)) return undefined;
    batches += 1;
    return batches === 1 ? undefined : { status: 404, body: { error: { code: 404, message: 'no such page' } } };
  };
  const { failures } = await place.apply(plan, { client: proxy.client });
  expect(failures.map(({ error }) => error)).toEqual(['page Operations goes only with what it is computed from']);
  expect(Object.keys(await pagesOf(world, space))).toContain('Home');
});
