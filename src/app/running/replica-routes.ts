// The replica and the bytes of its files as routes of the status server.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Context, Hono } from 'hono';
import { inTurns, isAbort, toAppError } from '../../base/index.ts';
import { toResponse } from '../../contract/index.ts';
import { readMirror } from '../../mirror/index.ts';
import { createReplica, failureAnswer, FILES, type Replica } from '../../replica/index.ts';
import { askerSignal, unread } from '../../status/index.ts';
import type { Kit } from '../kit.ts';

/** Adds `/v1/…`, and the addresses of files that its answers name. */
export function replicaRoutes({ config, clock, random, log }: Kit): (app: Hono) => void {
  const { token } = config.replica;
  const replica = createReplica({ dataDir: config.dataDir, clock, random, log, tokens: token === null ? [] : [token] });
  return (app) => {
    app.all('/v1/*', (c) => answer(replica, c));
    app.get(`${FILES}*`, (c) => {
      try {
        return sendFile(replica, { dataDir: config.dataDir, clock }, c);
      } catch (error) {
        log.error({ err: error }, 'the replica could not answer');
        return toResponse(failureAnswer(toAppError(error).code), {});
      }
    });
  };
}

async function answer(replica: Replica, c: Context): Promise<Response> {
  const url = new URL(c.req.url);
  const pieces = replica.answer({
    method: c.req.method,
    target: `${url.pathname}${url.search}`,
    header: (name) => c.req.header(name),
    base: url.origin,
  });
  try {
    return toResponse(await inTurns(pieces, () => askerSignal(c.req.raw)), {});
  } catch (error) {
    if (isAbort(error)) return unread();
    throw error;
  }
}

/** What is sent is only ever shown as what it is: nothing in it runs. */
const FILE_HEADERS = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' };

function sendFile(replica: Replica, place: Pick<Kit, 'clock'> & { dataDir: string }, c: Context): Response {
  const file = replica.files.read(c.req.path);
  if (file === null) return c.text('This address is not valid any more', 410);
  using mirror = readMirror(place);
  const size = mirror.objects.sizeOf(file.sha256);
  if (size === null) return c.text('The bytes are not in the mirror', 404);
  // JSON can name half a character alone, which no address and no header can.
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.name.toWellFormed())}`;
  const headers = {
    ...FILE_HEADERS,
    'content-type': shownType(file.contentType),
    'content-disposition': disposition,
    'content-length': String(size),
  };
  // Nobody would read, and so nobody close, the file of an answer without a body.
  if (c.req.method === 'HEAD') return new Response(null, { headers });
  const bytes = Readable.toWeb(createReadStream(mirror.objects.pathOf(file.sha256))) as ReadableStream;
  return new Response(bytes, { headers });
}

/** The platform may say any text; what no header can carry must not keep the bytes from whoever asks for them. */
function shownType(contentType: string): string {
  return /^[\t\x20-\x7e]+$/.test(contentType) ? contentType : 'application/octet-stream';
}
