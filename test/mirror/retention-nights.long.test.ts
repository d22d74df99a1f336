// A policy that is applied night after night, over random histories.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../src/base/index.ts';
import { retain, type RetentionCandidate, type RetentionPolicy } from '../../src/mirror/retention/retention.ts';
import { runs, SEED } from '../fuzz/runs.ts';

const BEGIN = Date.parse('2023-12-20T03:00:00Z');
const HOUR_MS = 3_600_000;

const places = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
const policies = fc.record({
  last: places(3),
  daily: places(4),
  weekly: places(3),
  monthly: places(3),
  yearly: places(2),
});
const nights = fc.array(
  fc.record({
    hoursLater: fc.constantFrom(1, 2, 5, 24, 24, 24, 48, 9 * 24, 40 * 24, 200 * 24),
    state: fc.constantFrom(
      'complete' as const,
      'complete' as const,
      'partial' as const,
      'suspect' as const,
      'abandoned' as const,
    ),
    accepted: fc.boolean(),
    scope: fc.constantFrom(null, null, null, '{"spaces":["s1"]}'),
    isPinned: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 2, maxLength: 40 },
);
type Nights = typeof nights extends fc.Arbitrary<infer T> ? T : never;

function snapshotsOf(history: Nights): RetentionCandidate[] {
  let at = BEGIN;
  return history.map(({ hoursLater, isPinned, ...one }, index) => {
    at += hoursLater * HOUR_MS;
    const started_at = isoTime(at);
    return { ...one, id: index + 1, started_at, pinned: isPinned ? 'why' : null };
  });
}

function kept(snapshots: readonly RetentionCandidate[], policy: RetentionPolicy): number[] {
  return retain(snapshots, policy).flatMap(({ id, keep }) => (keep ? [id] : []));
}

/** What is kept after each night, where what is not is forgotten each night. */
function keptAfterEach(snapshots: readonly RetentionCandidate[], policy: RetentionPolicy): number[][] {
  let held: RetentionCandidate[] = [];
  return snapshots.map((one) => {
    held.push(one);
    const ids = new Set(kept(held, policy));
    held = held.filter(({ id }) => ids.has(id));
    return held.map(({ id }) => id);
  });
}

function keptNightly(snapshots: readonly RetentionCandidate[], policy: RetentionPolicy): number[] {
  return keptAfterEach(snapshots, policy).at(-1) ?? [];
}

it('mirror/retention forgets each night nothing that forgetting once, after all of them, would keep', () => {
  fc.assert(
    fc.property(nights, policies, (history, policy) => {
      const snapshots = snapshotsOf(history);
      expect(keptNightly(snapshots, policy)).toEqual(expect.arrayContaining(kept(snapshots, policy)));
    }),
    { numRuns: runs(300), seed: SEED },
  );
});

function night(id: number, date: string, state: 'complete' | 'partial' = 'complete'): RetentionCandidate {
  return { id, state, started_at: `${date}T03:00:00.000Z`, pinned: null };
}

it('mirror/retention keeps the only night of a day, partial as it is, although a clock was wrong: the wrong date took its place', () => {
  const before = [night(1, '2023-12-21'), night(2, '2023-12-22', 'partial'), night(3, '2023-12-23')];
  const after = [night(5, '2023-12-25'), night(6, '2023-12-26')];
  const policy = { last: 0, daily: 4, weekly: 0, monthly: 0, yearly: 0 };
  expect(kept([...before, ...after], policy)).toEqual([1, 2, 3, 5, 6]);
  expect(kept([...before, night(4, '2024-12-24'), ...after], policy)).toEqual([1, 2, 3, 4, 5, 6]);
});

it('mirror/retention keeps partial ones of everything until a complete one of everything follows: they went for the sync of one space', () => {
  const ofOneSpace = { scope: '{"spaces":["s1"]}' };
  const before = [
    { ...night(1, '2023-12-21'), ...ofOneSpace },
    night(2, '2023-12-22', 'partial'),
    { ...night(3, '2023-12-23'), ...ofOneSpace },
    night(4, '2023-12-24', 'partial'),
    { ...night(5, '2023-12-25'), ...ofOneSpace },
  ];
  const policy = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
  const why = ['no complete one of everything has followed it yet'];
  expect(retain(before, policy).flatMap(({ keep, reasons }) => (keep ? [reasons] : []))).toEqual([
    why,
    why,
    ['it is the newest complete one'],
  ]);
  expect(kept([...before, night(6, '2023-12-26')], policy)).toEqual([6]);
});

describe('mirror/retention, where a clock ran a year ahead for some nights', () => {
  const DAY_MS = 24 * HOUR_MS;
  const FIRST_WRONG = 400;
  const policy = { last: 0, daily: 7, weekly: 4, monthly: 6, yearly: 3 };
  /** A night each day, of which some are dated wrongly. */
  const nightly = (count: number, wrong = 0): RetentionCandidate[] =>
    Array.from({ length: count }, (_, index) => {
      const isWrong = index >= FIRST_WRONG && index < FIRST_WRONG + wrong;
      const started_at = isoTime(BEGIN + (index + (isWrong ? 365 : 0)) * DAY_MS);
      return { id: index + 1, state: 'complete', started_at, pinned: null };
    });

  it.each([1, 3, 12])('keeps what it would else, after %i of them: each took a month and a year, for good', (wrong) => {
    const isRight = (id: number): boolean => id <= FIRST_WRONG || id > FIRST_WRONG + wrong;
    const [held, usual] = [wrong, 0].map((some) => keptAfterEach(nightly(FIRST_WRONG + wrong + 5, some), policy));
    for (const since of [0, 1, 5]) {
      const count = FIRST_WRONG + wrong + since;
      expect(held?.[count - 1]).toEqual(expect.arrayContaining(usual?.[count - 1]?.filter(isRight) ?? [0]));
      // Forgotten once, after all of them.
      const once = kept(nightly(count, wrong), policy);
      expect(once).toEqual(expect.arrayContaining(kept(nightly(count), policy).filter(isRight)));
    }
  });

  it('lets go of them once thirty more have followed, as where a machine was off for a year', () => {
    const count = FIRST_WRONG + 200;
    const usual = keptNightly(nightly(count), policy).length;
    expect(keptNightly(nightly(count, 3), policy).length).toBeLessThanOrEqual(usual + 2);
    const leap = nightly(count).map((one) =>
      one.id <= FIRST_WRONG ? one : { ...one, started_at: isoTime(Date.parse(one.started_at) + 365 * DAY_MS) },
    );
    expect(keptNightly(leap, policy).length).toBeLessThanOrEqual(usual);
  });

  it('says why it keeps the first of them', () => {
    const held = nightly(FIRST_WRONG + 2, 2);
    const reasons = retain(held, policy)[FIRST_WRONG]?.reasons;
    expect(reasons).toContain(
      'it is dated long after all before it, as by a clock that runs ahead, and fewer than thirty walks have followed',
    );
  });
});
