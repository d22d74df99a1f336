import type { Context } from 'hono';

/**
 * Aborted when whoever asked has gone, and nobody waits for the answer any more. Its reason is an error, as all that is thrown; that of
 * the server's own signal is a text.
 */
export function askerSignal({ signal }: Request): AbortSignal {
  const gone = new AbortController();
  if (signal.aborted) gone.abort();
  signal.addEventListener('abort', () => gone.abort(), { once: true });
  return gone.signal;
}

/** What nobody reads. */
export function unread(): Response {
  return new Response(null, { status: 499 });
}

/** It is a browser: programs get short texts instead. */
export function takesPages(c: Context): boolean {
  return (c.req.header('accept') ?? '').includes('text/html');
}
