import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { seedDemo } from '../../src/platform/index.ts';
import { TestWorld } from '../support/world.ts';

function* objectsOf({ mirror }: TestWorld): IterableIterator<string> {
  const sql = 'select distinct sha256 from files where sha256 is not null';
  for (const row of mirror.store.driver.prepare<[], { sha256: string }>(sql).iterate()) yield row.sha256;
}

it('seals no snapshot whose files went into the folder that is left when the disk is unmounted in the middle of the walk', async () => {
  await using world = await TestWorld.create();
  await seedDemo({ platform: world.platform });
  const elsewhere = `${world.dataDir}-elsewhere`;
  let downloads = 0;
  const unmounting = world.hooked((operation) => {
    if (operation !== 'download') return;
    downloads += 1;
    if (downloads !== 3) return;
    renameSync(world.dataDir, elsewhere);
    mkdirSync(world.dataDir);
  });
  const walked = world.sync({ client: unmounting });
  await expect(walked).rejects.toThrow();
  rmSync(world.dataDir, { recursive: true });
  renameSync(elsewhere, world.dataDir);
  const { snapshot } = await world.sync();
  expect(snapshot).toMatchObject({ id: 1, state: 'complete' });
  const objects = [...objectsOf(world)];
  expect(objects.length).toBeGreaterThan(3);
  for (const object of objects) expect([object, await world.mirror.objects.verify(object)]).toEqual([object, true]);
}, 60_000);
