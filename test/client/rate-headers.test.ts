import { describe, expect, it } from 'vitest';
import { readRateHeaders, requestedWaitMs } from '../../src/client/rate-headers.ts';

const NOW = Date.parse('2025-01-31T08:00:00.000Z');
const EPOCH_S = NOW / 1000;

function rate(reset: string, extra: Record<string, string> = {}): ReturnType<typeof readRateHeaders> {
  return readRateHeaders(
    { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': reset, ...extra },
    NOW,
  );
}

describe('client/rate-headers', () => {
  it('reads limit, remaining and the time to the reset', () => {
    expect(rate(String(EPOCH_S + 30))).toEqual({ limit: 60, remaining: 59, resetInMs: 30_000 });
  });

  it('takes a reset that is no epoch for seconds from now, and a longer one for milliseconds', () => {
    expect(rate('30')?.resetInMs).toBe(30_000);
    expect(rate(String(NOW + 30_000))?.resetInMs).toBe(30_000);
  });

  it.each(['', 'soon', '-5', '1e116', String(EPOCH_S + 90_000), String(EPOCH_S - 90_000)])(
    'ignores the reset %j',
    (reset) => {
      expect(rate(reset)).toBeNull();
    },
  );

  it.each([-3600, 3600])('counts from the clock of the server when that is %i s from ours, which is wrong', (apart) => {
    const date = new Date(NOW + apart * 1000).toUTCString();
    expect(rate(String(EPOCH_S + apart + 20), { date })?.resetInMs).toBe(20_000);
  });

  it('counts from our own clock where that is the one of the server as far as a date to the second tells', () => {
    const headers = { 'x-ratelimit-reset': String(EPOCH_S + 20), date: new Date(NOW).toUTCString() };
    expect(requestedWaitMs(headers, NOW + 600)).toBe(19_400);
  });

  it('has nothing to say without Remaining', () => {
    const reset = String(EPOCH_S + 30);
    expect(readRateHeaders({ 'x-ratelimit-limit': '60', 'x-ratelimit-reset': reset }, NOW)).toBeNull();
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': new Date(NOW + 9_000).toUTCString() }, 9_000],
    [{ 'retry-after': new Date(NOW - 9_000).toUTCString() }, 0],
    [{ 'retry-after': '5', 'x-ratelimit-reset': String(EPOCH_S + 30) }, 5_000],
    [{ 'x-ratelimit-reset': String(EPOCH_S + 30) }, 30_000],
    [{ 'retry-after': 'later' }, null],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': '3, 3' }, null],
    [{}, null],
  ])('reads the wait of %j', (headers, expected) => {
    expect(requestedWaitMs(headers, NOW)).toBe(expected);
  });
});
