import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manualClock, silentLogger, type ManualClock } from '../../src/base/index.ts';
import { mirrorIdentity, noteFailure, openSnapshot, recordDrill, takeLease } from '../../src/mirror/index.ts';
import { noRuntimeState, startStatusServer, type RuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror, type TestMirror, type WorldSpec } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';
import { withoutFlagMarks } from '../support/status-page.ts';

const HOUR = 3_600_000;
const FRESHNESS = { snapshotMs: 26 * HOUR, drillMs: 8 * 24 * HOUR };
const HOSTILE = '<script>alert(1)</script>';

const WORLD: WorldSpec = {
  spaces: [
    { id: 's1', title: `Large ${HOSTILE}`, pages: [{ id: 'p1', title: 'One', text: 'long enough '.repeat(50) }] },
    { id: 's2', title: 'Small', pages: [{ id: 'p2', title: 'Two', text: 'short' }] },
  ],
};

interface Page {
  status: number;
  text: string;
  headers: Headers;
}

function visitor(test: TestMirror, clock: ManualClock, live: RuntimeState = noRuntimeState) {
  const app = createStatusApp({
    dataDir: test.dataDir,
    clock,
    log: silentLogger(),
    freshness: FRESHNESS,
    live: () => live,
  });
  return async (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Page> => {
    const answer = await app.request(path, { method, headers });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
}

function passDrill(test: TestMirror, passed = true): void {
  recordDrill(test.mirror, { snapshot: 1, passed, requests: 10, durationMs: 900, report: {} });
}

describe('status/status-app', () => {
  it('is alive and not ready before the first snapshot', async () => {
    using test = await createTestMirror();
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    expect((await visit('/healthz')).status).toBe(200);
    const ready = await visit('/readyz');
    const reasons = ['There is no complete snapshot yet', 'There is no passed drill yet'];
    expect([ready.status, JSON.parse(ready.text)]).toEqual([
      503,
      { ready: false, reasons, mirror: mirrorIdentity(test.mirror) },
    ]);
    expect((await visit('/')).text).toContain('No walk yet');
  });

  it('names the platform of a first walk while it is under way: it said that there was none', async () => {
    using test = await createTestMirror();
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    expect((await visit('/')).text).toContain('none yet');
    openSnapshot(test.mirror, { mode: 'incremental', scope: null, origin: 'http://platform.test' });
    expect((await visit('/')).text).toContain('http://platform.test');
  });

  it('refuses a method that only would write, and says which ones are possible: it said that there was no such page', async () => {
    using test = await createTestMirror();
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    for (const path of ['/', '/metrics', '/healthz', '/browse']) {
      const { status, headers } = await visit(path, 'POST');
      expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    expect((await visit('/nowhere')).status).toBe(404);
    expect((await visit('/', 'HEAD')).status).toBe(200);
  });

  it('tells of a channel that took no message, until it takes one', async () => {
    using test = await createTestMirror();
    const now = test.mirror.clock.now();
    const shown = async (unsent: { at: number; why: string } | null): Promise<string> => {
      const messages = [{ channel: 'webhook', sent: 3, failed: 1, unsent }];
      return (await visitor(test, manualClock(now), { ...noRuntimeState, messages })('/')).text;
    };
    const text = await shown({ at: now - 2 * HOUR, why: 'the receiver answered 404' });
    expect(text).toContain('the last one could not be sent 2 hours ago: the receiver answered 404');
    expect(await shown(null)).not.toContain('could not be sent');
  });

  it('tells that there is no mirror at all', async () => {
    using test = await createTestMirror();
    test.mirror[Symbol.dispose]();
    rmSync(test.dataDir, { recursive: true });
    const visit = visitor(test, manualClock(0));
    expect((await visit('/readyz')).text).toContain('There is no mirror yet');
    for (const path of ['/', '/report', '/metrics']) expect((await visit(path)).status).toBe(200);
  });

  it('says which command makes it ready, and names no walk where only the drill is missing', async () => {
    using test = await createTestMirror();
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    expect((await visit('/')).text).toContain('<code>docmirror sync</code>, then <code>docmirror drill</code>');
    await test.add(WORLD);
    expect((await visit('/')).text).toContain('<code>docmirror drill</code>');
    passDrill(test);
    expect((await visit('/')).text).not.toContain('What to do');
  });

  it('ends no line within a flag: a phone showed the two dashes of one on a line of their own', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const page = (await visitor(test, manualClock(test.mirror.clock.now()))('/')).text;
    const flags = ['--keep-daily', '--keep-monthly', '--dry-run'].map((flag) => `<span class="flag">${flag}</span>`);
    expect(page).toContain(`<code>docmirror forget ${flags[0]} 14 ${flags[1]} 12 ${flags[2]}</code>`);
    expect(withoutFlagMarks(page)).toContain(
      '<code>docmirror forget --keep-daily 14 --keep-monthly 12 --dry-run</code>',
    );
  });

  it('is not ready from a drill that did not pass until one does: an earlier one that passed kept it ready for eight days', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    passDrill(test);
    expect((await visit('/readyz')).status).toBe(200);
    passDrill(test, false);
    const red = await visit('/readyz');
    expect([red.status, red.text]).toEqual([503, expect.stringContaining('The last drill, of snapshot 1 at ')]);
    const page = (await visit('/')).text;
    expect(page).toContain('<code>docmirror drill</code>');
    expect((await visit('/metrics')).text).toContain('docmirror_ready 0');
    // One of an older snapshot, by hand, is no proof either way.
    const older = { snapshot: 1, passed: true, requests: 1, durationMs: 1, report: { ofNewest: false } };
    recordDrill(test.mirror, older);
    expect((await visit('/readyz')).status).toBe(503);
    passDrill(test);
    expect((await visit('/readyz')).status).toBe(200);
  });

  it('does not hide behind Ready that the newest snapshot is partial', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    passDrill(test);
    takeSnapshot(test.mirror, ({ id }) => {
      const what = { kind: 'page', resource: 's1/x', request: 'GET /x' };
      noteFailure({ mirror: test.mirror, id }, { ...what, status: 500, code: 'DM_HTTP_STATUS', error: 'no' });
    });
    const { text } = await visitor(test, manualClock(test.mirror.clock.now()))('/');
    expect(text).toContain('Ready: the mirror is fresh and proven');
    expect(text).toMatch(/The newest snapshot, 2, is partial<\/span>: 1 page not read\./);
    expect(text).toContain('docmirror snapshots show 2');
  });

  it('is ready only while snapshot and drill are fresh', async () => {
    using test = await createTestMirror();
    const clock = manualClock(test.mirror.clock.now());
    const visit = visitor(test, clock);
    await test.add(WORLD);
    expect((await visit('/readyz')).text).toContain('no passed drill');
    passDrill(test, false);
    expect((await visit('/readyz')).status).toBe(503);
    passDrill(test);
    expect((await visit('/readyz')).status).toBe(200);
    await clock.advance(26 * HOUR);
    expect((await visit('/readyz')).status).toBe(200);
    await clock.advance(HOUR);
    const late = await visit('/readyz');
    expect([late.status, late.text]).toEqual([
      503,
      expect.stringContaining('is 1 d 3 h old; expected at most 1 d 2 h'),
    ]);
  });

  it('gives metrics in the text format of Prometheus', async () => {
    using test = await createTestMirror();
    const clock = manualClock(test.mirror.clock.now());
    await test.add(WORLD);
    passDrill(test);
    await clock.advance(HOUR);
    const job = { name: 'sync', running: true, next: null, failure: null };
    const walk = { snapshot: 2, visited: 5, waiting: 7, requests: 9 };
    const metrics = await visitor(test, clock, { jobs: [job], walk })('/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const lines = metrics.text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'docmirror_ready 1',
        'docmirror_snapshot_age_seconds 3600',
        'docmirror_drill_passed 1',
        'docmirror_snapshots{state="complete"} 1',
        'docmirror_last_snapshot_state{state="complete"} 1',
        'docmirror_rows{kind="page"} 2',
        'docmirror_job_running{job="sync"} 1',
        'docmirror_walk_waiting 7',
      ]),
    );
    for (const line of lines) expect(line).toMatch(/^(#.*|docmirror_\w+(\{.*\})? -?[\d.e+-]+|)$/);
  });

  it('shows runs, coverage and drills; a walk under way with its progress', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    passDrill(test);
    const clock = manualClock(test.mirror.clock.now());
    const failure = { at: clock.now(), code: 'DM_UNREACHABLE', message: `lost ${HOSTILE}`, hint: 'look' };
    const jobs = [{ name: 'sync', running: false, next: clock.now() + 5 * HOUR, failure }];
    const walk = { snapshot: 2, visited: 25, waiting: 75, requests: 30 };
    const { text } = await visitor(test, clock, { jobs, walk })('/');
    expect(text).toContain('Ready: the mirror is fresh and proven');
    expect(text).toContain('next in 5 hours');
    expect(text).toContain('25 visits of 100 known so far');
    expect(text).toContain('DM_UNREACHABLE');
    expect(text).toContain('lost &lt;script&gt;');
    expect(text).not.toContain('<script');
  });

  it('says beside the verdict that the last walk failed: it was ready as of an earlier one, and nothing near told of it', async () => {
    using test = await createTestMirror();
    const clock = manualClock(test.mirror.clock.now());
    const shown = async (code: string): Promise<string> => {
      const failure = { at: clock.now() - 2 * HOUR, code, message: 'lost', hint: 'look' };
      const jobs = [{ name: 'sync', running: false, next: clock.now() + HOUR, failure }];
      const { text } = await visitor(test, clock, { jobs, walk: null })('/');
      return text.replaceAll(/\s+/g, ' ');
    };
    const link = '<a href="#schedule">schedule</a>';
    expect(await shown('DM_UNREACHABLE')).toContain(`sync failed 2 hours ago</span>: the ${link} says why.`);
    expect(await shown('DM_UNREACHABLE')).toContain('<section id="schedule">');
    // That something is to be looked at again is what the snapshot says.
    expect(await shown('DM_INCOMPLETE')).not.toContain(link);
  });

  it('calls nothing unscheduled while the first walk runs, and sends nobody to commands that it keeps out', async () => {
    using test = await createTestMirror();
    const clock = manualClock(test.mirror.clock.now());
    const job = { running: false, due: true, next: null, failure: null };
    const jobs = [{ ...job, name: 'sync', running: true }, ...['drill', 'check'].map((name) => ({ ...job, name }))];
    const { text } = await visitor(test, clock, { jobs, walk: null })('/');
    expect(text).toContain('drill: due now, waits for what is under way');
    expect(text).not.toContain('not scheduled');
    expect(text).toContain('What to do: wait, the daemon is at it');
    const later = jobs.map((one) => ({ ...one, running: false, due: false }));
    expect((await visitor(test, clock, { jobs: later, walk: null })('/')).text).toContain(
      'docmirror sync</code>, then',
    );
  });

  it('names no command that a walk keeps out, nor one that another process does: they were refused', async () => {
    using test = await createTestMirror();
    openSnapshot(test.mirror, { mode: 'incremental', scope: null, origin: 'http://platform.test' });
    const clock = manualClock(test.mirror.clock.now());
    const shown = async (walk: RuntimeState['walk']): Promise<string> =>
      (await visitor(test, clock, { jobs: [], walk })('/')).text;
    const walking = await shown({ snapshot: 1, visited: 5, waiting: 7, requests: 9 });
    expect(walking).toContain('What to do: wait, a walk is under way');
    expect(walking).not.toContain('docmirror sync</code>, then');
    {
      using _lease = await takeLease(test.dataDir, 'sync');
      expect(await shown(null)).toContain('What to do: wait, the data directory is in use');
    }
    expect(await shown(null)).toContain('<code>docmirror sync</code>, then <code>docmirror drill</code>');
  });

  it('leads a browser from an address of no page to the beginning, and tells programs in plain text', async () => {
    using test = await createTestMirror();
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    const shown = await visit('/nope', 'GET', { accept: 'text/html,*/*' });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect(shown.text).toMatch(/<a href="\/">Begin/);
    const told = await visit('/nope');
    expect([told.status, told.text]).toEqual([404, 'There is no such page. Begin at /']);
  });

  it('shows the largest spaces and what changed, and lets no title speak HTML', async () => {
    using test = await createTestMirror();
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    await test.add(WORLD);
    const first = await visit('/report');
    expect(first.text).toContain('This is the first snapshot');
    expect(first.text.indexOf('Large &lt;script&gt;')).toBeLessThan(first.text.indexOf('Small'));
    await test.add({ spaces: WORLD.spaces.slice(0, 1) });
    const second = await visit('/report');
    expect(second.text).toContain('Changes since snapshot 1');
    expect(second.text).toContain('over 1 snapshot: ');
    expect(second.text).toMatch(
      /removed<\/td>\s*<td>space<\/td>\s*<td class="wide">Small <span class="soft">with 1 page<\/span></,
    );
    expect(second.text).not.toContain('<script');
  });

  it('asks no other host for anything and allows no script', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const visit = visitor(test, manualClock(test.mirror.clock.now()));
    for (const path of ['/', '/report', '/style.css', '/healthz', '/nothing']) {
      const page = await visit(path);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('script-src');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    }
    expect((await visit('/nothing')).status).toBe(404);
  });
});

describe('status/status-server', () => {
  it('serves on a free port, and names the settings when its port is taken', async () => {
    using test = await createTestMirror();
    const options = {
      dataDir: test.dataDir,
      clock: manualClock(0),
      log: silentLogger(),
      freshness: FRESHNESS,
      live: () => noRuntimeState,
      host: '127.0.0.1',
    };
    await using server = await startStatusServer({ ...options, port: 0 });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const port = Number(new URL(server.url).port);
    await expect(startStatusServer({ ...options, port })).rejects.toMatchObject({
      code: 'DM_PORT_IN_USE',
      message: expect.stringContaining('status.port') as string,
    });
  });
});
