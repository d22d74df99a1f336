import { describe, expect, it } from 'vitest';
import { resolveSnapshot } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';

const BEGUN = ['2025-03-01T18:53:20.400Z', '2025-03-01T19:53:20.400Z', '2025-03-02T03:00:00.000Z'];

/** Snapshots begun at some times, or at these. */
async function dated(...begun: readonly string[]) {
  const made = await createTestMirror();
  for (const [index, at] of (begun.length > 0 ? begun : BEGUN).entries()) {
    const { id } = takeSnapshot(made.mirror, ({ see }) => void see(collection(`c${index}`)));
    made.mirror.store.prepare('update snapshots set started_at = ? where id = ?').run(at, id);
  }
  return made;
}

describe('mirror/snapshots/moment', () => {
  it.each([
    ['2025-03-01', 2],
    ['2025-03-02', 3],
    ['2025-03-01 18:53', 1],
    ['2025-03-01T18:53', 1],
    ['2025-03-01 18:53 UTC', 1],
    ['2025-03-01 18:53:20', 1],
    ['2025-03-01 18:53:20 UTC', 1],
    ['2025-03-01T18:53:20.400Z', 1],
    ['2025-03-01T18:53:20.4Z', 1],
    ['2025-03-01 19:52', 1],
    ['2025-03-01 19:53', 2],
    ['2025-03-01T20:53+02:00', 1],
    ['2025-03-01T20:53+0100', 2],
    ['2025-03-01 19:00-08:00', 3],
  ])('finds by %j, read as UTC to its end, what was begun by then', async (text, id) => {
    using made = await dated();
    expect(resolveSnapshot(made.mirror, text).id).toBe(id);
  });

  it('takes a zone whose plus comes as a space, as from ?at=2025-03-01T20:53+02:00: it was refused with the advice to write just that', async () => {
    using made = await dated();
    const id = (text: string): number => resolveSnapshot(made.mirror, text).id;
    for (const text of ['2025-03-01T20:53+02:00', '2025-03-01T20:53:20.400+02:00', '2025-03-01 20:53+0200']) {
      const asked = new URLSearchParams(`at=${text}`).get('at') ?? '';
      expect(asked).toContain(' 02');
      expect([text, id(asked)]).toEqual([text, 1]);
    }
    expect(() => id('2025-03-01 02:00')).toThrow('at or after');
    expect(() => id('2025-03-01 20:53 2:00')).toThrow('expected');
  });

  it('finds the nights since a clock was set back that had run a year ahead: a day of them was answered by one before', async () => {
    const right = ['2025-03-01', '2025-03-02', '2025-03-07', '2025-03-08'];
    const wrong = ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
    const days = [...right.slice(0, 2), ...wrong, ...right.slice(2)];
    using made = await dated(...days.map((day) => `${day}T02:00:00.000Z`));
    const found = [...right, '2026-03-04'].map((day) => resolveSnapshot(made.mirror, day).id);
    expect(found).toEqual([1, 2, 7, 8, 8]);
  });

  it('finds the nights since a machine was on again, where its clock was wrong later', async () => {
    const right = ['2025-03-01', '2025-03-02', '2025-07-01', '2025-07-02', '2025-07-03', '2025-07-06'];
    const wrong = ['2025-06-14', '2025-06-15'];
    const days = [...right.slice(0, 5), ...wrong, ...right.slice(5)];
    using made = await dated(...days.map((day) => `${day}T02:00:00.000Z`));
    expect(right.map((day) => resolveSnapshot(made.mirror, day).id)).toEqual([1, 2, 3, 4, 5, 8]);
  });

  it('finds all that was dated rightly between two nights of a clock that was not set', async () => {
    const [early, late] = ['1970-01-01T00:05:00.000Z', '1970-01-01T00:06:00.000Z'];
    const right = ['2025-03-01', '2025-03-02', '2025-03-03', '2025-03-04'];
    const begun = right.map((day) => `${day}T02:00:00.000Z`);
    using made = await dated(early, ...begun.slice(0, 3), late, ...begun.slice(3));
    expect(right.map((day) => resolveSnapshot(made.mirror, day).id)).toEqual([2, 3, 4, 6]);
  });

  it.each([
    ['1970-01-01T00:00:10.000Z', '2025-02-28', 1],
    ['1970-01-01T00:00:10.000Z', '2025-03-01', 2],
    ['1970-01-01T00:00:10.000Z', '2025-03-02', 4],
    ['2099-01-01T00:00:00.000Z', '2025-03-02', 4],
    ['2099-01-01T00:00:00.000Z', '2100-01-01', 4],
    // Set back by an hour, as by hand: the later of the two is meant by that day.
    ['2025-03-01T18:00:00.000Z', '2025-03-01', 3],
  ])('is not misled by a night that was dated %s: %s', async (wrong, text, id) => {
    using made = await dated('2025-02-28T02:00:00.000Z', '2025-03-01T18:53:20.400Z', wrong, '2025-03-02T03:00:00.000Z');
    expect(resolveSnapshot(made.mirror, text).id).toBe(id);
  });

  it.each(['2025-03-01T18:53:20.399Z', '2025-03-01 18:52', '2025-02-28'])('finds nothing before %j', async (text) => {
    using made = await dated();
    expect(() => resolveSnapshot(made.mirror, text)).toThrow(/expected a time at or after 2025-03-01T18:53:20.400Z/);
  });

  it('says that there is no snapshot yet, whatever day is asked for: it asked for a later one', async () => {
    using made = await createTestMirror();
    expect(() => resolveSnapshot(made.mirror, '2025-03-02')).toThrow(/There is no sealed snapshot yet/);
  });

  it.each([
    '2026-02-30',
    '2026-11-31',
    '2026-13-01',
    '2026-03-01 24:00',
    '2026-03-01 12:60',
    '2026-03-01 12:00+25:00',
    '2026-03',
    '1.5',
    '-1',
    'March 1, 2026',
    '',
  ])('refuses %j, which is no day and no time', async (text) => {
    using made = await dated();
    expect(() => resolveSnapshot(made.mirror, text)).toThrow(/expected a snapshot number, "latest", a day of the/);
  });
});
