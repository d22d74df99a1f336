import { expect, it } from 'vitest';
import { furnishedWorld } from '../support/furnished.ts';

it('walker/usage is counted later where it cannot be written for a moment: a disk that filled up just then ended the process with a stack trace', async () => {
  await using world = await furnishedWorld();
  const { store } = world.mirror;
  // SQLite has room for the walk, and not for what the trigger writes.
  store.prepare('create table filler (bytes blob)').run();
  store.prepare('pragma max_page_count = 400').get();
  store
    .prepare(`create trigger full before update of requests on snapshots when exists (select 1 from frontier)
    begin insert into filler values (zeroblob(40000000)); end`)
    .run();
  const before = world.client.meter.requests;
  const { snapshot } = await world.sync();
  store.prepare('drop trigger full').run();
  expect([snapshot.state, snapshot.requests]).toEqual(['complete', world.client.meter.requests - before]);
});
