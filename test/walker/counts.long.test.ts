// What a walk says that it has seen is all that is held, however it came to know: read, proved by a mark, or found unchanged in a tree.
import { describe, expect, it } from 'vitest';
import { lazy } from '../../src/base/index.ts';
import type { ApiClient, PageOptions, RawInput } from '../../src/client/index.ts';
import { kindNames, type PagedOperationName } from '../../src/contract/index.ts';
import { countsOf, lastSealed, readerAt } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { furnishedWorld, walkedWorld, wholeWorld } from '../support/furnished.ts';
import { danglingIn, rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

// The first one, and a turn of the rota and a half.
const NIGHTS = 5;

const heldIn = (world: TestWorld): Record<string, unknown> => {
  const reader = readerAt(world.mirror, lastSealed(world.mirror)?.id ?? 0);
  const held = kindNames.map((kind) => [kind, reader.count(kind)] as const);
  return Object.fromEntries(held.filter(([, amount]) => amount > 0));
};

const seenIn = (world: TestWorld, snapshot: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(countsOf(world.mirror, snapshot)).map(([kind, { seen }]) => [kind, seen]));

/** A client to which a listing lacks its last item once, so that it is read again; `midway` comes before that, with ids of the first and the last. */
function lackingOnce(
  world: TestWorld,
  operation: string,
  midway: (shown: string, lacked: string) => Promise<unknown>,
): ApiClient {
  let cut: { readonly listing: string; readonly ids: readonly string[] } | undefined;
  const again = lazy(() => midway(cut?.ids[0] ?? '', cut?.ids.at(-1) ?? ''));
  return Object.assign(
    world.hooked(() => undefined),
    {
      async *paginateRaw(name: PagedOperationName, input: RawInput, options?: PageOptions) {
        const listing = `${name} ${JSON.stringify(input)}`;
        if (cut?.listing === listing) await again();
        for await (const page of world.client.paginateRaw(name, input, options)) {
          const cuts = name === operation && cut === undefined && page.items.length > 1;
          if (cuts) cut = { listing, ids: page.items.map(({ id }) => String(id)) };
          yield cuts ? { ...page, items: page.items.slice(0, -1) } : page;
        }
      },
    },
  );
}

describe('walker, counts', () => {
  it('counts the values of a custom field that was deleted as gone, and no longer as unchanged', async () => {
    await using world = await TestWorld.create();
    const path = { organizationId: world.organization };
    for (const name of ['stage', 'kept']) await world.api.createCustomField({ path, body: { name, type: 'text' } });
    for (const title of ['One', 'Two']) {
      const spaceId = await addSpace(world, title);
      const values = { stage: { value: 'ready' }, kept: { value: 'yes' } };
      await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values } });
    }
    await world.sync();
    await world.api.deleteCustomField({ path: { ...path, fieldName: 'stage' } });
    const { snapshot, kinds } = await world.sync();
    expect([kinds['custom-field-value'], seenIn(world, snapshot.id)]).toEqual([
      expect.objectContaining({ seen: 2, unchanged: 2, gone: 2 }),
      heldIn(world),
    ]);
  });

  it('reads the values of a custom field that was made again under its name: those of before stood there for a week', async () => {
    await using world = await TestWorld.create();
    const path = { organizationId: world.organization };
    const make = async () => world.api.createCustomField({ path, body: { name: 'stage', type: 'text' } });
    await make();
    for (const title of ['One', 'Two', 'Without']) {
      const path = { spaceId: await addSpace(world, title) };
      const values = { stage: { value: title } };
      if (title !== 'Without') await world.api.updateCustomFieldValues({ path, body: { values } });
    }
    const settings = { rereadNights: 1000 };
    await world.sync({ settings });
    await world.api.deleteCustomField({ path: { ...path, fieldName: 'stage' } });
    await make();
    world.platform.clearRequestLog();
    const { snapshot, kinds } = await world.sync({ settings });
    expect(rowsOf(world.mirror, 'select value from custom_field_values')).toEqual(Array(3).fill({ value: null }));
    expect([kinds['custom-field-value'], seenIn(world, snapshot.id)]).toEqual([
      expect.objectContaining({ seen: 3, gone: 0 }),
      heldIn(world),
    ]);
    // A space that had none is not asked again for it.
    const asked = world.platform.requestLog.recent().filter(({ operation }) => operation === 'getCustomFieldValues');
    expect(asked).toHaveLength(2);
  });

  it('sees on each night as much of every kind as is held, although each night reads other parts of it', async () => {
    await using world = await wholeWorld();
    const settings = { documents: true, pdfs: true, rereadNights: 3 };
    const nights: Record<string, unknown>[] = [];
    for (let night = 0; night < NIGHTS; night++)
      nights.push(seenIn(world, (await world.sync({ settings })).snapshot.id));
    const held = heldIn(world);
    expect(nights).toEqual(nights.map(() => held));
  });

  it('counts a page once that another one makes room for while the tree is read', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Moving');
    await edit(world, space, insert('A', 'a'), insert('B', 'b'), insert('C', 'c'));
    await world.sync();
    const { A = '', B = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page: B, document: { markdown: 'new' } });
    let deleted = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'getPage' || deleted) return;
      deleted = true;
      await edit(world, space, { type: 'delete_page', page: A });
    });
    const { kinds } = await world.sync({ client });
    expect(kinds['page']).toMatchObject({ seen: 2, gone: 1, changed: 2, unchanged: 0 });
  });

  it.each(['full', 'incremental'] as const)(
    'counts once what it reads twice, since a page was edited meanwhile (%s walk): every page, file and document tree was seen twice',
    async (mode) => {
      await using world = await furnishedWorld();
      const { guide } = world.made;
      const settings = { documents: true };
      await world.sync({ settings });
      const [first = '', second = ''] = Object.values(await pagesOf(world, guide));
      const update = (page: string, markdown: string): Change => ({
        type: 'update_page',
        page,
        document: { markdown },
      });
      await edit(world, guide, update(first, 'Before the walk'));
      const midway = lazy(() => edit(world, guide, update(second, 'In the middle of it')));
      const client = world.hooked(async (operation) => void (operation === 'getPage' && (await midway())));
      const { snapshot } = await world.sync({ client, mode, settings });
      expect([snapshot.state, seenIn(world, snapshot.id)]).toEqual(['complete', heldIn(world)]);
    },
  );

  it('does not count a space that it has seen and that was deleted before it was over', async () => {
    await using world = await walkedWorld();
    const { guide, news } = world.made;
    const added = await addSpace(world, 'New');
    const midway = lazy(async () => {
      for (const spaceId of [added, news]) await world.api.deleteSpace({ path: { spaceId } });
    });
    const client = world.hooked(async (operation) => void (operation === 'getRevision' && (await midway())));
    for (const spaceId of [guide, news, added]) await edit(world, spaceId, insert('One more', 'text'));
    const { snapshot, kinds } = await world.sync({ client });
    expect([snapshot.state, seenIn(world, snapshot.id)['space']]).toEqual(['complete', 1]);
    expect(kinds['space']).toMatchObject({ seen: 1, added: 0, gone: 1 });
  });

  it('shows what each member sees where one space went and another came, which moves no counter: rows of the gone one stayed for a week', async () => {
    await using world = await TestWorld.create();
    const person = { displayName: 'Robin', email: 'robin@example.com', organization: world.organization };
    const { id: robin } = world.platform.createUser({ ...person, role: 'admin' });
    const [gone] = [await addSpace(world, 'Gone'), await addSpace(world, 'Kept')];
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: gone } });
    const come = await addSpace(world, 'Come');
    const { snapshot } = await world.sync();
    expect([snapshot.state, danglingIn(world.mirror)]).toEqual(['complete', []]);
    expect(
      rowsOf(world.mirror, `select member from space_members where space = '${come}' and member = '${robin}'`),
    ).toHaveLength(1);
    expect(seenIn(world, snapshot.id)).toEqual(heldIn(world));
  });

  it('does not count what a listing has shown and, read again, shows no more, nor what it has never shown', async () => {
    await using world = await furnishedWorld();
    const path = { spaceId: world.made.guide };
    for (const markdown of ['Stays', 'Last']) await world.api.createComment({ path, body: { body: { markdown } } });
    await world.sync();
    const client = lackingOnce(world, 'listComments', async (...ids) => {
      for (const commentId of ids) await world.api.deleteComment({ path: { ...path, commentId } });
    });
    const { snapshot, kinds } = await world.sync({ client, mode: 'full' });
    expect([snapshot.state, seenIn(world, snapshot.id)['comment']]).toEqual(['complete', heldIn(world)['comment']]);
    expect(kinds['comment']).toMatchObject({ gone: 2 });
  });

  it.each(['full', 'incremental'] as const)(
    'counts once what lies below a site and a change request that were edited before their listing was read again (%s walk)',
    async (mode) => {
      await using world = await wholeWorld();
      const { guide } = world.made;
      const path = { organizationId: world.organization };
      await world.api.createSite({ path, body: { title: 'Another' } as never });
      for (const subject of ['One', 'Two'])
        await addRequest(world, guide, { subject, changes: [insert(subject, `Text of ${subject}`)] });
      await world.sync();
      const renamed = lackingOnce(world, 'listSites', (siteId) =>
        world.api.updateSite({ path: { ...path, siteId }, body: { title: 'Edited' } as never }),
      );
      const first = await world.sync({ client: renamed, mode });
      expect([first.snapshot.state, seenIn(world, first.snapshot.id)]).toEqual(['complete', heldIn(world)]);

      await edit(world, guide, insert('More', 'more'));
      const subject = { subject: 'Edited' } as never;
      const edited = lackingOnce(world, 'listChangeRequests', async (changeRequestId) => {
        const request = { path: { spaceId: guide, changeRequestId } };
        await world.api.updateChangeRequest({ ...request, body: subject });
        await world.api.changeContent({ path: request.path, body: { changes: [insert('Late', 'late')] } });
      });
      const second = await world.sync({ client: edited, mode });
      expect([second.snapshot.state, seenIn(world, second.snapshot.id)]).toEqual(['complete', heldIn(world)]);
      expect(rowsOf(world.mirror, `select title from change_request_pages where title = 'Late'`)).toHaveLength(1);
    },
  );
});
