// What a listing lacks is asked for by its own id: what follows from each answer.
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addCollection, addSpace, edit, insert } from '../support/content.ts';
import { walkedWorld } from '../support/furnished.ts';
import { rewriting, type Rewrite } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { withdrawnSpace } from '../support/withdrawn-space.ts';
import { TestWorld } from '../support/world.ts';

const REFUSED = { status: 403, body: { error: { code: 403, message: 'Not for you' } } };

/** Takes something out of every listing, and a space out of what is counted of it. */
function without(id: string): Rewrite {
  const isIt = (one: unknown): boolean => isRecord(one) && (one['id'] === id || isIt(one['space']));
  const recounted = (one: unknown): unknown =>
    isRecord(one) && typeof one['spaces'] === 'number' ? { ...one, spaces: one['spaces'] - 1 } : one;
  return (_asked, { status, body }) => {
    if (!isRecord(body) || !Array.isArray(body['items'])) return undefined;
    const items = body['items'].filter((one) => !isIt(one)).map(recounted);
    return { status, body: { ...body, items, count: items.length } };
  };
}

const tombstones = ({ mirror }: TestWorld): unknown[] =>
  rowsOf(mirror, `select kind, evidence ->> 'accepted' as accepted from tombstones join resources using (rid)`);

const titles = ({ mirror }: TestWorld, view: string): unknown[] =>
  rowsOf(mirror, `select title from ${view} order by title`).map(({ title }) => title);

