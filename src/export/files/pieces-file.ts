import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { OnDisk } from './file-queue.ts';

/** Lines as texts of about `length` UTF-16 units each; none is empty. */
export function* inPieces(lines: Iterable<string>, length: number): Generator<string, undefined> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < length) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** A new file that is written, and hashed, piece by piece. Throws what the system says. */
export class PiecesFile implements Disposable {
  readonly #file: number;
  readonly #seen = createHash('sha256');
  #size = 0;

  /** @param place Where no file is yet. */
  constructor(place: string) {
    this.#file = openSync(place, 'wx');
  }

  add(piece: string): void {
    const bytes = Buffer.from(piece);
    this.#seen.update(bytes);
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    this.#size += bytes.length;
  }

  /** What is known of it once nothing more comes. */
  end(): OnDisk {
    return { sha256: this.#seen.digest(), size: this.#size, mtime: fstatSync(this.#file).mtimeMs };
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
