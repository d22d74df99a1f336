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
