// What people look through, and what a full walk makes of it.
import { expect, it } from 'vitest';
import { checkMirror } from '../../src/mirror/index.ts';
import { walkedWorld } from '../support/furnished.ts';
import { rowsOf } from '../support/state.ts';

it.each([
  ['emptied', `insert into pages_search (pages_search) values ('delete-all')`],
  ['taken away', 'drop table pages_search'],
  ['made otherwise', 'drop table pages_search; create virtual table pages_search using fts5 (title)'],
  ['put before a view that shows nothing', 'drop view pages; create view pages as select 1 as id, 2 as title'],
])('walker makes a full-text index that was %s anew in a full walk: it stayed so for good', async (_how, sql) => {
  await using world = await walkedWorld();
  const question = `select p.id from pages p where p.id in (select s.id from pages_search s where pages_search match 'home') order by 1`;
  const before = rowsOf(world.mirror, question);
  expect(before.length).toBeGreaterThan(0);
  world.mirror.store.driver.exec(sql);
  expect((await checkMirror(world.mirror, { readData: false })).problems.length).toBeGreaterThan(0);
  const { snapshot } = await world.sync({ mode: 'full' });
  expect(snapshot.state).toBe('complete');
  expect(rowsOf(world.mirror, question)).toEqual(before);
  expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
});
