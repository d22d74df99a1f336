// What stands at the address of a restore's content for whoever else comes by.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock, systemRandom, type ManualClock } from '../../src/base/index.ts';
import { ContentServer } from '../../src/restore/content/content-server.ts';

let clock: ManualClock;
let server: ContentServer;
let folder: string;

beforeEach(async () => {
  clock = manualClock(0);
  folder = mkdtempSync(join(tmpdir(), 'docmirror-content-'));
  writeFileSync(join(folder, 'content.zip'), 'an archive');
  writeFileSync(join(folder, 'beside.txt'), 'not for them');
  server = await ContentServer.start({ host: '127.0.0.1', port: 0, publicUrl: null, clock, random: systemRandom() });
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Asks for a path as it is written: no `..` is resolved on the way, as `fetch` would. */
function ask(url: string, path = new URL(url).pathname, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => (text += part.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on('error', reject).end();
  });
}

describe('restore/content/content-server', () => {
  it('hands content out once, at an address that nobody can guess', async () => {
    const offers = await Promise.all(Array.from({ length: 50 }, () => server.offer(join(folder, 'content.zip'))));
    const names = offers.map(({ url }) => new URL(url).pathname);
    expect(new Set(names).size).toBe(50);
    for (const name of names) expect(name).toMatch(/^\/[A-Za-z0-9]{40}\/content\.zip$/);
    const url = offers[0]?.url ?? '';
    const first = await ask(url);
    expect([first.status, first.text, first.headers['content-type']]).toEqual([200, 'an archive', 'application/zip']);
    expect([first.headers['cache-control'], first.headers['x-content-type-options']]).toEqual(['no-store', 'nosniff']);
    expect(await ask(url)).toMatchObject({ status: 410, text: '' });
  });

  it('is gone after a quarter of an hour, and when the import is over', async () => {
    const late = await server.offer(Buffer.from('bytes'));
    const over = await server.offer(Buffer.from('bytes'));
    await over[Symbol.asyncDispose]();
    expect((await ask(over.url)).status).toBe(410);
    await clock.advance(15 * 60_000);
    expect((await ask(late.url)).status).toBe(410);
  });

  it('stays for its quarter of an hour when the clock of the machine is set ahead or back meanwhile', async () => {
    let jump = 0;
    const jumping = { ...clock, now: () => clock.now() + jump };
    const options = { host: '127.0.0.1', port: 0, publicUrl: null, clock: jumping, random: systemRandom() };
    await using set = await ContentServer.start(options);
    const [ahead, back] = [await set.offer(Buffer.from('one')), await set.offer(Buffer.from('two'))];
    jump = 31_536_000_000;
    expect((await ask(ahead.url)).text).toBe('one');
    jump = -31_536_000_000;
    await clock.advance(15 * 60_000);
    expect((await ask(back.url)).status).toBe(410);
  });

  it('answers HEAD and keeps the content for the fetch that follows', async () => {
    const { url } = await server.offer(Buffer.from('bytes'));
    expect(await ask(url, undefined, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '5' },
    });
    expect((await ask(url)).text).toBe('bytes');
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])(
    'refuses %s and keeps the content',
    async (method) => {
      const { url } = await server.offer(Buffer.from('bytes'));
      expect((await ask(url, undefined, method)).status).toBe(405);
      expect((await ask(url)).text).toBe('bytes');
    },
  );

  it('hands content out again to whoever was cut off while fetching it', async () => {
    const large = Buffer.alloc(32 * 1024 * 1024, 'a');
    const { url } = await server.offer(large);
    const broken = request(url, { agent: false });
    broken.on('response', (answer) => answer.destroy());
    await new Promise((resolve) => broken.on('error', resolve).on('close', resolve).end());
    let again = await ask(url);
    // The server hears of it a little later than the one who went away.
    while (again.status === 410) again = await ask(url);
    expect(again.text.length).toBe(large.byteLength);
    expect((await ask(url)).status).toBe(410);
  });

  it.each(['::1', '::'])('gives an address that can be asked where it listens on %s', async (host) => {
    const options = { host, port: 0, publicUrl: null, clock, random: systemRandom() };
    await using other = await ContentServer.start(options);
    const { url } = await other.offer(Buffer.from('bytes'));
    expect(await (await fetch(url)).text()).toBe('bytes');
  });

  it('is found below the path of its public address, whether or not that is cut off on the way', async () => {
    for (const prefix of ['', '/backup', '/a/b']) {
      const { url } = await server.offer(Buffer.from('bytes'));
      expect((await ask(url, `${prefix}${new URL(url).pathname}`)).text).toBe('bytes');
    }
  });

  it('lists nothing, and leaves no path out of the one file', async () => {
    const { url } = await server.offer(join(folder, 'content.zip'));
    const token = new URL(url).pathname.split('/')[1] ?? '';
    const paths = ['/', `/${token}`, `/${token}/`, `/${token}/beside.txt`, `/${token}/../${token}/beside.txt`];
    const climbing = [
      `/${token}/content.zip/../beside.txt`,
      `/${token}/%2e%2e/etc/passwd`,
      '/../../../../etc/passwd',
      '//etc/passwd',
    ];
    for (const path of [...paths, ...climbing, `/${token.toLowerCase()}x/content.zip`]) {
      expect([path, await ask(url, path)]).toMatchObject([path, { status: 410, text: '' }]);
    }
    expect((await ask(url)).text).toBe('an archive');
  });
});
