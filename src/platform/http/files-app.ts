// The second origin: bytes of files behind signed, expiring addresses; no token is asked for.
import { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { PlatformContext } from '../context.ts';
import type { FaultInjector } from './fault-injector.ts';
import { DOWNLOAD } from './fault-plan.ts';
import { meetFaults } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import { readBlob } from '../store/revisions.ts';

interface FilesParts {
  context: Pick<PlatformContext, 'db' | 'signer' | 'clock'>;
  requests: RequestLog;
  faults: FaultInjector;
}

interface FilesEnv {
  Bindings: HttpBindings;
}

/** Answers `GET /files/<sha256>/<name>` with the bytes; 403 when the signature is wrong or has expired. */
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
    const bytes = readBlob(context, hash);
    if (!bytes) return c.text('There is no such file', 404);
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': url.searchParams.get('type') ?? 'application/octet-stream',
      'content-length': String(bytes.byteLength),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      etag,
    });
  });
  app.notFound((c) => c.text('There is no such file', 404));
  return app;
}
