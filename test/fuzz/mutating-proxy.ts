// A server in front of a platform that hands everything on as it is, but for the answers of one operation.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMatcher, type AnyOperationName } from '../../src/contract/index.ts';

/** What becomes of the text of a good answer; null for as it is. */
export type Spoil = (operation: AnyOperationName, text: string) => Buffer | null;

export interface MutatingProxy extends AsyncDisposable {
  readonly url: string;
  spoil: Spoil;
}

// These are about the way that the bytes took.
const ITS_OWN = new Set([
  'connection',
  'content-length',
  'content-encoding',
  'keep-alive',
  'transfer-encoding',
  'date',
]);

export async function startProxy(upstream: string): Promise<MutatingProxy> {
  const matcher = createMatcher();
  const answer = async (asked: IncomingMessage, out: ServerResponse): Promise<void> => {
    const { method = 'GET', url: target = '/', headers } = asked;
    const got = await fetch(upstream + target, { method, headers: { authorization: headers.authorization ?? '' } });
    const text = await got.text();
    const operation = matcher.match(method, target.split('?')[0] ?? '')?.name;
    const spoilt = got.ok && operation !== undefined ? proxy.spoil(operation, text) : null;
    // Its rate headers too: without them a client goes slowly.
    got.headers.forEach((value, name) => void (ITS_OWN.has(name) || out.setHeader(name, value)));
    out.writeHead(got.status).end(spoilt ?? text);
  };
  const server = createServer((asked, out) => {
    answer(asked, out).catch(() => out.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: MutatingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil: () => null,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
