// Whoever opens connections to the status server and asks nothing.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { silentLogger, systemClock } from '../../src/base/index.ts';
import { at } from '../platform/world.ts';
import { noRuntimeState, startStatusServer } from '../../src/status/index.ts';

const MOST = 256;

const settings = {
  dataDir: '/nowhere',
  clock: systemClock(),
  log: silentLogger(),
  freshness: { snapshotMs: 1, drillMs: 1 },
  live: () => noRuntimeState,
  host: '127.0.0.1',
  port: 0,
};

it('status/status-server holds no more connections than leave a walk its files: thousands that asked nothing took all that a process of a service may have open', async () => {
  await using server = await startStatusServer(settings);
  const { hostname, port } = new URL(server.url);
  const sockets = Array.from({ length: MOST + 100 }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  const held = await new Promise<Socket[]>((resolve) => {
    let ended = 0;
    for (const socket of sockets) {
      // Each waits for an answer that does not come; those that are refused end by themselves.
      socket.on('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n'));
      socket.once('close', () => ++ended === 100 && resolve(sockets.filter((one) => !one.destroyed)));
    }
  });
  expect(held).toHaveLength(MOST);
  const first = at(held, 0);
  first.write('\r\n');
  const [answer] = (await once(first, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of held) socket.destroy();
});

it('status/status-server ends what does not come to its question, so that others come in: probes were refused for more than a minute', async () => {
  await using server = await startStatusServer({ ...settings, askedWithinMs: 40 });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname, () => socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  socket.destroy();
});

it.each(['GET', 'HEAD'])(
  'status/status-server answers a load balancer that probes by HTTP/1.0 and names no host: it was refused with 400, and the server taken for down (%s)',
  async (method) => {
    await using server = await startStatusServer(settings);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(`${method} /healthz HTTP/1.0\r\n\r\n`));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  },
);
