import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openPromise } from 'yauzl';
import { describe, expect, it } from 'vitest';
import { keepLinks, spaceLayout, zipLayout, type SpaceLayout } from '../../src/export/index.ts';
import { takeIn } from '../../src/export/files/take-in.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

async function layOut(world: TestMirror): Promise<SpaceLayout> {
  const big = Buffer.alloc(3_000_000, 'bytes ');
  const snapshot = await world.add({
    spaces: [
      {
        id: 's1',
        title: 'Space',
        pages: Array.from({ length: 50 }, (_, index) => ({
          id: `p${index}`,
          title: `Page ${index}`,
          text: 'text '.repeat(500),
        })),
        files: [
          { id: 'f1', name: 'big.bin', bytes: big },
          { id: 'f2', name: 'empty.png', bytes: '' },
        ],
      },
    ],
  });
  return spaceLayout({ reader: readerAt(world.mirror, snapshot), space: 's1', links: keepLinks });
}

async function read(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk as Uint8Array));
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  zip.close();
  return files;
}

describe('export/files/take-in', () => {
  it('holds as many bytes as it may, and writes no more of a file than it was given', async () => {
    using world = await createTestMirror();
    const path = join(world.dataDir, 'taken');
    const taken = (most: number) => takeIn(Readable.from([Buffer.from('abc'), Buffer.from('de')]), { path, most });
    expect([(await taken(5)).held?.toString(), existsSync(path)]).toEqual(['abcde', false]);
    expect([await taken(4), readFileSync(path, 'utf8')]).toEqual([{ bytes: 5, held: null }, 'abcde']);
  });
});

describe('export/files/zip', () => {
  it('packs texts and bytes, and the same content into the same archive', async () => {
    using world = await createTestMirror();
    const layout = await layOut(world);
    const [one, two] = [join(world.dataDir, 'one.zip'), join(world.dataDir, 'two.zip')];
    const result = await zipLayout(layout, world.mirror.objects, { path: one });
    const files = await read(one);
    expect(result).toMatchObject({ entries: 53, bytes: readFileSync(one).length });
    expect([...files.keys()].slice(0, 2)).toEqual(['SUMMARY.md', 'page-0.md']);
    expect(files.get('page-7.md')?.toString()).toBe(`# Page 7\n\n${'text '.repeat(500)}`);
    expect(files.get('assets/big.bin')?.equals(Buffer.alloc(3_000_000, 'bytes '))).toBe(true);
    expect(files.get('assets/empty.png')).toHaveLength(0);
    await zipLayout(layout, world.mirror.objects, { path: two });
    expect(readFileSync(two).equals(readFileSync(one))).toBe(true);
  });

  it.each([true, false])('is held while it is small, and the same in a file (packed: %s)', async (packed) => {
    using world = await createTestMirror();
    const layout = await layOut(world);
    const path = join(world.dataDir, 'one.zip');
    const { held } = await zipLayout(layout, world.mirror.objects, { path, packed, hold: 100_000_000 });
    expect(existsSync(path)).toBe(false);
    const written = await zipLayout(layout, world.mirror.objects, { path, packed, hold: 1000 });
    expect([written.held, held?.equals(readFileSync(path)), held?.length]).toEqual([null, true, written.bytes]);
    const files = await read(path);
    expect(files.get('page-7.md')?.toString()).toBe(`# Page 7\n\n${'text '.repeat(500)}`);
    expect([files.size, files.get('assets/big.bin')?.length]).toEqual([53, 3_000_000]);
  });

  it('writes all texts of a large archive that is not packed, as those that are held and those that are not', async () => {
    using world = await createTestMirror();
    const path = join(world.dataDir, 'large.zip');
    const files = Array.from('abc', (name) => ({ path: `${name}.md`, text: name.repeat(5_000_000) }));
    await zipLayout({ files }, world.mirror.objects, { path, packed: false });
    const written = await read(path);
    for (const { path: name, text } of files) expect(written.get(name)?.equals(Buffer.from(text))).toBe(true);
  });

  it('leaves no archive behind when bytes are missing or the place cannot be written', async () => {
    using world = await createTestMirror();
    const layout = await layOut(world);
    await expect(
      zipLayout(layout, world.mirror.objects, { path: join(world.dataDir, 'no', 'a.zip') }),
    ).rejects.toMatchObject({
      code: 'ENOENT',
    });
    for (const object of world.mirror.objects.list()) rmSync(world.mirror.objects.pathOf(object));
    const path = join(world.dataDir, 'broken.zip');
    await expect(zipLayout(layout, world.mirror.objects, { path })).rejects.toMatchObject({ code: 'ENOENT' });
    expect(existsSync(path)).toBe(false);
  });
});
