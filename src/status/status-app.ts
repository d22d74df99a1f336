import { Hono, type Context } from 'hono';
import { AppError, toAppError, type Clock, type Logger } from '../base/index.ts';
import { readMirror, type Mirror } from '../mirror/index.ts';
import type { LiveState } from './live-state.ts';
import { metricsText } from './metrics.ts';
import { reportPage } from './pages/report-page.ts';
import { statusPage } from './pages/status-page.ts';
import { STYLE } from './pages/style.ts';
import { readReport } from './report.ts';
import { readStatus, type FreshnessLimits } from './status-report.ts';
import { storedCounter } from './stored.ts';

export interface StatusAppOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly freshness: FreshnessLimits;
  readonly live: () => LiveState;
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Answers health, metrics and pages from the mirror. It never writes, and asks no other host for anything. */
export function createStatusApp(options: StatusAppOptions): Hono {
  const app = new Hono();
  const stored = storedCounter();
  const limits = options.freshness;
  const now = (): number => options.clock.now();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  });
  app.get('/healthz', (c) => c.json({ alive: true }));
  app.get('/readyz', (c) => {
    const { ready, reasons } = withMirror(options, (mirror) => readStatus(mirror, now(), limits));
    return c.json({ ready, reasons }, ready ? 200 : 503);
  });
  app.get('/metrics', async (c) => {
    const input = withMirror(options, (mirror) => ({
      status: readStatus(mirror, now(), limits),
      stored: mirror && stored(mirror),
    }));
    const { contentType, text } = await metricsText({ ...input, live: options.live() });
    return c.text(text, 200, { 'content-type': contentType });
  });
  app.get('/style.css', (c) => c.text(STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/', (c) => {
    const input = withMirror(options, (mirror) => ({
      status: readStatus(mirror, now(), limits),
      stored: mirror && stored(mirror),
    }));
    return c.html(statusPage({ ...input, live: options.live(), dataDir: options.dataDir, now: now() }));
  });
  app.get('/report', (c) => c.html(reportPage(withMirror(options, (mirror) => mirror && readReport(mirror)))));
  app.all('/v1/*', (c) => replicaMissing(c));
  app.notFound((c) => c.text('There is no such page. Begin at /', 404));
  app.onError((error, c) => failed(options.log, error, c));
  return app;
}

/** A mirror that is not there yet is no error: it is the first thing that a status tells. */
function withMirror<T>(options: StatusAppOptions, read: (mirror: Mirror | null) => T): T {
  let mirror: Mirror | null = null;
  try {
    mirror = readMirror(options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DM_NO_SNAPSHOT') throw error;
  }
  try {
    return read(mirror);
  } finally {
    mirror?.[Symbol.dispose]();
  }
}

function replicaMissing(c: Context): Response {
  const reading = c.req.method === 'GET' || c.req.method === 'HEAD';
  const [status, message] = reading
    ? ([501, 'The replica is not part of this version'] as const)
    : ([405, 'The replica only reads'] as const);
  return c.json({ error: { code: status, message } }, status);
}

function failed(log: Logger, error: Error, c: Context): Response {
  const { code, message, hint } = toAppError(error);
  log.error({ err: error, path: c.req.path }, 'the status page could not answer');
  return c.json({ error: { code, message, hint } }, 500);
}
