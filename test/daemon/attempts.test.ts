// Why something was not sent, in the words that a status page shows.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, it } from 'vitest';
import { manualClock, Secret, seededRandom } from '../../src/base/index.ts';
import { attempt } from '../../src/daemon/attempts.ts';
import { createAgent } from '../../src/client/index.ts';
import { readProxies } from '../../src/config/read-proxies.ts';
import { sendMail } from '../../src/daemon/mail.ts';
import { sendTo } from '../../src/daemon/send-http.ts';

const trying = {
  clock: { ...manualClock(), sleep: () => Promise.resolve() },
  random: seededRandom(1),
  signal: new AbortController().signal,
};

/** What is told when each try ends so. */
async function toldOf(send: () => Promise<unknown>): Promise<string | undefined> {
  const outcome = await attempt(trying, async () => void (await send()));
  return outcome.how === 'sent' ? undefined : outcome.why;
}

async function toldOfMail(url: string): Promise<string | undefined> {
  const channel = { url: Secret.of(url), from: 'a@example.com', to: ['b@example.com'] };
  return toldOf(() => sendMail(trying, channel, { subject: 'Snapshot 3', text: 'It is partial.' }));
}

// Each of them takes ten seconds and more to come about for real.
it.each([
  ['a mail server that never answers', 'ETIMEDOUT', 'Timeout'],
  ['a mail server that cannot be connected to', 'ETIMEDOUT', 'Connection timeout'],
  ['a receiver that cannot be connected to', 'UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'],
])('says "no answer in time" of %s, as of all that gives none: it was told as %s', async (_who, code, message) => {
  const error = Object.assign(new Error(message), { code });
  expect(await toldOf(() => Promise.reject(error))).toBe('no answer in time');
});

it('says "no answer in time" where the system gave up a connection to a mail server, which was told as ETIMEDOUT', async () => {
  const error = Object.assign(new Error('connect ETIMEDOUT 192.0.2.1:25'), { code: 'ESOCKET', errno: -110 });
  expect(await toldOf(() => Promise.reject(error))).toBe('no answer in time');
});

it.each([
  ['hangs up', '', 'the connection was closed without an answer'],
  ['is none', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'what answers there is no mail server'],
])('says in words that a mail server %s: it was told as ECONNECTION, or as EPROTOCOL', async (_how, said, told) => {
  const server = createServer((socket) => void socket.on('error', () => undefined).end(said));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    expect(await toldOfMail(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBe(told);
  } finally {
    server.close();
  }
});

// What a name server says of a name that nobody has is another thing on every machine.
it.each([
  ['ENOTFOUND', 'the name of the host is not known here'],
  ['EAI_AGAIN', 'EAI_AGAIN'],
])(
  'tells a name of a mail server that is not known from name servers that are silent (%s): both were told as EDNS',
  async (originalCode, told) => {
    const error = Object.assign(new Error(`getaddrinfo ${originalCode} mail.invalid`), { code: 'EDNS', originalCode });
    expect(await toldOf(() => Promise.reject(error))).toBe(told);
  },
);

it.each([
  ['speaks no TLS', 'what answers there does not speak TLS', (): Server => createHttpServer()],
  ['has a certificate of its own', 'this machine does not know who signed the certificate there', withCertificate],
])('says in words that a receiver %s: it was told as a code of Node.js', async (_what, told, made) => {
  const server = made().on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dispatcher = createAgent(undefined);
  try {
    const address = Secret.of(`https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    const sending = { address, method: 'POST', body: '{}', contentType: 'application/json' } as const;
    expect(await toldOf(() => sendTo({ ...trying, dispatcher }, sending))).toContain(told);
  } finally {
    await dispatcher.destroy();
    server.close();
  }
});

it('says of a proxy that is not there that it is the proxy: the receiver was told to refuse connections', async () => {
  const dispatcher = createAgent(readProxies({ HTTPS_PROXY: 'http://127.0.0.1:1' }));
  const address = Secret.of('https://hook.test/abc');
  const sending = { address, method: 'POST', body: '{}', contentType: 'application/json' } as const;
  const told = await toldOf(() => sendTo({ ...trying, dispatcher }, sending));
  expect(told).toBe('the proxy (HTTPS_PROXY or HTTP_PROXY) was not reached: ECONNREFUSED');
  await dispatcher.destroy();
});

function withCertificate(): Server {
  const [cert, key] = ['cert', 'key'].map((name) =>
    readFileSync(new URL(`../fixtures/platform.test.${name}.pem`, import.meta.url)),
  );
  return createTlsServer({ cert: cert ?? '', key: key ?? '' });
}
