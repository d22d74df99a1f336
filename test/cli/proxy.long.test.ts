// The program on a network whose only way out is a proxy.
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, runOwnProcess, testFolder } from '../support/cli.ts';
import { startProxy } from '../support/proxy.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const CERTIFICATE = fileURLToPath(new URL('../fixtures/platform.test.cert.pem', import.meta.url));
const KEY = fileURLToPath(new URL('../fixtures/platform.test.key.pem', import.meta.url));
const NAME = 'https://platform.test';

/** TLS before a server that speaks none, with the certificate of platform.test. */
async function withTls(address: string): Promise<AsyncDisposable & { url: string }> {
  const { hostname, port } = new URL(address);
  const server = createServer({ cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) }, (socket) => {
    const there = connect(Number(port), hostname);
    socket.on('error', () => there.destroy());
    there.on('error', () => socket.destroy());
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe('cli/proxy', () => {
  it('mirrors a platform that only HTTPS_PROXY leads to', async () => {
    await using platform = await startSeeded();
    await using tls = await withTls(platform.url);
    await using proxy = await startProxy({ names: { 'platform.test': tls.url } });
    using folder = testFolder();
    const env = {
      ...environmentOf({ url: NAME, token: platform.token }, folder.at('data')),
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    };
    // Certificates of one's own are read when a process starts.
    const straight = await runOwnProcess(['sync', '--json'], { env });
    const through = await runOwnProcess(['sync', '--json'], { env: { ...env, HTTPS_PROXY: proxy.url } });
    expect(straight.code).toBe(1);
    expect(documentOf(through)).toMatchObject({ state: 'complete', kinds: { page: { seen: 6 } } });
    expect(new Set(proxy.seen)).toEqual(new Set(['CONNECT platform.test:443']));
  });

  it('examines the platform and sends its pings by that way too', async () => {
    await using platform = await startSeeded();
    await using receiver = await startReceiver();
    await using proxy = await startProxy({ names: { 'platform.test': platform.url, 'pings.test': receiver.url } });
    using folder = testFolder();
    const config = folder.at('docmirror.yaml');
    writeFileSync(config, 'notify:\n  pingSuccess: http://pings.test/done\n');
    const env = {
      ...environmentOf({ url: 'http://platform.test', token: platform.token }, folder.at('data')),
      DOCMIRROR_CONFIG: config,
      DOCMIRROR_STATUS_PORT: '0',
      HTTP_PROXY: proxy.url,
    };
    const synced = await runCli(['sync', '--json'], { env });
    const examined = documentOf<{ findings: { check: string; state: string }[] }>(
      await runCli(['doctor', '--json'], { env }),
    );
    expect(synced.code).toBe(0);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/done']);
    expect(examined.findings.filter(({ state }) => state === 'bad')).toEqual([]);
    expect(examined.findings.filter(({ check }) => check === 'token').map(({ state }) => state)).toContain('good');
  });

  it('gives a proxy a password with a percent sign in it: every command ended as a fault of Docmirror', async () => {
    await using platform = await startSeeded();
    await using proxy = await startProxy({ names: { 'platform.test': platform.url }, password: 'robin:100%' });
    using folder = testFolder();
    const env = environmentOf({ url: 'http://platform.test', token: platform.token }, folder.at('data'));
    for (const word of ['100%', '100%25']) {
      const HTTP_PROXY = proxy.url.replace('//', `//robin:${word}@`);
      expect(await runCli(['sync', '--json'], { env: { ...env, HTTP_PROXY } })).toMatchObject({ code: 0 });
    }
  });

  it('refuses a proxy that is no address, and shows nothing of it', async () => {
    using folder = testFolder();
    const env = environmentOf({ url: NAME, token: 'none' }, folder.at('data'));
    const ended = await runCli(['sync'], { env: { ...env, https_proxy: 'socks5://robin:hidden-word@proxy' } });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('HTTPS_PROXY is no address of a proxy; expected one like http://proxy:3128');
    expect(ended.stdout + ended.stderr).not.toContain('hidden-word');
  });
});
