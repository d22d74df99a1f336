// The second origin: bytes of files behind signed, expiring addresses; no token is asked for.
import { Hono, type Context, type HonoRequest } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { PlatformContext } from '../context.ts';
import { byteRange, type ByteRange } from './byte-range.ts';
import type { FaultInjector } from './fault-injector.ts';
import { DOWNLOAD, HEADER_VALUE } from './fault-plan.ts';
import { meetFaults } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import { blobOf, type KeptBytes } from '../store/blobs.ts';

interface FilesParts {
  context: Pick<PlatformContext, 'db' | 'signer' | 'clock'>;
  requests: RequestLog;
  faults: FaultInjector;
}

interface FilesEnv {
  Bindings: HttpBindings;
}

/** Answers `GET /files/<sha256>/<name>` with the bytes, or with the part of them that `Range` asks for; 403 when the signature is wrong or has expired. */
export function filesApp(parts: FilesParts): Hono<FilesEnv> {
  const { context } = parts;
  const app = new Hono<FilesEnv>();
  app.use(async (c, next) => {
    const { outgoing } = c.env;
    const { pathname, search } = new URL(c.req.url);
    const met = { operation: DOWNLOAD, target: pathname + search, outgoing, headers: {} };
    c.res = await meetFaults({ faults: parts.faults, clock: context.clock }, met, async () => {
      await next();
      return c.res;
    });
    const status = outgoing.destroyed ? 0 : c.res.status;
    parts.requests.add({ operation: DOWNLOAD, method: c.req.method, target: met.target, status });
  });
  app.get('/files/:hash/:name', (c) => {
    const url = new URL(c.req.url);
    if (!context.signer.accepts(url.pathname, url.searchParams)) {
      return c.text('This download address is wrong or has expired', 403);
    }
    const hash = c.req.param('hash');
    const etag = `"${hash}"`;
    if (c.req.header('if-none-match') === etag) return c.body(null, 304, { etag });
    const blob = blobOf(context, hash);
    if (!blob) return c.text('There is no such file', 404);
    const headers = {
      'content-type': sendableType(url.searchParams.get('type')),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'accept-ranges': 'bytes',
      etag,
    };
    const part = byteRange(rangeOf(c.req, etag), blob.size);
    if (part === null) return c.body(null, 416, { 'content-range': `bytes */${blob.size}` });
    if (part) return sendPart(c, blob, { ...part, headers });
    return c.body(bodyOf(blob), 200, { ...headers, 'content-length': String(blob.size) });
  });
  app.notFound((c) => c.text('There is no such file', 404));
  return app;
}

/** A file may have any text for its type. */
function sendableType(type: string | null): string {
  return type !== null && new RegExp(HEADER_VALUE).test(type) ? type : 'application/octet-stream';
}

/** What is asked for of the file as it is; a part of another one is no use to anybody. */
function rangeOf(request: HonoRequest, etag: string): string | undefined {
  const condition = request.header('if-range');
  const isMeant = request.method === 'GET' && (condition === undefined || condition === etag);
  return isMeant ? request.header('range') : undefined;
}

function sendPart(
  c: Context<FilesEnv>,
  blob: KeptBytes,
  { first, last, headers }: ByteRange & { headers: Record<string, string> },
): Response {
  return c.body(bodyOf(blob, { first, last }), 206, {
    ...headers,
    'content-length': String(last - first + 1),
    'content-range': `bytes ${first}-${last}/${blob.size}`,
  });
}

/** One part as it is; several one after the other, as they are taken. */
function bodyOf(
  blob: KeptBytes,
  { first, last }: ByteRange = { first: 0, last: blob.size - 1 },
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const parts = blob.read(first, last);
  const start = parts.next();
  if (start.done === true) return new Uint8Array();
  if (start.value.length === last + 1 - first) return start.value;
  return ReadableStream.from(
    (function* () {
      yield start.value;
      yield* parts;
    })(),
  );
}
