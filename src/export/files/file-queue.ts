// Files on their way to the disk. Making one costs the system more than making its text costs us, so threads write while texts are
// made; when they have enough to do, or there are none, the files are written here.
import { availableParallelism } from 'node:os';
import { FileThread } from './file-thread.ts';
import { HASH_BYTES, writeFiles, type Batch, type Landed } from './write-files.ts';

const BATCH_FILES = 64;
const BATCH_BYTES = 512 * 1024;
// A small export is done before a thread has begun.
const FILES_BEFORE_THREADS = 256;
// One core is for the main thread.
const THREADS = Math.min(3, Math.max(1, availableParallelism() - 1));
const BATCHES_PER_THREAD = 4;

/** What is known of a file that is on disk. */
export interface OnDisk {
  readonly sha256: Buffer;
  readonly size: number;
  /** Time of its last change, ms. */
  readonly mtime: number;
}

/** Called for each file once it is on disk, with what was given to know it by. */
export type OnWritten<File> = (file: File, onDisk: OnDisk) => void;

/** Where threads come from. */
export interface ThreadSource {
  readonly count: number;
  /** May throw. */
  readonly start: () => FileThread;
}

interface Filling<File> {
  readonly files: File[];
  readonly places: string[];
  readonly ends: number[];
  readonly bytes: Uint8Array;
  size: number;
}

/** Takes files in, hashes and writes them soon. What goes wrong is thrown by a later call, at the latest by `settled`. */
export class FileQueue<File> implements AsyncDisposable {
  readonly #onWritten: OnWritten<File>;
  readonly #source: ThreadSource;
  #threads: FileThread[] | null = null;
  /** What batches were filled into, to be filled again: made anew each, it would keep the garbage collector busy. */
  readonly #spare: Uint8Array[] = [];
  #filling: Filling<File> = filling(newBytes(BATCH_BYTES));
  #taken = 0;

  constructor(onWritten: OnWritten<File>, source: ThreadSource = { count: THREADS, start: () => new FileThread() }) {
    this.#onWritten = onWritten;
    this.#source = source;
  }

  /** So many files are to come: threads for them begin now, since that takes a while. */
  expect(files: number): void {
    if (this.#threads === null && files >= FILES_BEFORE_THREADS) this.#start();
  }

  /** Takes a file in that is not there yet. The bytes may be used again afterwards. */
  add(file: File, place: string, bytes: Uint8Array): void {
    if (this.#filling.places.length >= BATCH_FILES || this.#filling.size + bytes.length > BATCH_BYTES) this.#flush();
    // One that is larger than a batch has its own.
    if (bytes.length > BATCH_BYTES) this.#filling = filling(newBytes(bytes.length));
    const { files, places, ends } = this.#filling;
    this.#filling.bytes.set(bytes, this.#filling.size);
    this.#filling.size += bytes.length;
    files.push(file);
    places.push(place);
    ends.push(this.#filling.size);
    this.#taken += 1;
  }

  /** Resolves when all that was taken in is on disk. */
  async settled(): Promise<void> {
    this.#flush();
    await Promise.all(this.#running().map((thread) => thread.idle()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running().map((thread) => thread[Symbol.asyncDispose]()));
    this.#threads = null;
  }

  #flush(): void {
    const { files, places, ends, bytes, size } = this.#filling;
    for (const thread of this.#running()) thread.throwFailure();
    if (places.length === 0) return;
    const batch: Batch = { places, ends, bytes: bytes.subarray(0, size) };
    const done = (landed: Landed, { buffer }: Uint8Array): void => {
      if (buffer.byteLength === BATCH_BYTES) this.#spare.push(new Uint8Array(buffer));
      this.#tell(files, ends, landed);
    };
    const [thread] = this.#free().toSorted((a, b) => a.waiting - b.waiting);
    if (thread) thread.write(batch, done);
    else done(writeFiles(batch), batch.bytes);
    this.#filling = filling(this.#spare.pop() ?? newBytes(BATCH_BYTES));
  }

  #tell(files: readonly File[], ends: readonly number[], { times, hashes }: Landed): void {
    const sha256s = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length);
    let start = 0;
    for (const [index, file] of files.entries()) {
      const end = ends[index] ?? start;
      const sha256 = sha256s.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
      this.#onWritten(file, { sha256, size: end - start, mtime: times[index] ?? 0 });
      start = end;
    }
  }

  #free(): FileThread[] {
    this.expect(this.#taken);
    return this.#running().filter(({ isUp, waiting }) => isUp && waiting < BATCHES_PER_THREAD);
  }

  #start(): void {
    const threads: FileThread[] = (this.#threads = []);
    try {
      while (threads.length < this.#source.count) threads.push(this.#source.start());
    } catch {
      // They only save time: what the system gives no threads for is written by those there are, or here.
    }
  }

  #running(): readonly FileThread[] {
    return this.#threads ?? [];
  }
}

function filling<File>(bytes: Uint8Array): Filling<File> {
  return { files: [], places: [], ends: [], bytes, size: 0 };
}

function newBytes(size: number): Uint8Array {
  return Buffer.allocUnsafeSlow(size);
}
