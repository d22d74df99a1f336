// Bytes of files and specifications: each once, however many have them, in parts that are read one at a time.
import { sha256 } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { partsHeld, type FileContent } from '../content/file-content.ts';

type Store = Pick<PlatformContext, 'db'>;

/** The first part of bytes stands in `blobs`, where older programs have put all of them. */
export const BLOB_PARTS = `
create table blob_parts (
  sha256 text not null references blobs (sha256) on delete cascade, start integer not null, bytes blob not null,
  unique (sha256, start)
);
`;

/** Bytes that are kept. */
export interface KeptBytes {
  readonly size: number;
  /** From the first byte to the last one of these, both counted, a few at a time. */
  read(first: number, last: number): Generator<Buffer<ArrayBuffer>>;
}

/** Keeps the bytes and answers their hash. */
export function insertBlob(context: Store, bytes: Buffer): string {
  const hash = sha256(bytes);
  keepBlob(context, { sha256: hash, parts: () => partsHeld(bytes) });
  return hash;
}

/** The same for bytes that are read only where they are not kept yet. Call it inside a transaction. Throws what the reading throws. */
export function keepBlob({ db }: Store, { sha256: hash, parts }: Pick<FileContent, 'sha256' | 'parts'>): void {
  if (db.get(db.sql.selectFrom('blobs').select('sha256').where('sha256', '=', hash))) return;
  let start = 0;
  for (const bytes of parts()) {
    if (start === 0) db.run(db.sql.insertInto('blobs').values({ sha256: hash, bytes }));
    else db.run(db.sql.insertInto('blob_parts').values({ sha256: hash, start, bytes }));
    start += bytes.length;
  }
}

/** All the bytes with this hash. */
export function readBlob(context: Store, hash: string): Buffer<ArrayBuffer> | undefined {
  const blob = blobOf(context, hash);
  return blob && Buffer.concat([...blob.read(0, blob.size - 1)]);
}

/** The bytes with this hash, to be read piece by piece. */
export function blobOf({ db }: Store, hash: string): KeptBytes | undefined {
  const parts = db
    .prepare<{ start: number; size: number }>(
      `select 0 as start, length(bytes) as size from blobs where sha256 = @hash
        union all select start, length(bytes) from blob_parts where sha256 = @hash order by start`,
    )
    .all({ hash });
  if (parts.length === 0) return undefined;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return {
    size,
    *read(first, last) {
      for (const part of parts) {
        const [from, to] = [Math.max(first - part.start, 0), Math.min(last + 1 - part.start, part.size)];
        if (from < to) yield partAt({ db }, hash, part.start).subarray(from, to);
      }
    },
  };
}

function partAt({ db }: Store, hash: string, start: number): Buffer<ArrayBuffer> {
  const { sql } = db;
  const first = sql.selectFrom('blobs').select('bytes').where('sha256', '=', hash);
  const later = sql.selectFrom('blob_parts').select('bytes').where('sha256', '=', hash).where('start', '=', start);
  const found = db.get(start === 0 ? first : later);
  if (found === undefined) throw new Error(`the bytes of ${hash} are gone from ${start} on`);
  return found.bytes;
}
