// No field of a page's entry in a tree is promised: one without the id of its text, and without a time, looks as before once it is edited.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { hidingOfPages, rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld, type SyncOptions } from '../support/world.ts';

/** A space of two pages, of which trees tell nothing of edits; its id, and that of one of the pages. */
async function untold(world: TestWorld, proxy: Rewriting): Promise<{ space: string; page: string }> {
  proxy.rewrite = hidingOfPages('documentId', 'updatedAt', 'createdAt');
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Home', 'First.'), insert('Other', 'Same.'));
  const { Home: page = '' } = await pagesOf(world, space);
  return { space, page };
}

it('walker: texts of pages whose trees tell nothing of edits are read with them: edited ones kept their old text, and those of requests had that of the space', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const { space, page } = await untold(world, proxy);
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

it('walker: where trees tell nothing of edits, pages of settled requests are read once: those of each were on each of its nights of the rota', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const { space, page } = await untold(world, proxy);
  const rewrite = (markdown: string): Change => ({ type: 'update_page', page, document: { markdown } });
  const proposal = { subject: 'Proposal', changes: [rewrite('Proposed.')] };
  const { id: changeRequestId } = await addRequest(world, space, proposal);
  const path = { spaceId: space, changeRequestId };
  const options: SyncOptions = { client: proxy.client, settings: { rereadNights: 1 } };
  await world.sync(options);
  // Edited and settled between two walks: its tree looks as before.
  await world.api.changeContent({ path, body: { changes: [rewrite('Proposed anew.')] } });
  await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
  const asked: [space: number, requests: number][] = [];
  for (const _ of ['moved', 'quiet']) {
    world.platform.clearRequestLog();
    const { snapshot } = await world.sync(options);
    expect(snapshot.state).toBe('complete');
    asked.push([world.asked('getPage'), world.asked('getChangeRequestPage')]);
  }
  const own = rowsOf(
    world.mirror,
    `select p.markdown from change_request_pages p where p.change_request = '${changeRequestId}' and p.id = '${page}'`,
  );
  expect(own).toEqual([{ markdown: '# Home\n\nProposed anew.' }]);
  expect(asked).toEqual([
    [2, 2],
    [2, 0],
  ]);
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
