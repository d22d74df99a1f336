// A proxy as many networks have one: it alone knows the names of what is asked, and where that is.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  /** First lines of what it was asked, without versions: `CONNECT platform.test:443`, `GET http://platform.test/v1/…`. */
  readonly seen: readonly string[];
}

export interface ProxyOptions {
  /** Addresses by name: `{'platform.test': 'http://127.0.0.1:8700'}`; what is not among them is answered with 502. */
  readonly names: Readonly<Record<string, string>>;
  /** User and password that it asks for, joined by a colon. */
  readonly password?: string;
  /** Hangs up on who asks for anything, without a word. */
  readonly hangsUp?: boolean;
}

export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    handOn(options, incoming, response);
  });
  server.on('connection', keep);
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    const there = tunnel(options, incoming, socket);
    if (there) keep(there);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function isLetIn({ password }: ProxyOptions, { headers }: IncomingMessage): boolean {
  const expected = password === undefined ? undefined : `Basic ${Buffer.from(password).toString('base64')}`;
  return headers['proxy-authorization'] === expected;
}

function handOn(options: ProxyOptions, incoming: IncomingMessage, response: ServerResponse): void {
  if (options.hangsUp) return void incoming.socket.end();
  if (!isLetIn(options, incoming)) return void response.writeHead(407).end();
  const { hostname, pathname, search } = new URL(incoming.url ?? '');
  const there = options.names[hostname];
  if (there === undefined) return void response.writeHead(502).end();
  const { method, headers } = incoming;
  const sent = request(`${there}${pathname}${search}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  incoming.pipe(sent);
}

function tunnel(options: ProxyOptions, incoming: IncomingMessage, socket: Socket): Socket | null {
  const refuse = (status: string): null => {
    socket.end(`HTTP/1.1 ${status}\r\n\r\n`);
    return null;
  };
  if (options.hangsUp === true) {
    socket.destroy();
    return null;
  }
  if (!isLetIn(options, incoming)) return refuse('407 Proxy Authentication Required');
  const there = options.names[(incoming.url ?? '').replace(/:\d+$/, '')];
  if (there === undefined) return refuse('502 Bad Gateway');
  const { hostname, port } = new URL(there);
  const onward = connect(Number(port), hostname, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    onward.pipe(socket);
    socket.pipe(onward);
  });
  return onward;
}
