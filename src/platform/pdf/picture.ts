// Pictures that may be put into a PDF. The library decodes them later, where nothing catches what a damaged one throws: so what is
// not known to be whole never gets there.
import { inflateSync } from 'node:zlib';
import { jpegSize, type PictureSize } from '../content/picture-size.ts';

/** A PNG or JPEG that is whole; sizes are pixels. */
export interface Picture extends PictureSize {
  bytes: Buffer;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_PIXELS = 32_000_000;
/** Samples in a pixel by PNG's colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
const LAST_FILTER = 4;

/** The picture; undefined for other formats, for one that is damaged, interlaced or larger than 32 million pixels. */
export function readPicture(bytes: Buffer | undefined): Picture | undefined {
  if (!bytes) return undefined;
  try {
    return bytes.subarray(0, PNG.length).equals(PNG) ? readPng(bytes) : readJpeg(bytes);
  } catch {
    // Bytes that end too early, or that cannot be unpacked.
    return undefined;
  }
}

interface Chunk {
  type: string;
  data: Buffer;
}

function readPng(bytes: Buffer): Picture | undefined {
  const chunks = chunksOf(bytes);
  const headers = chunks.filter(({ type }) => type === 'IHDR');
  const head = headers[0]?.data;
  if (!head || head.length !== 13 || headers.length > 1 || chunks.at(-1)?.type !== 'IEND') return undefined;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [bits, color, interlace] = [head.readUInt8(8), head.readUInt8(9), head.readUInt8(12)];
  const samples = SAMPLES.get(color);
  if (samples === undefined || ![1, 2, 4, 8, 16].includes(bits) || interlace !== 0) return undefined;
  if (width * height === 0 || width * height > MOST_PIXELS) return undefined;
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data;
  if (color === 3 && (!palette || palette.length < 3 || palette.length % 3 !== 0 || bits > 8)) return undefined;
  const row = Math.ceil((width * samples * bits) / 8) + 1;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  return areRows(inflateSync(packed, { maxOutputLength: row * height }), { row, height })
    ? { bytes, width, height }
    : undefined;
}

/** Throws a RangeError where the bytes end too early. */
function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = PNG.length; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    bytes.readUInt32BE(end);
    chunks.push({ type, data: bytes.subarray(at + 8, end) });
    at = end + 4;
    if (type === 'IEND') break;
  }
  return chunks;
}

function areRows(pixels: Buffer, { row, height }: { row: number; height: number }): boolean {
  if (pixels.length !== row * height) return false;
  for (let at = 0; at < pixels.length; at += row) if ((pixels[at] ?? LAST_FILTER + 1) > LAST_FILTER) return false;
  return true;
}

/** A JPEG goes into the file as it is; only its frame has to be found. */
function readJpeg(bytes: Buffer): Picture | undefined {
  const size = jpegSize(bytes);
  return size && { bytes, ...size };
}
