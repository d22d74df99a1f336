// The plan as people read it.
import { expect, it } from 'vitest';
import { planOutline } from '../../src/restore/index.ts';
import { edit } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';

it('restore/plan-outline heads the writes to a space with its title, whatever the first of them is about', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const path = { spaceId: made.guide, changeRequestId: made.requests.open };
  await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
  const lines = planOutline(await place.plan());
  expect(lines.some((line) => line.includes(`space ${made.guide}`))).toBe(false);
  expect(lines).toContain('  space Guide');
});
