import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLogger, manualClock, Secret, silentLogger, type ManualClock } from '../../src/base/index.ts';
import { noRuntimeState, startStatusServer, type AccessSettings } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

const TOKEN = 'sesame-sesame-open';
const LOCKED: AccessSettings = { host: '0.0.0.0', token: Secret.of(TOKEN), openProbes: false };
const PAGES = ['/', '/report', '/browse', '/browse/search?q=x', '/browse/spaces/s', '/nothing'];
const HTML = { accept: 'text/html' };

function doorOf({ dataDir }: TestMirror, access: AccessSettings, clock: ManualClock = manualClock(0)) {
  const base = { dataDir, clock, log: silentLogger(), live: () => noRuntimeState };
  const app = createStatusApp({ ...base, freshness: { snapshotMs: 1, drillMs: 1 }, access });
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.request(path, { headers });
  const login = async (token: string, next = '/report'): Promise<Response> =>
    app.request('/login', { method: 'POST', body: new URLSearchParams({ token, next }) });
  return { app, get, login };
}

/** As the server hands on what somebody sends who goes away in the middle of it. */
function brokenOff(): ReadableStream {
  const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  return new ReadableStream({ pull: (controller) => controller.error(error) });
}

function sessionIn(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

describe('status/access', () => {
  it('shows nothing of the mirror without the token, and everything with it', async () => {
    using test = await createTestMirror();
    await test.add({ spaces: [{ id: 's', title: 'Confidential' }] });
    const { get } = doorOf(test, LOCKED);
    for (const path of [...PAGES, '/readyz', '/metrics']) {
      for (const headers of [{}, HTML]) {
        const answer = await get(path, headers);
        expect([path, answer.status]).toEqual([path, 401]);
        expect(await answer.text()).not.toContain('Confidential');
      }
    }
    const basic = Buffer.from(`anybody:${TOKEN}`).toString('base64');
    for (const authorization of [`Bearer ${TOKEN}`, `Basic ${basic}`]) {
      expect(await (await get('/browse', { authorization })).text()).toContain('Confidential');
    }
    expect((await get('/healthz')).status).toBe(200);
  });

  it('asks people by a form and programs by a challenge', async () => {
    using test = await createTestMirror();
    const { get, login } = doorOf(test, LOCKED);
    const person = await get('/report', HTML);
    expect(await person.text()).toContain('<input type="hidden" name="next" value="/report" />');
    expect(person.headers.get('www-authenticate')).toBeNull();
    expect((await get('/report')).headers.get('www-authenticate')).toContain('Bearer');
    // Whoever signs in comes to a page, and not to the same form once more.
    expect((await login(TOKEN, '/login?next=/report')).headers.get('location')).toBe('/');
  });

  it('keeps who signed in signed in for a month, in a cookie that scripts and other sites do not get', async () => {
    using test = await createTestMirror();
    const clock = manualClock(0);
    const { get, login } = doorOf(test, LOCKED, clock);
    const answer = await login(TOKEN);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/report']);
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/);
    expect(answer.headers.get('set-cookie')).not.toContain(TOKEN);
    const cookie = sessionIn(answer);
    expect((await get('/report', { cookie })).status).toBe(200);
    // Another token ends it, as does a changed cookie.
    const other = doorOf(test, { ...LOCKED, token: Secret.of('another-token-here') }, clock);
    expect((await other.get('/report', { cookie })).status).toBe(401);
    expect((await get('/report', { cookie: cookie.replace(/=\d/, '=9') })).status).toBe(401);
    await clock.advance(31 * 24 * 3_600_000);
    expect((await get('/report', { cookie })).status).toBe(401);
  });

  it.each(['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', '/\t/evil.test', ''])(
    'leads nowhere else after signing in: %j',
    async (next) => {
      using test = await createTestMirror();
      const answer = await doorOf(test, LOCKED).login(TOKEN, next);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    },
  );

  it('slows who guesses, by form and by header, and lets those who are in go on', async () => {
    using test = await createTestMirror();
    const clock = manualClock(0);
    const { get, login } = doorOf(test, LOCKED, clock);
    const cookie = sessionIn(await login(TOKEN));
    for (let nth = 0; nth < 3; nth++) expect((await login(`guess ${nth}`)).status).toBe(401);
    for (let nth = 0; nth < 2; nth++) {
      expect((await get('/', { authorization: `Bearer guess${nth}` })).status).toBe(401);
    }
    const slowed = await login(TOKEN);
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await get('/', { authorization: `Bearer ${TOKEN}` })).status).toBe(429);
    expect((await get('/', { cookie })).status).toBe(200);
    await clock.advance(60_001);
    expect((await login(TOKEN)).status).toBe(303);
  });

  it('slows who guesses at their own address: others could not sign in either', async () => {
    using test = await createTestMirror();
    await test.add({ spaces: [{ id: 's', title: 'Confidential' }] });
    const base = { dataDir: test.dataDir, clock: manualClock(0), log: silentLogger(), live: () => noRuntimeState };
    const options = { ...base, port: 0, freshness: { snapshotMs: 1, drillMs: 1 } };
    await using server = await startStatusServer({ ...options, host: '127.0.0.1', token: LOCKED.token });
    const asked = (localAddress: string, token: string): Promise<number | undefined> =>
      new Promise((answered, failed) => {
        const headers = { authorization: `Bearer ${token}` };
        const sent = request(`${server.url}/browse`, { localAddress, headers }, (answer) => {
          answer.resume();
          answered(answer.statusCode);
        });
        sent.on('error', failed).end();
      });
    for (let nth = 0; nth < 5; nth++) expect(await asked('127.0.0.1', `guess ${nth}`)).toBe(401);
    expect([await asked('127.0.0.1', TOKEN), await asked('127.0.0.2', TOKEN)]).toEqual([429, 200]);
  });

  it('slows who guesses from all addresses of their network: IPv6 gives each as many as there are tries', async () => {
    using test = await createTestMirror();
    const { app } = doorOf(test, LOCKED);
    const asked = async (remoteAddress: string, token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).status;
    };
    const guesses = ['2001:db8::1', '2001:db8::2:0:0:1', '2001:db8:0:0:9::', '2001:DB8::3', '2001:db8:0:0:1:2:3:4'];
    for (const from of guesses) expect(await asked(from.toLowerCase(), 'guess')).toBe(401);
    expect([await asked('2001:db8::7', TOKEN), await asked('2001:db8:0:1::7', TOKEN)]).toEqual([429, 200]);
    for (let nth = 0; nth < 5; nth++) expect(await asked('::ffff:192.0.2.1', 'guess')).toBe(401);
    expect([await asked('::ffff:192.0.2.1', TOKEN), await asked('::ffff:192.0.2.2', TOKEN)]).toEqual([429, 200]);
  });

  it.each<[string, number, string, string | ReadableStream]>([
    ['a form of no length that breaks off', 499, 'application/x-www-form-urlencoded', brokenOff()],
    ['a long body', 413, 'application/x-www-form-urlencoded', `token=${'x'.repeat(9000)}`],
    ['a form without its boundary', 400, 'multipart/form-data', 'x'],
    ['a form cut off', 400, 'multipart/form-data; boundary=x', '--x\r\nContent-Disp'],
  ])(
    'refuses %s at the door without a word in the log: anybody could fill it with faults of ours',
    async (...[, status, type, body]) => {
      using test = await createTestMirror();
      const lines: string[] = [];
      const log = createLogger({
        level: 'trace',
        pretty: false,
        destination: { write: (line) => void lines.push(line) },
      });
      const base = { dataDir: test.dataDir, clock: manualClock(0), log, live: () => noRuntimeState };
      const app = createStatusApp({ ...base, freshness: { snapshotMs: 1, drillMs: 1 }, access: LOCKED });
      const sent = { method: 'POST', body, headers: { 'content-type': type }, duplex: 'half' } as const;
      const answer = await app.request('/login', sent);
      expect([answer.status, lines]).toEqual([status, []]);
    },
  );

  it('signs out, and keeps a session to TLS where it began there', async () => {
    using test = await createTestMirror();
    const { app } = doorOf(test, LOCKED);
    const body = new URLSearchParams({ token: ` ${TOKEN}\n`, next: '/report' });
    const cookieOf = async (headers: Record<string, string>): Promise<string> =>
      (await app.request('/login', { method: 'POST', body, headers })).headers.get('set-cookie') ?? '';
    expect(await cookieOf({ 'x-forwarded-proto': 'https' })).toContain('; Secure');
    const plain = await cookieOf({});
    expect(plain).not.toContain('Secure');
    const cookie = plain.split(';', 1).join('');
    const out = await app.request('/logout', { method: 'POST', headers: { cookie } });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
    expect(out.headers.get('set-cookie')).toMatch(/^docmirror_session=; Max-Age=0/);
  });

  it('leaves the probes open when it is told to, and nothing else', async () => {
    using test = await createTestMirror();
    for (const token of [LOCKED.token, null]) {
      const { get } = doorOf(test, { host: '0.0.0.0', token, openProbes: true });
      for (const path of ['/healthz', '/metrics']) expect((await get(path)).status).toBe(200);
      expect((await get('/readyz')).status).toBe(503);
      for (const path of PAGES) expect((await get(path)).status).toBe(token === null ? 403 : 401);
    }
  });

  it('asks nobody for a token where none is set: each word was told to be a wrong one, and the fifth made its address wait', async () => {
    using test = await createTestMirror();
    const { get, login } = doorOf(test, { host: '0.0.0.0', token: null, openProbes: true });
    for (const answer of [await get('/login', HTML), await login('any word')]) {
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('Only the probes answer until status.token is set.');
    }
  });

  it('answers on this machine without a token, but not under a name that leads here from elsewhere', async () => {
    using test = await createTestMirror();
    const { get } = doorOf(test, { host: '127.0.0.1', token: null, openProbes: false });
    for (const host of ['127.0.0.1:8780', 'localhost:8780', 'docs.localhost:8780', '[::1]:8780']) {
      expect([host, (await get('/', { host })).status]).toEqual([host, 200]);
    }
    for (const host of ['rebound.evil.test', '127.0.0.1.evil.test', 'evil-localhost', 'a b']) {
      expect([host, (await get('/', { host })).status]).toEqual([host, 403]);
    }
  });

  it('leaves what is served beside it to its own door, under the same rules for browsers', async () => {
    using test = await createTestMirror();
    const base = { dataDir: test.dataDir, clock: manualClock(0), log: silentLogger(), live: () => noRuntimeState };
    const app = createStatusApp({
      ...base,
      freshness: { snapshotMs: 1, drillMs: 1 },
      access: LOCKED,
      beside: (all) => void all.get('/v1/*', (c) => c.json({ own: true })),
    });
    const answer = await app.request('/v1/orgs');
    expect([answer.status, await answer.json()]).toEqual([200, { own: true }]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await app.request('/')).status).toBe(401);
  });

  it('refuses to listen where others can reach it without a token, and says what to set', async () => {
    using test = await createTestMirror();
    const base = {
      dataDir: test.dataDir,
      clock: manualClock(0),
      log: silentLogger(),
      live: () => noRuntimeState,
      port: 0,
    };
    const options = { ...base, freshness: { snapshotMs: 1, drillMs: 1 } };
    for (const host of ['0.0.0.0', '::', '192.168.1.4', 'mirror.example.com']) {
      await expect(startStatusServer({ ...options, host })).rejects.toMatchObject({
        code: 'DM_CONFIG_INVALID',
        hint: expect.stringContaining('DOCMIRROR_STATUS_TOKEN_FILE') as string,
      });
    }
    await using server = await startStatusServer({ ...options, host: '0.0.0.0', token: LOCKED.token });
    expect((await fetch(server.url)).status).toBe(401);
    expect((await fetch(server.url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  });
});
