// Builds the next export beside the last one: what changed is written, what did not is linked.
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import PQueue from 'p-queue';
import { AppError, removeTree, resolveInside, sha256 } from '../base/index.ts';
import type { ObjectStore } from '../mirror/index.ts';
import { foldName } from './names.ts';
import type { LayoutFile } from './space-layout.ts';
import type { Places } from './swap.ts';
import { walkFiles } from './walk-files.ts';

export interface TreeWriterOptions {
  readonly places: Places;
  readonly objects: ObjectStore;
  /** Hashes of the last export by path. */
  readonly previous: ReadonlyMap<string, string>;
  /** A file of the last export that was touched after this time (of the disk, in ms) is not trusted. */
  readonly trustedUntil: number;
}

const CONCURRENCY = 16;
const WAITING = 64;

/** One tree being built. Disposing of it removes what was built, unless it was moved away. */
export class TreeWriter implements AsyncDisposable {
  readonly hashes = new Map<string, string>();
  written = 0;
  bytes = 0;
  readonly #options: TreeWriterOptions;
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  readonly #unchanged: string[] = [];
  readonly #folders = new Map<string, Promise<unknown>>();
  readonly #names = new Set<string>();
  #failure: { error: unknown } | null = null;

  constructor(options: TreeWriterOptions) {
    this.#options = options;
  }

  get unchanged(): number {
    return this.#unchanged.length;
  }

  /** Takes one file in; waits while many are under way. Throws what went wrong with an earlier one. */
  async put(file: LayoutFile): Promise<void> {
    this.#throwFailure();
    this.#claim(file.path);
    const hash = 'text' in file ? sha256(file.text) : file.object;
    this.hashes.set(file.path, hash);
    this.#enqueue(() => this.#take(file, hash));
    await this.#queue.onSizeLessThan(WAITING);
  }

  /** Waits for all that was put. */
  async settle(): Promise<void> {
    await this.#queue.onIdle();
    this.#throwFailure();
  }

  /** Links the unchanged files into the new tree. */
  async linkUnchanged(): Promise<void> {
    for (const path of this.#unchanged) {
      this.#enqueue(() => this.#link(path));
      await this.#queue.onSizeLessThan(WAITING);
    }
    await this.settle();
  }

  /** Number of files on disk in the new tree, and how many of them are Markdown. */
  async count(): Promise<{ files: number; markdown: number }> {
    let files = 0;
    let markdown = 0;
    for await (const path of walkFiles(this.#options.places.building)) {
      files += 1;
      if (path.endsWith('.md')) markdown += 1;
    }
    return { files, markdown };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.clear();
    await this.#queue.onIdle();
    await removeTree(this.#options.places.building);
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue.add(work).catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #claim(path: string): void {
    const folded = foldName(path);
    if (this.#names.has(folded)) throw fault(`Two files of the export have the path ${JSON.stringify(path)}`);
    // Mostly the same: then one string serves both.
    this.#names.add(folded === path ? path : folded);
  }

  async #take(file: LayoutFile, hash: string): Promise<void> {
    const size = 'text' in file ? Buffer.byteLength(file.text) : file.size;
    this.bytes += size;
    if (this.#options.previous.get(file.path) === hash && (await this.#isUntouched(file.path, size))) {
      this.#unchanged.push(file.path);
      return;
    }
    const place = await this.#placeOf(file.path);
    if ('text' in file) await writeFile(place, file.text, { flag: 'wx' });
    else await this.#copyObject(file.object, place);
    this.written += 1;
  }

  async #isUntouched(path: string, size: number): Promise<boolean> {
    const found = await stat(join(this.#options.places.target, path)).catch(() => null);
    return found !== null && found.isFile() && found.size === size && found.mtimeMs <= this.#options.trustedUntil;
  }

  /** Copies bytes while checking them: a link would let an edit of the export reach the mirror. */
  async #copyObject(object: string, place: string): Promise<void> {
    const { objects } = this.#options;
    if (!objects.has(object)) throw damaged(object, 'is missing');
    const hash = createHash('sha256');
    await pipeline(
      createReadStream(objects.pathOf(object)),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(place, { flags: 'wx' }),
    );
    if (hash.digest('hex') !== object) throw damaged(object, 'has other bytes than its name says');
  }

  async #link(path: string): Promise<void> {
    const place = await this.#placeOf(path);
    const existing = join(this.#options.places.target, path);
    // Not every file system has links.
    await link(existing, place).catch(() => copyFile(existing, place));
  }

  async #placeOf(path: string): Promise<string> {
    const place = resolveInside(this.#options.places.building, path);
    const folder = dirname(place);
    let made = this.#folders.get(folder);
    if (!made) this.#folders.set(folder, (made = mkdir(folder, { recursive: true })));
    await made;
    return place;
  }
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
