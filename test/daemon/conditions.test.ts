import { describe, expect, it } from 'vitest';
import { conditionsOf, isKnownOver, type Condition, type Seen } from '../../src/daemon/index.ts';
import { acceptSnapshot, noteFailure, recordDrill } from '../../src/mirror/index.ts';
import { noRuntimeState, readStatus, type JobState } from '../../src/status/index.ts';
import { metricsText } from '../../src/status/metrics.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, NO_BRAKE, takeSnapshot } from '../support/snapshots.ts';

const HOUR = 3_600_000;
const LIMITS = { snapshotMs: 26 * HOUR, drillMs: 8 * 24 * HOUR, freeDisk: 0.1 };
const status = readStatus(null, 0, LIMITS);
const job = (name: string, code: string | null, more: Partial<JobState> = {}): JobState => {
  const failure = code === null ? null : { at: 0, code, message: 'boom', hint: 'Do this.' };
  return { name, running: false, next: null, failure, last: { at: 0, ms: 1 }, missed: null, ...more };
};
const seen = (more: Partial<Seen>): Seen => ({ status, jobs: [], disk: null, shrunk: 0, now: 0, ...more });
const found = (more: Partial<Seen>): Condition[] => conditionsOf(seen(more), LIMITS);
const causes = (more: Partial<Seen>): string[] => found(more).map(({ cause }) => cause);

