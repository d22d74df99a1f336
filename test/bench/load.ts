// Requests per second, by one load generator for everything that is compared.
import autocannon from 'autocannon';

export interface Target {
  readonly url: string;
  readonly token?: string;
  /** Every request asks for something that was not asked before. */
  readonly isNew?: boolean;
}

export const CONNECTIONS = 16;
const SECONDS = 3;

/** Requests per second over a few seconds; throws when one of them fails. */
export async function requestsPerSecond({ url, token, isNew = false }: Target): Promise<number> {
  const { pathname, search } = new URL(url);
  let asked = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(isNew
      ? { requests: [{ setupRequest: (request) => ({ ...request, path: `${pathname}${search}&asked=${asked++}` }) }] }
      : {}),
  });
  if (result.errors + result.non2xx > 0) throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  return result.requests.total / result.duration;
}
