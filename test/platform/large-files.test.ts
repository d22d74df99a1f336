// Files that are larger than what is read at once: kept, sent and dropped in parts.
import { expect, it } from 'vitest';
import { sha256 } from '../../src/base/index.ts';
import { MOST_READ } from '../../src/platform/content/file-content.ts';
import { blobOf, insertBlob, readBlob } from '../../src/platform/store/blobs.ts';
import { openStore } from '../../src/platform/store/open-store.ts';
import { packZip } from '../../src/platform/import/pack.ts';
import { createWorld, serveBytes } from './world.ts';

/** No two parts of it are alike. */
function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4096) bytes.writeUInt32BE(at, at);
  return bytes;
}

it('platform/store/blobs keeps bytes in parts and reads any of them, and drops all parts with the first', () => {
  using db = openStore(':memory:');
  const sizes = [0, 1, MOST_READ, MOST_READ + 1, 2 * MOST_READ + 7];
  for (const size of sizes) {
    const bytes = bytesOf(size);
    const hash = insertBlob({ db }, bytes);
    expect(hash).toBe(sha256(bytes));
    expect(readBlob({ db }, hash)?.equals(bytes)).toBe(true);
    const blob = blobOf({ db }, hash);
    expect(blob?.size).toBe(size);
    const within = [...(blob?.read(MOST_READ - 2, MOST_READ + 2) ?? [])];
    expect(Buffer.concat(within).equals(bytes.subarray(MOST_READ - 2, MOST_READ + 3))).toBe(true);
  }
  const parts = (): unknown => db.prepare('select count(*) as parts from blob_parts').get();
  expect(parts()).toEqual({ parts: 3 });
  db.driver.exec('delete from blobs');
  expect(parts()).toEqual({ parts: 0 });
});

it.each([true, false])(
  'platform/files imports a large file, packed: %s, and sends it whole and in part: a drill of a mirror with one of 300 MB took a gigabyte of memory',
  async (compress) => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    const { body: space } = await world.call('createSpace', { path, body: { title: 'Space' } });
    const bytes = bytesOf(2 * MOST_READ + 5);
    await using source = await serveBytes(
      await packZip(
        [
          ['page.md', 'Text.'],
          ['assets/large.bin', bytes],
        ],
        { compress },
      ),
    );
    const spaceId = space.id;
    const imported = await world.call('importContent', { path: { spaceId }, body: { url: source.url, source: 'zip' } });
    expect(imported.body).toMatchObject({ importedResources: 2 });
    const [file] = (await world.call('listFiles', { path: { spaceId } })).body.items;
    expect(file).toMatchObject({ name: 'large.bin', size: bytes.length });
    const get = (headers: Record<string, string> = {}) => fetch(file?.downloadURL ?? '', { headers });
    const whole = await get();
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await get({ range: `bytes=${MOST_READ - 3}-${MOST_READ * 2 + 1}` });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, String(MOST_READ + 5)]);
    const within = bytes.subarray(MOST_READ - 3, MOST_READ * 2 + 2);
    expect(Buffer.from(await part.arrayBuffer()).equals(within)).toBe(true);
  },
);
