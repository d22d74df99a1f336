// Every answer of the status server, and of what stands beside it, tells browsers the same rules; nothing of it may be kept.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualClock, Secret, seededRandom, silentLogger, type ManualClock } from '../../src/base/index.ts';
import { replicaRoutes } from '../../src/app/running/replica-routes.ts';
import { loadConfig } from '../../src/config/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

const TOKEN = 'a-token-of-the-status-page';
const REPLICA = 'a-token-of-readers';
const HTML = '<html><body>a file</body></html>';

function noClient(): never {
  throw new Error('the status server asks no platform');
}

function serve(test: TestMirror, clock: ManualClock) {
  const { dataDir } = test;
  const environment = { DOCMIRROR_DATA_DIR: dataDir, DOCMIRROR_REPLICA_TOKEN: REPLICA };
  const config = loadConfig({ flags: {}, environment, cwd: dataDir });
  const log = silentLogger();
  const app = createStatusApp({
    dataDir,
    clock,
    log,
    freshness: { snapshotMs: 1, drillMs: 1 },
    live: () => noRuntimeState,
    access: { host: '0.0.0.0', token: Secret.of(TOKEN), openProbes: false },
    beside: replicaRoutes({ config, clock, random: seededRandom(1), log, clientOf: noClient }),
  });
  return async (path: string, init: RequestInit = {}): Promise<Response> =>
    app.request(path, { headers: { authorization: `Bearer ${TOKEN}` }, ...init });
}

function expectRules(path: string, { headers }: Response): void {
  const policy = headers.get('content-security-policy') ?? '';
  expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")]);
  // Files of others are shown in a sandbox, in which their own styles do no harm.
  const [harmful] = /script|\*|https?:/.exec(policy) ?? /^(?!.*sandbox).*(unsafe|data:)/.exec(policy) ?? [];
  expect([path, harmful]).toEqual([path, undefined]);
  const told = ['x-content-type-options', 'x-frame-options', 'referrer-policy'].map((name) => headers.get(name));
  expect([path, ...told]).toEqual([path, 'nosniff', 'DENY', 'no-referrer']);
  // Bytes never change under their address; a browser that keeps them asks, and so shows its token, each time.
  expect([path, headers.get('cache-control')]).toEqual([path, headers.has('etag') ? 'private, no-cache' : 'no-store']);
  expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
}

/** Paths of this server that a page leads to. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'));
}

describe('status/headers', () => {
  it('stand on every page and file that can be reached, and on every refusal', async () => {
    using test = await createTestMirror();
    const files = [{ id: 'f', name: 'page.html', bytes: Buffer.from(HTML) }];
    const pages = [{ id: 'p', title: 'One', text: '![a file](/files/f)' }];
    await test.add({ spaces: [{ id: 's', title: 'Space', pages, files }] });
    const ask = serve(test, manualClock(test.mirror.clock.now()));
    const seen = new Map<string, number>();
    const waiting = [
      '/',
      '/report',
      '/browse',
      '/login',
      '/style.css',
      '/icon.svg',
      '/healthz',
      '/readyz',
      '/metrics',
      '/none',
    ];
    for (let path = waiting.pop(); path !== undefined && seen.size < 150; path = waiting.pop()) {
      if (seen.has(path)) continue;
      const answer = await ask(path);
      seen.set(path, answer.status);
      expectRules(path, answer);
      if ((answer.headers.get('content-type') ?? '').includes('html')) waiting.push(...linksIn(await answer.text()));
    }
    expect(seen.size).toBeGreaterThan(15);
    expect([...seen.values()]).not.toContain(500);
    expect([...seen.keys()].filter((path) => path.includes('/file'))).not.toEqual([]);
    const refused: [string, RequestInit][] = [
      ['/', { headers: {} }],
      ['/', { headers: { authorization: 'Bearer wrong' } }],
      ['/', { method: 'HEAD' }],
      ['/', { method: 'POST' }],
      ['/login', { method: 'POST', body: new URLSearchParams({ token: 'wrong' }) }],
      ['/login', { method: 'POST', body: new URLSearchParams({ token: TOKEN }) }],
      ['/login', { method: 'POST', body: new URLSearchParams({ token: 'x'.repeat(10_000) }) }],
      ['/logout', { method: 'POST' }],
      ['/v1/orgs', { headers: {} }],
      ['/v1/orgs', { headers: { authorization: `Bearer ${REPLICA}` } }],
      ['/v1/orgs', { method: 'DELETE', headers: { authorization: `Bearer ${REPLICA}` } }],
      ['/files/never-was', {}],
    ];
    for (const [path, init] of refused) expectRules(path, await ask(path, init));
  });

  it('stand on the answer that something broke, which tells no stack', async () => {
    using test = await createTestMirror();
    const { dataDir } = test;
    test.mirror[Symbol.dispose]();
    writeFileSync(join(dataDir, 'mirror.db'), 'no database at all'.repeat(1000));
    const answer = await serve(test, manualClock(0))('/report');
    expectRules('/report', answer);
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringMatching(/ at |node_modules|\.js/)]);
  });

  it('tell no path of the machine on a probe, which may be open to everybody, when something broke', async () => {
    using test = await createTestMirror();
    const { dataDir } = test;
    test.mirror.store.driver.pragma('user_version = 1000');
    test.mirror[Symbol.dispose]();
    const ask = serve(test, manualClock(0));
    for (const path of ['/readyz', '/metrics']) {
      const answer = await ask(path);
      const text = await answer.text();
      expect([answer.status, text]).toEqual([500, expect.stringContaining('DM_DATABASE_NEWER')]);
      expect(text).not.toContain(dataDir);
    }
  });
});
