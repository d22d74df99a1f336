// Texts come in the encoding that their bytes, their address or they themselves name; what is none of these is refused, not garbled.
import { isUtf8 } from 'node:buffer';

/** Where HTML may name its own encoding. */
const HEAD_BYTES = 1024;
const NAMED = /<meta\b[^<>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i;

/**
 * The text that the bytes hold, without a mark of their order. What is valid UTF-8 is read as that, whatever else was said;
 * `charset` is the encoding that was named for other bytes. Throws an Error that says why it cannot be read.
 */
export function decodeText(bytes: Buffer, charset?: string): string {
  const marked = markedEncoding(bytes);
  if (marked === undefined && isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  const encoding = marked ?? charset;
  if (encoding === undefined) throw new Error('it is not UTF-8, and names no other encoding');
  return decodeAs(encoding, bytes);
}

/** The same for a document of HTML, which can name its encoding itself. */
export function decodeHtml(bytes: Buffer, charset?: string): string {
  return decodeText(bytes, charset ?? NAMED.exec(bytes.subarray(0, HEAD_BYTES).toString('latin1'))?.[1]);
}

function markedEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function decodeAs(encoding: string, bytes: Buffer): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    // A label that is not known is a RangeError, bytes that do not fit are a TypeError.
    const named = JSON.stringify(encoding);
    const reason =
      error instanceof RangeError ? `its encoding ${named} is not known` : `it is not the ${named} that it says it is`;
    throw new Error(reason, { cause: error });
  }
}
