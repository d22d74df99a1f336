// What a higher plan is needed for is refused with 402.
import { expect, it } from 'vitest';
import { outOfReach } from '../../src/mirror/index.ts';
import { isAskedAndRefused } from '../../src/mirror/snapshots/lacking.ts';
import { withdrawnSpace } from '../support/withdrawn-space.ts';

it('walker/absent notes the status with which a space was refused: of a 402 it said 403', async () => {
  const { world, news } = await withdrawnSpace();
  await using _world = world;
  world.platform.faults = [{ operation: 'getSpace', effect: { status: 402 } }];
  const { snapshot } = await world.sync();
  const [space] = outOfReach(world.mirror, snapshot.id).filter(({ kind }) => kind === 'space');
  expect(space).toMatchObject({ resource: news, status: 402 });
  expect(space && isAskedAndRefused(space)).toBe(true);
});
