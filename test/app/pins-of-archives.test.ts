import { expect, it } from 'vitest';
import { pinFor } from '../../src/app/restoring/restore-pins.ts';
import { listPins } from '../../src/mirror/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

it('app/restore pins the snapshot that a plan reads, and none for a plan that reads an archive of its own, whose numbers mean others there', async () => {
  using world = await createTestMirror();
  await world.add({ spaces: [] });
  const plan = { snapshot: 1, live: null, undoes: 'aB3', archive: '/data/restores/aB3/before' };
  pinFor(world.mirror, plan as unknown as Plan, 'undo');
  expect(listPins(world.mirror)).toEqual([]);
  pinFor(world.mirror, { ...plan, archive: null } as unknown as Plan, 'restore');
  expect(listPins(world.mirror)).toMatchObject([{ snapshot: 1 }]);
});
