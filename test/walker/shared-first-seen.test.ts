import { expect, it } from 'vitest';
import { runQuery } from '../../src/mirror/index.ts';
import { addRequest, addSpace, insert } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const DAY = 86_400_000;

it('walker tells of a page of a merged change request when it was first seen there: the night of the request itself was told, one before the page was written', async () => {
  await using world = await TestWorld.create();
  const spaceId = await addSpace(world, 'Guide');
  const { id } = await addRequest(world, spaceId, { subject: 'Change', changes: [insert('One', 'First.')] });
  const path = { spaceId, changeRequestId: id };
  await world.sync();
  world.clock.advance(DAY);
  await world.api.changeContent({ path, body: { changes: [insert('Two', 'Second.')] } });
  await world.sync();
  const seen = (view: string): unknown[][] =>
    runQuery(
      world.dataDir,
      `select p.title, n.id from ${view} p left join snapshots n on n.started_at = p.first_seen_at order by 1`,
      null,
    ).rows;
  const nights = [
    ['One', 1],
    ['Two', 2],
  ];
  expect(seen('change_request_pages')).toEqual(nights);
  world.clock.advance(DAY);
  await world.api.mergeChangeRequest({ path });
  await world.sync();
  expect(seen('change_request_pages')).toEqual(nights);
  expect(seen('(select distinct title, first_seen_at from change_request_pages_history)')).toEqual(nights);
});
