import { describe, expect, it } from 'vitest';
import { AppError, createLogger, createMutex, manualClock, shiftedClock, type Clock } from '../../src/base/index.ts';
import { DAY, HOUR, MINUTE, recorded, running, START, type Recorded } from './support.ts';

/** A job that never comes to its end while a daemon is up, and remembers that it was under way. */
function endless(clock: Clock, name: string): Recorded {
  let isUnderWay = false;
  const work = (signal: AbortSignal): Promise<void> => {
    isUnderWay = true;
    return clock.sleep(30 * DAY, signal);
  };
  return { ...recorded(clock, name, { lastDone: null, work }), wasCutOff: () => isUnderWay };
}

const locked = new AppError('DM_DATA_DIR_LOCKED', 'Another process holds it', { hint: 'wait' });
describe('daemon/daemon', () => {
  it('runs a job every night at its time', async () => {
    const clock = manualClock(START);
    const job = recorded(clock, 'sync');
    await using _world = running(clock, [job]);
    await clock.advance(3 * DAY);
    expect(job.runs).toEqual(['03-11T02:00', '03-12T02:00', '03-13T02:00']);
  });

  it('lets others go first where a job was cut off: one that took longer than a daemon stayed up kept them waiting for ever', async () => {
    const clock = manualClock(START);
    const [drill, check] = [endless(clock, 'drill'), recorded(clock, 'check', { lastDone: null })];
    const first = running(clock, [drill, check]);
    await clock.advance(HOUR);
    await first.stop();
    expect([drill.runs, check.runs]).toEqual([['03-10T12:00'], []]);
    await using _second = running(clock, [drill, check]);
    await clock.advance(HOUR);
    expect([drill.runs, check.runs]).toEqual([['03-10T12:00', '03-10T13:00'], ['03-10T13:00']]);
  });

  describe('beside others in its process', () => {
    it('does a heavy job while no other does one, so that memory does not grow with the platforms, while others walk', async () => {
      const clock = manualClock(START);
      const heavy = createMutex();
      const taking = (ms: number) => ({ lastDone: null, work: (signal: AbortSignal) => clock.sleep(ms, signal) });
      const [first, second] = [recorded(clock, 'drill', taking(2 * HOUR)), recorded(clock, 'drill', taking(HOUR))];
      const walk = recorded(clock, 'sync', { pattern: '0 13 * * *' });
      await using _one = running(clock, [{ ...first, isHeavy: true }], { heavy });
      await using other = running(clock, [{ ...second, isHeavy: true }], { heavy });
      await using _third = running(clock, [walk], { heavy });
      await clock.advance(HOUR + MINUTE);
      expect([first.runs, second.runs, walk.runs]).toEqual([['03-10T12:00'], [], ['03-10T13:00']]);
      expect(other.daemon.state()[0]).toMatchObject({ running: false, due: true });
      await clock.advance(2 * HOUR);
      expect(second.runs).toEqual(['03-10T14:00']);
    });

    it('ends at once while it waits for another', async () => {
      const clock = manualClock(START);
      const heavy = createMutex();
      const endless = recorded(clock, 'drill', { lastDone: null, work: (signal) => clock.sleep(DAY, signal) });
      const waiting = recorded(clock, 'drill', { lastDone: null });
      await using _one = running(clock, [{ ...endless, isHeavy: true }], { heavy });
      const other = running(clock, [{ ...waiting, isHeavy: true }], { heavy });
      await clock.advance(MINUTE);
      await other.stop();
      expect(waiting.runs).toEqual([]);
    });
  });

  it('catches up at once on a run that was missed, and not on one that was not', async () => {
    const clock = manualClock(START);
    const missed = recorded(clock, 'sync', { lastDone: START - 2 * DAY });
    const fresh = recorded(clock, 'drill', { lastDone: START - HOUR });
    await using _world = running(clock, [missed, fresh]);
    await clock.advance(MINUTE);
    expect([missed.runs, fresh.runs]).toEqual([['03-10T12:00'], []]);
  });

  it('does not call a job missed that was never done, and runs it at once', async () => {
    const clock = manualClock(START);
    const first = recorded(clock, 'sync', { lastDone: null });
    const missed = recorded(clock, 'drill', { lastDone: START - 2 * DAY });
    const said: string[] = [];
    const destination = { write: (line: string): void => void said.push(line) };
    const log = createLogger({ level: 'info', pretty: false, destination });
    await using _world = running(clock, [first, missed], { log });
    await clock.advance(MINUTE);
    expect([first.runs, missed.runs]).toEqual([['03-10T12:00'], ['03-10T12:00']]);
    const found = said.map((line) => JSON.parse(line) as { job: string; msg: string });
    expect(found.filter(({ msg }) => /never|missed/.test(msg)).map(({ job, msg }) => [job, msg])).toEqual([
      ['sync', 'never done before, due now'],
      ['drill', 'a run was missed, catching up'],
    ]);
  });

  it('never runs two jobs at once, and keeps their order when both are due', async () => {
    const clock = manualClock(START);
    const seen: string[] = [];
    const slow = (name: string) => async (signal: AbortSignal) => {
      seen.push(`${name} begins`);
      await clock.sleep(10 * MINUTE, signal);
      seen.push(`${name} ends`);
    };
    const jobs = ['sync', 'drill'].map((name) => recorded(clock, name, { work: slow(name) }));
    await using _world = running(clock, jobs);
    await clock.advance(DAY);
    expect(seen).toEqual(['sync begins', 'sync ends', 'drill begins', 'drill ends']);
  });

  it('shows a job that waits for another one as due, and not as unscheduled or long past', async () => {
    const clock = manualClock(START);
    const jobs = [
      recorded(clock, 'sync', { lastDone: null, work: (signal) => clock.sleep(10 * HOUR, signal) }),
      recorded(clock, 'drill', { lastDone: null }),
    ];
    await using world = running(clock, jobs);
    const seen = (): unknown[] => world.daemon.state().map(({ running: runs, due }) => [runs, due]);
    await clock.advance(MINUTE);
    const during = [
      [true, true],
      [false, true],
    ];
    expect(seen()).toEqual(during);
    await clock.advance(11 * HOUR);
    const after = [
      [false, false],
      [false, false],
    ];
    expect(seen()).toEqual(after);
    await world.stop();
  });

  it('skips no later night because one run took longer than a day', async () => {
    const clock = manualClock(START);
    const job = recorded(clock, 'sync', { work: (signal) => clock.sleep(30 * HOUR, signal) });
    await using _world = running(clock, [job]);
    await clock.advance(4 * DAY);
    expect(job.runs).toEqual(['03-11T02:00', '03-13T02:00']);
  });

  it('begins within the jitter, and at the time that it says: by the log it was due, and did not begin', async () => {
    const clock = manualClock(START);
    const job = recorded(clock, 'sync');
    const told: string[] = [];
    const log = createLogger({ level: 'info', pretty: false, destination: { write: (line) => void told.push(line) } });
    await using _world = running(clock, [job], { jitterMs: 30 * MINUTE, log });
    await clock.advance(14 * HOUR - 1);
    expect(job.runs).toEqual([]);
    const { begins } = JSON.parse(told.find((line) => line.includes('job scheduled')) ?? '') as { begins: string };
    await clock.advance(30 * MINUTE + 1);
    expect(job.runs).toEqual([begins.slice(5, 16)]);
  });

  it('shows what failed until it succeeds again, and keeps the schedule', async () => {
    const clock = manualClock(START);
    let broken = true;
    const work = (): Promise<void> => (broken ? Promise.reject(new Error('boom')) : Promise.resolve());
    await using world = running(clock, [recorded(clock, 'sync', { work })]);
    await clock.advance(DAY);
    expect(world.daemon.state()).toMatchObject([{ name: 'sync', running: false, failure: { code: 'DM_INTERNAL' } }]);
    broken = false;
    await clock.advance(DAY);
    expect(world.daemon.state()[0]?.failure).toBeNull();
  });

  it('tries again each minute while another process holds the data directory', async () => {
    const clock = manualClock(START);
    let left = 3;
    const work = (): Promise<void> => (left-- > 0 ? Promise.reject(locked) : Promise.resolve());
    const job = recorded(clock, 'sync', { work });
    await using _world = running(clock, [job]);
    await clock.advance(DAY);
    expect(job.runs).toEqual(['03-11T02:00', '03-11T02:01', '03-11T02:02', '03-11T02:03']);
  });

  it('tells when each job runs next; one without a schedule never runs', async () => {
    const clock = manualClock(START);
    const never = recorded(clock, 'drill', { pattern: null, lastDone: null });
    await using world = running(clock, [recorded(clock, 'sync'), never]);
    await clock.advance(DAY);
    expect(world.daemon.state().map((job) => job.next)).toEqual([Date.parse('2025-03-12T02:00:00Z'), null]);
    expect(never.runs).toEqual([]);
  });

  it('stops the job under way and waits for it, and starts no other', async () => {
    const clock = manualClock(START);
    let stopped = false;
    const first = recorded(clock, 'sync', {
      lastDone: null,
      work: async (signal) => {
        await clock.sleep(HOUR, signal).catch(() => undefined);
        stopped = true;
        signal.throwIfAborted();
      },
    });
    const second = recorded(clock, 'drill', { lastDone: null });
    const world = running(clock, [first, second]);
    await clock.advance(MINUTE);
    expect(world.daemon.state()[0]?.running).toBe(true);
    await world.stop();
    expect([stopped, second.runs]).toEqual([true, []]);
  });

  it('goes by other times as soon as its plan is replaced, and lets what is under way end', async () => {
    const clock = manualClock(START);
    const first = recorded(clock, 'sync', { work: (signal) => clock.sleep(2 * HOUR, signal) });
    await using world = running(clock, [first]);
    await clock.advance(15 * HOUR);
    expect(world.daemon.state()[0]?.running).toBe(true);
    const second = recorded(clock, 'sync', { pattern: '30 5 * * *' });
    world.daemon.replace({ jobs: [second], timezone: 'UTC', jitterMs: 0 });
    await clock.advance(DAY);
    expect([first.runs, second.runs]).toEqual([['03-11T02:00'], ['03-11T05:30']]);
    expect(world.daemon.state()[0]).toMatchObject({ next: Date.parse('2025-03-12T05:30:00Z'), failure: null });
  });

  it('runs a job that gets its first time by a new plan, at that time, and one that loses it no more', async () => {
    const clock = manualClock(START);
    const jobs = (drill: string | null, sync: string | null): Recorded[] => [
      recorded(clock, 'drill', { pattern: drill, lastDone: null }),
      recorded(clock, 'sync', { pattern: sync }),
    ];
    const before = jobs(null, '0 2 * * *');
    await using world = running(clock, before);
    await clock.advance(HOUR);
    const after = jobs('0 4 * * *', null);
    world.daemon.replace({ jobs: after, timezone: 'Europe/Zurich', jitterMs: 0 });
    await clock.advance(DAY);
    expect([...before, ...after].map(({ runs }) => runs)).toEqual([[], [], ['03-11T03:00'], []]);
    expect(world.daemon.state()[1]?.next).toBeNull();
  });

  it('keeps its nights when the clock, far ahead as the machine woke, is set right', async () => {
    const base = manualClock(START);
    const clock = shiftedClock(base);
    clock.advance(20_000 * DAY);
    const job = recorded(clock, 'sync', { lastDone: null });
    await using world = running(clock, [job]);
    await base.advance(MINUTE);
    clock.advance(-20_000 * DAY);
    await base.advance(2 * DAY);
    expect(job.runs.slice(1)).toEqual(['03-11T02:00', '03-12T02:00']);
    expect(world.daemon.state()[0]?.next).toBe(Date.parse('2025-03-13T02:00:00Z'));
  });

  it('walks first when the machine has slept over a night: the drill was of the snapshot before, and the walk waited for it', async () => {
    const base = manualClock(START);
    const clock = shiftedClock(base);
    const order: string[] = [];
    const noting = (name: string, ms: number) => async (signal: AbortSignal) => {
      order.push(name);
      await clock.sleep(ms, signal);
    };
    const sync = recorded(clock, 'sync', { lastDone: null, work: noting('sync', 10_000) });
    const drill = recorded(clock, 'drill', { work: noting('drill', MINUTE) });
    await using _world = running(clock, [sync, drill]);
    await base.advance(75_000);
    expect(order).toEqual(['sync']);
    clock.advance(DAY);
    await base.advance(10 * MINUTE);
    expect(order).toEqual(['sync', 'sync', 'drill']);
  });

  it('calls no run missed that began at its time and was cut off: a restart in the middle of a walk was told as a night that was missed', async () => {
    const missed = async (began: string | null): Promise<unknown> => {
      const clock = manualClock(Date.parse('2025-03-12T02:30:00Z'));
      const job = { ...recorded(clock, 'sync'), cutOffSince: () => (began === null ? null : Date.parse(began)) };
      const told: unknown[] = [];
      await using _world = running(clock, [job], { onChange: ([one]) => void told.push(one?.missed ?? null) });
      await clock.advance(MINUTE);
      expect(job.runs).toEqual(['03-12T02:30']);
      return told[0];
    };
    const due = Date.parse('2025-03-12T02:00:00Z');
    expect([await missed('2025-03-12T02:03:00Z'), await missed('2025-03-11T02:03:00Z'), await missed(null)]).toEqual([
      null,
      due,
      due,
    ]);
  });

  it('calls no run missed that the jitter might still have let wait: a restart two minutes after the time of a walk was told as a night that was missed', async () => {
    const due = Date.parse('2025-03-12T02:00:00Z');
    const missed = async (sinceDue: number, lastDone: string): Promise<unknown> => {
      const clock = manualClock(due + sinceDue);
      const job = recorded(clock, 'sync', { lastDone: Date.parse(lastDone) });
      const told: unknown[] = [];
      await using _world = running(clock, [job], {
        jitterMs: 5 * MINUTE,
        onChange: ([one]) => void told.push(one?.missed ?? null),
      });
      await clock.advance(MINUTE);
      expect(job.runs).toHaveLength(1);
      return told[0];
    };
    expect([
      await missed(2 * MINUTE, '2025-03-11T02:04:00Z'),
      await missed(6 * MINUTE, '2025-03-11T02:04:00Z'),
      await missed(2 * MINUTE, '2025-03-10T02:04:00Z'),
    ]).toEqual([null, due, due]);
  });

  it('goes on where no night was left, when the clock is set back to one that has some', async () => {
    const base = manualClock(START);
    const clock = shiftedClock(base);
    clock.advance(1000 * DAY);
    const job = recorded(clock, 'sync', { pattern: '0 0 2 11 3 * 2025', lastDone: START });
    await using _world = running(clock, [job]);
    await base.advance(MINUTE);
    const before = job.runs.length;
    clock.advance(START - clock.now());
    await base.advance(DAY);
    expect(job.runs.slice(before)).toEqual(['03-11T02:00']);
  });

  it('runs a job that was done at a time yet to come, by a clock that was wrong then', async () => {
    const clock = manualClock(START);
    const missed: unknown[] = [];
    const job = recorded(clock, 'sync', { lastDone: START + 20_000 * DAY });
    await using _world = running(clock, [job], { onChange: ([one]) => void missed.push(one?.missed) });
    await clock.advance(MINUTE);
    expect([job.runs, missed]).toEqual([['03-10T12:00'], [null, null]]);
  });

  it('leaves out no night because the plan was replaced between its time and its beginning', async () => {
    const clock = manualClock(START);
    const jobs = ['sync', 'sync'].map((name) => recorded(clock, name));
    await using world = running(clock, jobs.slice(0, 1), { jitterMs: 10 * HOUR });
    await clock.advance(14 * HOUR + MINUTE);
    expect(jobs[0]?.runs).toEqual([]);
    world.daemon.replace({ jobs: jobs.slice(1), timezone: 'UTC', jitterMs: 10 * HOUR });
    await clock.advance(MINUTE);
    expect(jobs.map(({ runs }) => runs)).toEqual([[], ['03-11T02:01']]);
  });

  it('leaves a job that was taken out of its plan between its time and its beginning, and goes on with the others', async () => {
    const clock = manualClock(START);
    const [left, kept] = [recorded(clock, 'sync'), recorded(clock, 'report', { pattern: '0 20 * * *' })];
    await using world = running(clock, [left, kept], { jitterMs: 10 * HOUR });
    await clock.advance(14 * HOUR + MINUTE);
    world.daemon.replace({ jobs: [kept], timezone: 'UTC', jitterMs: 0 });
    await clock.advance(DAY);
    expect([left.runs, kept.runs.length]).toEqual([[], 2]);
  });

  it('leaves a job that was taken out of its plan while it waited for another, or for another process: it began all the same', async () => {
    const clock = manualClock(START);
    const drill = recorded(clock, 'drill', { lastDone: null, work: (signal) => clock.sleep(2 * HOUR, signal) });
    const walk = recorded(clock, 'sync', { pattern: '0 13 * * *' });
    const check = recorded(clock, 'check', { pattern: '0 15 * * *', work: () => Promise.reject(locked) });
    await using world = running(clock, [drill, walk, check]);
    const off = (job: Recorded): Recorded => ({ ...job, pattern: null });
    await clock.advance(HOUR + MINUTE);
    world.daemon.replace({ jobs: [drill, off(walk), check], timezone: 'UTC', jitterMs: 0 });
    await clock.advance(2 * HOUR + MINUTE);
    world.daemon.replace({ jobs: [drill, off(walk), off(check)], timezone: 'UTC', jitterMs: 0 });
    const begun = [...check.runs];
    await clock.advance(HOUR);
    expect([drill.runs, walk.runs, begun.length, check.runs]).toEqual([['03-10T12:00'], [], 3, begun]);
  });

  it('ends after the job under way when it is told to, and begins none that waits for that', async () => {
    const clock = manualClock(START);
    const done: string[] = [];
    const work = async (signal: AbortSignal): Promise<void> => {
      await clock.sleep(HOUR, signal);
      done.push('sync');
    };
    const [first, second] = [recorded(clock, 'sync', { lastDone: null, work }), recorded(clock, 'drill')];
    const world = running(clock, [first, { ...second, lastDone: () => null }]);
    await clock.advance(MINUTE);
    world.daemon.endAfterJob();
    await clock.advance(HOUR);
    await world.ended;
    expect([done, second.runs, world.daemon.state()[0]?.failure]).toEqual([['sync'], [], null]);
  });

  it('shows a job as failed no longer once its work was done well by hand', async () => {
    const clock = manualClock(START);
    let well: number | null = START;
    const refused = new AppError('DM_UNREACHABLE', 'It is down', { hint: 'wait' });
    const failing = recorded(clock, 'sync', { work: () => Promise.reject(refused) });
    await using world = running(clock, [{ ...failing, lastWell: () => well }]);
    await clock.advance(DAY);
    expect(world.daemon.state()[0]?.failure?.code).toBe('DM_UNREACHABLE');
    well = clock.now();
    expect(world.daemon.state()[0]?.failure).toBe(null);
    // Dated by a clock that was ahead: nobody knows which came first.
    well = clock.now() + DAY;
    expect(world.daemon.state()[0]?.failure?.code).toBe('DM_UNREACHABLE');
  });

  it('tells what was missed until it is done, and when each job ran last', async () => {
    const clock = manualClock(START);
    let broken = true;
    const work = async (signal: AbortSignal): Promise<void> => {
      await clock.sleep(MINUTE, signal);
      if (broken) throw new Error('boom');
    };
    const job = recorded(clock, 'sync', { work, lastDone: START - 2 * DAY });
    await using world = running(clock, [job]);
    await clock.advance(MINUTE / 2);
    const missed = Date.parse('2025-03-10T02:00:00Z');
    expect(world.daemon.state()[0]).toMatchObject({ missed, last: null });
    await clock.advance(HOUR);
    expect(world.daemon.state()[0]).toMatchObject({ missed, last: { at: START, ms: MINUTE } });
    broken = false;
    await clock.advance(DAY);
    expect(world.daemon.state()[0]?.missed).toBeNull();
  });

  it('tells how long a job took when the clock is set back meanwhile: it took a day less than nothing', async () => {
    const real = manualClock(START);
    let behind = 0;
    const clock = { ...real, now: () => real.now() - behind };
    const work = async (signal: AbortSignal): Promise<void> => {
      await clock.sleep(MINUTE, signal);
      behind = DAY;
    };
    await using world = running(clock, [recorded(clock, 'sync', { work, lastDone: null })]);
    await real.advance(2 * MINUTE);
    expect(world.daemon.state()[0]?.last).toEqual({ at: START, ms: MINUTE });
  });

  it('counts a run as missed when another process held the data directory all the time', async () => {
    const clock = manualClock(START);
    const job = recorded(clock, 'sync', { work: () => Promise.reject(locked), pattern: '0 * * * *' });
    await using world = running(clock, [job]);
    await clock.advance(2 * HOUR);
    expect(world.daemon.state()[0]).toMatchObject({ missed: START + HOUR, failure: { code: 'DM_DATA_DIR_LOCKED' } });
  });
});
