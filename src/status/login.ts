// The door: a small form for people, a challenge for programs.
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, setCookie } from 'hono/cookie';
import { takesPages } from './asker.ts';
import { SESSION_COOKIE, type Access, type Verdict } from './access.ts';
import { loginPage } from './pages/login-page.ts';

const MOST_BYTES = 8192;

/** Answers `/login` and `/logout`. */
export function addLogin(app: Hono, access: Access): void {
  app.get('/login', (c) => c.html(loginPage({ next: localPath(c.req.query('next')), wrong: null })));
  app.post('/login', bodyLimit({ maxSize: MOST_BYTES, onError: (c) => noForm(c, 413) }), async (c) => {
    const form = await c.req.parseBody().catch(() => null);
    if (form === null) return noForm(c, 400);
    const next = localPath(form['next']);
    const verdict = access.tryToken(c, typeof form['token'] === 'string' ? form['token'].trim() : '');
    if (verdict.is !== 'allowed') return wrongToken(c, verdict, next);
    const { value, maxAgeS } = access.session();
    const secure = (c.req.header('x-forwarded-proto') ?? '') === 'https';
    setCookie(c, SESSION_COOKIE, value, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: maxAgeS, secure });
    return c.redirect(next, 303);
  });
  app.post('/logout', (c) => {
    deleteCookie(c, SESSION_COOKIE, { path: '/' });
    return c.redirect('/login', 303);
  });
}

/** Anybody may send what no login page sends: that is no fault of ours, and nothing to log. */
function noForm(c: Context, status: 400 | 413): Response | Promise<Response> {
  return c.html(loginPage({ next: '/', wrong: 'This is not what the form sends.' }), status);
}

function wrongToken(c: Context, verdict: Verdict, next: string): Response | Promise<Response> {
  if (verdict.is === 'slowed') c.header('retry-after', String(verdict.retryAfterS));
  const wrong =
    verdict.is === 'slowed' ? `Too many wrong tokens. Wait ${verdict.retryAfterS} seconds.` : 'Wrong token.';
  return c.html(loginPage({ next, wrong }), verdict.is === 'slowed' ? 429 : 401);
}

/** What is answered to those who may not read. */
export function refuse(c: Context, verdict: Verdict): Response | Promise<Response> {
  if (verdict.is === 'closed') return c.json({ error: { code: 'DM_FORBIDDEN', message: verdict.why } }, 403);
  if (verdict.is === 'slowed') {
    c.header('retry-after', String(verdict.retryAfterS));
    return c.json({ error: { code: 'DM_RATE_LIMITED', message: 'Too many wrong tokens from this address' } }, 429);
  }
  const isPerson = takesPages(c) && !c.req.header('authorization');
  const { pathname, search } = new URL(c.req.url);
  if (isPerson) return c.html(loginPage({ next: localPath(pathname + search), wrong: null }), 401);
  c.header('www-authenticate', 'Bearer realm="docmirror", Basic realm="docmirror"');
  const hint = 'Send Authorization: Bearer with the value of status.token.';
  return c.json({ error: { code: 'DM_TOKEN_REFUSED', message: 'This needs the token of the status page', hint } }, 401);
}

/** A path of this server and nothing else: `//host` and `/\host` lead elsewhere. */
function localPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.startsWith('/login') ? path : '/';
}
