// What a font file says of itself, as far as a choice between fonts needs it: which characters it has, and how high they stand.
import { inflateSync } from 'node:zlib';

/** A font as it is drawn with. */
export interface FontFile {
  /** TrueType. */
  bytes: Buffer;
  /** From the baseline to the top, as a share of the size. */
  ascent: number;
  has(codePoint: number): boolean;
}

const WOFF = 'wOFF';
const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const HEADER = 12;
const ENTRY = 16;

/** Reads a TrueType font, plain or packed as WOFF. */
export function readFont(file: Buffer): FontFile {
  const bytes = file.toString('latin1', 0, 4) === WOFF ? unpack(file) : file;
  const tables = tablesOf(bytes);
  const table = (tag: string): Buffer => tables.get(tag) ?? Buffer.alloc(64);
  return {
    bytes,
    ascent: table('hhea').readInt16BE(4) / (table('head').readUInt16BE(18) || 1),
    has: charactersOf(table('cmap')),
  };
}

// Read as it is, a WOFF is unpacked again for each letter.
function unpack(file: Buffer): Buffer {
  const count = file.readUInt16BE(12);
  const head = Buffer.alloc(HEADER + ENTRY * count);
  file.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const parts: Buffer[] = [head];
  let offset = head.length;
  for (let i = 0; i < count; i++) {
    const from = WOFF_HEADER + WOFF_ENTRY * i;
    const to = HEADER + ENTRY * i;
    const [start, packed, size] = [4, 8, 12].map((at) => file.readUInt32BE(from + at)) as [number, number, number];
    const data = file.subarray(start, start + packed);
    const padding = (4 - (size % 4)) % 4;
    parts.push(packed < size ? inflateSync(data) : data, Buffer.alloc(padding));
    file.copy(head, to, from, from + 4);
    file.copy(head, to + 4, from + 16, from + 20);
    head.writeUInt32BE(offset, to + 8);
    head.writeUInt32BE(size, to + 12);
    offset += size + padding;
  }
  return Buffer.concat(parts);
}

function tablesOf(bytes: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < bytes.readUInt16BE(4); i++) {
    const at = HEADER + ENTRY * i;
    const start = bytes.readUInt32BE(at + 8);
    tables.set(bytes.toString('latin1', at, at + 4), bytes.subarray(start, start + bytes.readUInt32BE(at + 12)));
  }
  return tables;
}

/** Characters of the Unicode subtables in the two formats that matter, 4 and 12. */
function charactersOf(cmap: Buffer): (codePoint: number) => boolean {
  const ranges: [number, number][] = [];
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + 8 * i + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) ranges.push(...shortRanges(table));
    if (format === 12) ranges.push(...longRanges(table));
  }
  // A text asks for the same characters again and again, and has few of the tens of thousands that a font knows.
  const asked = new Map<number, boolean>();
  return (codePoint) => {
    let has = asked.get(codePoint);
    if (has === undefined) {
      has = ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
      asked.set(codePoint, has);
    }
    return has;
  };
}

function shortRanges(table: Buffer): [number, number][] {
  const twice = table.readUInt16BE(6);
  const ranges: [number, number][] = [];
  for (let at = 14; at < 14 + twice; at += 2) {
    const last = table.readUInt16BE(at);
    const first = table.readUInt16BE(at + twice + 2);
    if (last !== 0xffff) ranges.push([first, last]);
  }
  return ranges;
}

function longRanges(table: Buffer): [number, number][] {
  return Array.from({ length: table.readUInt32BE(12) }, (_, i) => {
    const at = 16 + 12 * i;
    return [table.readUInt32BE(at), table.readUInt32BE(at + 4)];
  });
}
