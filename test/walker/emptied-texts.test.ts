// A text has another id whenever it is another: one that comes back empty under the id that it had is no answer.
import { expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const settings = { documents: true };

async function spaceOfOne(world: TestWorld): Promise<void> {
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Install', 'How to install it.'));
  await world.sync({ settings });
}

/** A client that finds a field of each page as given. */
function finding(world: TestWorld, fields: object): ApiClient {
  const client = world.hooked(() => undefined);
  const ask = client.callRaw.bind(client);
  client.callRaw = async (name, input, options) => {
    const answer = await ask(name, input, options);
    return name === 'getPage' ? { ...(answer as object), ...fields } : answer;
  };
  return client;
}

const texts = ({ mirror }: TestWorld): unknown[] => rowsOf(mirror, 'select markdown from pages order by title');

it('walker/entries does not believe a text that comes back empty under the same documentId, until a later night shows the same', async () => {
  await using world = await TestWorld.create();
  await spaceOfOne(world);
  const before = texts(world);
  const client = finding(world, { markdown: '' });
  for (const mode of ['full', 'full'] as const) {
    const { snapshot, failures } = await world.sync({ client, mode, settings });
    expect([snapshot.state, failures[0]?.error]).toEqual(['partial', expect.stringContaining('same documentId')]);
    expect(texts(world)).toEqual(before);
  }
  world.clock.advance(13 * 3_600_000);
  expect((await world.sync({ client, mode: 'full', settings })).snapshot.state).toBe('complete');
  expect(texts(world)).not.toEqual(before);
});

it('walker/entries takes an empty text under another documentId for what it is: somebody took the text away', async () => {
  await using world = await TestWorld.create();
  await spaceOfOne(world);
  const client = finding(world, { markdown: '', documentId: 'another' });
  const { failures } = await world.sync({ client, mode: 'full', settings });
  expect(failures.filter(({ error }) => error.includes('is empty'))).toEqual([]);
  expect(texts(world)).toEqual([{ markdown: '' }]);
});

it('walker/entries takes an empty text for what it is where a page tells of no documentId, as one that is computed', async () => {
  await using world = await TestWorld.create();
  await spaceOfOne(world);
  const told = { mode: 'full', settings } as const;
  await world.sync({ client: finding(world, { documentId: undefined }), ...told });
  await world.sync({ client: finding(world, { documentId: undefined, markdown: '' }), ...told });
  expect(texts(world)).toEqual([{ markdown: '' }]);
});

it('walker/entries has the text again that an answer lacked once', async () => {
  await using world = await TestWorld.create();
  await spaceOfOne(world);
  const before = texts(world);
  await world.sync({ client: finding(world, { markdown: '' }), mode: 'full', settings });
  expect((await world.sync({ settings })).snapshot.state).toBe('complete');
  expect(texts(world)).toEqual(before);
});

it('walker/entries believes no empty text because another night had shown one long ago, and the text since', async () => {
  await using world = await TestWorld.create();
  await spaceOfOne(world);
  const before = texts(world);
  const client = finding(world, { markdown: '' });
  for (const glitch of [true, false, true]) {
    await world.sync({ ...(glitch ? { client } : {}), mode: 'full', settings });
    world.clock.advance(30 * 24 * 3_600_000);
  }
  expect(texts(world)).toEqual(before);
});

it('walker/documents does not believe a tree without nodes beside a page that has a text', async () => {
  await using world = await TestWorld.create();
  await spaceOfOne(world);
  const before = rowsOf(
    world.mirror,
    "select body from resources join versions using (rid) where kind = 'page-document'",
  );
  const client = finding(world, { document: {} });
  const { snapshot, failures } = await world.sync({ client, mode: 'full', settings });
  expect([snapshot.state, failures[0]?.kind]).toEqual(['partial', 'page-document']);
  expect(
    rowsOf(world.mirror, "select body from resources join versions using (rid) where kind = 'page-document'"),
  ).toEqual(before);
});
