// An archive as a set of files with safe names. What does not deserve trust is left out and said; what could harm refuses the whole.
import { Readable } from 'node:stream';
import { inflateRawSync } from 'node:zlib';
import {
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  validateFileName,
  type Entry,
  type ZipFile,
} from 'yauzl';
import type { ImportProblem } from '../content/imported-content.ts';
import { MOST_READ, partsHeld, type ReadParts } from '../content/file-content.ts';
import type { Download } from './download.ts';
import type { ImportLimits } from './limits.ts';
import { ImportRefused } from './refused.ts';

/** A file inside the archive; `path` is relative, slash-joined and stays inside. */
export interface ArchiveEntry {
  path: string;
  size: number;
  /** Finds its bytes, which are read each time anew. What this and the reading throw says how it is damaged. */
  open(): Promise<ReadParts>;
}

export interface Archive {
  /** By path, in the archive's order. */
  entries: Map<string, ArchiveEntry>;
  /** Entries that were left out. */
  problems: ImportProblem[];
}

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const STORED = 0;
const MOST_FOLDERS = 64;
const HINT = 'Pack the content again as a plain ZIP of Markdown files and their assets.';

/** Reads the directory of a ZIP. Throws ImportRefused for bytes that are no ZIP and for one beyond the limits. */
export async function openArchive(download: Download, limits: ImportLimits): Promise<Archive> {
  try {
    const options = { lazyEntries: true, decodeStrings: false, autoClose: false };
    const zip = await fromRandomAccessReaderPromise(new DownloadReader(download), download.size, options);
    return await readDirectory(zip, download, limits);
  } catch (error) {
    if (error instanceof ImportRefused) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportRefused(`url: the archive that it answers cannot be read: ${reason}`, { hint: HINT, cause: error });
  }
}

async function readDirectory(zip: ZipFile, download: Download, limits: ImportLimits): Promise<Archive> {
  if (zip.entryCount > limits.entries) throw beyond('entries', zip.entryCount, limits.entries);
  const archive: Archive = { entries: new Map(), problems: [] };
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
    if (unpacked > limits.unpackedBytes) throw beyond('unpacked bytes', unpacked, limits.unpackedBytes);
    if (unpacked > limits.ratioFreeBytes && unpacked > download.size * limits.ratio) {
      throw beyond('times its packed size', Math.round(unpacked / download.size), limits.ratio);
    }
    addEntry(archive, entry, () => openEntry(zip, download, entry));
  }
  return archive;
}

function addEntry(archive: Archive, entry: Entry, openIt: ArchiveEntry['open']): void {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  if (name.endsWith('/') && validateFileName(name) === null) return;
  const reason =
    reasonToSkip(name, entry) ?? (archive.entries.has(name) ? 'it stands twice in the archive' : undefined);
  if (reason !== undefined) {
    archive.problems.push({ resource: name, reason });
    return;
  }
  archive.entries.set(name, { path: name, size: entry.uncompressedSize, open: openIt });
}

function reasonToSkip(name: string, entry: Entry): string | undefined {
  const badName = validateFileName(name);
  if (badName !== null) return badName;
  if (name.includes('\0') || name.split('/').some((part) => part === '' || part === '.'))
    return 'its name is not plain';
  if (name.split('/').length > MOST_FOLDERS) return `it stands more than ${MOST_FOLDERS} folders deep`;
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  // Only Unix writers (3) fill in the file type.
  if (entry.versionMadeBy >>> 8 === 3 && type !== 0 && type !== REGULAR) return 'it is a link or a special file';
  if (entry.isEncrypted()) return 'it is encrypted';
  if (!entry.canDecodeFileData()) return `compression method ${entry.compressionMethod} is not supported`;
  return undefined;
}

async function openEntry(zip: ZipFile, download: Download, entry: Entry): Promise<ReadParts> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const { compressionMethod, compressedSize, uncompressedSize: size } = entry;
  if (compressionMethod === STORED) return () => storedParts(download, fileDataStart, size);
  return () => {
    const packed = download.read(fileDataStart, compressedSize);
    const bytes = inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
    if (bytes.length !== size) throw new Error(`it holds ${bytes.length} bytes, and its archive says ${size}`);
    return partsHeld(bytes);
  };
}

function* storedParts(download: Download, start: number, size: number): Generator<Buffer> {
  if (size === 0) yield Buffer.alloc(0);
  for (let at = 0; at < size; at += MOST_READ) yield download.read(start + at, Math.min(MOST_READ, size - at));
}

class DownloadReader extends RandomAccessReader {
  readonly #download: Download;

  constructor(download: Download) {
    super();
    this.#download = download;
  }

  // Of the directory a few bytes at a time: as streams they cost many times as much.
  override read(...[into, at, length, start, done]: Parameters<RandomAccessReader['read']>): void {
    const failure = this.#copy(into, { at, length, start });
    queueMicrotask(() => done(failure));
  }

  #copy(into: Buffer, { at, length, start }: { at: number; length: number; start: number }): Error | null {
    try {
      this.#download.read(start, length).copy(into, at);
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from([this.#download.read(start, end - start)]);
  }
}

function beyond(what: string, seen: number, limit: number): ImportRefused {
  return new ImportRefused(`url: the archive that it answers holds ${seen} ${what}; at most ${limit} are accepted`, {
    hint: 'Split the import into several smaller ones.',
  });
}
