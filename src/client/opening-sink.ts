import { BodyTooLarge, type Sink } from './exchange.ts';

const KEPT_BYTES = 64 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * What comes instead of a file, such as the page of a proxy: its opening is kept to be shown, the rest passes by. Its status and headers
 * say what is to be done, however long it is.
 */
export class OpeningSink implements Sink {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  write(chunk: Buffer): void {
    if (this.#size < KEPT_BYTES) this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    if (this.#size > MOST_BYTES) throw new BodyTooLarge(`more than ${MOST_BYTES} bytes, which are not the file`);
  }

  /** The opening as UTF-8 text. */
  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
