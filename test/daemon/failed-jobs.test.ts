// A job that failed: when it is tried again, what is shown of it, and that it ends no other.
import { describe, expect, it } from 'vitest';
import { AppError, createLogger, isoTime, manualClock, shiftedClock, type Clock } from '../../src/base/index.ts';
import type { Retrial } from '../../src/daemon/index.ts';
import type { JobState } from '../../src/status/index.ts';
import { DAY, HOUR, MINUTE, recorded, running, START, type Recorded } from './support.ts';

describe('daemon/daemon with a job that failed', () => {
  const AN_HOUR = { afterMs: HOUR, errors: ['DM_TIMEOUT', 'DM_UNREACHABLE'] } as const;
  const unreachable = (): Promise<void> =>
    Promise.reject(new AppError('DM_UNREACHABLE', 'The platform could not be reached', { hint: 'wait' }));

  const unreadable = (): number => {
    throw new AppError('DM_DATABASE_DAMAGED', 'The mirror cannot be read', { hint: 'Restore it' });
  };

  it('is tried again a while later, three times at most: a platform that is closed at two each night was never mirrored', async () => {
    const clock = manualClock(START);
    const job = { ...recorded(clock, 'sync', { work: unreachable }), retry: AN_HOUR };
    await using world = running(clock, [job]);
    await clock.advance(14.5 * HOUR);
    expect(job.runs).toEqual(['03-11T02:00']);
    expect(world.daemon.state()[0]).toMatchObject({ due: false, next: Date.parse('2025-03-11T03:00:00Z') });
    await clock.advance(DAY + HOUR);
    const first = ['03-11T02:00', '03-11T03:00', '03-11T04:00', '03-11T05:00'];
    expect(job.runs).toEqual([...first, '03-12T02:00', '03-12T03:00']);
  });

  it('says when it is tried again to whoever is told that it failed, and that it is not before its next time once that was often enough', async () => {
    const clock = manualClock(START);
    const told: string[] = [];
    const onChange = ([job]: readonly JobState[]): void => {
      if (job && !job.running && job.failure) told.push(isoTime(job.next ?? 0).slice(5, 16));
    };
    const job = { ...recorded(clock, 'sync', { work: unreachable }), retry: AN_HOUR };
    await using _world = running(clock, [job], { onChange });
    await clock.advance(20 * HOUR);
    expect(told).toEqual(['03-11T03:00', '03-11T04:00', '03-11T05:00', '03-12T02:00']);
  });

  it('is not tried again once it was done, be it by a command, nor for another error, nor where it is to be left alone', async () => {
    const clock = manualClock(START);
    let tries = 0;
    const twice = { ...recorded(clock, 'sync', { work: () => (tries++ < 1 ? unreachable() : Promise.resolve()) }) };
    const byHand = recorded(clock, 'drill', { work: unreachable });
    const left = { ...recorded(clock, 'check', { work: unreachable }), retry: null };
    const full = (): Promise<void> => Promise.reject(new AppError('DM_DISK_FULL', 'No room', { hint: 'Make room' }));
    const other = recorded(clock, 'other', { work: full });
    const jobs = [
      { ...other, retry: AN_HOUR },
      { ...twice, retry: AN_HOUR },
      { ...byHand, retry: AN_HOUR, lastWell: () => Date.parse('2025-03-11T02:30:00Z') },
      left,
    ];
    await using world = running(clock, jobs);
    await clock.advance(14 * HOUR + 31 * MINUTE);
    const nexts = world.daemon.state().map(({ next }) => isoTime(next ?? 0).slice(5, 16));
    expect(nexts).toEqual(['03-12T02:00', '03-11T03:00', '03-12T02:00', '03-12T02:00']);
    await clock.advance(9 * HOUR);
    expect([twice.runs, byHand.runs, left.runs, other.runs]).toEqual([
      ['03-11T02:00', '03-11T03:00'],
      ['03-11T02:00'],
      ['03-11T02:00'],
      ['03-11T02:00'],
    ]);
  });

  it('is tried again at once with other settings, such as another token, and never later than at its next time', async () => {
    const clock = manualClock(START);
    const often = { ...recorded(clock, 'often', { pattern: '*/30 * * * *', work: unreachable }), retry: AN_HOUR };
    const job = { ...recorded(clock, 'sync', { work: unreachable }), retry: AN_HOUR };
    await using world = running(clock, [often, job]);
    await clock.advance(14 * HOUR + 20 * MINUTE);
    const mended = recorded(clock, 'sync');
    world.daemon.replace({ jobs: [often, { ...mended, retry: AN_HOUR }], timezone: 'UTC', jitterMs: 0 });
    await clock.advance(10 * HOUR);
    expect([job.runs, mended.runs]).toEqual([['03-11T02:00'], ['03-11T02:20']]);
    expect(often.runs.slice(0, 3)).toEqual(['03-10T12:30', '03-10T13:00', '03-10T13:30']);
  });

  it('is not tried again once it was taken out of the schedule, and the others go on: a crash would have ended them', async () => {
    const clock = manualClock(START);
    const failing = { ...recorded(clock, 'sync', { work: unreachable }), retry: AN_HOUR };
    const other = recorded(clock, 'report', { pattern: '0 5 * * *' });
    await using world = running(clock, [failing, other]);
    await clock.advance(14.5 * HOUR);
    world.daemon.replace({ jobs: [other], timezone: 'UTC', jitterMs: 0 });
    await clock.advance(DAY);
    expect([failing.runs, other.runs]).toEqual([['03-11T02:00'], ['03-11T05:00']]);
    expect(world.daemon.state()[0]).toMatchObject({ due: false, next: null });
  });

  it('is shown as failed, and tried again, while the mirror cannot say whether it was done well since', async () => {
    const clock = manualClock(START);
    const job = { ...recorded(clock, 'sync', { work: unreachable }), retry: AN_HOUR, lastWell: unreadable };
    await using world = running(clock, [job]);
    await clock.advance(15.5 * HOUR);
    expect(world.daemon.state()[0]?.failure?.code).toBe('DM_UNREACHABLE');
    expect(job.runs).toEqual(['03-11T02:00', '03-11T03:00']);
  });

  it('of which nothing tells when it was done last is done at once, and ends no other', async () => {
    const clock = manualClock(START);
    const job = { ...recorded(clock, 'sync'), lastDone: unreadable };
    const other = recorded(clock, 'report');
    await using _world = running(clock, [job, other]);
    await clock.advance(DAY);
    expect([job.runs, other.runs]).toEqual([['03-10T12:00', '03-11T02:00'], ['03-11T02:00']]);
  });

  it('is told of as failed by no daemon that is ended in its middle', async () => {
    const clock = manualClock(START);
    const told: string[] = [];
    const log = createLogger({ level: 'error', pretty: false, destination: { write: (line) => void told.push(line) } });
    const cutOff = (): Promise<void> => Promise.reject(new Error('the file is closed'));
    const work = (signal: AbortSignal): Promise<void> => clock.sleep(HOUR, signal).catch(cutOff);
    const job = recorded(clock, 'sync', { lastDone: null, work });
    const world = running(clock, [job], { log, onChange: ([one]) => void told.push(`running: ${one?.running}`) });
    await clock.advance(MINUTE);
    await world.stop();
    expect([told, world.daemon.state()[0]]).toMatchObject([['running: true'], { running: false, failure: null }]);
  });

  it('keeps its nights when a walk failed by a clock that was far ahead: it was tried again only once that time came', async () => {
    const base = manualClock(START);
    const clock = shiftedClock(base);
    clock.advance(400 * DAY);
    const refused = new AppError('DM_UNREACHABLE', 'There is no network yet', { hint: 'wait' });
    const isUp = (): boolean => clock.now() < START + 300 * DAY;
    const work = (): Promise<void> => (isUp() ? Promise.resolve() : Promise.reject(refused));
    const retry = { afterMs: HOUR, errors: ['DM_UNREACHABLE'] } as const;
    const job = { ...recorded(clock, 'sync', { lastDone: START, work }), retry };
    await using world = running(clock, [job]);
    await base.advance(5 * MINUTE);
    clock.advance(-400 * DAY);
    await base.advance(2 * DAY);
    expect(job.runs.slice(1)).toEqual(['03-10T12:05', '03-11T02:00', '03-12T02:00']);
    expect(world.daemon.state()[0]).toMatchObject({ failure: null, next: Date.parse('2025-03-13T02:00:00Z') });
  });

  describe('that is started again while one waits for another try', () => {
    const failing = (clock: Clock, retrial: Retrial | null): Recorded & { left(): Retrial | null } => {
      let left = retrial;
      const note = (next: Retrial | null): Promise<void> => Promise.resolve(void (left = next));
      // What it did counts as done, as a snapshot that was sealed does.
      const job = recorded(clock, 'sync', { lastDone: clock.now(), work: unreachable });
      return { ...job, retry: AN_HOUR, retrial: { recall: () => left, note }, left: () => left };
    };
    const failedAt = (at: number, retries = 0): Retrial => ({
      failure: { at, code: 'DM_UNREACHABLE', message: 'The platform could not be reached', hint: 'wait' },
      retries,
    });

    it('tries it again at its time: it was left to the next night', async () => {
      const clock = manualClock(START);
      const job = failing(clock, failedAt(START - 20 * MINUTE, 1));
      await using world = running(clock, [job]);
      expect(world.daemon.state()[0]).toMatchObject({ retrying: true, next: START + 40 * MINUTE });
      await clock.advance(10 * HOUR);
      expect(job.runs).toEqual(['03-10T12:40', '03-10T13:40']);
      expect([job.left(), world.daemon.state()[0]?.retrying]).toEqual([null, false]);
    });

    it('tries it again at once where that time has passed, and leaves it to the next daemon where it is cut off', async () => {
      const clock = manualClock(START);
      const left = failedAt(START - 2 * HOUR);
      const job = failing(clock, left);
      const cutOff = (signal: AbortSignal): Promise<void> => clock.sleep(HOUR, signal);
      const world = running(clock, [{ ...job, run: cutOff }]);
      await clock.advance(MINUTE);
      await world.stop();
      expect(job.left()).toEqual(left);
      await using _next = running(clock, [job]);
      await clock.advance(MINUTE);
      expect(job.runs).toEqual(['03-10T12:01']);
      expect(job.left()).toMatchObject({ retries: 1 });
    });

    it('does not try it again where it was done since, or where it is to be left alone', async () => {
      const clock = manualClock(START);
      const done = { ...failing(clock, failedAt(START - 20 * MINUTE)), lastWell: () => START - MINUTE };
      const left = { ...failing(clock, failedAt(START - 20 * MINUTE)), retry: null };
      await using world = running(clock, [done, left]);
      await clock.advance(10 * HOUR);
      expect([done.runs, left.runs, world.daemon.state().map(({ retrying }) => retrying)]).toEqual([
        [],
        [],
        [false, false],
      ]);
    });
  });
});
