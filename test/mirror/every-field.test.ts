import { expect, it } from 'vitest';
import { fieldsOf, kindNames, kindOf, viewKinds } from '../../src/contract/index.ts';
import { columnsOf, snakeCase } from '../../src/mirror/views/columns.ts';
import { runQuery } from '../../src/mirror/index.ts';
import { importFiles } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';

it('mirror/views has a column for every field of the API: those that list parts of other views were left out', () => {
  const without = kindNames.flatMap((name) => {
    const { view } = kindOf(name);
    if (!viewKinds().has(view)) return [];
    const columns = new Set(columnsOf(view).map((column) => column.name));
    const fields = [...fieldsOf(name).keys()].filter((field) => field !== 'object' && !columns.has(snakeCase(field)));
    return fields.map((field) => `${view}.${snakeCase(field)}`);
  });
  expect(without).toEqual([]);
});

it('mirror/views says of what is kept in another view alone that its column is always null', () => {
  const [column] = columnsOf('revisions').filter(({ name }) => name === 'pages');
  expect(column?.note).toBe('always null: each is a row of pages');
});

it('mirror/views tells the spaces of a section as references', async () => {
  await using world = await furnishedWorld();
  const { guide, news } = world.made;
  await importFiles(world, news, { 'more.md': '# More\n' });
  const path = { organizationId: world.organization };
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs', spaces: [guide] } });
  const section = await world.api.createSiteSection({
    path: { ...path, siteId },
    body: { spaceId: news, title: 'News' },
  });
  await world.sync();
  const { rows } = runQuery(
    world.mirror.dataDir,
    "select json_extract(e.value, '$.id') = s.id from site_sections x, json_each(x.site_spaces) e join site_spaces s on s.site = x.site and s.id = json_extract(e.value, '$.id')",
    null,
  );
  expect(section.id).not.toBe('');
  expect(rows).not.toEqual([]);
});
