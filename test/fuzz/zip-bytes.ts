// ZIP archives byte by byte, so that they may say what no honest writer says.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly data: Buffer;
  /** What the directory says instead of the truth. */
  readonly saidSize?: number;
  readonly saidPacked?: number;
  readonly method?: number;
  readonly flags?: number;
  /** Type and rights as Unix writes them: 0o120777 is a link. */
  readonly mode?: number;
  /** Packed already, so that a large one is packed once for many entries. */
  readonly packed?: Buffer;
  /** Where the bytes are said to be. */
  readonly offset?: number;
}

export interface ZipLies {
  /** How many entries the end says there are. */
  readonly entries?: number;
  /** The directory is written so many times, one after the other. */
  readonly directories?: number;
}

const UTF8_NAME = 0x800;
const UNIX = 3 << 8;
const DEFLATE = 8;

export function zipBytes(entries: readonly ZipEntry[], lies: ZipLies = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = entry.packed ?? (entry.method === 0 ? entry.data : deflateRawSync(entry.data));
    const local = Buffer.concat([header(entry, packed, null), nameOf(entry), packed]);
    directory.push(header(entry, packed, entry.offset ?? offset), nameOf(entry));
    bodies.push(local);
    offset += local.length;
  }
  const listed = Array.from({ length: lies.directories ?? 1 }, () => directory).flat();
  const size = listed.reduce((sum, { length }) => sum + length, 0);
  const count = lies.entries ?? entries.length * (lies.directories ?? 1);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count & 0xffff, 8);
  end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...listed, end]);
}

function nameOf({ name }: ZipEntry): Buffer {
  return Buffer.isBuffer(name) ? name : Buffer.from(name);
}

/** The header before the bytes, or with an offset the one of the directory: the same fields at other places. */
function header(entry: ZipEntry, packed: Buffer, offset: number | null): Buffer {
  const out = Buffer.alloc(offset === null ? 30 : 46);
  const shift = offset === null ? 0 : 2;
  out.writeUInt32LE(offset === null ? 0x04034b50 : 0x02014b50, 0);
  if (offset !== null) out.writeUInt16LE(UNIX | 20, 4);
  out.writeUInt16LE(20, 4 + shift);
  out.writeUInt16LE(entry.flags ?? UTF8_NAME, 6 + shift);
  out.writeUInt16LE(entry.method ?? DEFLATE, 8 + shift);
  out.writeUInt32LE(entry.packed ? 0 : crc32(entry.data), 14 + shift);
  out.writeUInt32LE(entry.saidPacked ?? packed.length, 18 + shift);
  out.writeUInt32LE(entry.saidSize ?? entry.data.length, 22 + shift);
  out.writeUInt16LE(nameOf(entry).length, 26 + shift);
  if (offset === null) return out;
  out.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
  out.writeUInt32LE(offset, 42);
  return out;
}
