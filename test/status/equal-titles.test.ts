// Spaces that have one title, as each team may have its handbook.
import { expect, it } from 'vitest';
import { recipes, runQuery } from '../../src/mirror/index.ts';
import { readReport } from '../../src/status/index.ts';
import { createTestMirror, type WorldSpec } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';

function worldOf(text: string): WorldSpec {
  const pages = (id: string) => [
    { id: `${id}1`, title: 'Start', text: `${text} ${id}`, body: { updatedAt: '2020-01-01T00:00:00.000Z' } },
  ];
  const spaces = ['a', 'b', 'c'].map((id) => ({ id, title: id === 'c' ? 'Other' : 'Handbook', pages: pages(id) }));
  return { spaces };
}

it('status/report and the recipes tell spaces of one title apart by their ids: rows of several spaces looked the same', async () => {
  using made = await createTestMirror();
  await made.add(worldOf('Old.'));
  await made.add(worldOf('New.'));
  const rows = (name: string): string[] =>
    runQuery(made.dataDir, recipes.find((one) => one.name === name)?.sql ?? '', null).rows.map(([space]) =>
      String(space),
    );
  const names = ['Handbook (a)', 'Handbook (b)', 'Other'];
  for (const name of [
    'stale-pages',
    'largest-spaces',
    'pages-without-description',
    'most-edited-pages',
    'spaces-without-site',
  ])
    expect([name, rows(name).toSorted()]).toEqual([name, names]);
  const report = readReport(made.mirror);
  expect(report?.spaces.map(({ title }) => title).toSorted()).toEqual(names);
  expect(report?.stalePages.map(({ spaceTitle }) => spaceTitle).toSorted()).toEqual(names);
  expect(report?.changes.map(({ spaceTitle }) => spaceTitle)).toEqual(names);
  expect((await visitor(made)('/report')).text).toContain('Handbook (b)');
});
