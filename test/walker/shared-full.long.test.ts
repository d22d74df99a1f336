// A full walk of what merged change requests show as their spaces do.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { checkMirror, runQuery } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { rewriting, type Rewrite } from '../support/rewriting.ts';
import { rowsOf, stateOf, versions } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

/** Answers with another text, or with another document tree, of each page. */
function wrongly(field: string): Rewrite {
  const wrong = field === 'markdown' ? 'Something else.' : { object: 'document', data: {}, nodes: [] };
  return ({ path }, { status, body }) =>
    path.includes('/content/page/') && isRecord(body) && field in body
      ? { status, body: { ...body, [field]: wrong } }
      : undefined;
}

/** Walks a platform that answers with something wrong, and then all of the right one. */
async function expectMended(world: TestWorld, field: string): Promise<void> {
  await using proxy = await rewriting(world);
  proxy.rewrite = wrongly(field);
  const settings = { documents: true };
  await world.sync({ settings, client: proxy.client });
  await expectTrueInFull(world, settings);
}

/** After a full walk the mirror is as one that never saw anything wrong. */
async function expectTrueInFull(world: TestWorld, settings: { documents: boolean }): Promise<void> {
  const { snapshot } = await world.sync({ settings, mode: 'full' });
  using fresh = await world.newMirror();
  const truth = stateOf(fresh, (await world.sync({ settings, mirror: fresh })).snapshot.id);
  expect(snapshot.state).toBe('complete');
  expect(stateOf(world.mirror, snapshot.id)).toEqual(truth);
  expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
}

it.each(['markdown', 'document'])(
  'walker: a full walk mends a wrong %s under the same id in merged change requests, too: they showed it for good, in complete snapshots',
  async (field) => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await edit(world, space, insert('Top', 'First.'));
    await edit(world, space, insert('Other', 'Beside.'));
    await expectMended(world, field);
  },
);

it.each(['markdown', 'document'])(
  'walker: a full walk mends a wrong %s that several merged change requests show and the space has edited since: all but one showed it for good',
  async (field) => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    for (const title of ['Top', 'Other', 'Last']) await edit(world, space, insert(title, 'First.'));
    for (const page of Object.values(await pagesOf(world, space)))
      await edit(world, space, { type: 'update_page', page, document: { markdown: 'Second.' } });
    await expectMended(world, field);
  },
);

it.each(['markdown', 'document'])(
  'walker: a full walk mends a wrong %s of an earlier night that merged change requests alone show by now: nothing read it, for good',
  async (field) => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await edit(world, space, insert('Top', 'First.'));
    await edit(world, space, insert('Other', 'Beside.'));
    await using proxy = await rewriting(world);
    proxy.rewrite = wrongly(field);
    const settings = { documents: true };
    await world.sync({ settings, client: proxy.client });
    const { Top: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page, document: { markdown: 'Second.' } });
    await world.sync({ settings });
    await expectTrueInFull(world, settings);
    // From then on one of them has it of its own, and the next full walk reads it there.
    const { kinds } = await world.sync({ settings, mode: 'full' });
    const held = versions(world.mirror, 'change_request_pages');
    expect(kinds['change-request-page']).toMatchObject({ seen: 5, unchanged: 5 });
    await expectTrueInFull(world, settings);
    expect(versions(world.mirror, 'change_request_pages')).toBe(held);
  },
);

it('walker: a full walk reads the texts of an open change request itself: it took those that its space had on an earlier night', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Top', 'First.'));
  const { id } = await addRequest(world, space, { subject: 'Beside', changes: [insert('Other', 'Second.')] });
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) =>
    path.includes(`/spaces/${space}/content/page/`) && isRecord(body) && 'markdown' in body
      ? { status, body: { ...body, markdown: 'Only in the space.' } }
      : undefined;
  const topOfRequest = async (mode: 'incremental' | 'full'): Promise<unknown> => {
    const { snapshot } = await world.sync({ client: proxy.client, mode });
    const ofRequest = `select markdown from change_request_pages where title = 'Top' and change_request = '${id}'`;
    const { rows } = runQuery(world.dataDir, ofRequest, null);
    return [snapshot.state, ...rows];
  };
  // The tree says that both are the same: each night it is believed, and no request is spent.
  expect(await topOfRequest('incremental')).toEqual(['complete', ['Only in the space.']]);
  expect(await topOfRequest('full')).toEqual(['complete', ['# Top\n\nFirst.']]);
});

it('walker: a full walk reads each text of the past once, where requests were mirrored while they were open: it read it for each of them', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  for (const title of ['Top', 'Other', 'Last']) await edit(world, space, insert(title, 'First.'));
  for (const subject of ['One', 'Two', 'Three']) {
    const { id: changeRequestId } = await addRequest(world, space, { subject, changes: [insert(subject, 'First.')] });
    await world.sync();
    await world.api.mergeChangeRequest({ path: { spaceId: space, changeRequestId } });
    await world.sync();
  }
  for (const page of Object.values(await pagesOf(world, space)))
    await edit(world, space, { type: 'update_page', page, document: { markdown: 'Second.' } });
  await world.sync();
  await world.sync({ mode: 'full' });
  const sql = `select count(*) - count(distinct r.id) as twice from resources r join versions v on v.rid = r.rid and v.valid_to is null
    where r.kind = 'change-request-page'`;
  expect(rowsOf(world.mirror, sql)).toEqual([{ twice: 0 }]);
});
