// A layout as the archive that a platform imports.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ObjectStore } from '../../mirror/index.ts';
import type { LayoutFile, SpaceLayout } from '../layout/space-layout.ts';
import { takeIn } from './take-in.ts';

export interface ZipResult {
  /** Files in the archive. */
  readonly entries: number;
  /** Size of the archive. */
  readonly bytes: number;
  /** The archive itself where it is small enough to be held; then there is no file. */
  readonly held: Buffer | null;
}

// The first time a ZIP can hold, so that equal content gives equal bytes.
const MTIME = new Date(1980, 0, 1);
/** Bytes of texts that are held until the archive is written, as the library does with buffers: those that it reads as streams cost twice the time. */
const MOST_HELD = 8 * 1024 * 1024;
const PACKED = /\.(png|jpe?g|gif|webp|avif|mp4|webm|mp3|zip|gz|br|zst|woff2?|pdf|docx|xlsx|pptx)$/i;

export interface ZipTarget {
  readonly path: string;
  /** False for what does not leave this machine: packing costs more than it saves there. True when absent. */
  readonly packed?: boolean;
  /** Bytes up to which the archive is held instead of being written to `path`; 0 when absent. */
  readonly hold?: number;
}

/** Writes a layout as a ZIP, a few files at a time. A failed one is removed; throws what the disk or the object store says. */
export async function zipLayout(
  layout: Pick<SpaceLayout, 'files'>,
  objects: Pick<ObjectStore, 'pathOf'>,
  { path, packed = true, hold = 0 }: ZipTarget,
): Promise<ZipResult> {
  const zip = new ZipFile();
  const aborter = new AbortController();
  const source = new PassThrough();
  const piped = pipeline(zip.outputStream, source, { signal: aborter.signal });
  const written = takeIn(source, { path, most: hold });
  // Its failure shows where the source is taken in.
  piped.catch(() => undefined);
  // Whoever fails first is what the caller hears of.
  const filled = fill(zip, layout.files, { objects, packed }).catch((error: unknown) => {
    aborter.abort(error);
    throw error;
  });
  try {
    const entries = await Promise.race([filled, written.then(() => filled)]);
    return { entries, ...(await written) };
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
  let held = 0;
  for (const file of files) {
    const text = 'text' in file && !filling.packed && held < MOST_HELD ? Buffer.from(file.text) : null;
    if (text === null) await addEntry(zip, file, filling);
    else zip.addBuffer(text, file.path, { mtime: MTIME, forceDosTimestamp: true, compress: false });
    held += text?.length ?? 0;
    entries += 1;
  }
  zip.end();
  return entries;
}

/** Adds a file and waits until it and all before it were read. */
function addEntry(zip: ZipFile, file: LayoutFile, { objects, packed }: Filling): Promise<void> {
  const options = { mtime: MTIME, forceDosTimestamp: true, compress: packed && !PACKED.test(file.path) };
  const open = (): Readable =>
    'text' in file ? Readable.from([Buffer.from(file.text)]) : createReadStream(objects.pathOf(file.object));
  return addLazily(zip, { path: file.path, options, open: once(open) });
}

interface LazyEntry {
  readonly path: string;
  readonly options: { readonly mtime: Date; readonly forceDosTimestamp: boolean; readonly compress: boolean };
  readonly open: () => Readable;
}

function addLazily(zip: ZipFile, { path, options, open }: LazyEntry): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.once('error', reject);
    zip.addReadStreamLazy(path, options, (use) => {
      const stream = open();
      stream.once('error', reject);
      stream.once('end', () => {
        zip.off('error', reject);
        resolve();
      });
      use(null, stream);
    });
  });
}

/** Holds nothing of a text once it is read: the library holds what it was given until the archive is written. */
function once(open: () => Readable): () => Readable {
  let left: (() => Readable) | null = open;
  return () => {
    if (left === null) throw new Error('it was opened before');
    const opened = left();
    left = null;
    return opened;
  };
}
