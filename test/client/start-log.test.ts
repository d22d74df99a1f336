import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StartLog } from '../../src/client/start-log.ts';

describe('client/start-log', () => {
  it('never allows more than the cap in a sliding second, with rates that change in between', () => {
    const steps = fc.array(fc.record({ perSecond: fc.integer({ min: 1, max: 300 }), late: fc.nat(50) }), {
      maxLength: 600,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const log = new StartLog();
        const starts: number[] = [];
        let now = 0;
        for (const { perSecond, late } of all) {
          now = Math.max(now, log.nextStart(perSecond)) + late;
          const first = starts.findIndex((start) => start > now - 1000);
          const inSecond = first < 0 ? 0 : starts.length - first;
          expect(inSecond).toBeLessThan(perSecond);
          starts.push(now);
          log.push(now);
        }
      }),
    );
  });

  it('holds a whole second of starts, however many', () => {
    const log = new StartLog();
    for (let i = 0; i < 20_000; i++) log.push(i / 20);
    expect(log.nextStart(20_000)).toBe(1008);
    expect(log.nextStart(20_001)).toBeLessThan(1100);
  });

  it('counts a start from when it really went out', () => {
    const log = new StartLog();
    const number = log.push(0);
    log.amend(number, 40);
    expect(log.nextStart(1)).toBe(1048);
  });

  it('keeps a rate below one on average', () => {
    const log = new StartLog();
    log.push(0);
    expect(log.nextStart(0.1)).toBe(10_008);
    expect(log.nextStart(0)).toBe(Number.POSITIVE_INFINITY);
  });
});
