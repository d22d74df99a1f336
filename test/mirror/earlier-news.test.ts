import { expect, it } from 'vitest';
import { runQuery } from '../../src/mirror/index.ts';
import { createTestMirror, type WorldSpec } from '../support/mirror-builder.ts';

function worldOf(status: string, subject: string, text: string): WorldSpec {
  const pages = [{ id: 'p1', title: 'Page', text }];
  return { spaces: [{ id: 's1', title: 'Guide', pages, requests: [{ id: 'r1', number: 1, subject, status, pages }] }] };
}

it('mirror/views/change-feed tells a change request as it was then, also where it was changed since: it had no status, and what it had merged was told twice', async () => {
  using test = await createTestMirror();
  await test.add(worldOf('draft', 'Edit', 'Old.'));
  await test.add(worldOf('open', 'Edit', 'Old.'));
  await test.add(worldOf('merged', 'Edit', 'New.'));
  await test.add(worldOf('merged', 'Edited', 'New.'));
  const sql = `select snapshot, change, kind, status from changes
    where kind in ('page', 'change-request', 'change-request-page') order by snapshot, kind`;
  const { rows } = runQuery(test.dataDir, sql, null);
  expect(rows.slice(rows.findIndex(([snapshot]) => snapshot === 2))).toEqual([
    [2, 'changed', 'change-request', 'open'],
    [3, 'changed', 'change-request', 'merged'],
    [3, 'changed', 'page', null],
    [4, 'changed', 'change-request', 'merged'],
  ]);
  expect(rows[0]).toEqual([1, 'added', 'change-request', 'draft']);
  expect(rows).toEqual(runQuery(test.dataDir, sql, 4).rows);
});
