// Texts whose lines end as on other systems.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { drill } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const TEXT = '# A\n\none\ntwo\n\n* item\n* item\n';

it.each([
  ['CR and LF', '\r\n'],
  ['CR', '\r'],
])('restore/drill passes a text whose lines end with %s: it was called another text', async (_, end) => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Space');
  await edit(world, space, insert('A', TEXT));
  const { A = '' } = await pagesOf(world, space);
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) =>
    path.endsWith(`/page/${A}`) && isRecord(body) && typeof body['markdown'] === 'string'
      ? { status, body: { ...body, markdown: body['markdown'].replaceAll('\n', end) } }
      : undefined;
  await world.sync({ client: proxy.client });
  expect(rowsOf(world.mirror, 'select markdown from pages')).toEqual([{ markdown: TEXT.replaceAll('\n', end) }]);
  const { differences, passed } = await drill(world);
  expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(passed).toBe(true);
});

it('platform/content ends lines of a text in one way, whichever way it comes', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Space');
  await edit(world, space, insert('A', 'one\r\ntwo\rthree\n'));
  const { A = '' } = await pagesOf(world, space);
  const { markdown } = await world.api.getPage({ path: { spaceId: space, pageId: A }, query: { format: 'markdown' } });
  expect(markdown).toBe('# A\n\none\ntwo\nthree\n');
});
