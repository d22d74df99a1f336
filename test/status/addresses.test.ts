import { describe, expect, it } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { addressesIn } from '../../src/status/browse/addresses.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

describe('status/browse/addresses', () => {
  // To a page of two megabytes three thousand links led, as to the parts of a reference: the daemon did nothing else for 15 seconds.
  it('looks for a page or a file once, however often a text leads to it: the whole text of the page came with each link', async () => {
    using test = await createTestMirror();
    const file = { id: 'f', name: 'a.png', bytes: 'x' };
    const id = await test.add({
      spaces: [{ id: 's', title: 'S', pages: [{ id: 'p', title: 'P', text: 'x' }], files: [file] }],
    });
    const reader = readerAt(test.mirror, id);
    const asked: string[] = [];
    const one: SnapshotReader['one'] = (kind, key) => {
      asked.push(`${kind} ${key}`);
      return reader.one(kind, key);
    };
    const { link, image } = addressesIn({ reader: { ...reader, one }, space: 's', query: '' });
    const led = ['/pages/p#a', '/pages/p#b', '/spaces/s/pages/p', '/files/f', '/pages/gone', '/pages/gone'].map(link);
    expect(led.map((target) => target?.href ?? null)).toEqual([
      '/browse/spaces/s/pages/p#a',
      '/browse/spaces/s/pages/p#b',
      '/browse/spaces/s/pages/p',
      '/browse/spaces/s/files/f',
      null,
      null,
    ]);
    expect([image('/files/f'), image('/files/f')]).toEqual(['/browse/spaces/s/files/f', '/browse/spaces/s/files/f']);
    expect(asked).toEqual(['page s/p', 'file s/f', 'page s/gone']);
  });
});
