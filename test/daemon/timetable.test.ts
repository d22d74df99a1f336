import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMissed, timetable } from '../../src/daemon/timetable.ts';

const at = (iso: string): number => Date.parse(iso);

describe('daemon/timetable', () => {
  it('knows the times before and after an instant, in its time zone', () => {
    const zurich = timetable('0 2 * * *', 'Europe/Zurich');
    expect(zurich.next(at('2025-01-15T00:30:00Z'))).toBe(at('2025-01-15T01:00:00Z'));
    expect(zurich.next(at('2025-07-15T00:30:00Z'))).toBe(at('2025-07-16T00:00:00Z'));
    expect(zurich.previous(at('2025-01-15T00:30:00Z'))).toBe(at('2025-01-14T01:00:00Z'));
  });

  it('has no next time when there will be none', () => {
    expect(timetable('0 0 30 2 *', null).next(at('2025-01-01T00:00:00Z'))).toBeNull();
  });

  it('puts every instant between the time before it and the time after it', () => {
    const table = timetable('*/7 1-5 * * *', 'UTC');
    fc.assert(
      fc.property(fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }), (now) => {
        const before = table.previous(now) ?? Number.NaN;
        const after = table.next(now) ?? Number.NaN;
        return before < now && now < after && table.next(before) === (after === now ? now : table.next(now - 1));
      }),
      { numRuns: 50 },
    );
  });

  it('counts a run as missed when a time has passed since the last one, or there was none', () => {
    const table = timetable('0 2 * * *', 'UTC');
    const now = at('2025-03-10T12:00:00Z');
    expect(isMissed(table, null, now)).toBe(true);
    expect(isMissed(table, at('2025-03-09T02:10:00Z'), now)).toBe(true);
    expect(isMissed(table, at('2025-03-10T02:00:00Z'), now)).toBe(false);
    expect(isMissed(table, at('2025-03-10T09:00:00Z'), now)).toBe(false);
    // It is asked within the very second in which the run is due, and seldom at its beginning.
    expect(isMissed(table, at('2025-03-09T02:00:00.3Z'), at('2025-03-10T02:00:00.5Z'))).toBe(true);
  });
});
