import { lookup } from 'node:dns';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReach, type ResolveName } from '../../src/client/reach.ts';
import { clientFor, rejection, startServer } from './support.ts';

const ELSEWHERE = 'api.docs.example';

/** As the system does, but for names that are nobody's: those are asked of no network, which may take seconds to say so. */
const ownNames: ResolveName = (name, options, callback) => {
  if (/\.(?:example|invalid)$/.test(name)) callback(new Error('ENOTFOUND'), []);
  else lookup(name, options, callback);
};

function reachFrom(host: string): ReturnType<typeof createReach> {
  return createReach(host, ownNames);
}

describe('client/reach', () => {
  it.each([
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '[::ffff:100.100.100.200]',
    '192.0.0.192',
    '168.63.129.16',
    'localhost',
  ])('leads no download to %s from a platform elsewhere', async (host) => {
    expect(await reachFrom(ELSEWHERE).refusal(host)).not.toBeNull();
  });

  it.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0xa9fea9fe'])(
    'sees through the spelling %s',
    async (spelling) => {
      expect(await reachFrom(ELSEWHERE).refusal(new URL(`http://${spelling}/`).hostname)).not.toBeNull();
    },
  );

  it('leaves networks of one’s own open, and the platform’s own kind of place', async () => {
    for (const host of ['10.0.0.1', '192.168.1.4', '[fd12::1]', '198.51.100.7', 'files.docs.invalid']) {
      expect([host, await reachFrom(ELSEWHERE).refusal(host)]).toEqual([host, null]);
    }
    expect(await reachFrom('127.0.0.1').refusal('127.0.0.2')).toBeNull();
    expect(await reachFrom('localhost').refusal('127.0.0.1')).toBeNull();
    expect(await reachFrom('127.0.0.1').refusal('169.254.169.254')).toBe('169.254.169.254');
  });

  it('checks what a name leads to at the moment of the connection, too', async () => {
    const connect = (reach: ReturnType<typeof createReach>, port = 80): Promise<Error | null> =>
      new Promise((resolve) =>
        reach.lookupFor(`http://localhost:${port}`)('localhost', { all: true }, (error) => resolve(error)),
      );
    expect((await connect(reachFrom(ELSEWHERE)))?.message).toMatch(/localhost leads to (127\.0\.0\.1|::1)/);
    expect(await connect(reachFrom('127.0.0.1'))).toBeNull();
    expect(await connect(reachFrom('localhost'))).toBeNull();
    const reach = reachFrom(ELSEWHERE);
    {
      using _trust = reach.trust('http://localhost:81');
      expect(await connect(reach, 81)).toBeNull();
      expect(await connect(reach, 82)).not.toBeNull();
    }
    expect(await connect(reach, 81)).not.toBeNull();
  });

  it('keeps what names lead to, but not what it could not learn for a moment', async () => {
    const names = new Map<string, string>();
    const asked: string[] = [];
    const resolveName: ResolveName = (name, _options, callback) => {
      asked.push(name);
      const address = names.get(name);
      if (address === undefined) callback(new Error('EAI_AGAIN'), []);
      else callback(null, [{ address, family: 4 }]);
    };
    const reach = createReach(ELSEWHERE, resolveName);
    names.set('files.docs.example', '127.0.0.1');
    expect(await reach.refusal('files.docs.example')).toBe('127.0.0.1');
    names.set(ELSEWHERE, '127.0.0.1');
    expect(await reach.refusal('files.docs.example')).toBeNull();
    asked.length = 0;
    expect([await reach.refusal('files.docs.example'), asked]).toEqual([null, []]);

    expect(await reach.refusal('late.docs.example')).toBeNull();
    names.set('late.docs.example', '169.254.169.254');
    expect(await reach.refusal('late.docs.example')).toBe('169.254.169.254');
    names.delete('late.docs.example');
    expect(await reach.refusal('late.docs.example')).toBe('169.254.169.254');
  });
});

describe('client/download, led astray', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docmirror-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each(['127.0.0.1', 'localhost'])(
    'trusts the operator’s own %s for that port and that download alone',
    async (host) => {
      await using other = await startServer((_request, response) => void response.end('other'));
      const otherUrl = other.url.replace('127.0.0.1', host);
      await using own = await startServer(({ url }, response) => {
        if (url === '/away') response.writeHead(302, { location: otherUrl }).end();
        else response.end('own');
      });
      const ownUrl = own.url.replace('127.0.0.1', host);
      await using client = clientFor({ url: 'https://198.51.100.7' });
      const toPath = join(folder, 'file');
      const refused = { code: 'DM_DOWNLOAD_FAILED', message: expect.stringContaining('nothing was sent there') };
      expect(await client.download(ownUrl, { toPath, trusted: true })).toMatchObject({ size: 3 });
      for (const url of [ownUrl, otherUrl])
        expect(await rejection(client.download(url, { toPath }))).toMatchObject(refused);
      expect(await rejection(client.download(`${ownUrl}/away`, { toPath, trusted: true }))).toMatchObject(refused);
      expect([own.seen.map(({ url }) => url), other.seen]).toEqual([['/', '/away'], []]);
    },
  );

  it.each(['http://169.254.169.254/latest/meta-data/', 'http://[::ffff:a9fe:a9fe]/', 'http://[fe80::1%25eth0]/'])(
    'asks nothing of %s, neither at once nor by a redirect, and keeps no file',
    async (address) => {
      await using server = await startServer((_request, response) => {
        response.writeHead(302, { location: address }).end();
      });
      await using client = clientFor(server);
      for (const url of [address, `${server.url}/file`]) {
        const error = await rejection(client.download(url, { toPath: join(folder, 'file') }));
        expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED' });
      }
      expect(server.seen).toHaveLength(1);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/a', 'data:text/plain,x', 'javascript:1', 'gopher://127.0.0.1/'])(
    'follows no redirect to %s',
    async (location) => {
      await using server = await startServer((_request, response) => {
        response.writeHead(302, { location }).end();
      });
      await using client = clientFor(server);
      const error = await rejection(client.download(`${server.url}/file`, { toPath: join(folder, 'file') }));
      expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED' });
      expect([server.seen.length, await readdir(folder)]).toEqual([1, []]);
    },
  );
});
