import { describe, expect, it } from 'vitest';
import { pictureSize } from '../../src/platform/content/picture-size.ts';
import { createWorld, importFiles, spaceWithPages } from './world.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
const riff = (chunk: string, rest: string): Buffer =>
  bytes(`${ascii('RIFF')} 1e000000 ${ascii(`WEBP${chunk}`)} ${rest}`);

const PICTURES: Record<string, [Buffer, { width: number; height: number }]> = {
  'a.png': [bytes('89504e470d0a1a0a 0000000d 49484452 0000028a 00000117 0802000000'), { width: 650, height: 279 }],
  'b.gif': [bytes(`${ascii('GIF89a')} 2c01 c800 00`), { width: 300, height: 200 }],
  'c.jpg': [bytes('ffd8 ffe00004 0000 ffc0 000b 08 0014 001e 01'), { width: 30, height: 20 }],
  'd.webp': [riff('VP8X', '0a000000 00000000 2b0100 c70000'), { width: 300, height: 200 }],
  'e.webp': [riff('VP8L', '1a000000 2f 2bc13100'), { width: 300, height: 200 }],
  'f.webp': [riff('VP8 ', '1a000000 000000 9d012a 2c01 c800'), { width: 300, height: 200 }],
};

describe('platform/content/picture-size', () => {
  it('tells readers of files how large a picture is, and nothing of other files', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const pictures = Object.fromEntries(Object.entries(PICTURES).map(([name, [file]]) => [`assets/${name}`, file]));
    await importFiles(world, spaceId, { 'a.md': '# A', ...pictures, 'assets/g.txt': 'text' });
    const { items } = (await world.call('listFiles', { path: { spaceId } })).body;
    const shown = Object.fromEntries(items.map(({ name, dimensions }) => [name, dimensions]));
    const expected = Object.fromEntries(Object.entries(PICTURES).map(([name, [, size]]) => [name, size]));
    expect(shown).toEqual({ ...expected, 'g.txt': undefined });
  });

  it.each(Object.entries(PICTURES))('reads nothing from the beginning of %s alone', (_, [file]) => {
    for (let length = 0; length < 10; length++) expect(pictureSize(file.subarray(0, length))).toBeUndefined();
  });
});
