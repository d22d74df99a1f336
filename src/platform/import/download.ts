// What was downloaded, read piece by piece: held in memory while it is little, else in a file without a name.
import { closeSync, openSync, readSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';

/** Disposing gives the file back. */
export interface Download extends Disposable {
  /** In bytes. */
  readonly size: number;
  /** Bytes from a place on, each time anew. Throws where there are not as many. */
  read(start: number, length: number): Buffer;
}

/** This machine did not keep what came, which says nothing of its source. */
export class NotKept extends Error {
  constructor(cause: unknown) {
    super(`what is downloaded cannot be kept: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Bytes that are held whatever becomes of them. */
const MOST_HELD = 4 * 1024 * 1024;

export function heldDownload(bytes: Buffer): Download {
  return {
    size: bytes.length,
    read: (start, length) => demandWhole(bytes.subarray(start, start + length), length),
    [Symbol.dispose]: () => undefined,
  };
}

/** Takes chunks in; more than a few go to the file `path`, which has no name any more when they are there. Without a path all are held. Throws NotKept, and what the chunks throw. */
export async function takeDownload(chunks: AsyncIterable<Buffer>, path: string | undefined): Promise<Download> {
  const waiting: Buffer[] = [];
  let size = 0;
  let file: FileHandle | null = null;
  try {
    for await (const chunk of chunks) {
      waiting.push(chunk);
      size += chunk.length;
      if (path === undefined || (file === null && size <= MOST_HELD)) continue;
      file ??= await kept(open(path, 'w', 0o600));
      await kept(file.writeFile(Buffer.concat(waiting.splice(0))));
    }
    return file === null || path === undefined
      ? heldDownload(Buffer.concat(waiting))
      : await kept(openDownload(path, size));
  } finally {
    await file?.close();
    if (file !== null && path !== undefined) await rm(path, { force: true });
  }
}

async function kept<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (cause) {
    throw new NotKept(cause);
  }
}

async function openDownload(path: string, size: number): Promise<Download> {
  const file = openSync(path, 'r');
  return {
    size,
    read: (start, length) => {
      const bytes = Buffer.allocUnsafe(length);
      return demandWhole(bytes.subarray(0, readSync(file, bytes, 0, length, start)), length);
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

function demandWhole(bytes: Buffer, length: number): Buffer {
  if (bytes.length !== length) throw new Error(`it ends after ${bytes.length} of ${length} bytes`);
  return bytes;
}
