// A part of a file, as whoever goes on with a download asks for it (RFC 9110, 14).

/** From the first byte to the last, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The part that a `Range` header asks for of so many bytes; null for one that no byte of the file is in. Undefined where the whole is to
 * be sent: without a header, and for several parts or what is no range of bytes, which a server may leave unheeded.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return first > last ? null : { first, last };
}
