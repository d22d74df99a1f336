import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenSmallDisk } from '../support/small-disk.ts';
import { clientFor, rejection, sendError, sendJson, startServer, TOKEN, until, type Handler } from './support.ts';

const bytes = Buffer.alloc(3_000_000, 'documentation ');
const sha256 = createHash('sha256').update(bytes).digest('hex');

const sendBytes: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(bytes.byteLength) });
  response.end(bytes);
};

describe('client/download', () => {
  let folder = '';
  let toPath = '';

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docmirror-'));
    toPath = path.join(folder, 'file');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('streams bytes to their file and gives hash, size and type', async () => {
    await using server = await startServer(sendBytes);
    await using client = clientFor(server);
    const download = await client.download(`${server.url}/file?x=1`, { toPath, expectedSize: bytes.byteLength });
    expect(download).toEqual({ sha256, size: bytes.byteLength, contentType: 'image/png' });
    expect(bytes.equals(await readFile(toPath))).toBe(true);
    expect((await stat(toPath)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['file']);
    expect(client.meter.byOperation.get('download')).toEqual({ requests: 1, bytes: bytes.byteLength });
  });

  it('names the folder whose disk has no room for the bytes: of a walk that ended for it nobody was told where', async (context) => {
    const { disk, folder: full } = givenSmallDisk(context);
    disk.fill();
    await using server = await startServer(sendBytes);
    await using client = clientFor(server);
    const download = client.download(`${server.url}/file`, { toPath: path.join(full, 'file') });
    const message = expect.stringMatching(new RegExp(`^ENOSPC: .* \\(folder ${full}\\)$`)) as string;
    await expect(download).rejects.toMatchObject({ code: 'DM_DISK_FULL', message });
    expect(await readdir(full)).toEqual(['filler']);
  });

  it('sends the token to the origin of the platform only', async () => {
    await using platform = await startServer(sendBytes);
    await using other = await startServer(sendBytes);
    await using client = clientFor(platform);
    await client.download(`${platform.url}/file`, { toPath });
    await client.download(`${other.url}/file`, { toPath });
    expect(platform.seen[0]?.authorization).toBe(`Bearer ${TOKEN}`);
    expect(other.seen[0]?.authorization).toBeNull();
  });

  it('follows redirects without carrying the token to another origin, nor back from there', async () => {
    await using other: Awaited<ReturnType<typeof startServer>> = await startServer((_request, response) => {
      response.writeHead(307, { location: `${platform.url}/bytes` }).end();
    });
    await using platform = await startServer((request, response, number) => {
      if (request.url === '/bytes') return sendBytes(request, response, number);
      const location = request.url === '/file' ? '/signed?signature=abc' : `${other.url}/hop`;
      return response.writeHead(302, { location }).end();
    });
    await using client = clientFor(platform);
    expect(await client.download(`${platform.url}/file`, { toPath })).toMatchObject({ sha256 });
    expect(platform.seen.map((request) => [request.url, request.authorization !== null])).toEqual([
      ['/file', true],
      ['/signed?signature=abc', true],
      ['/bytes', false],
    ]);
    expect(other.seen.map((request) => request.authorization)).toEqual([null]);
  });

  it('refuses redirects without end and addresses that are not http', async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
    });
    await using client = clientFor(server);
    const endless = await rejection(client.download(`${server.url}/file`, { toPath }));
    expect(endless).toMatchObject({ code: 'DM_DOWNLOAD_FAILED' });
    expect(server.seen).toHaveLength(6);
    for (const address of ['file:///etc/passwd', 'data:text/plain,x', 'http://']) {
      expect(await rejection(client.download(address, { toPath }))).toMatchObject({ code: 'DM_DOWNLOAD_FAILED' });
    }
  });

  it.each([{}, { location: '' }, { location: ' ' }])(
    'says so at once where a redirect names no address: "led through more than 5 redirects" (%j)',
    async (headers) => {
      await using server = await startServer((_request, response) => response.writeHead(302, headers).end());
      await using client = clientFor(server);
      const error = await rejection(client.download(`${server.url}/file`, { toPath }));
      expect(String(error)).toContain('answered 302, a redirect to no address');
      expect(server.seen).toHaveLength(1);
    },
  );

  it('follows a redirect, and repeats after a 503, whatever page comes with it: "more than 65536 bytes"', async () => {
    const page = Buffer.alloc(200_000, '<p>Moved.</p>');
    await using server = await startServer((request, response, number) => {
      if (number === 1) return response.writeHead(503).end(page);
      if (request.url === '/file') return response.writeHead(302, { location: '/bytes' }).end(page);
      return sendBytes(request, response, number);
    });
    await using client = clientFor(server);
    expect(await client.download(`${server.url}/file`, { toPath })).toMatchObject({ sha256 });
    expect(server.seen.map(({ url }) => url)).toEqual(['/file', '/file', '/bytes']);
  });

  it.each(['utf8', 'latin1'] as const)(
    'follows a redirect to a name in %s as it is meant: one in utf8 was asked for as "Ã¼.png", and not there',
    async (encoding) => {
      const head = 'HTTP/1.1 302 Found\r\nlocation: /ü.png\r\ncontent-length: 0\r\n\r\n';
      await using server = await startServer((request, response, number) => {
        if (number > 1) return sendBytes(request, response, number);
        return response.socket?.end(Buffer.from(head, encoding));
      });
      await using client = clientFor(server);
      await client.download(`${server.url}/file`, { toPath });
      expect(server.seen.map(({ url }) => url)).toEqual(['/file', '/%C3%BC.png']);
    },
  );

  it('waits when the download host answers 429 with a long page: "more than 65536 bytes"', async () => {
    await using server = await startServer((request, response, number) => {
      if (number > 1) return sendBytes(request, response, number);
      return response.writeHead(429, { 'retry-after': '0' }).end(Buffer.alloc(200_000, '<p>Slowly.</p>'));
    });
    await using client = clientFor(server);
    expect(await client.download(`${server.url}/file`, { toPath })).toMatchObject({ sha256 });
    expect(client.meter.rateLimited).toBe(1);
  });

  it('ends where a refusal never does', async () => {
    await using server = await startServer((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1_000_000, 'no '))) continue;
      };
      response.writeHead(404).on('drain', more);
      more();
    });
    await using client = clientFor(server);
    const error = await rejection(client.download(`${server.url}/file`, { toPath }));
    expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED', status: 404 });
    expect(String(error)).toContain('which are not the file');
  });

  it.each(['', 'Identity', 'identity, identity', ' '])(
    'takes bytes as they are where the store says so in its own way: "bytes encoded as Identity" (%j)',
    async (encoding) => {
      await using server = await startServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
      });
      await using client = clientFor(server);
      expect(await client.download(`${server.url}/file`, { toPath })).toMatchObject({ sha256 });
    },
  );

  it.each([403, 404, 410])('gives status %i to the caller at once and leaves nothing on disk', async (status) => {
    await using server = await startServer((_request, response) => sendError(response, status));
    await using client = clientFor(server);
    const error = await rejection(client.download(`${server.url}/file?signature=abc`, { toPath }));
    expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED', status, details: { status } });
    expect(String(error)).toContain('/file?signature=hidden');
    expect(server.seen).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('repeats after a 503 and after a body that broke off', async () => {
    await using server = await startServer((request, response, number) => {
      if (number === 1) return sendError(response, 503);
      if (number > 2) return sendBytes(request, response, number);
      response.writeHead(200, { 'content-length': String(bytes.byteLength) });
      return response.write(bytes.subarray(0, 1000), () => response.destroy());
    });
    await using client = clientFor(server);
    expect(await client.download(`${server.url}/file`, { toPath })).toMatchObject({ sha256 });
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('begins at its own address again when the one it led to fails: that may have expired, and leads there no more', async () => {
    await using server = await startServer((request, response, number) => {
      if (request.url === '/signed?at=12') return sendBytes(request, response, number);
      const location = { '/file': '/first', '/first': '/second', '/second': `/signed?at=${number + 1}` }[request.url];
      if (location !== undefined) return response.writeHead(302, { location }).end();
      return sendError(response, 503);
    });
    await using client = clientFor(server);
    expect(await client.download(`${server.url}/file`, { toPath })).toMatchObject({ sha256 });
    expect(server.seen.map(({ url }) => url).slice(4, 8)).toEqual(['/file', '/first', '/second', '/signed?at=8']);
    expect(server.seen.every(({ authorization }) => authorization !== null)).toBe(true);
  });

  it.each([
    [408, '0', 2],
    [501, '0', 1],
    [503, '3600', 1],
  ])('asks once more after status %i with a wait of %s s where it may', async (status, seconds, requests) => {
    await using server = await startServer((_request, response) =>
      sendError(response, status, { 'retry-after': seconds }),
    );
    await using client = clientFor(server, { limits: { retries: 1, maxWaitMs: 60_000 } });
    const error = await rejection(client.download(`${server.url}/file`, { toPath }));
    expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED', status, attempts: requests });
  });

  it.each([
    ['shorter', bytes.byteLength + 1, 4],
    ['longer', bytes.byteLength - 1, 1],
  ])('refuses a file that is %s than its record says', async (_name, expectedSize, requests) => {
    await using server = await startServer(sendBytes);
    await using client = clientFor(server);
    const error = await rejection(client.download(`${server.url}/file`, { toPath, expectedSize }));
    expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED', status: 200 });
    expect(server.seen).toHaveLength(requests);
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps the earlier file when the new one cannot be read', async () => {
    await using server = await startServer((request, response, number) => {
      if (number === 1) return sendBytes(request, response, number);
      return sendError(response, 404);
    });
    await using client = clientFor(server);
    await client.download(`${server.url}/file`, { toPath });
    await rejection(client.download(`${server.url}/file`, { toPath }));
    expect(bytes.equals(await readFile(toPath))).toBe(true);
  });

  it('reports what the file system says, whatever is still to come, and does not ask again', async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': String(bytes.byteLength) });
      response.write(bytes.subarray(0, 30_000));
    });
    await using client = clientFor(server);
    const error = await rejection(client.download(`${server.url}/file`, { toPath: path.join(folder, 'none', 'file') }));
    expect(String(error)).toContain('ENOENT');
    expect(server.seen).toHaveLength(1);
  });

  it('waits when a download host that is not the platform answers 429', async () => {
    await using platform = await startServer((_request, response) => sendJson(response, 200, {}));
    await using other = await startServer((request, response, number) =>
      number === 1 ? sendError(response, 429, { 'retry-after': '0' }) : sendBytes(request, response, number),
    );
    await using client = clientFor(platform);
    expect(await client.download(`${other.url}/file`, { toPath })).toMatchObject({ sha256 });
    expect(client.meter.rateLimited).toBe(1);
  });

  it('takes nothing of what a download host says of its limit: one that has none left for an hour would hold every call', async () => {
    await using platform = await startServer((_request, response) => sendJson(response, 200, { items: [] }));
    await using store = await startServer((_request, response) => {
      const reset = String(Math.floor(Date.now() / 1000) + 3600);
      response.writeHead(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '10', 'x-ratelimit-reset': reset });
      response.end(bytes);
    });
    await using client = clientFor(platform, { limits: { maxWaitMs: 1000 } });
    await client.download(`${store.url}/file`, { toPath });
    expect(await client.api.listOrganizations()).toMatchObject({ items: [] });
  });

  it('ends in the middle of a body when the signal aborts, without a partial file', async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': String(bytes.byteLength) });
      response.write(bytes.subarray(0, 100_000));
    });
    await using client = clientFor(server);
    const controller = new AbortController();
    const download = rejection(client.download(`${server.url}/file`, { toPath, signal: controller.signal }));
    let names: string[] = [];
    while (names.length === 0) names = await readdir(folder);
    await until(() => server.seen.length === 1);
    const reason = new Error('stop now');
    controller.abort(reason);
    expect(await download).toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });
});
