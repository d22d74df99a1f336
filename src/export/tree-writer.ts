// Writes the files of the next export beside the last one. What is the same as in the last one is left for the links.
import { createReadStream, createWriteStream, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createHash, hash } from 'node:crypto';
import { dirname, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, resolveInside } from '../base/index.ts';
import type { ObjectStore } from '../mirror/index.ts';
import type { ExportIndex, FileEntry, FileRow } from './export-index.ts';
import { FileQueue } from './file-queue.ts';

export interface TreeWriterOptions {
  /** Folder that the new tree is built in. */
  readonly building: string;
  readonly objects: ObjectStore;
  readonly index: ExportIndex;
}

// So many folders are remembered as made; making one again is only slower.
const REMEMBERED = 2000;
const SCRATCH_BYTES = 256 * 1024;
// Of one UTF-16 unit in UTF-8.
const MOST_BYTES = 3;
const PLAIN_NAME = /^[^./\\\0][^/\\\0]*$/;

// Objects up to this size are read at once; larger ones are streamed.
const SMALL_OBJECT_BYTES = 256 * 1024;
// Of a file that is on its way to the disk. Kept in as many bytes as a time, so that no row has to move when that is known.
const NO_TIME = -0.5;

/** One tree being built. It is whole when it is settled. */
export class TreeWriter implements AsyncDisposable {
  written = 0;
  readonly #options: TreeWriterOptions;
  readonly #queue: FileQueue;
  readonly #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  readonly #folders = new Map<string, string>();

  constructor(options: TreeWriterOptions) {
    this.#options = options;
    this.#queue = new FileQueue((path, mtime) => options.index.setTime(path, mtime));
  }

  /** Takes a text in. `waited` says that its place was given before. */
  putText(entry: FileEntry, text: string, { waited = false }: { waited?: boolean } = {}): void {
    const bytes = this.#encode(text);
    const sha256 = hash('sha256', bytes, 'buffer');
    if (this.#isThere(entry, { sha256, size: bytes.length }, waited)) return;
    this.#write(entry, bytes, sha256);
  }

  /** Takes the bytes of an object in; they are read only when they are not there yet. */
  async putObject(entry: FileEntry, object: { readonly object: string; readonly size: number }): Promise<void> {
    const sha256 = Buffer.from(object.object, 'hex');
    if (this.#isThere(entry, { sha256, size: object.size }, false)) return;
    const { objects } = this.#options;
    if (object.size <= SMALL_OBJECT_BYTES) return this.#write(entry, readObject(objects, object.object), sha256);
    const place = this.placeOf(entry.path);
    await copyObject(objects, object.object, place);
    this.#note(entry, { sha256, size: object.size, mtime: statSync(place).mtimeMs });
  }

  /** Resolves when every file that was taken in is on disk; rejects with what the system refused. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  /** The place of a path in the new tree, with the folders above it made. */
  placeOf(path: string): string {
    const cut = path.lastIndexOf('/') + 1;
    const folder = path.slice(0, cut);
    const known = this.#folders.get(folder);
    const name = path.slice(cut);
    // Only the last part is new then, and one that is a plain name cannot lead elsewhere.
    if (known !== undefined && PLAIN_NAME.test(name)) return known + name;
    const place = resolveInside(this.#options.building, path);
    mkdirSync(dirname(place), { recursive: true });
    if (this.#folders.size >= REMEMBERED) this.#folders.clear();
    this.#folders.set(folder, dirname(place) + sep);
    return place;
  }

  #write(entry: FileEntry, bytes: Buffer, sha256: Buffer): void {
    this.#queue.add(entry.path, this.placeOf(entry.path), bytes);
    this.#note(entry, { sha256, size: bytes.length, mtime: NO_TIME });
  }

  /** The text as bytes, which hold until the next one: a buffer of its own for each would keep the garbage collector busy. */
  #encode(text: string): Buffer {
    const isSmall = text.length * MOST_BYTES <= this.#scratch.length;
    return isSmall ? this.#scratch.subarray(0, this.#scratch.write(text)) : Buffer.from(text);
  }

  #isThere(entry: FileEntry, bytes: Pick<FileRow, 'sha256' | 'size'>, waited: boolean): boolean {
    const { index } = this.#options;
    const row = index.file(entry.path);
    if (row === undefined) return false;
    const isNew = row.seen === index.run && !waited;
    if (isNew) throw fault(`Two files of the export have the path ${JSON.stringify(entry.path)}`);
    if (row.lost === 1 || row.size !== bytes.size || !row.sha256.equals(bytes.sha256)) return false;
    index.put({ ...row, ...entry, seen: index.run });
    return true;
  }

  #note(entry: FileEntry, onDisk: Pick<FileRow, 'sha256' | 'size' | 'mtime'>): void {
    const { index } = this.#options;
    index.put({ ...entry, ...onDisk, seen: index.run, written: index.run });
    this.written += 1;
  }
}

function readObject(objects: ObjectStore, object: string): Buffer {
  if (!objects.has(object)) throw damaged(object, 'is missing');
  const bytes = readFileSync(objects.pathOf(object));
  if (hash('sha256', bytes) !== object) throw damaged(object, 'has other bytes than its name says');
  return bytes;
}

/** Copies bytes while checking them: a link would let an edit of the export reach the mirror. */
async function copyObject(objects: ObjectStore, object: string, place: string): Promise<void> {
  if (!objects.has(object)) throw damaged(object, 'is missing');
  const seen = createHash('sha256');
  await pipeline(
    createReadStream(objects.pathOf(object)),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        seen.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(place, { flags: 'wx' }),
  );
  if (seen.digest('hex') !== object) throw damaged(object, 'has other bytes than its name says');
}

function damaged(object: string, what: string): AppError {
  return new AppError('DM_CHECK_FAILED', `Object ${object} of the mirror ${what}`, {
    hint: 'Run `docmirror check --read-data`, then `docmirror sync --full`. The last export was left as it is.',
    details: { object },
  });
}

function fault(message: string): AppError {
  return new AppError('DM_INTERNAL', message, {
    hint: 'This is a fault in Docmirror; report it. The last export was left as it is.',
  });
}
