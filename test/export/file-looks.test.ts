import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endOfTurn } from '../../src/base/index.ts';
import { FileLooks } from '../../src/export/files/file-looks.ts';
import type { Seen } from '../../src/export/files/look-at-files.ts';

// As many as a thread is begun for.
const MANY = 50_000;
const LISTS = 40;
const EACH = 10;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmirror-looks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

interface Thread {
  readonly url?: URL;
  readonly isNeverUp?: boolean;
}

const begun = `import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready');`;

const lists = Array.from({ length: LISTS }, (_, list) =>
  Array.from({ length: EACH }, (_, index) => `${list}-${index}`),
);

/** What is looked at, list by list, turn by turn, so that a thread that is up has as much of it as it takes. */
async function lookAtAll(looks: FileLooks): Promise<Map<string, readonly [size: number, mtime: number]>> {
  const told = new Map<string, readonly [number, number]>();
  for (const paths of lists) {
    looks.look(paths, (seen: Seen) => {
      for (const [at, path] of paths.entries()) told.set(path, [seen[2 * at] ?? 0, seen[2 * at + 1] ?? 0]);
    });
    await endOfTurn();
  }
  await looks.settled();
  return told;
}

/** Every third is missing, and one of them is a folder. */
function makeFiles(): void {
  for (const [index, path] of lists.flat().entries())
    if (index % 3 > 0) writeFileSync(join(folder, path), 'x'.repeat(index % 50));
  mkdirSync(join(folder, '0-0'));
}

function expected(path: string, index: number): readonly [number, number] {
  if (index % 3 === 0) return [NaN, NaN];
  const { size, mtimeMs } = statSync(join(folder, path));
  return [size, mtimeMs];
}

describe('export/files/file-looks', () => {
  const threads = {
    'a thread that looks': {},
    'a thread that dies over a list': { url: program(`${begun} parentPort.on('message', () => process.exit(1));`) },
    'a thread that throws over a list': {
      url: program(`${begun} parentPort.on('message', () => { throw new Error('no'); });`),
    },
    'a thread that the system refuses a list, and that answers the next ones': {
      url: program(
        `${begun} let asked = 0; parentPort.on('message', () => parentPort.postMessage(asked++ === 0 ? null : new Float64Array(2)));`,
      ),
    },
    'no thread, since its program is gone': { url: new URL('file:///nowhere/look-thread.js'), isNeverUp: true },
    'no thread, since it never says anything': { url: program(''), isNeverUp: true },
  };
  it.each(Object.entries(threads))('sees every file as it is, by %s', async (_, { url, isNeverUp = false }: Thread) => {
    makeFiles();
    await using looks = new FileLooks({ folder, files: MANY, ...(url === undefined ? {} : { program: url }) });
    if (!isNeverUp) await vi.waitUntil(() => looks.isUp, { timeout: 30_000 });
    const told = await lookAtAll(looks);
    expect([...told.keys()].toSorted()).toEqual(lists.flat().toSorted());
    for (const [index, path] of lists.flat().entries())
      expect([path, told.get(path)]).toEqual([path, expected(path, index)]);
  });

  it('leaves lists to a thread that is up, and answers for them when it is settled', async () => {
    makeFiles();
    await using looks = new FileLooks({ folder, files: MANY });
    await vi.waitUntil(() => looks.isUp, { timeout: 30_000 });
    const told: Seen[] = [];
    looks.look(['0-1'], (seen) => told.push(seen));
    expect(told).toEqual([]);
    await looks.settled();
    expect(told).toEqual([Float64Array.from(expected('0-1', 1))]);
  });

  it('throws what the system says of a path, wherever it was looked at', async () => {
    await using looks = new FileLooks({ folder, files: MANY });
    await vi.waitUntil(() => looks.isUp, { timeout: 30_000 });
    const ask = async (): Promise<void> => {
      for (let turn = 0; turn < LISTS; turn++) {
        looks.look([`a\0b`], () => undefined);
        await endOfTurn();
      }
      await looks.settled();
    };
    await expect(ask()).rejects.toThrow(/null bytes/);
  });
});
