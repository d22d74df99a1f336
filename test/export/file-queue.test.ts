import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/base/index.ts';
import { FileQueue, type OnDisk, type ThreadSource } from '../../src/export/files/file-queue.ts';
import { FileThread } from '../../src/export/files/file-thread.ts';

// More than are written before there are threads, and more than those take at once.
const MANY = 1200;
// With these, threads are started, and the last file begins a batch.
const BEGUN = 257;
const LARGE = 3 * 1024 * 1024;

let folder: string;
let threads: FileThread[];
let taken: Set<string>;
beforeEach(() => {
  threads = [];
  taken = new Set();
  folder = mkdtempSync(join(tmpdir(), 'docmirror-queue-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (index: number): string => `${index} ${'ä'.repeat(index % 700)}`;
const take = (path: string): unknown => taken.add(path);

/** Threads that are noted as they are started. */
function source({ count = 1, url }: { count?: number; url?: URL } = {}): ThreadSource {
  const start = (): FileThread => {
    const thread = new FileThread(url);
    threads.push(thread);
    return thread;
  };
  return { count, start };
}

function program(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

function fill(queue: FileQueue<string>, from: number, to: number): void {
  for (let index = from; index < to; index++) queue.add(`${index}`, join(folder, `${index}`), Buffer.from('x'));
}

/** Adds files until threads are started, and waits for these. */
async function begin(queue: FileQueue<string>): Promise<void> {
  fill(queue, 0, BEGUN);
  await vi.waitUntil(() => threads.length > 0 && threads.every(({ isUp }) => isUp), { timeout: 30_000 });
}

function inTheWay(index: number): string {
  const place = join(folder, `${index}`);
  writeFileSync(place, 'a person wrote this');
  return place;
}

describe('export/files/file-queue', () => {
  it('has every file on disk as it was given, and told with what it is there, when it is settled', async () => {
    const told = new Map<string, OnDisk>();
    const tell = (path: string, onDisk: OnDisk): unknown => told.set(path, onDisk);
    await using queue = new FileQueue(tell, source({ count: 2 }));
    const shared = Buffer.alloc(8192);
    const put = (from: number, to: number): void => {
      for (let index = from; index < to; index++) {
        const size = shared.write(textOf(index));
        queue.add(`${index}`, join(folder, `${index}`), shared.subarray(0, size));
      }
    };
    put(0, BEGUN);
    await vi.waitUntil(() => threads.length === 2 && threads.every(({ isUp }) => isUp), { timeout: 30_000 });
    put(BEGUN, MANY);
    await queue.settled();
    expect(told.size).toBe(MANY);
    for (const [path, onDisk] of told) {
      const text = textOf(Number(path));
      expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
      const { size, mtimeMs: mtime } = statSync(join(folder, path));
      expect(onDisk).toEqual({ sha256: Buffer.from(sha256(text), 'hex'), size, mtime });
    }
  });

  it('makes the folders of files, before there are threads and on each of them', async () => {
    await using queue = new FileQueue(take, source({ count: 2 }));
    const add = (path: string): void => queue.add(path, join(folder, path), Buffer.from(path));
    for (let index = 0; index < 3; index++) add(`early/${index}/x`);
    await begin(queue);
    for (let index = 0; index < MANY; index++) add(`late/${index % 100}/${index % 7}/${index}`);
    await queue.settled();
    expect(readFileSync(join(folder, 'early/2/x'), 'utf8')).toBe('early/2/x');
    expect(readFileSync(join(folder, 'late/99/2/1199'), 'utf8')).toBe('late/99/2/1199');
    expect(taken.size).toBe(3 + BEGUN + MANY);
  });

  it('takes empty files and files larger than what is written at once', async () => {
    await using queue = new FileQueue<string>(() => undefined);
    const sizes = [0, LARGE, 1, 512 * 1024, 0, 512 * 1024 + 1, 7];
    for (const [index, size] of sizes.entries())
      queue.add(`${index}`, join(folder, `${index}`), Buffer.alloc(size, index));
    await queue.settled();
    for (const [index, size] of sizes.entries())
      expect(readFileSync(join(folder, `${index}`)).equals(Buffer.alloc(size, index))).toBe(true);
  });

  it('throws what the system refused before there are threads, and writes over no file', async () => {
    const last = inTheWay(9);
    await using queue = new FileQueue<string>(() => undefined);
    fill(queue, 0, 10);
    await expect(queue.settled()).rejects.toMatchObject({ code: 'EEXIST', syscall: 'open' });
    expect(readFileSync(last, 'utf8')).toBe('a person wrote this');
  });

  it('throws what the system refused on a thread, and writes over no file', async () => {
    const last = inTheWay(300);
    await using queue = new FileQueue<string>(() => undefined, source());
    await begin(queue);
    fill(queue, BEGUN, 400);
    const error: unknown = await queue.settled().catch((thrown: unknown) => thrown);
    // By its path it is known as one of the export: without, it was called a fault in Docmirror.
    expect(error).toMatchObject({ code: 'EEXIST', path: last });
    // Of what a thread tells, message, code and path are left.
    expect(error).not.toHaveProperty('syscall');
    expect(readFileSync(last, 'utf8')).toBe('a person wrote this');
  });

  it('throws soon what one thread was refused, though another would take what comes next', async () => {
    inTheWay(BEGUN + 70);
    await using queue = new FileQueue<string>(() => undefined, source({ count: 2 }));
    await begin(queue);
    fill(queue, BEGUN, BEGUN + 128);
    expect(threads.map(({ waiting }) => waiting)).toEqual([1, 1]);
    await vi.waitUntil(() => threads.every(({ waiting }) => waiting === 0));
    expect(() => fill(queue, BEGUN + 128, BEGUN + 256)).toThrow('EEXIST');
  });

  it('rejects with what the caller could not take of a thread', async () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const onWritten = (path: string): void => {
      if (Number(path) === BEGUN + 100) throw full;
    };
    await using queue = new FileQueue(onWritten, source());
    await begin(queue);
    fill(queue, BEGUN, BEGUN + 128);
    expect(threads.map(({ waiting }) => waiting)).toEqual([2]);
    await expect(queue.settled()).rejects.toBe(full);
  });

  it('writes nothing more once it is disposed of', async () => {
    const queue = new FileQueue<string>(() => undefined, source());
    await begin(queue);
    fill(queue, BEGUN, BEGUN + 256);
    await queue[Symbol.asyncDispose]();
    const there = readdirSync(folder).length;
    for (let turn = 0; turn < 20; turn++) await sleep(2);
    expect(readdirSync(folder).length).toBe(there);
    expect(there).toBeLessThan(BEGUN + 256);
    expect(threads.map(({ isUp }) => isUp)).toEqual([false]);
  });
});

describe('export/file-queue without its threads', () => {
  it.each([
    ['is not there', new URL('file:///nowhere/write-thread.js')],
    ['cannot be run', program('this is no program')],
    ['ends at once', program('')],
    [
      'is another one',
      program("import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {});"),
    ],
  ])('writes everything when their program %s', async (_, url) => {
    await using queue = new FileQueue(take, source({ count: 2, url }));
    for (let from = 0; from < MANY; from += 100) {
      fill(queue, from, from + 100);
      await sleep(2);
    }
    await queue.settled();
    expect([taken.size, readdirSync(folder).length]).toEqual([MANY, MANY]);
  });

  it('writes everything with those that the system gave, and ends them', async () => {
    const { start } = source();
    const startOne = (): FileThread => {
      if (threads.length > 0) throw new Error('ERR_WORKER_INIT_FAILED');
      return start();
    };
    const queue = new FileQueue(take, { count: 3, start: startOne });
    await begin(queue);
    fill(queue, BEGUN, MANY);
    await queue.settled();
    expect([taken.size, threads.length, threads[0]?.isUp]).toEqual([MANY, 1, true]);
    await queue[Symbol.asyncDispose]();
    expect(threads[0]?.isUp).toBe(false);
  });

  it('writes on when one ends while it has nothing to do', async () => {
    await using queue = new FileQueue(take, source());
    await begin(queue);
    await threads[0]?.[Symbol.asyncDispose]();
    fill(queue, BEGUN, MANY);
    await queue.settled();
    expect([taken.size, readdirSync(folder).length]).toEqual([MANY, MANY]);
  });

  it.each([
    ['ends', 'process.exit(7)', /^A thread ended with 2 batches of files not written$/],
    ['throws', "throw new Error('no memory')", /^A thread ended with 2 batches of files not written: no memory$/],
  ])('says so soon, and when it waits, when one %s over what it was given', async (_, dies, message) => {
    const hello = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ isReady: true });";
    await using queue = new FileQueue(
      take,
      source({ url: program(`${hello} parentPort.on('message', () => { ${dies} });`) }),
    );
    await begin(queue);
    fill(queue, BEGUN, BEGUN + 128);
    await expect(threads[0]?.idle()).rejects.toMatchObject({ code: 'DM_INTERNAL', message });
    expect(() => fill(queue, BEGUN + 128, MANY)).toThrow(message);
    await expect(queue.settled()).rejects.toThrow(message);
    expect(taken.size).toBe(readdirSync(folder).length);
  });
});
