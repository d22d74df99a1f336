// SHA256SUMS, written and read line by line: the list of a large export does not fit in memory for nothing.
import { closeSync, createReadStream, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { endOfTurn } from '../../base/index.ts';
import type { ExportIndex } from './export-index.ts';
import type { Pace } from '../files/pace.ts';

const AT_ONCE = 1000;
const CHUNK_BYTES = 512 * 1024;

/** Writes the list to a place where nothing is yet; answers its hash. */
export async function writeSums(index: ExportIndex, pace: Pace, place: string): Promise<string> {
  const hash = createHash('sha256');
  const file = openSync(place, 'wx');
  try {
    for (let rows = index.hashesAfter('', AT_ONCE); rows.length > 0;) {
      const text = sumsText(rows);
      hash.update(text);
      // Writes all of it or throws, as a bare write does not.
      writeFileSync(file, text);
      await pace.rest();
      rows = index.hashesAfter(rows.at(-1)?.path ?? '', AT_ONCE);
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** Lines as they stand in the list. */
export function sumsText(lines: readonly SumsLine[]): string {
  return lines.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
}

export interface SumsLine {
  readonly path: string;
  readonly sha256: string;
}

/** The lines of a list, in its order; others than those of an export are passed over. Throws ENOENT when there is no list. */
export async function* readSums(file: string): AsyncGenerator<SumsLine> {
  const input = createReadStream(file, 'utf8');
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const [, sha256, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sha256 !== undefined && path !== undefined) yield { path, sha256 };
  }
}

/** Size and time of the last change of a file as one text; null when it is not there. */
export function stampOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? `${found.size} ${found.mtimeMs}` : null;
}

/** Where bytes are read into, of one file after the other: to make a new one for each of many small files takes longer than to read them. */
export function readingRoom(): Buffer {
  return Buffer.allocUnsafeSlow(CHUNK_BYTES);
}

/**
 * SHA-256 of a file; null where none is. What stands in the place of one and ends nowhere, such as a pipe, is none. Others have their
 * turn after each piece.
 */
export async function hashOfFile(file: string, room = readingRoom()): Promise<string | null> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const hash = createHash('sha256');
  const opened = openSync(file, 'r');
  try {
    for (let size = readSync(opened, room); size > 0; size = readSync(opened, room)) {
      hash.update(room.subarray(0, size));
      await endOfTurn();
    }
  } finally {
    closeSync(opened);
  }
  return hash.digest('hex');
}
