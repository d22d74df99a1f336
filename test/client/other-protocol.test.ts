// An address that begins with http:// where TLS is spoken, and the other way round.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { clientFor, rejection } from './support.ts';

/** Asks what answers the first bytes of whoever connects in a way of its own. */
async function said(scheme: 'http' | 'https', answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => answer(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await using client = clientFor({ url: `${scheme}://127.0.0.1:${port}` }, { limits: { retries: 0 } });
    return String(await rejection(client.call('getSpace', { path: { spaceId: 'space' } })));
  } finally {
    server.close();
  }
}

// As TLS tells that what it was sent is none of it: an alert, protocol_version.
const ALERT = Buffer.from([21, 3, 1, 0, 2, 2, 70]);

it.each([
  ['hangs up', (socket: Socket): void => void socket.end()],
  ['says so in its own protocol', (socket: Socket): void => void socket.end(ALERT)],
])(
  'client says that the address may have to begin with https:// where what speaks TLS %s: nothing but that was told',
  async (_how, answer) => {
    expect(await said('http', answer)).toContain('may speak TLS: the address may have to begin with https://');
  },
);

it('client says that the address may have to begin with http:// where what speaks no TLS hangs up', async () => {
  const error = await said('https', (socket) => void socket.end());
  expect(error).toContain('may speak no TLS: the address may have to begin with http://');
});

it('client says why there is no TLS with what speaks another version of it: places in the code of OpenSSL were told', async () => {
  const error = await said('https', (socket) => void socket.end(ALERT));
  expect(error).toContain('or lost it: no TLS with what answers there: tlsv1 alert protocol version');
  expect(error).not.toMatch(/routines|\.c:/);
});

it('client says nothing of TLS where an answer that has begun breaks off', async () => {
  const error = await said('http', (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{'));
  expect(error).not.toContain('TLS');
});
