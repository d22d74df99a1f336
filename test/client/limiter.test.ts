import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manualClock, seededRandom, type ManualClock } from '../../src/base/index.ts';
import { Aborts } from '../../src/client/aborts.ts';
import { Limiter } from '../../src/client/limiter.ts';
import { Meter } from '../../src/client/meter.ts';
import type { ClientLimits, WaitInfo } from '../../src/client/index.ts';
import { clientFor, rejection, sendJson, startServer, until } from './support.ts';

const START = 1_700_000_000_000;

interface Rig {
  clock: ManualClock;
  limiter: Limiter;
  /** Monotonic instants of the starts. */
  starts: number[];
  waits: WaitInfo[];
  meter: Meter;
  /** Starts a task that takes `ms`; the headers come with its end. */
  request: (ms: number, headers?: Record<string, string>) => Promise<void>;
}

function rig(limits: Partial<ClientLimits> = {}, start = START): Rig {
  const clock = manualClock(start);
  const waits: WaitInfo[] = [];
  const meter = new Meter();
  const limiter = new Limiter({
    clock,
    aborts: new Aborts(),
    random: seededRandom(1),
    meter,
    onWait: (info) => waits.push(info),
    limits: { concurrency: 32, requestsPerSecond: 'auto', share: 1, maxWaitMs: 900_000, ...limits },
  });
  const starts: number[] = [];
  const request = (ms: number, headers: Record<string, string> = {}): Promise<void> =>
    limiter.run(async () => {
      starts.push(clock.monotonic());
      await clock.sleep(ms);
      limiter.observe(200, headers);
    });
  return { clock, limiter, starts, waits, meter, request };
}

function mostInOneSecond(starts: number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < starts.length; last++) {
    while ((starts[last] ?? 0) - (starts[first] ?? 0) >= 1000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

function rateHeaders(limit: number, remaining: number, resetInS: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.floor(START / 1000) + resetInS),
  };
}

