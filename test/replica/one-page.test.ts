// What is read of the others of a space when one of its pages, or the links of one, are asked for.
import { expect, it } from 'vitest';
import { addSpace, importFiles } from '../support/content.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { askingReplica } from '../support/replica.ts';
import { TestWorld } from '../support/world.ts';

it('replica/content shows a page that has none below it without reading the others of its space: each took as long as the whole tree', async () => {
  using made = await createTestMirror();
  const below = [{ id: 'inner', title: 'Inner', text: '# Inner\n' }];
  const pages = [
    { id: 'home', title: 'Home', text: '# Home\n', pages: below },
    { id: 'other', title: 'Other', text: '# Other\n' },
  ];
  await made.add({ spaces: [{ id: 's', title: 'Guide', pages }] });
  const ask = askingReplica(made.dataDir);
  const targetOf = (id: string): string => `/v1/spaces/s/content/page/${id}?format=markdown`;
  const before = ['home', 'inner', 'other'].map((id) => ask(targetOf(id)).body);
  expect(before).toMatchObject([{ pages: [{ id: 'inner', pages: [] }] }, { pages: [] }, { pages: [] }]);
  // What cannot be read was not read.
  made.mirror.store.driver.exec(`update bodies set data = 'x' || data where data like '%"title":"Other"%'`);
  expect(['inner', 'other'].map((id) => ask(targetOf(id)).status)).toEqual([200, 500]);
  expect(ask(targetOf('inner')).body).toEqual(before[1]);
});

it('replica/content does not show a page that stands in no tree, whether or not it has pages below it', async () => {
  using made = await createTestMirror();
  const inner = {
    id: 'inner',
    title: 'Inner',
    text: '# Inner\n',
    pages: [{ id: 'leaf', title: 'Leaf', text: '# L\n' }],
  };
  await made.add({ spaces: [{ id: 's', title: 'Guide', pages: [{ id: 'home', title: 'Home', pages: [inner] }] }] });
  const ask = askingReplica(made.dataDir);
  const numberOf = (id: string): string => `(select rid from resources where key = 's/${id}')`;
  for (const damage of [`update versions set parent = ${numberOf('inner')}`, 'delete from versions']) {
    made.mirror.store.driver.exec(`${damage} where rid = ${numberOf('home')}`);
    for (const id of ['home', 'inner', 'leaf']) expect(ask(`/v1/spaces/s/content/page/${id}`).status).toBe(404);
  }
});

it('replica/links of one page are those of the space that it holds, as the platform lists them', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  const lines = ['# One\n', '[Two](two.md) and [nowhere](gone.md)\n', '[out](https://example.com)\n'];
  await importFiles(world, space, { 'one.md': lines.join('\n'), 'two.md': '# Two\n\n[One](one.md)\n' });
  await world.sync();
  const ask = askingReplica(world.dataDir);
  const { pages } = ask(`/v1/spaces/${space}/content/pages`).body as { pages: { id: string }[] };
  const headers = { authorization: `Bearer ${world.platform.token}` };
  const targets = [
    `/v1/spaces/${space}/links`,
    ...pages.map(({ id }) => `/v1/spaces/${space}/content/page/${id}/links`),
  ];
  for (const target of targets.flatMap((one) => [one, `${one}?limit=1`, `${one}?status=broken`])) {
    const live: unknown = await (await fetch(`${world.platform.url}${target}`, { headers })).json();
    const { next: _, ...there } = live as Record<string, unknown>;
    const { next: __, ...here } = ask(target).body as Record<string, unknown>;
    expect({ target, ...here }).toEqual({ target, ...there });
  }
  // Whatever its kind is called, one that nobody knows is shown as it is.
  const odd = '{"object":"constructor","id":"x"}';
  const { driver } = world.mirror.store;
  driver.exec(`update bodies set data = json_set(data, '$.odd', json('${odd}')) where data like '%"status":"broken"%'`);
  expect(ask(`/v1/spaces/${space}/links?status=broken`).body).toMatchObject({ items: [{ odd: JSON.parse(odd) }] });
  // What cannot be read may be one of them.
  driver.exec(`update bodies set data = 'x' || data where data like '%"status":"broken"%'`);
  expect(targets.map((target) => ask(target).status)).toEqual(targets.map(() => 500));
});

it('replica/content shows a link without pages and without text, as the platform does', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, {
    'one.md': '# One\n',
    'SUMMARY.md': '* [One](one.md)\n* [Out](https://example.com)\n',
  });
  await world.sync();
  const ask = askingReplica(world.dataDir);
  const headers = { authorization: `Bearer ${world.platform.token}` };
  const content = `/v1/spaces/${space}/content`;
  const { pages } = ask(`${content}/pages`).body as { pages: { id: string; type: string }[] };
  expect(pages.map(({ type }) => type)).toEqual(['document', 'link']);
  for (const target of [`${content}/pages`, ...pages.map(({ id }) => `${content}/page/${id}?format=markdown`)]) {
    const there: unknown = await (await fetch(`${world.platform.url}${target}`, { headers })).json();
    expect([target, ask(target).body]).toEqual([target, there]);
  }
});

it('replica/collections do not list the spaces of one without those that cannot be read: one whose body was lost, or JSON of something else, was left out', async () => {
  for (const damage of [
    `update bodies set data = 'null'`,
    `update bodies set data = 'x' || data`,
    'delete from bodies',
  ]) {
    using made = await createTestMirror();
    const spaces = ['one', 'two'].map((id) => ({ id, title: id, parent: 'c' }));
    await made.add({ collections: [{ id: 'c', title: 'Work' }], spaces });
    const { driver } = made.mirror.store;
    driver.pragma('foreign_keys = off');
    driver.exec(`${damage} where data like '%"id":"two"%'`);
    expect([damage, askingReplica(made.dataDir)('/v1/collections/c/spaces').status]).toEqual([damage, 500]);
  }
});
