// Bytes that are held while they are few, and go to a file once they are more.
import { open, type FileHandle } from 'node:fs/promises';

/** What was taken in: all of it in `held`, or in the file. */
export interface Taken {
  readonly bytes: number;
  /** Null when it went to the file. */
  readonly held: Buffer | null;
}

/** Takes a stream in; up to `most` bytes are held, more go to `path`, as does everything when `most` is 0. Throws what the disk says. */
export async function takeIn(
  chunks: AsyncIterable<Buffer>,
  { path, most }: { readonly path: string; readonly most: number },
): Promise<Taken> {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | null = null;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      waiting.push(chunk);
      if (bytes > most) file = await spill(waiting, file ?? (await open(path, 'w', 0o600)));
    }
    if (file === null && most > 0) return { bytes, held: Buffer.concat(waiting) };
    file = await spill(waiting, file ?? (await open(path, 'w', 0o600)));
    return { bytes, held: null };
  } finally {
    await file?.close();
  }
}

async function spill(waiting: Buffer[], file: FileHandle): Promise<FileHandle> {
  for (const chunk of waiting.splice(0)) await file.writeFile(chunk);
  return file;
}
