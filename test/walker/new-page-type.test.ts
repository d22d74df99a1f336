// A type of page that the contract does not know yet.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { listDrift } from '../../src/mirror/index.ts';
import { addSpace, importFiles } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it('a page of a new type without a text is read whole: its document was asked for, and every snapshot stayed partial', async () => {
  await using world = await TestWorld.create();
  await importFiles(world, await addSpace(world, 'Handbook'), {
    'README.md': '# Welcome\n\nHello',
    'SUMMARY.md': '* [Welcome](README.md)\n\n## Further\n\n* [More](more.md)\n',
    'more.md': '# More\n\nwords',
  });
  await using proxy = await rewriting(world);
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (!isRecord(value)) return value;
    const all = Object.fromEntries(Object.entries(value).map(([field, one]) => [field, within(one)]));
    return all['type'] === 'group' ? { ...all, type: 'chapter' } : all;
  };
  const asked: string[] = [];
  proxy.rewrite = ({ path }, { status, body }) => {
    if (/content\/page\//.test(path)) asked.push(path);
    return Buffer.isBuffer(body) ? undefined : { status, body: within(body) };
  };
  const walk = async () => {
    asked.length = 0;
    const { snapshot } = await world.sync({ client: proxy.client, settings: { documents: true } });
    return snapshot.state;
  };
  expect(await walk()).toBe('complete');
  const chapters = rowsOf(world.mirror, `select id, markdown from pages where type = 'chapter'`);
  expect(chapters.length).toBeGreaterThan(0);
  expect(chapters.every(({ markdown }) => markdown === null)).toBe(true);
  // Two pages with their documents, and the chapter.
  expect(asked).toHaveLength(5);
  expect(listDrift(world.mirror)).toContainEqual(expect.objectContaining({ path: 'type', value: 'chapter' }));
  expect(await walk()).toBe('complete');
  expect(asked).toEqual([]);
});

it('walker is complete where a computed page shows no text in any form: a document tree of it was missed on every night', async () => {
  await using world = await TestWorld.create();
  await importFiles(world, await addSpace(world, 'Handbook'), {
    'README.md': '# Welcome\n\nHello',
    'api.md': '# API\n\nwords',
  });
  await using proxy = await rewriting(world);
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (!isRecord(value)) return value;
    if (value['title'] !== 'API')
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(one)]));
    const { documentId: _text, markdown: _markdown, document: _document, ...page } = value;
    return { ...page, type: 'computed', computed: { type: 'builtin:openapi' }, computedSeed: 'one' };
  };
  proxy.rewrite = (_, { status, body }) => (Buffer.isBuffer(body) ? undefined : { status, body: within(body) });
  const walk = () => world.sync({ client: proxy.client, settings: { documents: true } });
  for (let night = 0; night < 2; night += 1) {
    const { snapshot, kinds } = await walk();
    expect(snapshot).toMatchObject({ state: 'complete', reason: null });
    expect(kinds['page-document']).toMatchObject({ seen: 1, failed: 0 });
  }
  expect(rowsOf(world.mirror, `select markdown from pages where title = 'API'`)).toEqual([{ markdown: null }]);
});