describe('client/limiter', () => {
  it('starts together what comes due within 10 ms: a walk woke for each of a thousand requests in a second', async () => {
    const { clock, starts, request } = rig({ requestsPerSecond: 500, concurrency: 1000 });
    // The first goes out alone; answers that come in between would let others out.
    const all = [request(1)];
    await clock.advance(2);
    for (let ms = 0; ms < 1000; ms++) {
      all.push(request(5000));
      await clock.advance(1);
    }
    const held = starts.filter((at) => at - (starts[0] ?? 0) > 100);
    expect(held.length).toBeGreaterThan(300);
    expect(new Set(held).size).toBeLessThan(held.length / 6);
    await clock.advance(8000);
    await Promise.all(all);
    expect(mostInOneSecond(starts)).toBeLessThanOrEqual(500);
  });

  it('starts at most the configured number in any sliding second, whatever arrives when', async () => {
    const arrivals = fc.array(fc.record({ gap: fc.nat(400), count: fc.nat(60), takes: fc.nat(900) }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90 }), arrivals, async (requestsPerSecond, groups) => {
        const { clock, request, starts } = rig({ requestsPerSecond });
        const all: Promise<void>[] = [];
        for (const { gap, count, takes } of groups) {
          for (let i = 0; i < count; i++) all.push(request(takes));
          await clock.advance(gap);
        }
        await clock.advance(900_000);
        await Promise.all(all);
        expect(mostInOneSecond(starts)).toBeLessThanOrEqual(requestsPerSecond);
      }),
      { numRuns: 40 },
    );
  });

  it('uses nearly all of the configured rate', async () => {
    const { clock, request, starts } = rig({ requestsPerSecond: 100 });
    const all = Array.from({ length: 2000 }, () => request(20));
    await clock.advance(30_000);
    await Promise.all(all);
    expect(starts).toHaveLength(2000);
    expect(starts.at(-1)).toBeLessThan(20_000 / 0.985);
  });

  it('keeps concurrency below its bound and starts a higher priority first', async () => {
    const clock = manualClock(START);
    const { limiter } = rig({ concurrency: 2, requestsPerSecond: 1000 });
    const order: string[] = [];
    let underWay = 0;
    let most = 0;
    const task = (name: string) => async (): Promise<void> => {
      order.push(name);
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
    };
    await Promise.all([
      ...['a', 'b', 'c', 'd'].map((name) => limiter.run(task(name))),
      limiter.run(task('urgent'), { priority: 10 }),
    ]);
    expect(clock.pending()).toBe(0);
    expect(most).toBe(2);
    expect(order).toEqual(['a', 'urgent', 'b', 'c', 'd']);
  });

  it('sends the first request alone, so that its headers steer the others', async () => {
    const { clock, request, starts } = rig();
    const all = Array.from({ length: 20 }, () => request(300));
    await clock.advance(299);
    expect(starts).toEqual([0]);
    await clock.advance(20_000);
    await Promise.all(all);
    // Without headers: ten per second, two in a tenth of it.
    expect(starts.slice(0, 4)).toEqual([0, 300, 300, 400]);
    expect(mostInOneSecond(starts)).toBe(10);
  });

  it('spreads what remains over the time to the reset', async () => {
    const { clock, request, starts } = rig();
    const headers = rateHeaders(60, 30, 60);
    const all = [request(0, headers), ...Array.from({ length: 10 }, () => request(0))];
    await clock.advance(30_000);
    await Promise.all(all);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(gaps.every((gap) => gap === 2008)).toBe(true);
  });

  it('leaves the share of others alone', async () => {
    const { clock, request, starts } = rig({ share: 0.5 });
    const all = [request(0, rateHeaders(600, 599, 60)), ...Array.from({ length: 500 }, () => request(0))];
    void Promise.allSettled(all);
    await clock.advance(59_000);
    expect(starts.length).toBeGreaterThan(270);
    expect(starts.length).toBeLessThanOrEqual(300);
  });

  it('waits for the reset when nothing remains, and says so', async () => {
    const { clock, request, starts, waits } = rig();
    const all = [request(0, rateHeaders(60, 0, 30)), request(0), request(0)];
    await clock.advance(29_999);
    expect(starts).toEqual([0]);
    expect(waits).toEqual([{ reason: 'paced', ms: 30_000 }]);
    await clock.advance(10_000);
    await Promise.all(all);
    expect(starts[1]).toBe(30_000);
  });

  it('costs no wait while the budget is huge', async () => {
    const { clock, request, starts } = rig();
    const all = Array.from({ length: 5000 }, () => request(0, rateHeaders(100_000_000, 90_000_000, 60)));
    await clock.advance(0);
    await Promise.all(all);
    expect(starts.at(-1)).toBe(0);
  });

  it('obeys the lower of configuration and headers', async () => {
    const { clock, request, starts } = rig({ requestsPerSecond: 5 });
    const all = Array.from({ length: 30 }, () => request(0, rateHeaders(6000, 5000, 60)));
    await clock.advance(60_000);
    await Promise.all(all);
    expect(mostInOneSecond(starts)).toBe(5);
  });

  it('fails at once when the headers close the door for longer than is allowed', async () => {
    const { clock, limiter, request } = rig({ maxWaitMs: 5_000 });
    const first = request(0, rateHeaders(60, 0, 3600));
    await clock.advance(1);
    await first;
    const error = await rejection(limiter.run(async () => undefined));
    expect(error).toMatchObject({ waitMs: 3_599_999 });
  });

  it('goes on slowly where others have eaten into its share, and at full rate after the reset', async () => {
    const { clock, request, starts } = rig({ share: 0.5 });
    const all = [request(0, rateHeaders(60, 20, 60)), ...Array.from({ length: 4 }, () => request(0))];
    await clock.advance(59_999);
    expect(starts).toEqual([0, 30_008]);
    await clock.advance(10_000);
    await Promise.all(all);
    expect(starts[2]).toBe(60_000);
  });

  it('leaves the share of others alone where nothing says how large the whole is', async () => {
    const { clock, request, starts } = rig({ share: 0.5 });
    const { 'x-ratelimit-limit': _limit, ...untold } = rateHeaders(0, 300, 60);
    const all = [
      request(0, { ...untold, 'x-ratelimit-remaining': '600' }),
      request(0, untold),
      ...Array.from({ length: 100 }, () => request(0)),
    ];
    void Promise.allSettled(all);
    await clock.advance(59_000);
    expect(starts.length).toBeLessThan(40);
  });

  it('takes what is under way for used, since the answer may not have counted it', async () => {
    const { clock, request, starts } = rig();
    const all = [request(0), ...Array.from({ length: 5 }, () => request(90_000))];
    await clock.advance(1_000);
    all.push(request(0, rateHeaders(60, 6, 60)));
    await clock.advance(1_000);
    all.push(...Array.from({ length: 3 }, () => request(0)));
    await clock.advance(50_000);
    // Five of the six that remain were on their way.
    expect(starts).toHaveLength(7);
    await clock.advance(200_000);
    await Promise.all(all);
  });

  it('begins a new window at its rate: all that waited went out at once when the old one ended', async () => {
    const { clock, request, starts } = rig();
    const all = [request(0, rateHeaders(60, 30, 60))];
    await clock.advance(58_000);
    all.push(request(0, rateHeaders(60, 0, 60)), ...Array.from({ length: 20 }, () => request(5_000)));
    await clock.advance(4_999);
    expect(starts.filter((start) => start >= 60_000)).toHaveLength(3);
    await clock.advance(60_000);
    await Promise.all(all);
  });

  it('asks again after the reset where nothing was left and nothing says how large the whole is: it stood still for a quarter of an hour', async () => {
    const { clock, request, starts } = rig();
    const all = [request(0, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }), request(0), request(0)];
    await clock.advance(900_000);
    await Promise.all(all);
    expect(starts.map((start) => Math.round(start / 1000))).toEqual([0, 30, 31]);
  });

  it('asks again after the reset where little was left and nothing says how large the whole is: the walk stood still as long as if there were never more', async () => {
    const { clock, request, starts } = rig();
    const all = [request(0, { 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': '300' })];
    await clock.advance(299_000);
    all.push(request(0), request(0), request(0));
    await clock.advance(900_000);
    await Promise.all(all);
    expect(starts.map((start) => Math.round(start / 1000))).toEqual([0, 299, 300, 301]);
  });

  it('makes one request within the longest wait while some are left: the walk ended, as if nothing were', async () => {
    const { clock, request, starts } = rig({ maxWaitMs: 60_000 });
    const all = [request(0, rateHeaders(60, 1, 600)), request(0)];
    await clock.advance(60_000);
    await Promise.all(all);
    expect(starts).toEqual([0, 60_000]);
  });

  it('hears what is under way before it takes the door for closed', async () => {
    const { clock, request, starts } = rig({ maxWaitMs: 5_000, concurrency: 2 });
    const first = request(0);
    await clock.advance(1);
    const all = [first, request(100, rateHeaders(60, 0, 3600)), request(200, rateHeaders(6000, 5000, 60)), request(0)];
    await clock.advance(1_000);
    await Promise.all(all);
    expect(starts).toHaveLength(4);
  });

  it('counts no wait while nobody waits', async () => {
    const { clock, request, meter } = rig();
    const first = request(0, rateHeaders(60, 0, 30));
    await clock.advance(40_000);
    await first;
    expect(meter.waitedMs).toBe(0);
  });

  it('leaves no timer when it is closed while it waits: one for the end of that wait would keep the process', async () => {
    const { clock, limiter, request } = rig();
    await Promise.all([request(0, rateHeaders(60, 0, 30)), clock.advance(0)]);
    const waiting = rejection(request(0));
    expect(clock.pending()).toBe(1);
    limiter[Symbol.dispose]();
    expect(clock.pending()).toBe(0);
    expect(await waiting).toMatchObject({ code: 'DM_INTERRUPTED' });
  });

  it('starts nothing for whoever has gone while it waited', async () => {
    const { clock, limiter, request, starts } = rig();
    const first = request(0, rateHeaders(60, 0, 30));
    const gone = new AbortController();
    const waiting = rejection(limiter.run(() => request(0), { signal: gone.signal }));
    await clock.advance(1_000);
    gone.abort(new Error('stop now'));
    expect(await waiting).toMatchObject({ message: 'stop now' });
    await clock.advance(60_000);
    await first;
    expect(starts).toEqual([0]);
  });

  it('waits no longer for a new refusal once an answer has come: each one of a night waited a minute', async () => {
    const { limiter, clock } = rig();
    for (let refusals = 0; refusals < 3; refusals++) await clock.advance(limiter.pause(null));
    limiter.observe(200, {});
    expect(limiter.pause(null)).toBeLessThanOrEqual(1000);
  });

  it('takes many refusals of one moment for one', async () => {
    const { limiter, clock } = rig();
    const first = limiter.pause(null);
    expect(limiter.pause(null)).toBe(first);
    expect(first).toBeLessThanOrEqual(1000);
    await clock.advance(1000);
    // The refusal itself says nothing of an end of refusals.
    limiter.observe(429, {});
    expect(limiter.pause(null)).toBeGreaterThan(1000);
  });

  it('guesses no wait that is longer than allowed: a server that asks for none again and again ended the walk', async () => {
    const { limiter, clock } = rig({ maxWaitMs: 3000 });
    for (let refusals = 0; refusals < 8; refusals++) {
      expect(limiter.pause(0)).toBeLessThanOrEqual(3000);
      await clock.advance(3000);
    }
  });

  it('waits as long as it was asked to, at any fraction of a millisecond: an hour was a hair more than an hour now and then', async () => {
    // Not from the time of day on: fractions are so coarse there that their sums are exact.
    const { limiter, clock } = rig({}, 0);
    const seen = new Set<number>();
    for (let turn = 0; turn < 1000; turn++) {
      await clock.advance(6013.337_001);
      seen.add(limiter.pause(3_600_000));
    }
    expect([...seen]).toEqual([3_600_000]);
  });

  it('steers a real client by the headers of a real server', async () => {
    const clock = manualClock(START);
    await using server = await startServer((_request, response) => {
      response.sendDate = false;
      sendJson(
        response,
        { status: 200, headers: { ...rateHeaders(60, 10, 0), 'x-ratelimit-reset': '100' } },
        { id: 's' },
      );
    });
    await using client = clientFor(server, { clock, limits: { requestsPerSecond: 'auto' } });
    const calls = [1, 2, 3].map(() => client.call('getSpace', { path: { spaceId: 's' } }));
    for (const [index, ms] of [0, 10_008, 10_008].entries()) {
      await clock.advance(ms);
      await until(() => client.meter.requests === index + 1);
      await until(() => index === 2 || clock.pending() === 1);
    }
    await Promise.all(calls);
    expect(client.meter.waitedMs).toBe(20_016);
  });
});
