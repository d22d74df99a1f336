// A week of an unattended mirror, told night by night. Time is the test's own.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDrills } from '../../src/mirror/index.ts';
import { Nights, type Told } from '../support/nights.ts';
import { editorOf } from '../support/seeded-platform.ts';

const SETTINGS = `
schedule: {timezone: UTC, sync: 0 2 * * *, drill: 0 4 * * 0, check: 0 5 * * 6, forget: 0 6 * * *, report: 30 6 * * *, jitter: 0s, retryAfter: null}
retention: {keepLast: 3}
notify: {remindAfter: 6d, freeDisk: 0.000001}
limits: {requestsPerSecond: 1000, retries: 0}
`;

let week: Nights;

beforeAll(async () => {
  week = await Nights.create('2025-03-10T12:00:00Z', SETTINGS);
});
afterAll(() => week[Symbol.asyncDispose]());

/** Since the last look; a message may overtake a ping. */
const events = (): string[] => week.events().toSorted();
const named = (told: readonly Told[], event: string): Told | undefined => told.find((one) => one.event === event);

describe('a week of nights', () => {
  it('Monday noon: everything is done for the first time, and the mirror is ready', async () => {
    await week.startDaemon();
    expect(events()).toEqual(['start', 'success']);
    expect(await week.ready()).toEqual({ status: 200, reasons: [] });
    expect(week.snapshots()).toEqual([{ id: 1, state: 'complete' }]);
    expect(existsSync(join(week.dataDir, 'report.html'))).toBe(true);
  });

  it('Tuesday: a night on which nothing is wrong says nothing but that to the dead-man switch', async () => {
    await week.until('2025-03-11T12:00:00Z');
    const told = week.told();
    expect(told.map(({ event }) => event).toSorted()).toEqual(['start', 'success']);
    expect(named(told, 'success')?.what).toMatch(/^127\.0\.0\.1:\d+: snapshot 2 is complete, \d+ requests$/);
    expect((await week.ready()).status).toBe(200);
  });

  it('Wednesday: a snapshot that is partial is told once, with the command to run', async () => {
    week.platform.faults = [{ operation: 'listSites', effect: { status: 500 } }];
    await week.until('2025-03-12T03:00:00Z');
    const told = week.told();
    expect(told.map(({ event }) => event).toSorted()).toEqual(['failure', 'partial', 'start']);
    expect(named(told, 'partial')).toMatchObject({
      what: expect.stringMatching(/^Snapshot 3 is partial: not all sites read/) as string,
      run: 'docmirror snapshots show 3',
    });
    expect((await week.ready()).status).toBe(200);
    await week.until('2025-03-12T12:00:00Z');
    expect(events()).toEqual(['stale']);
    expect(await week.ready()).toMatchObject({ status: 503, reasons: [expect.stringContaining('complete snapshot')] });
  });

  it('Thursday: the same again is not told again, but to the dead-man switch', async () => {
    await week.until('2025-03-13T12:00:00Z');
    expect(events()).toEqual(['failure', 'start']);
    expect(week.snapshots().map(({ state }) => state)).toEqual(['complete', 'complete', 'partial', 'partial']);
  });

  it('Friday: a night that was missed is caught up and told, and what is over is told', async () => {
    await week.stopDaemon();
    week.platform.faults = [];
    await week.until('2025-03-14T12:00:00Z');
    await week.startDaemon();
    const told = week.told();
    expect(named(told, 'missed')?.what).toBe(
      'Not run when it was due: sync (2025-03-14T02:00:00.000Z), forget (2025-03-14T06:00:00.000Z), report (2025-03-14T06:30:00.000Z)',
    );
    const over = told.flatMap(({ event, what }) => (event === 'recovered' ? [what.slice(0, 40)] : []));
    expect(over.toSorted()).toEqual([
      'Over: Not run when it was due: sync (202',
      'Over: Snapshot 3 is partial: not all sit',
      // The look comes by the hour: at just 26 hours of age, or at the next.
      'Over: The last complete snapshot is 1 d ',
    ]);
    expect(told.map(({ event }) => event)).toEqual(expect.arrayContaining(['start', 'success']));
    expect(told).toHaveLength(6);
    expect((await week.ready()).status).toBe(200);
    expect(week.snapshots().at(-1)).toEqual({ id: 5, state: 'complete' });
  });

  it('Saturday: a deleted space is told while the platform can still bring it back; a check reads its part', async () => {
    // Between two looks, which come by the hour: its deadline then never falls on one.
    await week.until('2025-03-14T12:30:00Z');
    await using editor = editorOf(week.platform);
    using mirror = week.mirror();
    const { id } = mirror.store.prepare<{ id: string }>('select id from spaces order by id limit 1').get() ?? {
      id: '',
    };
    await editor.api.deleteSpace({ path: { spaceId: id } });
    await week.until('2025-03-15T12:00:00Z');
    const told = week.told();
    expect(told.map(({ event }) => event).toSorted()).toEqual(['start', 'success', 'undelete']);
    expect(named(told, 'undelete')?.run).toBe(
      `docmirror restore plan --snapshot 5 --scope space:${id} --in-place missing --out undelete.json`,
    );
    expect(week.snapshots().map((one) => one.id)).toEqual([2, 5, 6]);
    expect(await week.metrics()).toMatch(/docmirror_job_last_timestamp_seconds\{job="check"\} 17420148\d\d/);
  });

  it('Sunday: a token that is refused is told with what to do; the drill proves the last good snapshot', async () => {
    week.platform.faults = [{ effect: { status: 401 } }];
    await week.until('2025-03-16T03:00:00Z');
    const told = week.told();
    expect(told.map(({ event }) => event).toSorted()).toEqual(['failure', 'start', 'token']);
    expect(named(told, 'token')).toMatchObject({
      what: 'The platform refuses the access token',
      run: 'docmirror doctor',
    });
    await week.until('2025-03-16T12:00:00Z');
    expect(events()).toEqual(['stale']);
    using mirror = week.mirror();
    expect(listDrills(mirror).map(({ at, passed, snapshot }) => [at.slice(0, 13), passed, snapshot])).toEqual([
      ['2025-03-16T04', true, 6],
      ['2025-03-10T12', true, 1],
    ]);
  });

  it('Monday: with a new token all is well again, and every end is told once', async () => {
    week.platform.faults = [];
    await week.until('2025-03-17T12:00:00Z');
    const told = week.told();
    expect(told.map(({ event }) => event).toSorted()).toEqual(['recovered', 'recovered', 'start', 'success']);
    expect(await week.ready()).toEqual({ status: 200, reasons: [] });
    expect(JSON.stringify(told)).not.toContain(week.platform.token);
  });

  it('Wednesday: the deadline of a deleted space is told once more, two days before it ends', async () => {
    await week.until('2025-03-19T11:00:00Z');
    expect(events()).toEqual(['start', 'start', 'success', 'success']);
    await week.until('2025-03-19T14:00:00Z');
    const [last, ...others] = week.told();
    expect([last?.event, others]).toEqual(['undelete', []]);
    expect(last?.what).toContain('the platform can bring it back whole for 47 hours more');
  });

  it('has shown every metric that the example alerts name', async () => {
    const alerts = readFileSync('config/prometheus-alerts.yaml', 'utf8');
    const named = new Set(alerts.match(/\bdocmirror_[a-z_]+/g));
    const shown = await week.metrics();
    expect(
      [...named].filter((name) => !shown.includes(`\n# TYPE ${name} `) && !shown.startsWith(`# HELP ${name} `)),
    ).toEqual([]);
    expect(named.size).toBeGreaterThan(8);
  });
});
