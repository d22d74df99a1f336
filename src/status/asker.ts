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
