// No field of a page's entry in a tree is promised: one without the id of its text, and without a time, looks as before once it is edited.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { hidingOfPages, rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it('walker: texts of pages whose trees tell nothing of edits are read with them: edited ones kept their old text, and those of requests had that of the space', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  proxy.rewrite = hidingOfPages('documentId', 'updatedAt', 'createdAt');
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Home', 'First.'), insert('Other', 'Same.'));
  const { Home: page = '' } = await pagesOf(world, space);
  await addRequest(world, space, {
    subject: 'Proposal',
    changes: [{ type: 'update_page', page, document: { markdown: 'Proposed.' } }],
  });
  const walked = () => world.sync({ client: proxy.client });
  const texts = () =>
    rowsOf(
      world.mirror,
      `select trim(replace(markdown, '# Home', ''), char(10)) as text from pages where id = '${page}'
       union all select trim(replace(markdown, '# Home', ''), char(10)) from change_request_pages p
       join change_requests c on c.id = p.change_request where c.status = 'draft' and p.id = '${page}'`,
    ).map(({ text }) => text);
  await walked();
  expect(texts()).toEqual(['First.', 'Proposed.']);
  await edit(world, space, { type: 'update_page', page, document: { markdown: 'Second.' } });
  const { snapshot, kinds } = await walked();
  expect([snapshot.state, texts()]).toEqual(['complete', ['Second.', 'Proposed.']]);
  expect(kinds.page).toMatchObject({ seen: 2, changed: 1, unchanged: 1 });
  world.platform.clearRequestLog();
  await walked();
  expect(world.asked('getPage')).toBe(0);
});

it('walker: a page that is computed and shows no seed follows its specification: it kept the text of the version before', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  proxy.rewrite = hidingOfPages('computedSeed', 'updatedAt', 'createdAt');
  const path = { organizationId: world.organization, specSlug: 'shop' };
  const give = async (name: string): Promise<void> => {
    const paths = { '/carts': { get: { tags: ['carts'], responses: { 200: { description: `All of ${name}` } } } } };
    const text = JSON.stringify({ openapi: '3.0.0', info: { title: 'Carts', version: '1' }, paths });
    await world.api.putOpenApiSpec({ path, body: { source: { text } } });
    await world.platform.settle();
  };
  await give('Shop');
  const space = await addSpace(world, 'Guide');
  world.platform.addComputedPage({ space, spec: 'shop', title: 'Reference' });
  await world.sync({ client: proxy.client });
  await give('Store');
  const { snapshot } = await world.sync({ client: proxy.client });
  const old = rowsOf(world.mirror, `select title from pages where markdown like '%Shop%'`);
  expect([snapshot.state, old]).toEqual(['complete', []]);
});
