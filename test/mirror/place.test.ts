import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addSpace, importFiles } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

function* objectsOf({ mirror }: TestWorld): IterableIterator<string> {
  const sql = 'select distinct sha256 from files where sha256 is not null';
  for (const row of mirror.store.driver.prepare<[], { sha256: string }>(sql).iterate()) yield row.sha256;
}

const NUMBERS = [1, 2, 3, 4, 5, 6];

/** A page, and files whose bytes no other space has. */
function filesOf(title: string): Record<string, string> {
  const links = NUMBERS.map((number) => `[${number}](assets/${number}.txt)`).join(', ');
  const files = NUMBERS.map((number): [string, string] => [`assets/${number}.txt`, `${title} ${number}\n`]);
  return { 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': `# Home\n\n${links}\n`, ...Object.fromEntries(files) };
}

it('seals no snapshot whose files went into the folder that is left when the disk is unmounted in the middle of the walk', async () => {
  await using world = await TestWorld.create();
  for (const title of ['One', 'Two', 'Three', 'Four'])
    await importFiles(world, await addSpace(world, title), filesOf(title));
  const elsewhere = `${world.dataDir}-elsewhere`;
  let revisions = 0;
  const unmounting = world.hooked((operation) => {
    if (operation !== 'getRevision') return;
    revisions += 1;
    if (revisions !== 2) return;
    renameSync(world.dataDir, elsewhere);
    mkdirSync(world.dataDir);
  });
  // One after the other: no file is on its way when the disk goes, so nothing but the place itself tells that it is gone.
  const walked = world.sync({ client: unmounting, settings: { lanes: 1 } });
  await expect(walked).rejects.toThrow();
  rmSync(world.dataDir, { recursive: true });
  renameSync(elsewhere, world.dataDir);
  const { snapshot } = await world.sync();
  expect(snapshot).toMatchObject({ id: 1, state: 'complete' });
  const objects = [...objectsOf(world)];
  expect(objects.length).toBeGreaterThan(3);
  for (const object of objects) expect([object, await world.mirror.objects.verify(object)]).toEqual([object, true]);
}, 60_000);

it('says that objects/ was taken away in the middle of the walk, and goes on once it is back: that was told as a fault in Docmirror, and no daemon walked again an hour later', async () => {
  await using world = await TestWorld.create();
  for (const title of ['One', 'Two']) await importFiles(world, await addSpace(world, title), filesOf(title));
  const { folder } = world.mirror.objects;
  let revisions = 0;
  const taking = world.hooked((operation) => {
    if (operation !== 'getRevision') return;
    revisions += 1;
    if (revisions !== 2) return;
    renameSync(folder, `${folder}-elsewhere`);
    writeFileSync(folder, '');
  });
  await expect(world.sync({ client: taking, settings: { lanes: 1 } })).rejects.toMatchObject({
    code: 'DM_DATA_DIR_UNUSABLE',
    message: expect.stringContaining(`${folder} was taken away, or something else was put there: `),
  });
  rmSync(folder);
  renameSync(`${folder}-elsewhere`, folder);
  expect((await world.sync()).snapshot).toMatchObject({ id: 1, state: 'complete' });
  for (const object of objectsOf(world)) expect(await world.mirror.objects.verify(object)).toBe(true);
});

it('seals no snapshot without the files that it had brought when objects/ is taken away in the middle of the walk: that was made anew, and the rest was called complete', async () => {
  await using world = await TestWorld.create();
  for (const title of ['One', 'Two', 'Three']) await importFiles(world, await addSpace(world, title), filesOf(title));
  const { folder } = world.mirror.objects;
  let revisions = 0;
  const taking = world.hooked((operation) => {
    if (operation === 'getRevision' && ++revisions === 3) renameSync(folder, `${folder}-elsewhere`);
  });
  await expect(world.sync({ client: taking, settings: { lanes: 1 } })).rejects.toMatchObject({
    code: 'DM_DATA_DIR_UNUSABLE',
    message: expect.stringContaining(`${folder} was taken away`),
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(`${folder}-elsewhere`, folder);
  expect((await world.sync()).snapshot).toMatchObject({ id: 1, state: 'complete' });
  for (const object of objectsOf(world)) expect(await world.mirror.objects.verify(object)).toBe(true);
});
