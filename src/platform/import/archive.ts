// An archive as a set of files with safe names. What does not deserve trust is left out and said; what could harm refuses the whole.
import { fromBufferPromise, getFileNameLowLevel, validateFileName, type Entry, type ZipFile } from 'yauzl';
import type { ImportProblem } from '../content/imported-content.ts';
import type { ImportLimits } from './limits.ts';
import { ImportRefused } from './refused.ts';

/** A file inside the archive; `path` is relative, slash-joined and stays inside. */
export interface ArchiveEntry {
  path: string;
  size: number;
  read(signal?: AbortSignal): Promise<Buffer>;
}

export interface Archive {
  /** By path, in the archive's order. */
  entries: Map<string, ArchiveEntry>;
  /** Entries that were left out. */
  problems: ImportProblem[];
}

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const MOST_FOLDERS = 64;
const HINT = 'Pack the content again as a plain ZIP of Markdown files and their assets.';

/** Reads the directory of a ZIP. Throws ImportRefused for bytes that are no ZIP and for one beyond the limits. */
export async function openArchive(bytes: Buffer, limits: ImportLimits): Promise<Archive> {
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false, autoClose: false });
    return await readDirectory(zip, bytes.length, limits);
  } catch (error) {
    if (error instanceof ImportRefused) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportRefused(`url: the archive that it answers cannot be read: ${reason}`, { hint: HINT, cause: error });
  }
}

async function readDirectory(zip: ZipFile, packed: number, limits: ImportLimits): Promise<Archive> {
  if (zip.entryCount > limits.entries) throw beyond('entries', zip.entryCount, limits.entries);
  const archive: Archive = { entries: new Map(), problems: [] };
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
    if (unpacked > limits.unpackedBytes) throw beyond('unpacked bytes', unpacked, limits.unpackedBytes);
    if (unpacked > limits.ratioFreeBytes && unpacked > packed * limits.ratio) {
      throw beyond('times its packed size', Math.round(unpacked / packed), limits.ratio);
    }
    addEntry(archive, zip, entry);
  }
  return archive;
}

function addEntry(archive: Archive, zip: ZipFile, entry: Entry): void {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  if (name.endsWith('/') && validateFileName(name) === null) return;
  const reason =
    reasonToSkip(name, entry) ?? (archive.entries.has(name) ? 'it stands twice in the archive' : undefined);
  if (reason !== undefined) {
    archive.problems.push({ resource: name, reason });
    return;
  }
  archive.entries.set(name, {
    path: name,
    size: entry.uncompressedSize,
    read: (signal) => readEntry(zip, entry, signal),
  });
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

async function readEntry(zip: ZipFile, entry: Entry, signal: AbortSignal | undefined): Promise<Buffer> {
  signal?.throwIfAborted();
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  // yauzl stops the stream with an error as soon as it is longer than the directory says.
  for await (const chunk of stream) {
    signal?.throwIfAborted();
    chunks.push(Buffer.from(chunk as Uint8Array));
  }
  return Buffer.concat(chunks);
}

function beyond(what: string, seen: number, limit: number): ImportRefused {
  return new ImportRefused(`url: the archive that it answers holds ${seen} ${what}; at most ${limit} are accepted`, {
    hint: 'Split the import into several smaller ones.',
  });
}
