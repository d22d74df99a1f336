import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkTime } from '../../src/walker/walk-time.ts';

const walk = (requests: number, ms: number) => ({ requests, duration_ms: ms });

describe('walker/walk-time', () => {
  it('forecasts a small night after one large walk by what each night takes whatever it asks', () => {
    const past = [walk(4261, 4025), walk(38, 125), walk(60, 146)];
    expect(walkTime(38, past, null)).toBeGreaterThan(112);
    expect(walkTime(38, past, null)).toBeLessThan(138);
    expect(walkTime(4261, past, null)).toBeGreaterThan(3650);
  });

  it('finds the line that walks lie on, to a millisecond', () => {
    const line = fc.record({ fixed: fc.integer({ min: 0, max: 5000 }), each: fc.integer({ min: 1, max: 200 }) });
    const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 12 });
    const asked = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(line, sizes, asked, ({ fixed, each }, all, requests) => {
        const past = all.map((size) => walk(size, fixed + each * size));
        // Sizes that are nearly one tell less.
        fc.pre(Math.max(...all) > 1.5 * Math.min(...all.slice(-5)));
        const real = fixed + each * requests;
        expect(Math.abs((walkTime(requests, past, null) ?? 0) - real)).toBeLessThanOrEqual(1 + real / 1000);
      }),
    );
  });

  it('takes walks of one size by what a request took in them', () => {
    expect(walkTime(50, [walk(100, 1000), walk(100, 1000)], null)).toBe(500);
  });

  it('is never less than the configured rate allows, and knows that alone before any walk', () => {
    expect(walkTime(100, [walk(100, 500)], 10)).toBe(10_000);
    expect(walkTime(100, [], 10)).toBe(10_000);
    expect(walkTime(100, [], null)).toBeNull();
    expect(walkTime(100, [walk(0, 3), walk(0, 0)], null)).toBeNull();
  });

  it('takes no request for one that saves time, however walks came out', () => {
    const past = [walk(10, 900), walk(100, 300)];
    expect([10, 1000].map((requests) => walkTime(requests, past, null))).toEqual([360, 360]);
  });
});