describe('daemon/conditions', () => {
  it('finds nothing to tell where there is nothing yet', () => {
    expect(causes({})).toEqual([]);
    expect(causes({ jobs: [job('sync', null), job('drill', 'DM_NO_SNAPSHOT')] })).toEqual([]);
  });

  it('tells a failure with its code and hint, and a refused token as what it is', () => {
    const jobs = [job('sync', 'DM_UNREACHABLE'), job('check', 'DM_CHECK_FAILED')];
    expect(causes({ jobs })).toEqual(['failed sync DM_UNREACHABLE', 'failed check DM_CHECK_FAILED']);
    expect(found({ jobs })[0]?.means).toContain('Do this.');
    expect(found({ jobs }).map(({ run }) => run)).toEqual(['docmirror doctor', 'docmirror check --read-data']);
    expect(causes({ jobs: [job('sync', 'DM_TOKEN_REFUSED')] })).toEqual(['token refused']);
    expect(causes({ shrunk: 3 })).toEqual(['token lost rights']);
  });

  it('says when what failed is tried again', () => {
    const [failed] = found({ jobs: [job('sync', 'DM_UNREACHABLE', { next: HOUR })] });
    expect(failed?.means).toBe(
      'There is no new snapshot of tonight. Earlier ones are untouched. It is tried again at 1970-01-01T01:00:00.000Z. Do this.',
    );
  });

  it('says of a refused token how a daemon gets the new one: doctor finds the new file well while the daemon has the old', () => {
    expect(found({ jobs: [job('sync', 'DM_TOKEN_REFUSED')] })[0]?.means).toContain(
      'takes a new token from its file within a minute',
    );
  });

  it('tells of a suspect snapshot with the last good one to compare it with', () => {
    const row = { id: 7, state: 'suspect', reason: 'half is gone' } as const;
    const lastSealed = row as unknown as NonNullable<typeof status.lastSealed>;
    expect(found({ status: { ...status, lastSealed, lastGood: 6 } })).toMatchObject([
      { cause: 'suspect', what: 'Snapshot 7 is suspect: half is gone', run: 'docmirror diff 6 7' },
    ]);
  });

  it('compares a suspect snapshot with the one that it was measured by: after nights of which a person accepted what they lack, the last complete one was named, months before', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const names = ['a', 'b', 'c'];
    takeSnapshot(mirror, (hand) => names.forEach((name) => hand.see(collection(name))));
    const failure = {
      kind: 'page',
      resource: 's1/p1',
      request: 'GET',
      status: 500,
      code: 'DM_HTTP_STATUS',
      error: 'no',
    };
    const { id } = takeSnapshot(mirror, (hand) => noteFailure({ mirror, id: hand.id }, failure));
    acceptSnapshot(mirror, id, 'ticket 7');
    const brake = { ...NO_BRAKE, deletedShare: 0, deletedCount: 1 };
    takeSnapshot(mirror, (hand) => names.forEach((name) => hand.bury('collection', name)), brake);
    const [suspect] = found({ status: readStatus(mirror, mirror.clock.now(), LIMITS) });
    expect([suspect?.run, suspect?.means]).toEqual([
      'docmirror diff 2 3',
      expect.stringContaining('Snapshot 2 still has it all'),
    ]);
  });

  it('says of a platform that sends fields no more how they are read again, and not that far more is gone than usual', () => {
    const row = { id: 7, state: 'suspect', reason: 'no title any more on 3 of 3 spaces that changed at once' } as const;
    const lastSealed = row as unknown as NonNullable<typeof status.lastSealed>;
    const [lacking] = found({ status: { ...status, lastSealed, isWithoutFields: true } });
    expect(lacking?.means).toMatch(
      /^The platform sends fields no more .* once it sends them again, `docmirror sync --full`/,
    );
  });

  it('tells of what is no longer listed only when another walk did not tell whether it is gone', () => {
    const row = { id: 7, state: 'partial', reason: '1 share-link no longer listed' } as const;
    const lastSealed = row as unknown as NonNullable<typeof status.lastSealed>;
    const told = (retrying: boolean): string[] =>
      causes({ status: { ...status, lastSealed }, jobs: [job('sync', 'DM_INCOMPLETE', { retrying })] });
    expect([told(true), told(false)]).toEqual([[], ['partial']]);
  });

  it('tells nothing of a snapshot while its walk is at its last: a look between the two was an alarm for what another walk was to confirm', () => {
    const row = { id: 7, state: 'partial', reason: '1 share-link no longer listed' } as const;
    const lastSealed = row as unknown as NonNullable<typeof status.lastSealed>;
    const jobs = [job('sync', null, { running: true })];
    expect(causes({ status: { ...status, lastSealed }, jobs })).toEqual([]);
    expect(['partial', 'suspect'].map((cause) => isKnownOver(cause, 0, seen({ jobs })))).toEqual([false, false]);
    expect(causes({ status: { ...status, lastSealed }, jobs: [job('drill', null, { running: true })] })).toEqual([
      'partial',
    ]);
  });

  it('says nothing to be over for a walk that is looked at again, but what it did not meet: partial was over while it was partial', () => {
    const jobs = [job('sync', 'DM_INCOMPLETE', { retrying: true })];
    expect(isKnownOver('partial', 0, seen({ jobs }))).toBe(false);
    expect(isKnownOver('partial', 0, seen({ jobs: [job('sync', null)] }))).toBe(true);
    for (const cause of ['failed sync DM_UNREACHABLE', 'token refused'])
      expect(isKnownOver(cause, 0, seen({ jobs })), cause).toBe(true);
  });

  const parts = (reason: string): readonly string[] => {
    const row = { id: 7, state: 'partial', reason } as const;
    const lastSealed = row as unknown as NonNullable<typeof status.lastSealed>;
    return found({ status: { ...status, lastSealed } })[0]?.parts ?? [];
  };

  it('knows what a partial snapshot lacks from one night to the next, ten times more being something else', () => {
    expect(parts('1 page not read')).toEqual(parts('2 pages not read'));
    expect(parts('33 of 96 pages gone at once')).toEqual(parts('34 of 96 pages gone since snapshot 16'));
    expect(parts('1 page not read')).not.toEqual(parts('1,660 pages not read'));
    expect(parts('not all sites read; scope shrank: no admin on space s1')).toEqual(parts('not all sites read'));
  });

  it('takes fewer for no news: a thousand that became nine hundred were told once more', () => {
    const many = parts('100 of 900 pages gone at once; 12 files not read');
    expect(many).toEqual(expect.arrayContaining([...parts('12 files not read; 99 of 1,000 pages gone at once')]));
    expect(many).toEqual(expect.arrayContaining([...parts('1 file not read')]));
    expect(parts('1 file not read')).not.toEqual(expect.arrayContaining([...many]));
  });

  it('says of a partial snapshot how to accept what is refused to the token, where that is what it lacks: only its page did', () => {
    const row = { id: 7, state: 'partial', reason: 'not all share-links read' } as const;
    const lastSealed = row as unknown as NonNullable<typeof status.lastSealed>;
    const [refused] = found({ status: { ...status, lastSealed, isRefused: true } });
    const [other] = found({ status: { ...status, lastSealed } });
    expect([refused?.cause, other?.cause]).toEqual(['partial', 'partial']);
    expect(refused?.means).toContain('`docmirror sync --accept-rights`');
    expect(other?.means).not.toContain('--accept-rights');
  });

  it('tells of a disk that is almost full, and not of one that nobody could ask', () => {
    expect(causes({ disk: { free: 9, size: 100 } })).toEqual(['disk almost full']);
    expect(causes({ disk: { free: 10, size: 100 } })).toEqual([]);
    expect(causes({ disk: { free: 90, size: 100, files: { free: 9, size: 100 } } })).toEqual(['disk almost full']);
    // As of a file system that tells no size.
    expect(causes({ disk: { free: 0, size: 0 } })).toEqual([]);
    const full = found({ disk: { free: 90, size: 100, files: { free: 5, size: 100 } } });
    expect(full[0]?.what).toContain('5% of the files that it can hold (inodes) are left');
    expect(isKnownOver('disk almost full', 0, seen({ disk: null }))).toBe(false);
    expect(isKnownOver('disk almost full', 0, seen({ disk: { free: 50, size: 100 } }))).toBe(true);
  });

  it('tells of a snapshot or a drill that is too old, and of none that the status calls fresh', () => {
    const aged = (ms: number): string[] =>
      causes({ status: { ...status, snapshotAgeMs: LIMITS.snapshotMs + ms, drillAgeMs: LIMITS.drillMs + ms } });
    expect([aged(0), aged(1)]).toEqual([[], ['stale complete snapshot', 'stale passed drill']]);
  });

  it('quotes the id of a deleted space in the command that brings it back, and counts hours on the last two days', () => {
    const deleted = { id: 'a;reboot', title: 'Docs', organization: 'o', lastSeen: 7, goneSince: 8, deletedAt: '' };
    const told = (leftMs: number): Condition | undefined =>
      found({ status: { ...status, deletedSpaces: [{ ...deleted, leftMs }] } })[0];
    expect(told(48 * HOUR)).toMatchObject({
      cause: 'undelete a;reboot',
      what: expect.stringContaining('whole for 2 days more') as string,
      run: "docmirror restore plan --snapshot 7 --scope 'space:a;reboot' --in-place missing --out undelete.json",
    });
    expect(told(48 * HOUR - 1)).toMatchObject({
      cause: 'undelete a;reboot soon',
      what: expect.stringContaining('whole for 47 hours more') as string,
    });
  });

  it('tells of a drill that did not pass until one does, and of none of an older snapshot', () => {
    const seenOf = { at: '', requests: 0, duration_ms: 0, report: '', hash: '' };
    const drills = (...all: [snapshot: number, passed: boolean, ofNewest: boolean][]): typeof status => {
      const list = all.map(([snapshot, passed, ofNewest], id) => ({ ...seenOf, id, snapshot, passed, ofNewest }));
      return { ...status, drills: list, drillOfNewest: list.find(({ ofNewest }) => ofNewest) ?? null };
    };
    const told = (more: Partial<Seen>): string[] => found(more).map(({ what }) => what);
    expect(told({ status: drills([7, false, true], [6, true, true]) })).toEqual([
      'The drill of snapshot 7 did not pass',
    ]);
    expect(told({ status: drills([2, false, false], [7, true, true], [6, false, true]) })).toEqual([]);
    expect(told({ jobs: [job('sync', null), job('drill', 'DM_DRILL_FAILED')] })).toEqual(['The drill did not pass']);
    // What is damaged is one cause, that the drill did not pass for it no second one.
    expect(causes({ status: drills([7, false, true]), jobs: [job('drill', 'DM_ARCHIVE_DAMAGED')] })).toEqual([
      'failed drill DM_ARCHIVE_DAMAGED',
    ]);
  });

  it('goes on telling of a drill that did not pass while older snapshots are tried, however many: after five it was told as over, and nothing to be done', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const drilled = (snapshot: number, passed: boolean, ofNewest: boolean): void =>
      recordDrill(mirror, { snapshot, passed, requests: 1, durationMs: 1, report: { ofNewest } });
    for (let night = 0; night < 7; night++) takeSnapshot(mirror, (hand) => hand.see(collection('a')));
    drilled(7, false, true);
    for (const older of [6, 5, 4, 3, 2, 1]) drilled(older, true, false);
    const tried = readStatus(mirror, mirror.clock.now(), LIMITS);
    expect(tried.reasons.join()).toContain('The last drill, of snapshot 7 at ');
    expect(causes({ status: tried })).toContain('drill failed');
    expect((await metricsText({ status: tried, live: noRuntimeState, stored: null })).text).toContain(
      'docmirror_drill_passed 0',
    );
  });

  it('calls no drill that did not pass over since the next one found something damaged, and compared nothing', () => {
    const after = (failure: string | null): boolean =>
      isKnownOver('drill failed', 0, seen({ jobs: [job('drill', failure)] }));
    expect([after('DM_ARCHIVE_DAMAGED'), after(null)]).toEqual([false, true]);
  });

  it('takes a failure for over only when the job has run since, in this process', () => {
    const cause = 'failed drill DM_INTERNAL';
    expect(isKnownOver(cause, 0, seen({ jobs: [job('drill', null)] }))).toBe(true);
    expect(isKnownOver(cause, 0, seen({ jobs: [job('drill', null, { last: null })] }))).toBe(false);
    expect(isKnownOver(cause, 0, seen({ jobs: [job('drill', null, { running: true })] }))).toBe(false);
    expect(isKnownOver(cause, 0, seen({ jobs: [job('sync', null)] }))).toBe(false);
    // Another failure of the same job is no end of the first one.
    for (const code of ['DM_DATA_DIR_LOCKED', 'DM_TIMEOUT'])
      expect(isKnownOver('failed sync DM_DISK_FULL', 0, seen({ jobs: [job('sync', code)] }))).toBe(false);
    expect(isKnownOver('token refused', 0, seen({ jobs: [job('sync', 'DM_UNREACHABLE')] }))).toBe(false);
    expect(isKnownOver('token refused', 0, seen({ jobs: [job('sync', null, { last: null })] }))).toBe(false);
    expect(isKnownOver('partial', 0, seen({}))).toBe(true);
    expect(isKnownOver('partial', 0, seen({ status: null }))).toBe(false);
  });

  it('does not call a failure over that a command met after the last run of the daemon', () => {
    const ran = job('sync', null, { last: { at: 1000, ms: 10 } });
    const cause = 'failed sync DM_UNREACHABLE';
    expect(isKnownOver(cause, 2000, seen({ jobs: [ran], now: 3000 }))).toBe(false);
    expect(isKnownOver(cause, 1005, seen({ jobs: [ran], now: 3000 }))).toBe(true);
    // Told by a clock that was ahead.
    expect(isKnownOver(cause, 9000, seen({ jobs: [ran], now: 3000 }))).toBe(true);
  });

  it('leaves it to the daemon to say that a missed run was caught up', () => {
    expect(isKnownOver('missed', 0, seen({ jobs: [job('sync', null, { missed: null })] }))).toBe(true);
    const { missed: _unknown, ...beside } = job('sync', null);
    expect(isKnownOver('missed', 0, seen({ jobs: [beside] }))).toBe(false);
  });

  it('tells that jobs failed for what they have in common as one', () => {
    const jobs = ['sync', 'drill', 'check'].map((name) => job(name, 'DM_DATABASE_DAMAGED'));
    const behind = conditionsOf(seen({ status: null, jobs }), LIMITS).map((one) => one.behind);
    expect(behind).toEqual(['DM_DATABASE_DAMAGED', 'DM_DATABASE_DAMAGED', 'DM_DATABASE_DAMAGED']);
    expect(found({ jobs: [job('sync', 'DM_UNREACHABLE')] })[0]?.behind).toBeUndefined();
  });
});
