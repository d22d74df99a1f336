import { Hono, type Context } from 'hono';
import { codeOf, ERROR_CODES, isAbort, toAppError, type Clock, type Logger } from '../base/index.ts';
import {
  holderOf,
  mirrorIdentity,
  mirrorIfThere,
  planForget,
  someFailures,
  visitsLeft,
  type Mirror,
  type RetentionPolicy,
} from '../mirror/index.ts';
import { createAccess, guard, PROBES, type AccessSettings } from './access.ts';
import { takesPages, unread } from './asker.ts';
import { addBrowser } from './browse/browse-app.ts';
import type { RuntimeState } from './runtime-state.ts';
import { asItIs, type Named } from './named.ts';
import { addLogin, refuse } from './login.ts';
import { metricsText } from './metrics.ts';
import { missingPage } from './pages/missing-page.ts';
import { reportPage } from './pages/report-page.ts';
import { STANDS, statusPage, type StatusPageInput } from './pages/status-page.ts';
import { SHOWN_FAILURES } from './pages/status-tables.ts';
import { STYLE } from './pages/style.ts';
import { reportReader } from './report.ts';
import { namedIn, readStatus, type FreshnessLimits } from './status-report.ts';
import { readStored } from './stored.ts';

export interface StatusAppOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly freshness: FreshnessLimits;
  readonly live: () => RuntimeState;
  /** Who may read; anybody on this machine when absent. */
  readonly access?: AccessSettings;
  /** The policy that a schedule forgets by; null when nothing is forgotten by itself. */
  readonly retention?: () => RetentionPolicy | null;
  /** Address of the platform that the settings name; none when absent. */
  readonly configured?: string | null;
  /** Words of ours with what leads to this mirror behind each command in them; as they are when absent. */
  readonly named?: Named;
  /** What else is served at the same address; it keeps its own door. */
  readonly beside?: (app: Hono) => void;
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="1" width="14" height="14" rx="3" fill="#2456b3"/><path d="M5 4h3a4 4 0 0 1 0 8H5z" fill="#fff"/></svg>';

const THIS_MACHINE: AccessSettings = { host: '127.0.0.1', token: null, openProbes: false };

/** Answers health, metrics and pages from the mirror. It never writes, and asks no other host for anything. */
export function createStatusApp(options: StatusAppOptions): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    // Not by the context, which makes an answer that is there anew, with its body as a stream: longer than most reads of the mirror take.
    const { headers } = c.res;
    for (const [name, value] of Object.entries(HEADERS)) if (!headers.has(name)) headers.set(name, value);
  });
  options.beside?.(app);
  const access = createAccess(options.access ?? THIS_MACHINE, options.clock);
  app.use(guard(access, refuse));
  addLogin(app, access);
  addProbes(app, options);
  addPages(app, options);
  addBrowser(app, { withMirror: (read) => withMirror(options, read), named: options.named ?? asItIs });
  app.notFound(missing);
  app.onError((error, c) => failed(options, error, c));
  return app;
}

/** What no page answers: another method than reading is possible nowhere but at the login, which answers by itself. */
function missing(c: Context): Response | Promise<Response> {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD')
    return takesPages(c) ? c.html(missingPage(), 404) : c.text('There is no such page. Begin at /', 404);
  return c.text(`${method} is not possible here: these pages are only read`, 405, { allow: 'GET, HEAD' });
}

function addProbes(app: Hono, options: StatusAppOptions): void {
  const statusOf = (mirror: Mirror | null): ReturnType<typeof readStatus> =>
    readStatus(mirror, options.clock.now(), options.freshness);
  app.get('/healthz', (c) => c.json({ alive: true }));
  app.get('/readyz', async (c) => {
    const { ready, reasons, mirror } = await withMirror(options, (opened) => ({
      ...statusOf(opened),
      mirror: opened && mirrorIdentity(opened),
    }));
    return c.json({ ready, reasons, mirror }, ready ? 200 : 503);
  });
  app.get('/metrics', async (c) => {
    const input = await withMirror(options, (mirror) => ({
      status: statusOf(mirror),
      stored: mirror && readStored(mirror),
    }));
    const { contentType, text } = await metricsText({ ...input, live: options.live() });
    return c.text(text, 200, { 'content-type': contentType });
  });
}

function addPages(app: Hono, options: StatusAppOptions): void {
  const report = reportReader();
  app.get('/style.css', (c) => c.text(STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/icon.svg', (c) => c.body(ICON, 200, { 'content-type': 'image/svg+xml' }));
  app.get('/', async (c) => {
    const stands = c.req.query(STANDS) !== undefined;
    const input = await withMirror(options, (mirror) => statusInput(mirror, options));
    return c.html(statusPage({ ...input, stands }));
  });
  const { named = asItIs } = options;
  app.get('/report', async (c) =>
    c.html(reportPage(await withMirror(options, (mirror) => mirror && report(mirror)), named)),
  );
}

function statusInput(mirror: Mirror | null, options: StatusAppOptions): Omit<StatusPageInput, 'stands'> {
  const now = options.clock.now();
  const policy = options.retention?.() ?? null;
  const { dataDir, named = asItIs } = options;
  const status = readStatus(mirror, now, options.freshness);
  return {
    status: namedIn(status, named),
    failures: mirror && status.lastSealed ? someFailures(mirror, status.lastSealed.id, SHOWN_FAILURES) : [],
    stored: mirror && readStored(mirror),
    live: options.live(),
    holder: mirror && holderOf(dataDir),
    waiting: mirror ? visitsLeft(mirror) : 0,
    kept: mirror && policy ? planForget(mirror, policy) : null,
    canLeave: (options.access?.token ?? null) !== null,
    dataDir,
    configured: options.configured ?? null,
    named,
    now,
  };
}

/** A mirror that is not there yet is no error: it is the first thing that a status tells. */
async function withMirror<T>(options: StatusAppOptions, read: (mirror: Mirror | null) => T | Promise<T>): Promise<T> {
  using mirror = mirrorIfThere(options);
  return await read(mirror);
}

function failed({ log, named = asItIs }: StatusAppOptions, error: Error, c: Context): Response {
  // The only connections here are those of who asks: one broke off in the middle of what was sent.
  if (isAbort(error) || codeOf(error) === 'ECONNRESET') return unread();
  const { code, message, hint } = toAppError(error);
  log.error({ err: error, path: c.req.path }, 'the status page could not answer');
  // Open to whoever asks, they tell nothing of this machine.
  if (PROBES.includes(c.req.path)) return c.json({ error: { code, message: ERROR_CODES[code].summary } }, 500);
  return c.json({ error: { code, message, hint: named(hint) } }, 500);
}
