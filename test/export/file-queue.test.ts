import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileQueue } from '../../src/export/file-queue.ts';

// More than are written before there are threads, and more than those take at once.
const MANY = 3000;
const LARGE = 3 * 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmirror-queue-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (index: number): string => `${index} ${'ä'.repeat(index % 700)}`;

describe('export/file-queue', () => {
  it('has every file on disk as it was given, and told with its time there, when it is settled', async () => {
    const told = new Map<string, number>();
    await using queue = new FileQueue((path, mtime) => told.set(path, mtime));
    const shared = Buffer.alloc(8192);
    for (let index = 0; index < MANY; index++) {
      const size = shared.write(textOf(index));
      queue.add(`${index}`, join(folder, `${index}`), shared.subarray(0, size));
    }
    await queue.settled();
    expect(told.size).toBe(MANY);
    for (const [path, mtime] of told) {
      expect(readFileSync(join(folder, path), 'utf8')).toBe(textOf(Number(path)));
      expect(statSync(join(folder, path)).mtimeMs).toBe(mtime);
    }
  });

  it('takes empty files and files larger than what is written at once', async () => {
    await using queue = new FileQueue(() => undefined);
    const sizes = [0, LARGE, 1, 512 * 1024, 0, 512 * 1024 + 1, 7];
    for (const [index, size] of sizes.entries())
      queue.add(`${index}`, join(folder, `${index}`), Buffer.alloc(size, index));
    await queue.settled();
    for (const [index, size] of sizes.entries())
      expect(readFileSync(join(folder, `${index}`)).equals(Buffer.alloc(size, index))).toBe(true);
  });

  it.each([
    ['before there are threads', 10],
    ['on a thread', MANY],
  ])('throws what the system refused %s, and writes over no file', async (_, count) => {
    const last = join(folder, `${count - 1}`);
    writeFileSync(last, 'a person wrote this');
    await using queue = new FileQueue(() => undefined);
    const fill = async (): Promise<void> => {
      for (let index = 0; index < count; index++) queue.add(`${index}`, join(folder, `${index}`), Buffer.from('x'));
      await queue.settled();
    };
    await expect(fill()).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(last, 'utf8')).toBe('a person wrote this');
  });

  it('writes nothing more once it is disposed of', async () => {
    const queue = new FileQueue(() => undefined);
    for (let index = 0; index < MANY; index++) queue.add(`${index}`, join(folder, `${index}`), Buffer.from('x'));
    await queue[Symbol.asyncDispose]();
    const there = readdirSync(folder).length;
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect([there <= MANY, readdirSync(folder)]).toEqual([true, []]);
  });
});
