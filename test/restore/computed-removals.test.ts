// In place: computed pages that came since the snapshot, on a platform that knows no page to be taken away there.
import { expect, it } from 'vitest';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const BESIDE =
  'restore/in-place sets pages back beside a computed page that the platform does not take away (%i): it refused the whole batch, and was said to have no operation that edits pages';

it.each([404, 400, 409, 500])(BESIDE, async (status) => {
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
    return batches === 1 ? undefined : { status, body: { error: { code: status, message: 'no such page' } } };
  };
  const { failed, failures } = await place.apply(plan, { client: proxy.client });
  const errors = failures.map(({ error }) => error);
  // What is no refusal may go the next time.
  if (status === 500) return expect([failed, errors[0]]).toEqual([1, expect.stringContaining('answered 500')]);
  expect([failed, errors]).toEqual([0, ['page Operations goes only with what it is computed from']]);
  expect(Object.keys(await pagesOf(world, space))).toContain('Home');
});
