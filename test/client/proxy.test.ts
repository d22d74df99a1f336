import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Secret, type Proxies } from '../../src/base/index.ts';
import { readProxies } from '../../src/config/read-proxies.ts';
import { testFolder } from '../support/cli.ts';
import { startProxy } from '../support/proxy.ts';
import { clientFor, rejection, sendJson, startServer, TOKEN } from './support.ts';

const space = { path: { spaceId: 's1' } };

function through(url: string, more: Record<string, string> = {}): Proxies {
  return readProxies({ HTTP_PROXY: url, ...more });
}

describe('client/proxy', () => {
  it('asks a platform that only the proxy knows, and brings its files, the token going to the platform alone', async () => {
    await using server = await startServer((request, response) =>
      request.url === '/picture.png' ? response.end('bytes') : sendJson(response, 200, { id: 's1' }),
    );
    await using proxy = await startProxy({ names: { 'platform.test': server.url, 'files.test': server.url } });
    await using client = clientFor({ url: 'http://platform.test' }, { proxies: through(proxy.url) });
    using folder = testFolder();
    expect(await client.call('getSpace', space)).toEqual({ id: 's1' });
    await client.download('http://files.test/picture.png', { toPath: folder.at('picture.png') });
    expect(readFileSync(join(folder.path, 'picture.png'), 'utf8')).toBe('bytes');
    expect(proxy.seen).toEqual(['GET http://platform.test/v1/spaces/s1', 'GET http://files.test/picture.png']);
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${TOKEN}`, null]);
  });

  it('names itself to a proxy that asks for it, and says so when that is refused', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 's1' }));
    await using proxy = await startProxy({ names: { 'platform.test': server.url }, password: 'ro@bin:100%' });
    const proxies = through(proxy.url.replace('//', '//ro%40bin:100%@'));
    await using client = clientFor({ url: 'http://platform.test' }, { proxies });
    expect(await client.call('getSpace', space)).toEqual({ id: 's1' });
    await using stranger = clientFor({ url: 'http://platform.test' }, { proxies: through(proxy.url) });
    expect(String(await rejection(stranger.call('getSpace', space)))).toContain('407');
    expect(server.seen).toHaveLength(1);
  });

  it('asks straight what NO_PROXY names and what is on this machine', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 's1' }));
    await using proxy = await startProxy({ names: {} });
    await using client = clientFor(server, { proxies: through(proxy.url) });
    await using another = clientFor(
      { url: server.url.replace('127.0.0.1', '127.0.0.2') },
      { proxies: through(proxy.url, { no_proxy: '.example.com, 127.0.0.2' }) },
    );
    await client.call('getSpace', space);
    expect(String(await rejection(another.call('getSpace', space)))).toContain('ECONNREFUSED');
    expect(proxy.seen).toEqual([]);
  });

  it('asks straight an IPv6 address that NO_PROXY names without brackets, as most write it: the proxy was asked', async () => {
    await using proxy = await startProxy({ names: {} });
    for (const no_proxy of ['::ffff:127.0.0.2', '[0:0::ffff:7f00:2]:9', 'x, [::FFFF:127.0.0.2]']) {
      await using client = clientFor(
        { url: 'http://[::ffff:127.0.0.2]:9' },
        { proxies: through(proxy.url, { no_proxy }) },
      );
      expect(String(await rejection(client.call('getSpace', space)))).toContain('ECONNREFUSED');
    }
    expect(proxy.seen).toEqual([]);
  });

  it('lets no file be fetched from this machine by way of a name, though the proxy may look up names', async () => {
    await using server = await startServer((_request, response) => response.end('private'));
    await using proxy = await startProxy({ names: { localhost: server.url } });
    await using client = clientFor({ url: 'http://platform.test' }, { proxies: through(proxy.url) });
    using folder = testFolder();
    const download = client.download(server.url.replace('127.0.0.1', 'localhost'), { toPath: folder.at('file') });
    expect(String(await rejection(download))).toContain('which only this machine can ask');
    expect([server.seen, proxy.seen]).toEqual([[], []]);
  });

  it('shows how a proxy is given its user and password, which the example of an address lost where it was shown', async () => {
    await using proxy = await startProxy({ names: {}, password: 'robin:word' });
    for (const url of ['https://platform.test', 'http://platform.test']) {
      await using client = clientFor({ url }, { proxies: through(proxy.url), limits: { retries: 0 } });
      expect(String(await rejection(client.call('getSpace', space)))).toContain(
        'the proxy answered 407: it wants a user and a password, written before its host as user:password@',
      );
    }
  });

  it('says in words what a proxy answers that opens no way', async () => {
    await using proxy = await startProxy({ names: {}, password: 'robin:word' });
    const asked = async (url: string): Promise<string> => {
      const proxies = readProxies({ HTTPS_PROXY: url });
      await using client = clientFor({ url: 'https://platform.test' }, { proxies, limits: { retries: 0 } });
      return String(await rejection(client.call('getSpace', space)));
    };
    expect(await asked(proxy.url)).toContain('the proxy answered 407: it wants a user and a password');
    expect(await asked(proxy.url.replace('//', '//robin:word@'))).toContain('the proxy answered 502');
  });

  it('asks a proxy that hangs up for one tunnel a try: it was asked for a thousand in a second, until the time was over', async () => {
    await using proxy = await startProxy({ names: {}, hangsUp: true });
    const proxies = readProxies({ HTTPS_PROXY: proxy.url });
    await using client = clientFor({ url: 'https://platform.test' }, { proxies, limits: { retries: 1 } });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({ code: 'DM_UNREACHABLE', sent: false });
    expect(String(error)).toContain('the proxy closed the connection instead of opening a way');
    expect(proxy.seen).toEqual(['CONNECT platform.test:443', 'CONNECT platform.test:443']);
  });

  it('says that it was the proxy which hung up on a plain request: the address was said to need https://, which the proxy never asked', async () => {
    await using proxy = await startProxy({ names: {}, hangsUp: true });
    await using client = clientFor(
      { url: 'http://platform.test' },
      { proxies: through(proxy.url), limits: { retries: 0 } },
    );
    const error = String(await rejection(client.call('getSpace', space)));
    expect(error).toContain('the proxy (HTTP_PROXY) closed the connection without an answer');
    expect(error).not.toContain('TLS');
  });

  it.each(['', 'robin:word@'])(
    'names the proxy whatever its port is (%shost): of one with the port of the platform it was said that the address needs https://',
    async (user) => {
      await using proxy = await startProxy({ names: {}, hangsUp: true });
      const { host, port } = new URL(proxy.url);
      const options = { proxies: through(`http://${user}${host}`), limits: { retries: 0 } };
      await using client = clientFor({ url: `http://platform.test:${port}` }, options);
      const error = String(await rejection(client.call('getSpace', space)));
      expect(error).toContain('the proxy (HTTP_PROXY) closed the connection without an answer');
      expect(error).not.toContain('TLS');
    },
  );

  it.each(['https://platform.test', 'http://platform.test'])(
    'says of a proxy that speaks no TLS that its address may have to begin with http://: that was said of %s',
    async (url) => {
      await using proxy = await startProxy({ names: {} });
      const proxies = readProxies({ HTTP_PROXY: proxy.url.replace('http://127.0.0.1', 'https://localhost') });
      await using client = clientFor({ url }, { proxies, limits: { retries: 0 } });
      expect(String(await rejection(client.call('getSpace', space)))).toContain(
        'the proxy (HTTPS_PROXY or HTTP_PROXY) was not reached: what answers there does not speak TLS',
      );
    },
  );

  it('says that nothing was sent when the proxy is not there', async () => {
    const proxies = { http: Secret.of('http://user:hidden-word@127.0.0.1:9'), https: null, direct: '' };
    await using client = clientFor({ url: 'http://platform.test' }, { proxies, limits: { retries: 0 } });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({ code: 'DM_UNREACHABLE', sent: false });
    expect(String(error)).toContain('the proxy (HTTPS_PROXY or HTTP_PROXY) was not reached: connect ECONNREFUSED');
    expect(String(error)).not.toContain('hidden-word');
  });
});
