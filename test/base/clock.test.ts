import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  compareTimes,
  endOfTurn,
  inUtc,
  isoTime,
  manualClock,
  shiftedClock,
  systemClock,
} from '../../src/base/index.ts';

describe('base/manual-clock', () => {
  it('fires timers in order of their instant, each at its own instant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 20 }), async (delays) => {
        const clock = manualClock(5000);
        const fired: number[] = [];
        for (const delay of delays) clock.after(delay, () => fired.push(clock.now() - 5000));
        await clock.advance(1000);
        expect(fired).toEqual(delays.toSorted((a, b) => a - b));
        expect(clock.now()).toBe(6000);
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  it('reaches sleeps that begin only when an earlier one ends', async () => {
    const clock = manualClock();
    const seen: number[] = [];
    const work = (async () => {
      for (let i = 0; i < 3; i++) {
        await clock.sleep(100);
        seen.push(clock.now());
      }
    })();
    await clock.advance(250);
    expect(seen).toEqual([100, 200]);
    await clock.advance(50);
    await work;
    expect(seen).toEqual([100, 200, 300]);
  });

  it('repeats until disposed', async () => {
    const clock = manualClock();
    let count = 0;
    const timer = clock.every(10, () => count++);
    await clock.advance(35);
    timer[Symbol.dispose]();
    await clock.advance(100);
    expect(count).toBe(3);
  });

  it('rejects a sleep with the reason of the signal and forgets its timer', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const sleeping = clock.sleep(1000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    expect(clock.pending()).toBe(0);
    await expect(clock.sleep(1, AbortSignal.abort(new Error('already')))).rejects.toThrow('already');
  });
});

describe('base/clock', () => {
  it('sleeps and is woken by a signal in real time', async () => {
    const clock = systemClock();
    await clock.sleep(0);
    const controller = new AbortController();
    const sleeping = clock.sleep(2 ** 40, controller.signal);
    controller.abort(new Error('stop'));
    await expect(sleeping).rejects.toThrow('stop');
  });

  it('moves ahead of its base and leaves the base alone', () => {
    const base = manualClock(1000);
    const clock = shiftedClock(base);
    clock.advance(500);
    expect([clock.now(), base.now(), clock.monotonic()]).toEqual([1500, 1000, 500]);
  });

  it('orders times as instants, whatever their zones, and what is no time before them', () => {
    const times = ['2026-01-01T10:30:00+02:00', '2026-01-01T09:00:00Z', 'never', '2026-01-01T08:00:00.000Z', ''];
    const [first, second, never, third, none] = times;
    expect(times.toSorted(compareTimes)).toEqual([none, never, third, first, second]);
  });

  it.each([
    ['2025-03-01T20:53:20+02:00', '2025-03-01T18:53:20.000Z'],
    ['2025-02-28T23:30:00.5-0130', '2025-03-01T01:00:00.500Z'],
    ['2025-03-01T20:53:20Z', '2025-03-01T20:53:20.000Z'],
    ['2025-03-01T20:53:20', '2025-03-01T20:53:20'],
    ['2025-03-01', '2025-03-01'],
    ['never', 'never'],
  ])('gives %s in UTC, where it names a zone', (time, utc) => {
    expect(inUtc(time)).toBe(utc);
  });

  it('waits for longer than a timer of Node.js can, which fires such a one at once and warns', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const timer = systemClock().after(2 ** 40, () => undefined);
    await endOfTurn();
    timer[Symbol.dispose]();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('leaves nothing on the signal of a sleep that has ended: that of a daemon outlives many', async () => {
    const { signal } = new AbortController();
    const manual = manualClock();
    await Promise.all([systemClock().sleep(0, signal), manual.sleep(0, signal), manual.advance(0)]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('writes instants in UTC', () => {
    expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});
