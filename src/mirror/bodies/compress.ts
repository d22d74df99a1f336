// Superseded texts, compressed. A text that was edited by a few words costs about what was edited: what it shares with its
// successor at both ends is counted, and what lies between is deflated with the successor's own middle as dictionary.
import { constants as bufferLimits } from 'node:buffer';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

// The first byte says how the rest is to be read.
const ALONE = 0;
const MIDDLE_PLAIN = 1;
const MIDDLE_DEFLATED = 2;

const LEVEL = { level: constants.Z_BEST_COMPRESSION };
// As long as a text can be: a few bytes of a mirror that somebody else has made may stand for more than there is memory.
const MOST = { maxOutputLength: bufferLimits.MAX_STRING_LENGTH };
// As far as deflate looks back.
const WINDOW = 32_768;
// What surrounds an edit is often moved into it.
const SURROUNDINGS = 4096;

/** Compresses a text, or its bytes: against another one, by which it can be read again, or alone. */
export function compress(text: string | Buffer, base: string | Buffer | null): Buffer {
  const bytes = bytesOf(text);
  const alone = Buffer.concat([Buffer.of(ALONE), deflateRawSync(bytes, LEVEL)]);
  if (base === null) return alone;
  const against = difference(bytes, bytesOf(base));
  return against.length < alone.length ? against : alone;
}

function bytesOf(text: string | Buffer): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

/** The text again, of what `compress` gave. Throws when either is not what it was. */
export function decompress(data: Buffer, base: string | null): string {
  if (data[0] === ALONE) return inflateRawSync(data.subarray(1), MOST).toString();
  if (base === null) throw new Error('a text that is kept as a difference lacks what it differs from');
  return together(data, Buffer.from(base)).toString();
}

/** True when it can be read without its base. */
export function standsAlone(data: Buffer): boolean {
  return data[0] === ALONE;
}

function difference(bytes: Buffer, base: Buffer): Buffer {
  const most = Math.min(bytes.length, base.length);
  let prefix = 0;
  while (prefix < most && bytes[prefix] === base[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < most - prefix && bytes[bytes.length - 1 - suffix] === base[base.length - 1 - suffix]) suffix += 1;
  const middle = bytes.subarray(prefix, bytes.length - suffix);
  const deflated = deflateRawSync(middle, { ...LEVEL, dictionary: dictionaryOf(base, prefix, suffix) });
  const isShorter = deflated.length < middle.length;
  const head = [isShorter ? MIDDLE_DEFLATED : MIDDLE_PLAIN, ...number(prefix), ...number(suffix)];
  return Buffer.concat([Buffer.from(head), isShorter ? deflated : middle]);
}

function together(data: Buffer, base: Buffer): Buffer {
  const [prefix, afterPrefix] = numberAt(data, 1);
  const [suffix, start] = numberAt(data, afterPrefix);
  const kept = data.subarray(start);
  const middle =
    data[0] === MIDDLE_PLAIN ? kept : inflateRawSync(kept, { ...MOST, dictionary: dictionaryOf(base, prefix, suffix) });
  return Buffer.concat([base.subarray(0, prefix), middle, base.subarray(base.length - suffix)]);
}

// Never empty: an empty dictionary is refused.
function dictionaryOf(base: Buffer, prefix: number, suffix: number): Buffer {
  const end = Math.min(base.length, base.length - suffix + SURROUNDINGS);
  const start = Math.max(0, Math.min(prefix - SURROUNDINGS, end), end - WINDOW);
  return end > start ? base.subarray(start, end) : Buffer.of(0);
}

// Seven bits to a byte, the lowest first.
function number(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))];
}

function numberAt(data: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  let scale = 1;
  for (let at = from; at < data.length; at++) {
    const byte = data[at] ?? 0;
    value += (byte % 128) * scale;
    if (byte < 128) return [value, at + 1];
    scale *= 128;
  }
  throw new Error('a compressed text ends within its head');
}
