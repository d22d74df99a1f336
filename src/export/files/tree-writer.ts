// Writes the files of the next export beside the last one. What is the same as in the last one is left for the links.
import { createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createHash, hash } from 'node:crypto';
import { dirname, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, resolveInside } from '../../base/index.ts';
import type { ObjectStore } from '../../mirror/index.ts';
import type { ExportIndex } from '../written/export-index.ts';
import type { FileEntry, FileRow } from '../written/index-rows.ts';
import { FileQueue, type OnDisk } from './file-queue.ts';
import { inPieces, PiecesFile } from './pieces-file.ts';

export interface TreeWriterOptions {
  /** Folder that the new tree is built in. */
  readonly building: string;
  readonly objects: ObjectStore;
  readonly index: ExportIndex;
}

// So many folders are remembered as made; making one again is only slower.
const REMEMBERED = 2000;
const SCRATCH_BYTES = 256 * 1024;
// Lines up to this are one text.
const PIECE_LENGTH = 1024 * 1024;
// Of one UTF-16 unit in UTF-8.
const MOST_BYTES = 3;
const PLAIN_PATH = /^[^./\\\0][^/\\\0]*(?:\/[^./\\\0][^/\\\0]*)*$/;
// Objects up to this size are read at once; larger ones are streamed.
const SMALL_OBJECT_BYTES = 256 * 1024;

/** Bytes of the mirror, by their name. */
interface ObjectName {
  readonly object: string;
  readonly size: number;
}

/** A file on its way to the disk; `object` is the name of its bytes where they have one. */
interface Sent {
  readonly entry: FileEntry;
  readonly object: string | null;
}

/** One tree being built. It is whole, and the index knows all of it, when it is settled. */
export class TreeWriter implements AsyncDisposable {
  written = 0;
  readonly #options: TreeWriterOptions;
  readonly #queue: FileQueue<Sent>;
  readonly #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  readonly #made = new Set<string>();
  /** Paths of files that are on their way to the disk. */
  readonly #underWay = new Set<string>();

  constructor(options: TreeWriterOptions) {
    this.#options = options;
    this.#queue = new FileQueue((sent, onDisk) => this.#land(sent, onDisk));
  }

  /** About so many files will have to be written. */
  expect(files: number): void {
    this.#queue.expect(files);
  }

  /** Takes a text in. `waited` says that its place was given before. */
  putText(entry: FileEntry, text: string, { waited = false }: { waited?: boolean } = {}): void {
    const bytes = this.#encode(text);
    const row = this.#rowOf(entry, waited);
    if (row?.size === bytes.length && row.sha256.equals(hash('sha256', bytes, 'buffer'))) this.#keep(row, entry);
    else this.#send({ entry, object: null }, bytes);
  }

  /** Takes in what its lines make, which may be more than fits into memory; no file without any. */
  putLines(entry: FileEntry, lines: Iterable<string>): void {
    const pieces = inPieces(lines, PIECE_LENGTH);
    const [first, second] = [pieces.next(), pieces.next()];
    if (first.done) return;
    if (second.done) return this.putText(entry, first.value);
    const row = this.#rowOf(entry, false);
    const place = this.placeOf(entry.path);
    const onDisk = writeAll(place, [first.value, second.value], pieces);
    if (row?.size === onDisk.size && row.sha256.equals(onDisk.sha256)) {
      rmSync(place);
      return this.#keep(row, entry);
    }
    this.written += 1;
    this.#land({ entry, object: null }, onDisk);
  }

  /** Takes the bytes of an object in; they are read only when they are not there yet. */
  async putObject(entry: FileEntry, { object, size }: ObjectName): Promise<void> {
    const sha256 = Buffer.from(object, 'hex');
    const row = this.#rowOf(entry, false);
    if (row?.size === size && row.sha256.equals(sha256)) return this.#keep(row, entry);
    const { objects } = this.#options;
    if (size <= SMALL_OBJECT_BYTES) return this.#send({ entry, object }, readObject(objects, object));
    const place = this.placeOf(entry.path);
    await copyObject(objects, object, place);
    this.written += 1;
    this.#land({ entry, object }, { sha256, size, mtime: statSync(place).mtimeMs });
  }

  /** Resolves when every file that was taken in is on disk and in the index; rejects with what the system refused. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  /** The place of a path in the new tree, with the folders above it made. */
  placeOf(path: string): string {
    const place = this.#inside(path);
    const folder = dirname(place);
    if (this.#made.has(folder)) return place;
    mkdirSync(folder, { recursive: true });
    if (this.#made.size >= REMEMBERED) this.#made.clear();
    this.#made.add(folder);
    return place;
  }

  #inside(path: string): string {
    // Plain names cannot lead elsewhere.
    if (PLAIN_PATH.test(path)) return this.#options.building + sep + path;
    return resolveInside(this.#options.building, path);
  }

  #send(sent: Sent, bytes: Buffer): void {
    const { path } = sent.entry;
    this.#queue.add(sent, this.#inside(path), bytes);
    this.#underWay.add(path);
    this.written += 1;
  }

  /** What is on disk has a row from here on, and never before. */
  #land({ entry, object }: Sent, onDisk: OnDisk): void {
    const { index } = this.#options;
    this.#underWay.delete(entry.path);
    if (object !== null && onDisk.sha256.toString('hex') !== object) throw changed(object);
    index.put({ ...entry, ...onDisk, seen: index.run, written: index.run });
  }

  /** The text as bytes, which hold until the next one: a buffer of its own for each would keep the garbage collector busy. */
  #encode(text: string): Buffer {
    const isSmall = text.length * MOST_BYTES <= this.#scratch.length;
    return isSmall ? this.#scratch.subarray(0, this.#scratch.write(text)) : Buffer.from(text);
  }

  /** What the index knows of the file on disk. */
  #rowOf({ path }: FileEntry, waited: boolean): FileRow | undefined {
    const { index } = this.#options;
    const row = index.file(path);
    if (this.#underWay.has(path) || (row?.seen === index.run && !waited))
      throw fault(`Two files of the export have the path ${JSON.stringify(path)}`);
    return row?.lost === 1 ? undefined : row;
  }

  #keep(row: FileRow, entry: FileEntry): void {
    const { index } = this.#options;
    index.put({ ...row, ...entry, seen: index.run });
  }
}

function writeAll(place: string, ...pieces: readonly Iterable<string>[]): OnDisk {
  using file = new PiecesFile(place);
  for (const some of pieces) for (const piece of some) file.add(piece);
  return file.end();
}

function readObject(objects: ObjectStore, object: string): Buffer {
  if (!objects.has(object)) throw damaged(object, 'is missing');
  return readFileSync(objects.pathOf(object));
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
  if (seen.digest('hex') !== object) throw changed(object);
}

function changed(object: string): AppError {
  return damaged(object, 'has other bytes than its name says');
}

function damaged(object: string, what: string): AppError {
  return new AppError('DM_CHECK_FAILED', `Object ${object} of the mirror ${what}`, {
    hint: 'Run `docmirror check --read-data`, then `docmirror sync --full`.',
    details: { object },
  });
}

function fault(message: string): AppError {
  return new AppError('DM_INTERNAL', message, {
    hint: 'This is a fault in Docmirror; report it.',
  });
}
