// Width and height of pictures in pixels, from the few bytes that say so.

export interface PictureSize {
  width: number;
  height: number;
}

type Reader = (bytes: Buffer) => PictureSize | undefined;

/** Begins of formats and who reads them. */
const READERS: readonly (readonly [start: RegExp, read: Reader])[] = [
  [/^.PNG\r\n.\n.{4}IHDR/s, (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })],
  [/^GIF8[79]a/, (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) })],
  [/^\xff\xd8/, jpegSize],
  [/^RIFF.{4}WEBPVP8X/s, (bytes) => ({ width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 })],
  [/^RIFF.{4}WEBPVP8L/s, losslessWebpSize],
  [
    /^RIFF.{4}WEBPVP8 /s,
    (bytes) => ({ width: lowBits(bytes.readUInt16LE(26)), height: lowBits(bytes.readUInt16LE(28)) }),
  ],
];
const LONGEST_START = 16;

/** The size of a PNG, JPEG, GIF or WebP; undefined for other bytes, and for those that end too early. */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  const start = bytes.toString('latin1', 0, LONGEST_START);
  const read = READERS.find(([begin]) => begin.test(start))?.[1];
  try {
    const size = read?.(bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    return undefined;
  }
}

/** The size in the frame of a JPEG; throws a RangeError where the bytes end before it. */
export function jpegSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let at = 2; at < bytes.length;) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xff_c0 && marker <= 0xff_cf && ![0xff_c4, 0xff_c8, 0xff_cc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker < 0xff_c0 || marker === 0xff_da) return undefined;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function losslessWebpSize(bytes: Buffer): PictureSize {
  const bits = bytes.readUInt32LE(21);
  return { width: lowBits(bits) + 1, height: lowBits(bits >>> 14) + 1 };
}

function lowBits(value: number): number {
  return value & 0x3f_ff;
}
