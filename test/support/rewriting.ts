// A proxy before the embedded platform that answers otherwise than it does, where a test says so.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { isRecord } from '../../src/base/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import type { TestWorld } from './world.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What is answered instead, bytes as a buffer; undefined leaves an answer as it is. */
export type Rewrite = (asked: Asked, answer: Answer) => Answer | undefined | Promise<Answer | undefined>;

/** No listing shows a space, and the platform fails where it is asked for. */
export function unreachableSpace(id: string): Rewrite {
  return ({ path }, { status, body }) => {
    if (path === `/v1/spaces/${id}`) return { status: 500, body: {} };
    if (!isRecord(body) || !Array.isArray(body['items'])) return undefined;
    return { status, body: { ...body, items: body['items'].filter((item) => !JSON.stringify(item).includes(id)) } };
  };
}

export interface Rewriting extends AsyncDisposable {
  readonly url: string;
  /** A client that walks through the proxy. */
  readonly client: ApiClient;
  rewrite: Rewrite;
  /** What the platform is sent instead of a text; undefined leaves it as it is. */
  send: (asked: Asked, text: string) => string | undefined;
  /** What is answered without asking the platform; undefined asks it. */
  before: (asked: Asked) => Answer | undefined;
}

function bodyOf(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

/** Before the platform of the world, or another one, as that which a restore goes into. */
export async function rewriting(
  world: TestWorld,
  platform: TestWorld['platform'] = world.platform,
): Promise<Rewriting> {
  const proxy: Pick<Rewriting, 'rewrite' | 'send' | 'before'> = {
    rewrite: () => undefined,
    send: () => undefined,
    before: () => undefined,
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', platform.url);
    const { method = 'GET', headers } = request;
    const answered = async (): Promise<Answer> => {
      const { authorization = '', 'content-type': type } = headers;
      const asked = { method, path: url.pathname, query: url.searchParams };
      const instead = proxy.before(asked);
      if (instead !== undefined) return instead;
      const came = Buffer.from(await new Response(Readable.toWeb(request)).arrayBuffer());
      const other = proxy.send(asked, came.toString());
      const sent = other === undefined ? came : Buffer.from(other);
      const got = await fetch(url, {
        method,
        headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
        ...(sent.byteLength === 0 ? {} : { body: sent }),
      });
      const text = await got.text();
      const answer = { status: got.status, body: bodyOf(text) };
      return (await proxy.rewrite(asked, answer)) ?? answer;
    };
    void answered().then(
      ({ status, body }) => {
        const isBytes = Buffer.isBuffer(body);
        response.writeHead(status, { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' });
        response.end(isBytes ? body : body === undefined ? '' : JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The headers about the rate do not come through.
  const client = world.clientOf({ url, token: platform.token }, { requestsPerSecond: 10_000 });
  return Object.assign(proxy, {
    url,
    client,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  });
}

/** The same answer with other counters in each space of it. */
export function recounted(value: unknown, counters: Record<string, number>): unknown {
  const change = (_key: string, one: unknown): unknown =>
    typeof one === 'object' && one !== null && 'object' in one && one.object === 'space'
      ? { ...one, ...counters }
      : one;
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value), change) as unknown);
}

/** Every object of an answer, changed. */
export function changing(change: (one: Record<string, unknown>) => Record<string, unknown>): Rewrite {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (!isRecord(value)) return value;
    return change(Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, within(inner)])));
  };
  return (_asked, { status, body }) => (Buffer.isBuffer(body) ? undefined : { status, body: within(body) });
}

/** Pages of trees that tell by none of these fields any more. */
export function hidingOfPages(...fields: readonly string[]): Rewrite {
  const withoutFields = changing((one) =>
    'slug' in one ? Object.fromEntries(Object.entries(one).filter(([field]) => !fields.includes(field))) : one,
  );
  return (asked, answer) => (asked.path.includes('/content') ? withoutFields(asked, answer) : undefined);
}
