// Entries of a tree that cannot be taken in, and what a person accepted of them.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { acceptSnapshot, isAccepted } from '../../src/mirror/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

type Page = Record<string, unknown>;

/** A space of pages whose tree is shown otherwise than it is. */
async function oddWorld() {
  const world = await TestWorld.create();
  const space = await addSpace(world, 'Docs');
  await edit(world, space, ...['One', 'Two', 'Three'].map((title) => insert(title, 'text')));
  const proxy = await rewriting(world);
  const show = (change: (pages: Page[]) => Page[]): void => {
    proxy.rewrite = ({ path }, { status, body }) =>
      path === `/v1/spaces/${space}/content` && isRecord(body)
        ? { status, body: { ...body, pages: change(structuredClone(body['pages']) as Page[]) } }
        : undefined;
  };
  const night = async () => {
    const { snapshot, failures } = await world.sync({ client: proxy.client });
    return { id: snapshot.id, isAccepted: isAccepted(world.mirror, snapshot.id), failures };
  };
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { world, space, show, night, [Symbol.asyncDispose]: dispose };
}

const withoutId =
  (...titles: string[]) =>
  (pages: Page[]): Page[] =>
    pages.map(({ id, ...page }) => (titles.includes(String(page['title'])) ? page : { ...page, id }));

it('what was accepted of a page without an id is not said of another: all such pages of a tree had one name, and a second one was told to nobody', async () => {
  await using odd = await oddWorld();
  odd.show(withoutId('One'));
  const first = await odd.night();
  expect(first.failures).toMatchObject([{ kind: 'page', code: 'DM_BAD_RESPONSE' }]);
  acceptSnapshot(odd.world.mirror, first.id, 'ticket 7');
  expect(await odd.night()).toMatchObject({ isAccepted: true, failures: [{ resource: first.failures[0]?.resource }] });
  await edit(odd.world, odd.space, insert('Four', 'text'));
  odd.show(withoutId('One', 'Four'));
  expect(await odd.night()).toMatchObject({ isAccepted: false, failures: [{}, {}] });
  odd.show((pages) => withoutId('Four')(pages.filter(({ title }) => title !== 'One')));
  expect(await odd.night()).toMatchObject({ isAccepted: false, failures: [{ code: 'DM_BAD_RESPONSE' }] });
});

it('nor of one that stands twice, and two that say the same have two names', async () => {
  await using odd = await oddWorld();
  const { One = '' } = await pagesOf(odd.world, odd.space);
  odd.show((pages) => [...pages, ...pages.filter(({ id }) => id === One)]);
  const first = await odd.night();
  acceptSnapshot(odd.world.mirror, first.id, 'ticket 7');
  odd.show(withoutId('One'));
  expect((await odd.night()).isAccepted).toBe(false);
  odd.show((pages) => withoutId('One')([...pages, ...pages.filter(({ id }) => id === One)]));
  const { failures } = await odd.night();
  const names = failures.map(({ resource }) => resource).filter((name) => name.includes('?'));
  expect([names.length, new Set(names).size]).toEqual([2, 2]);
});
