import fc from 'fast-check';
import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { inVisualOrder } from '../../src/platform/pdf/direction.ts';
import { measureAt, type Drawing } from '../../src/platform/pdf/drawing.ts';
import { createFonts } from '../../src/platform/pdf/fonts.ts';
import { layoutRuns, type Line } from '../../src/platform/pdf/layout.ts';
import { readPicture } from '../../src/platform/pdf/picture.ts';
import { plainRun } from '../../src/platform/pdf/runs.ts';
import { wordsOf } from '../../src/platform/pdf/words.ts';
import { createWorld, importFiles, spaceWithPages } from './world.ts';

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  // Nobody looks at the checksum.
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

interface PngLooks {
  width?: number;
  height?: number;
  color?: number;
  pixels?: Buffer;
}

function png({ width = 2, height = 2, color = 6, pixels = Buffer.alloc(2 * (2 * 4 + 1)) }: PngLooks): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8);
  head.writeUInt8(color, 9);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    start,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const BAD_FILTER = Buffer.alloc(2 * (2 * 4 + 1), 9);
const whole = png({});
const DAMAGED: Record<string, Buffer> = {
  'cut off': whole.subarray(0, -20),
  'without pixels': png({ pixels: Buffer.alloc(3) }),
  'with rows that nobody can read': png({ pixels: BAD_FILTER }),
  'with a palette that is missing': png({ color: 3, pixels: Buffer.alloc(6) }),
  'of billions of pixels': png({ width: 60_000, height: 60_000 }),
  'with bytes that are not packed': Buffer.from(whole.map((byte, i) => (i > 42 && i < 50 ? byte ^ 0xff : byte))),
  'of nothing': Buffer.alloc(0),
  'that begins like a JPEG': Buffer.from('ffd8ff00000000000000', 'hex'),
};

function drawingOn(pdf: PDFKit.PDFDocument): Drawing {
  return { pdf, fonts: createFonts(pdf), picture: () => undefined, gapEnd: 0 };
}

function linesOf(text: string, width: number): Line[] {
  const pdf = new PDFDocument({ font: '' });
  return layoutRuns(measureAt(drawingOn(pdf), 10), [plainRun(text)], width);
}

function textOf(line: Line): string {
  return line.pieces.map(({ text }) => text).join('');
}

describe('platform/pdf/picture', () => {
  it('reads a whole PNG, and the size of a JPEG', () => {
    expect(readPicture(whole)).toMatchObject({ width: 2, height: 2 });
    const jpeg = Buffer.from('ffd8ffe000040000ffc0000b080010002001011100', 'hex');
    expect(readPicture(jpeg)).toMatchObject({ width: 32, height: 16 });
  });

  it.each(Object.entries(DAMAGED))('knows a picture %s', (_, bytes) => {
    expect(readPicture(bytes)).toBeUndefined();
  });

  it('lets the platform live on when a page shows a damaged picture', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const files = Object.fromEntries(Object.entries(DAMAGED).map(([, bytes], i) => [`assets/${i}.png`, bytes]));
    const shown = Object.keys(files).map((file) => `![](${file})`);
    await importFiles(world, spaceId, { 'one.md': `# One\n\n${shown.join('\n\n')}\n`, ...files });
    const { body } = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const pdf = await world.call('getChangeRequestPdf', { path: { spaceId, changeRequestId: body.id } });
    expect(pdf.status).toBe(200);
    expect((await fetch(pdf.body.url)).status).toBe(200);
    expect((await world.call('listOrganizations')).status).toBe(200);
  });
});

describe('platform/pdf/layout', () => {
  it('draws no more than 30 marks on one letter: 50,000 of them took 24 seconds', () => {
    const shown = linesOf(`e${'\u0301'.repeat(50_000)}f`, 300)
      .map(textOf)
      .join('');
    expect(shown).toBe(`e${'\u0301'.repeat(30)}f`);
  });

  it('has letters for Japanese, Thai and Hindi, and a box for what no font has', () => {
    const fonts = (text: string) => linesOf(text, 400).flatMap(({ pieces }) => pieces.map(({ font }) => font));
    expect(fonts('日本語')).toEqual(['wide']);
    expect(fonts('สวัสดี नमस्ते').includes('wide')).toBe(true);
    expect(fonts('Ж ß ✓')).toEqual(['text']);
    expect(linesOf('a 👩🏽‍💻 b', 400).map(textOf)).toEqual(['a □ b']);
  });

  it('breaks Japanese between words, not before a full stop, and addresses after a slash', () => {
    expect(wordsOf('日本語です。').every((word) => !word.startsWith('。'))).toBe(true);
    expect(wordsOf('日本語のドキュメント').length).toBeGreaterThan(1);
    expect(wordsOf('see https://a.example/b/c')).toEqual(['see ', 'https://a.example/', 'b/', 'c']);
  });

  it('loses no letter and fills no line beyond its width', () => {
    const letters = fc.constantFrom('a', 'Wide', ' ', '  ', '日本', 'ש', 'م', '(', ')', '9', '/', '.');
    const pdf = new PDFDocument({ font: '' });
    const measure = measureAt(drawingOn(pdf), 10);
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 60 }), fc.integer({ min: 40, max: 300 }), (parts, width) => {
        const text = parts.join('');
        const lines = layoutRuns(measure, [plainRun(text)], width);
        const sorted = (one: string) =>
          Array.from(one.replaceAll(/[\s()]/g, ''))
            .toSorted()
            .join('');
        expect(sorted(lines.map(textOf).join(''))).toBe(sorted(text));
        for (const { pieces } of lines) {
          const used = pieces.reduce((sum, piece) => sum + measure.widthOf(piece), 0);
          expect(used).toBeLessThanOrEqual(width + 1);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('platform/pdf/direction', () => {
  const order = (text: string, isRight: boolean) => inVisualOrder([{ text }], isRight).map((piece) => piece.text);

  it('sets Hebrew and Arabic from the right, word by word, with the brackets turned', () => {
    expect(order('אב גד', true)).toEqual(['גד', ' ', 'אב']);
    expect(order('(אב)', true)).toEqual(['(', 'אב', ')']);
    expect(order('see אב גד now', false)).toEqual(['see', ' ', 'גד', ' ', 'אב', ' ', 'now']);
  });

  it('keeps numbers and Latin words among them from the left', () => {
    expect(order('אב 12.5 גד', true)).toEqual(['גד', ' ', '12.5', ' ', 'אב']);
    expect(order('אב go on גד', true)).toEqual(['גד', ' ', 'go', ' ', 'on', ' ', 'אב']);
  });
});