describe('walker/visits/absent', () => {
  it('reads on what stands in a space that no listing shows any more, and that is there by its id', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Hidden');
    await edit(world, space, insert('First', 'Text.'));
    await using proxy = await rewriting(world);
    await world.sync({ client: proxy.client });
    proxy.rewrite = without(space);
    await edit(world, space, insert('Second', 'Text.'));
    const { snapshot, kinds } = await world.sync({ client: proxy.client });
    expect([snapshot.state, kinds['space']?.seen, titles(world, 'pages')]).toEqual([
      'complete',
      1,
      ['First', 'Second'],
    ]);
  });

  it('is not complete where the platform shows another space by the id of one that no listing shows: the answer passed for that it is there', async () => {
    await using world = await TestWorld.create();
    const [merged, other] = [await addSpace(world, 'Merged'), await addSpace(world, 'Into this')];
    await using proxy = await rewriting(world);
    await world.sync({ client: proxy.client });
    await world.api.deleteSpace({ path: { spaceId: merged } });
    const body = await world.api.getSpace({ path: { spaceId: other } });
    proxy.rewrite = ({ path }) => (path === `/v1/spaces/${merged}` ? { status: 200, body } : undefined);
    const { snapshot, failures } = await world.sync({ client: proxy.client });
    expect([snapshot.state, failures.map(({ error }) => error)]).toEqual([
      'partial',
      [`The answer for space ${merged} has the id ${other}; expected ${merged}`],
    ]);
  });

  it('finds a space that it may read again by its id alone on the next full walk, and names it no more as refused', async () => {
    await using world = await TestWorld.create();
    await edit(world, await addSpace(world, 'Guide'), insert('Home', 'Text.'));
    const space = await addSpace(world, 'Hidden');
    await edit(world, space, insert('First', 'Text.'));
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await world.sync({ client });
    const hidden = without(space);
    proxy.rewrite = (asked, answer) => (asked.path === `/v1/spaces/${space}` ? REFUSED : hidden(asked, answer));
    const accepted = await world.sync({ client, acceptRights: true });
    expect([accepted.snapshot.state, titles(world, 'spaces')]).toEqual(['complete', ['Guide']]);
    proxy.rewrite = hidden;
    const { snapshot, refused } = await world.sync({ client, mode: 'full' });
    expect([snapshot.state, refused, titles(world, 'spaces')]).toEqual(['complete', [], ['Guide', 'Hidden']]);
    expect(titles(world, 'pages')).toEqual(['First', 'Home']);
  });

  it('names a space no more as refused that the next full walk finds deleted', async () => {
    const withdrawn = await withdrawnSpace();
    await using world = withdrawn.world;
    expect((await world.sync({ acceptRights: true })).refused).toHaveLength(1);
    world.platform.faults = [];
    expect((await world.sync({ mode: 'full' })).refused).toEqual([]);
  });

  it('ends nothing as refused by one 403, where the loss of rights is meant: the next answer says what is true', async () => {
    const withdrawn = await withdrawnSpace();
    await using world = withdrawn.world;
    world.platform.faults = [{ operation: 'getSpace', nth: 1, effect: { status: 403 } }];
    const { snapshot, refused } = await world.sync({ acceptRights: true });
    expect([snapshot.state, refused]).toEqual(['complete', []]);
    expect(tombstones(world)).not.toContainEqual(expect.objectContaining({ accepted: 1 }));
  });

  it('is complete where a collection was transferred to an organization that is not walked, and says where it is', async () => {
    await using world = await TestWorld.create();
    const other = world.platform.createOrganization({ title: 'Other' });
    const collectionId = await addCollection(world, 'Manuals');
    await addCollection(world, 'Others');
    const scope = { organizations: [world.organization], onlySpaces: null, extraSpaces: [] };
    await world.sync({ scope });
    await world.api.transferCollection({ path: { collectionId }, body: { organization: other } });
    for (const _ of ['first', 'second'])
      expect((await world.sync({ scope })).snapshot).toMatchObject({ state: 'complete', reason: null });
    const sql = 'select organization from collections where id = ?';
    expect(rowsOf(world.mirror, sql, collectionId)).toEqual([{ organization: other }]);
  });

  it.each([
    ['is complete where a listing lacked once what is there', 1, 'complete'],
    ['is partial where a listing lacks what is there when it is read once more, too: it may lack more', 2, 'partial'],
  ])('%s', async (_, times, state) => {
    await using world = await TestWorld.create();
    const path = { organizationId: world.organization };
    for (const title of ['One', 'Two']) await world.api.createSite({ path, body: { title } });
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await world.sync({ client });
    const lacking = without(String(rowsOf(world.mirror, 'select id from sites')[0]?.['id']));
    let left = times;
    proxy.rewrite = (asked, answer) =>
      asked.path.endsWith('/sites') && left-- > 0 ? lacking(asked, answer) : undefined;
    const { snapshot, failures, kinds } = await world.sync({ client });
    expect([snapshot.state, kinds['site']?.seen, titles(world, 'sites')]).toEqual([state, 2, ['One', 'Two']]);
    expect(failures.map(({ error }) => error)).toEqual(
      state === 'complete' ? [] : [expect.stringContaining('was listed twice without this site')],
    );
  });

  it('has one suspicion a night of what cannot be asked for, however often its listing was read in it', async () => {
    await using world = await TestWorld.create();
    const path = { organizationId: world.organization };
    const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs', spaces: [] } });
    for (const title of ['First', 'Second'])
      await world.api.createSiteSection({
        path: { ...path, siteId },
        body: { spaceId: await addSpace(world, title), title },
      });
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await world.sync({ client });
    // The first one twice, and the other not at all.
    proxy.rewrite = ({ path: asked }, { status, body }) => {
      if (!asked.endsWith('/sections') || !isRecord(body) || !Array.isArray(body['items'])) return undefined;
      return { status, body: { ...body, items: [body['items'][0], body['items'][0]] as unknown[] } };
    };
    const { snapshot } = await world.sync({ client });
    expect([snapshot.state, tombstones(world)]).toEqual(['partial', []]);
    proxy.rewrite = () => undefined;
    expect((await world.sync({ client })).snapshot.state).toBe('complete');
    expect(titles(world, 'site_sections')).toEqual(['First', 'Second']);
  });

  it('is complete without a space that was deleted while its pages were read; the members seemed to lack it, and it was partial', async () => {
    await using world = await walkedWorld();
    const { guide: spaceId, pages } = world.made;
    const page = pages['Use'] ?? '';
    await edit(world, spaceId, { type: 'update_page', page, document: { markdown: '# Use\n\nNew.' } });
    let isDeleted = false;
    const client = world.hooked(async (operation, input) => {
      if (isDeleted || operation !== 'getPage' || input?.path?.['spaceId'] !== spaceId) return;
      isDeleted = true;
      await world.api.deleteSpace({ path: { spaceId } });
    });
    const { snapshot, kinds } = await world.sync({ client });
    expect([isDeleted, snapshot.state, snapshot.reason]).toEqual([true, 'complete', null]);
    expect([kinds['space'], titles(world, 'spaces')]).toMatchObject([{ seen: 1, gone: 1, failed: 0 }, ['News']]);
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select space from space_members where space = ?', spaceId)).toEqual([]);
  });
});
