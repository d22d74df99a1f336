// Bytes of a file from the object store, under a type that cannot do harm.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { encoded } from './addresses.ts';
import { text } from './render-links.ts';
import type { Visit } from './visit.ts';

/** Types that a browser only draws or plays. Whatever else a name says is handed over as bytes, to be kept. */
const DRAWN: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
};
const BY_TYPE: ReadonlyMap<string, string> = new Map(Object.values(DRAWN).map((type) => [type, type]));

/** An SVG is drawn with its own styles; a script in it does not run, also when it is opened by itself. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Null when the snapshot does not have the file, or its bytes could not be read. */
export function fileAnswer(c: Context, { reader, mirror }: Visit, key: string): Response | null {
  const file = reader.one('file', key);
  if (!file?.object || !mirror.objects.has(file.object.sha256)) return null;
  const { sha256 } = file.object;
  const name = text(file.body['name']) || file.id;
  const type = typeOf(name, text(file.body['contentType']));
  const etag = `"${sha256}"`;
  const headers = {
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': `${type === null ? 'attachment' : 'inline'}; filename*=UTF-8''${encoded(name).replaceAll("'", '%27')}`,
    'content-security-policy': SANDBOX,
    'cache-control': 'private, no-cache',
    etag,
  };
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
  const size = mirror.objects.sizeOf(sha256);
  const sized = size === null ? headers : { ...headers, 'content-length': String(size) };
  // Nobody would read, and so nobody close, the file of an answer without a body.
  if (c.req.method === 'HEAD') return c.body(null, 200, sized);
  const stream = Readable.toWeb(createReadStream(mirror.objects.pathOf(sha256))) as ReadableStream;
  return c.body(stream, 200, sized);
}

function typeOf(name: string, contentType: string): string | null {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return DRAWN[ending] ?? BY_TYPE.get(contentType.split(';')[0]?.trim().toLowerCase() ?? '') ?? null;
}
