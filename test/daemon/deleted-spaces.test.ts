import { describe, expect, it } from 'vitest';
import { undelete } from '../../src/daemon/deleted-spaces.ts';
import type { Condition } from '../../src/daemon/index.ts';

const HOUR = 3_600_000;

function told(amount: number, leftMs: number, deletedAt: string | null = ''): Condition[] {
  const deletedSpaces = Array.from({ length: amount }, (_, n) => ({
    id: `s${n}`,
    title: `Space ${n}`,
    organization: 'o',
    lastSeen: 7,
    goneSince: 8,
    deletedAt,
    leftMs: leftMs + n * HOUR,
  }));
  return undelete({ deletedSpaces });
}

describe('daemon/deleted-spaces', () => {
  it('tells of many deleted spaces in one message: each of 200 had one of its own, and once more two days before the end', () => {
    const all = told(200, 100 * HOUR);
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      cause: 'undelete together 7 o',
      what: '200 spaces were deleted: Space 0 (s0), Space 1 (s1), Space 2 (s2) and 197 more; the platform can bring them back whole for 4 days more',
      run: `docmirror restore plan --snapshot 7 --in-place missing --scope kind:space --where "organization = 'o'" --out undelete.json`,
      endsSilently: true,
    });
    expect(told(3, 100 * HOUR).map(({ cause }) => cause)).toEqual(['undelete s0', 'undelete s1', 'undelete s2']);
    expect(told(4, 1, null)[0]?.what).toContain('and 1 more; deleted, or hidden from the token;');
  });

  it('has more to tell of them when one more is deleted and once when the time of the first runs out, and no more with each that follows', () => {
    const partsOf = (amount: number, left: number): readonly string[] => told(amount, left)[0]?.parts ?? [];
    const known = (amount: number, left: number) => (part: string) => partsOf(amount, left).includes(part);
    expect(partsOf(4, 100 * HOUR).every(known(5, 100 * HOUR))).toBe(true);
    expect(partsOf(5, 100 * HOUR).every(known(4, 100 * HOUR))).toBe(false);
    expect(partsOf(5, 47 * HOUR).every(known(5, 100 * HOUR))).toBe(false);
    expect(partsOf(5, 20 * HOUR).every(known(5, 47 * HOUR))).toBe(true);
    expect(partsOf(4, 20 * HOUR).every(known(5, 47 * HOUR))).toBe(true);
  });
});
