// Links from one space into another, of which nothing moves when what they lead to goes or comes back.
import { describe, expect, it } from 'vitest';
import type { KindCounts } from '../../src/mirror/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { rewriting, unreachableSpace } from '../support/rewriting.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const across = (world: TestWorld, space: string, status: string): unknown =>
  rowsOf(world.mirror, 'select count(*) as n from links where space = ? and status = ?', space, status)[0]?.['n'];

/** Requests of one walk for the links of spaces. */
function linkRequests(world: TestWorld): number {
  return world.platform.requestLog.recent().filter(({ operation }) => operation === 'listSpaceLinks').length;
}

async function quietly(world: TestWorld): Promise<{ state: string; links: number; counts: Partial<KindCounts> }> {
  world.platform.clearRequestLog();
  const { snapshot, kinds } = await world.sync();
  const { seen, added, changed, unchanged, gone } = kinds['link'] ?? {};
  const counts = { seen, added, changed, unchanged, gone } as Partial<KindCounts>;
  return { state: snapshot.state, links: linkRequests(world), counts };
}

describe('walker, links across spaces', () => {
  it('tells links to a page of another space as broken in the night in which that goes: they were ok until the rota came by', async () => {
    await using world = await furnishedWorld();
    const { guide } = world.made;
    await edit(world, guide, insert('Target', 'Here.'));
    const { Target: page = '' } = await pagesOf(world, guide);
    const linking = await addSpace(world, 'Linking');
    await edit(
      world,
      linking,
      insert('Across', `See [it](/spaces/${guide}/pages/${page}) and [all](/spaces/${guide}).`),
    );
    const aside = await addSpace(world, 'Aside');
    await edit(world, aside, insert('Other', `See [all](/spaces/${guide}) only.`));
    await world.sync();
    expect([across(world, linking, 'ok'), across(world, aside, 'ok')]).toEqual([2, 1]);
    expect(await quietly(world)).toMatchObject({ state: 'complete', links: 0 });

    await edit(world, guide, { type: 'delete_page', page });
    const { state, links, counts } = await quietly(world);
    // Of the guide, which has moved, and of the one space that links to the page.
    expect([state, links]).toEqual(['complete', 2]);
    expect([across(world, linking, 'ok'), across(world, linking, 'broken')]).toEqual([1, 1]);
    expect(counts.seen).toBe(rowsOf(world.mirror, 'select count(*) as n from links')[0]?.['n']);
    expect((counts.added ?? 0) + (counts.changed ?? 0) + (counts.unchanged ?? 0)).toBe(counts.seen);
    expect(await quietly(world)).toMatchObject({ state: 'complete', links: 0 });
  });

  it('tells links into a space as broken while that is in the bin, and as ok when it is out of it', async () => {
    await using world = await furnishedWorld();
    const { guide } = world.made;
    const linking = await addSpace(world, 'Linking');
    await edit(world, linking, insert('Across', `See [all](/spaces/${guide}).`));
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: guide } });
    expect(await quietly(world)).toMatchObject({ state: 'complete' });
    expect([across(world, linking, 'ok'), across(world, linking, 'broken')]).toEqual([0, 1]);
    await world.api.restoreSpace({ path: { spaceId: guide } });
    expect(await quietly(world)).toMatchObject({ state: 'complete' });
    expect([across(world, linking, 'ok'), across(world, linking, 'broken')]).toEqual([1, 0]);
  });

  it('tells what a limited walk found gone in the next one of everything', async () => {
    await using world = await furnishedWorld();
    const { guide, pages } = world.made;
    const linking = await addSpace(world, 'Linking');
    await edit(world, linking, insert('Across', `See [it](/spaces/${guide}/pages/${pages['Use']}).`));
    await world.sync();
    await world.sync();
    await edit(world, guide, { type: 'delete_page', page: pages['Use'] ?? '' });
    await world.sync({ scope: { organizations: null, onlySpaces: [guide], extraSpaces: [] } });
    expect(across(world, linking, 'ok')).toBe(1);
    expect(await quietly(world)).toMatchObject({ state: 'complete', links: 1 });
    expect(across(world, linking, 'broken')).toBe(1);
  });

  it.each(['incremental', 'full'] as const)(
    'tells links as broken, in a walk that is %s, to a page that goes after they were read: they stayed ok until the rota',
    async (mode) => {
      await using world = await TestWorld.create();
      const target = await addSpace(world, 'Target');
      const linking = await addSpace(world, 'Linking');
      await edit(world, target, insert('Stays', 'Here.'), insert('Goes', 'Here.'));
      const { Goes: page = '' } = await pagesOf(world, target);
      const links = `See [it](/spaces/${target}/pages/${page}) and [all](/spaces/${target}).`;
      await edit(world, linking, insert('Across', links));
      await world.sync();
      await edit(world, linking, insert('Another', 'Nothing.'));
      await edit(world, target, insert('New', 'Here.'));
      const read: string[] = [];
      const client = world.hooked(async (operation, input) => {
        const space = input?.path?.['spaceId'];
        if (operation === 'listSpaceLinks') read.push(String(space));
        if (operation !== 'getRevision' || space !== target || read.includes(target)) return;
        expect(read).toEqual([linking]);
        if (read.push(target) === 2) await edit(world, target, { type: 'delete_page', page });
      });
      const { snapshot, kinds } = await world.sync({ client, mode, settings: { lanes: 1 } });
      expect(read.filter((space) => space === linking)).toHaveLength(2);
      expect(snapshot.state).toBe('complete');
      expect([across(world, linking, 'ok'), across(world, linking, 'broken')]).toEqual([1, 1]);
      expect(kinds['link']?.seen).toBe(rowsOf(world.mirror, 'select count(*) as n from links')[0]?.['n']);
    },
  );

  it('names the organization that a space is in by now in links of other spaces: the former one stood there until the rota', async () => {
    await using world = await TestWorld.create();
    const target = await addSpace(world, 'Target');
    const linking = await addSpace(world, 'Linking');
    await edit(world, linking, insert('Across', `See [all](/spaces/${target}).`));
    await world.sync();
    const organization = world.platform.createOrganization({ title: 'Other' });
    await world.api.transferSpace({ path: { spaceId: target }, body: { organization } });
    expect(await quietly(world)).toMatchObject({ state: 'complete', links: 2 });
    const sql = `select json_extract(target_reference, '$.organization.id') as id from links where space = ?`;
    expect(rowsOf(world.mirror, sql, linking)).toEqual([{ id: organization }]);
    expect(await quietly(world)).toMatchObject({ state: 'complete', links: 0 });
  });

  it('tells links as broken of a space that could not be reached in the night in which what they lead to went: they were ok for weeks, in complete snapshots', async () => {
    await using world = await furnishedWorld();
    const { guide, pages } = world.made;
    const linking = await addSpace(world, 'Linking');
    await edit(world, linking, insert('Across', `See [it](/spaces/${guide}/pages/${pages['Use']}).`));
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await world.sync({ client });
    await edit(world, guide, { type: 'delete_page', page: pages['Use'] ?? '' });
    proxy.rewrite = unreachableSpace(linking);
    expect((await world.sync({ client })).snapshot.state).toBe('partial');
    proxy.rewrite = () => undefined;
    expect((await world.sync({ client })).snapshot.state).toBe('complete');
    expect([across(world, linking, 'ok'), across(world, linking, 'broken')]).toEqual([0, 1]);
  });
});
