// What a settled change request showed as its space did, shows otherwise now, and cannot be read.
import { expect, it } from 'vitest';
import { runQuery } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

interface Archived {
  readonly space: string;
  readonly request: string;
  readonly page: string;
  /** Opens it, and edits the page. */
  readonly reopen: () => Promise<void>;
  readonly archive: () => Promise<unknown>;
  /** What the mirror shows of its pages. */
  readonly shown: () => unknown[][];
}

async function archived(world: TestWorld): Promise<Archived> {
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Top', `First.\n\n${'Words. '.repeat(30)}`));
  const { Top: page = '' } = await pagesOf(world, space);
  const { id: request } = await addRequest(world, space, { subject: 'Beside' });
  const path = { spaceId: space, changeRequestId: request };
  const archive = () => world.api.updateChangeRequest({ path, body: { status: 'archived' } });
  await archive();
  return {
    space,
    request,
    page,
    archive,
    reopen: async () => {
      await world.api.updateChangeRequest({ path, body: { status: 'open' } });
      const changes = [{ type: 'update_page' as const, page, document: { markdown: 'Third.' } }];
      await world.api.changeContent({ path, body: { changes } });
    },
    shown: () =>
      runQuery(
        world.dataDir,
        `select title, substr(markdown, 8, 6) from change_request_pages where change_request = '${request}'`,
        null,
      ).rows,
  };
}

const THIRD = [['Top', 'Third.']];

it('walker keeps what an archived change request showed as its space where its new text cannot be read: the page was gone from the partial snapshot', async () => {
  await using world = await TestWorld.create();
  const { request, page, reopen, archive, shown } = await archived(world);
  await using proxy = await rewriting(world);
  const { client } = proxy;
  await world.sync({ client });
  await reopen();
  await archive();
  const before = shown();
  proxy.rewrite = ({ path }) =>
    path.endsWith(`/change-requests/${request}/content/page/${page}`)
      ? { status: 500, body: { error: { code: 500, message: 'Not now' } } }
      : undefined;
  expect([(await world.sync({ client })).snapshot.state, shown()]).toEqual(['partial', before]);
  proxy.rewrite = () => undefined;
  const { snapshot, kinds } = await world.sync({ client });
  expect([snapshot.state, shown()]).toEqual(['complete', THIRD]);
  expect(kinds['change-request-page']).toMatchObject({ added: 0, changed: 1, gone: 0 });
});

it('walker reads anew what an archived change request that is opened again has damaged of its past: the request stayed as it was, in partial snapshots', async () => {
  await using world = await TestWorld.create();
  const { space, page, reopen, shown } = await archived(world);
  await world.sync();
  await edit(world, space, { type: 'update_page', page, document: { markdown: `Later.\n\n${'Words. '.repeat(30)}` } });
  await world.sync();
  const damage = `update superseded set data = x'00' where bid in (select text from shared_entries)`;
  expect(world.mirror.store.driver.prepare(damage).run().changes).toBeGreaterThan(0);
  await reopen();
  expect([(await world.sync()).snapshot.state, shown()]).toEqual(['complete', THIRD]);
});
