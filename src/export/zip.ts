// A layout as the archive that a platform imports.
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ObjectStore } from '../mirror/index.ts';
import type { LayoutFile, SpaceLayout } from './space-layout.ts';

export interface ZipResult {
  /** Files in the archive. */
  readonly entries: number;
  /** Size of the archive. */
  readonly bytes: number;
}

// The first time a ZIP can hold, so that equal content gives equal bytes.
const MTIME = new Date(1980, 0, 1);
const PACKED = /\.(png|jpe?g|gif|webp|avif|mp4|webm|mp3|zip|gz|br|zst|woff2?|pdf|docx|xlsx|pptx)$/i;

export interface ZipTarget {
  readonly path: string;
  /** False for what does not leave this machine: packing costs more than it saves there. True when absent. */
  readonly packed?: boolean;
}

/** Writes a layout as a ZIP, one file at a time. A failed one is removed; throws what the disk or the object store says. */
export async function zipLayout(
  layout: Pick<SpaceLayout, 'files'>,
  objects: Pick<ObjectStore, 'pathOf'>,
  { path, packed = true }: ZipTarget,
): Promise<ZipResult> {
  const zip = new ZipFile();
  const aborter = new AbortController();
  const written = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }), { signal: aborter.signal });
  // Whoever fails first is what the caller hears of.
  const filled = fill(zip, layout.files, { objects, packed }).catch((error: unknown) => {
    aborter.abort(error);
    throw error;
  });
  try {
    const entries = await Promise.race([filled, written.then(() => filled)]);
    await written;
    return { entries, bytes: (await stat(path)).size };
  } catch (error) {
    await Promise.allSettled([written]);
    await rm(path, { force: true });
    throw error;
  }
}

interface Filling {
  readonly packed: boolean;
  readonly objects: Pick<ObjectStore, 'pathOf'>;
}

async function fill(zip: ZipFile, files: Iterable<LayoutFile>, filling: Filling): Promise<number> {
  let entries = 0;
  for (const file of files) {
    await addEntry(zip, file, filling);
    entries += 1;
  }
  zip.end();
  return entries;
}

/** Adds a file and waits until it was read: the archive holds one at a time in memory. */
function addEntry(zip: ZipFile, file: LayoutFile, { objects, packed }: Filling): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.once('error', reject);
    const options = { mtime: MTIME, forceDosTimestamp: true, compress: packed && !PACKED.test(file.path) };
    zip.addReadStreamLazy(file.path, options, (use) => {
      const stream =
        'text' in file ? Readable.from([Buffer.from(file.text)]) : createReadStream(objects.pathOf(file.object));
      stream.once('error', reject);
      stream.once('end', () => {
        zip.off('error', reject);
        resolve();
      });
      use(null, stream);
    });
  });
}
