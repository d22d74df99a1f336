// Stores that send files encoded, although they are asked for them as they are.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { brotliCompressSync, constants, createGunzip, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DecodingSink } from '../../src/client/decoding-sink.ts';
import { FileSink } from '../../src/client/file-sink.ts';
import { testFolder } from '../support/cli.ts';
import { clientFor, rejection, startServer, type TestServer } from './support.ts';

const bytes = Buffer.alloc(3_000_000, 'documentation ');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const expectedSize = bytes.byteLength;
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** A text that is as long as its gzip. */
const AS_LONG =
  Array.from({ length: 200 }, (_, length) => 'notes, '.repeat(30).slice(0, length)).find(
    (text) => gzipSync(Buffer.from(text)).byteLength === text.length,
  ) ?? '';

/** A store that sends this as the body of every file, and says how it is encoded. */
function storeOf(encoding: string, body: Buffer, headers: Record<string, string> = {}): Promise<TestServer> {
  return startServer((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding, ...headers }).end(body);
  });
}

describe('client/download', () => {
  it.each([
    ['gzip', gzipSync(bytes)],
    ['x-gzip', gzipSync(bytes)],
    ['GZIP', gzipSync(bytes)],
    ['aws-chunked,gzip', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['br', brotliCompressSync(bytes, quick)],
    ['gzip, gzip', gzipSync(gzipSync(bytes))],
    ['br,gzip', gzipSync(brotliCompressSync(bytes, quick))],
  ])(
    'keeps the file that a store sends as %s whatever it is asked: such files were unread every night',
    async (encoding, body) => {
      using folder = testFolder();
      await using server = await storeOf(encoding, body, { 'content-length': String(body.byteLength) });
      await using client = clientFor(server);
      const kept = await client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize });
      expect(kept).toMatchObject({ sha256, size: expectedSize });
      expect(bytes.equals(await readFile(folder.at('file')))).toBe(true);
      expect(await client.download(`${server.url}/file`, { toPath: folder.at('file') })).toMatchObject({ sha256 });
      expect(client.meter.byOperation.get('download')?.bytes).toBe(2 * body.byteLength);
    },
  );

  it('keeps the file of a store that says "aws-chunked" of bytes that are plain', async () => {
    using folder = testFolder();
    await using server = await storeOf('aws-chunked', bytes);
    await using client = clientFor(server);
    expect(await client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize })).toMatchObject({
      sha256,
    });
  });

  it('keeps the file where one header says "aws-chunked" and another "gzip": the first alone was looked at, and the file kept in its encoding', async () => {
    using folder = testFolder();
    await using server = await startServer((_request, response) => {
      response.setHeader('content-encoding', ['aws-chunked', 'gzip']).end(gzipSync(bytes));
    });
    await using client = clientFor(server);
    expect(await client.download(`${server.url}/file`, { toPath: folder.at('file') })).toMatchObject({ sha256 });
  });

  it('keeps a file that hardly gets smaller by its encoding, as fast as it is decoded', async () => {
    const pieces = Array.from({ length: 30_000 }, (_, number) => createHash('sha256').update(`${number}`).digest());
    const dense = Buffer.concat(pieces);
    using folder = testFolder();
    await using server = await storeOf('gzip', gzipSync(dense));
    await using client = clientFor(server);
    await client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize: dense.byteLength });
    expect(dense.equals(await readFile(folder.at('file')))).toBe(true);
  });

  it.each([
    ['an archive', 'too large once decoded', gzipSync(bytes)],
    ['a text', 'no gzip', bytes.subarray(0, 20_000)],
  ])('keeps %s as it is that a server calls gzip for its name, as soon as it is %s', async (...[, , stored]) => {
    using folder = testFolder();
    await using server = await startServer((_request, response, number) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(stored.byteLength) });
      if (number === 1) response.write(stored.subarray(0, stored.byteLength / 2));
      else response.end(stored);
    });
    await using client = clientFor(server);
    const kept = await client.download(`${server.url}/file.gz`, {
      toPath: folder.at('file'),
      expectedSize: stored.byteLength,
    });
    expect(kept.size).toBe(stored.byteLength);
    expect(stored.equals(await readFile(folder.at('file')))).toBe(true);
  });

  it('keeps such an archive where its address leads to another one: it is asked for as it is where it was found', async () => {
    const archive = gzipSync(bytes);
    using folder = testFolder();
    await using server = await startServer((request, response) => {
      if (request.url === '/file') return response.writeHead(302, { location: '/stored' }).end();
      const headers = { 'content-encoding': 'gzip', 'content-length': String(archive.byteLength) };
      return response.writeHead(200, headers).end(archive);
    });
    await using client = clientFor(server);
    const asked = { toPath: folder.at('file'), expectedSize: archive.byteLength };
    expect(await client.download(`${server.url}/file`, asked)).toMatchObject({ size: archive.byteLength });
    expect(server.seen.map(({ url }) => url)).toEqual(['/file', '/stored', '/stored']);
  });

  it.each(['utf-8', 'UTF-8', 'none', 'binary'])(
    'keeps a file as it is that a store calls encoded as %s, where that is no encoding: it was unread every night',
    async (encoding) => {
      using folder = testFolder();
      await using server = await storeOf(encoding, bytes, { 'content-length': String(expectedSize) });
      await using client = clientFor(server);
      const kept = await client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize });
      expect(kept).toMatchObject({ sha256, size: expectedSize });
    },
  );

  it('names every encoding of what nothing here decodes: of several headers the first alone was told', async () => {
    using folder = testFolder();
    await using server = await startServer((_request, response) => {
      response.setHeader('content-encoding', ['gzip', 'zstd']).end('whatever');
    });
    await using client = clientFor(server);
    const error = await rejection(client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize }));
    expect(String(error)).toContain('answered bytes encoded as gzip, zstd; expected');
  });

  it('asks again for what broke off as for any file: it was then kept in its encoding', async () => {
    const body = gzipSync(Buffer.from(AS_LONG));
    using folder = testFolder();
    await using server = await startServer((_request, response, number) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(body.byteLength) });
      if (number === 1) response.write(body.subarray(0, 10), () => response.destroy());
      else response.end(body);
    });
    await using client = clientFor(server, { limits: { retries: 1 } });
    await client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize: AS_LONG.length });
    expect(await readFile(folder.at('file'), 'utf8')).toBe(AS_LONG);
  });

  it('decodes a small text that is as long in its encoding as it is itself', async () => {
    const body = gzipSync(Buffer.from(AS_LONG));
    expect(body.byteLength).toBe(AS_LONG.length);
    using folder = testFolder();
    await using server = await storeOf('gzip', body, { 'content-length': String(body.byteLength) });
    await using client = clientFor(server);
    await client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize: AS_LONG.length });
    expect(await readFile(folder.at('file'), 'utf8')).toBe(AS_LONG);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [
      'a few bytes that stand for far more than the file has',
      'gzip',
      gzipSync(Buffer.alloc(50_000_000)),
      'more than the expected 3000000 bytes',
    ],
    [
      'a few bytes that are far more once decoded twice',
      'gzip, gzip',
      gzipSync(gzipSync(Buffer.alloc(50_000_000))),
      'more than the expected 3000000 bytes',
    ],
    [
      'what is encoded once and is called encoded twice',
      'gzip, gzip',
      gzipSync(bytes),
      'they are no whole gzip, gzip, which the answer calls them: incorrect header check',
    ],
    [
      'fewer bytes than the file has',
      'gzip',
      gzipSync(Buffer.alloc(10)),
      'sent 10 bytes, decoded from 23; expected 3000000',
    ],
    [
      'bytes that are no gzip',
      'gzip',
      Buffer.from('plain'),
      'they are no whole gzip, which the answer calls them: incorrect header check',
    ],
    [
      'the first half of a gzip',
      'gzip',
      gzipSync(bytes).subarray(0, 1000),
      'they are no whole gzip, which the answer calls them: unexpected end of file',
    ],
    [
      'the first half of a br',
      'br',
      brotliCompressSync(bytes, quick).subarray(0, 20),
      'they are no whole br, which the answer calls them: unexpected end of file',
    ],
    [
      'what nothing here decodes',
      'zstd',
      Buffer.from('whatever'),
      'answered bytes encoded as zstd; expected them as they are, or as gzip, deflate or br',
    ],
    [
      'what was encoded more often than anybody does',
      'gzip, gzip, gzip, gzip, gzip',
      Buffer.from('whatever'),
      'answered bytes encoded as gzip, gzip, gzip, gzip, gzip; expected',
    ],
  ])('refuses %s, and leaves nothing on disk', async (...[, encoding, body, said]) => {
    using folder = testFolder();
    await using server = await storeOf(encoding, body);
    await using client = clientFor(server);
    const error = await rejection(client.download(`${server.url}/file`, { toPath: folder.at('file'), expectedSize }));
    expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED', status: 200 });
    expect(String(error)).toContain(said);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('reports what the file system says of a file that comes encoded, at once', async () => {
    using folder = testFolder();
    await using server = await storeOf('gzip', gzipSync(bytes));
    await using client = clientFor(server);
    const error = await rejection(client.download(`${server.url}/file`, { toPath: folder.at('none/file') }));
    expect(String(error)).toContain('ENOENT');
    expect(server.seen).toHaveLength(1);
  });

  it('takes no more than its bound of a file whose size nothing tells', async () => {
    using folder = testFolder();
    const file = new FileSink(folder.at('part'), null);
    const most = 1_000_000;
    await using sink = new DecodingSink({ file, decoders: [createGunzip()], name: 'gzip', most });
    const told: string[] = [];
    const flow = {
      pause: () => told.push('pause'),
      resume: () => told.push('resume'),
      abort: (error: Error) => told.push(error.message),
    };
    // More than a decoder of any version of Node.js holds at once.
    sink.write(gzipSync(Buffer.alloc(100_000_000)), flow);
    // What is not decoded yet is not to pile up.
    expect(told).toEqual(['pause']);
    const failure = await sink.end(undefined);
    expect(failure?.message).toBe(`more than ${most} bytes once decoded`);
    expect(file.size).toBeLessThan(2 * most);
  });
});
