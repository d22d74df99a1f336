import { existsSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce, sha256 } from '../../src/base/index.ts';
import {
  abandonSnapshot,
  checkMirror,
  currentOf,
  acceptSnapshot,
  forget,
  forgetRefusal,
  isBelowShrunk,
  listSnapshots,
  noteFailure,
  noteRights,
  openSnapshot,
  pinSnapshot,
  planForget,
  prune,
  readerAt,
  readMirror,
  sealSnapshot,
  unpinSnapshot,
} from '../../src/mirror/index.ts';
import { retain, type RetentionCandidate, type RetentionPolicy } from '../../src/mirror/retention/retention.ts';
import { viewSql } from '../../src/mirror/views/views.ts';
import { runs } from '../fuzz/runs.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, fill, page, put, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { rowsOf, stateOf, unlisted } from '../support/state.ts';

const LONG = 'words that stay '.repeat(20);
const NONE = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

function nights(count: number, from = '2026-01-01T02:00:00.000Z'): RetentionCandidate[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    state: 'complete' as const,
    started_at: new Date(Date.parse(from) + index * 86_400_000).toISOString(),
    pinned: null,
  }));
}

function kept(snapshots: readonly RetentionCandidate[], policy: Partial<typeof NONE>): number[] {
  return retain(snapshots, { ...NONE, ...policy })
    .filter((one) => one.keep)
    .map((one) => one.id);
}

describe('mirror/retention/retention', () => {
  it.each([
    ['nothing but the newest without a policy', {}, [60]],
    ['the last three', { last: 3 }, [58, 59, 60]],
    ['one a day', { daily: 2 }, [59, 60]],
    ['the newest of each week', { weekly: 3 }, [46, 53, 60]],
    ['the newest of each month, and the oldest while places remain', { monthly: 12 }, [1, 31, 59, 60]],
    ['the oldest snapshot while yearly slots remain', { yearly: 2 }, [1, 60]],
  ])('keeps %s', (_name, policy, ids) => {
    expect(kept(nights(60), policy)).toEqual(ids);
  });

  it('counts only complete snapshots, and keeps what is newer than the newest complete one', () => {
    const list = nights(5).map((one, index) => ({ ...one, state: index >= 3 ? ('partial' as const) : one.state }));
    expect(kept(list, { last: 2 })).toEqual([2, 3, 4, 5]);
  });

  it('drops partial and abandoned snapshots once a complete one is newer', () => {
    const states = ['complete', 'partial', 'abandoned', 'complete'] as const;
    const list = nights(4).map((one, index) => ({ ...one, state: states[index] ?? 'complete' }));
    expect(kept(list, { last: 9 })).toEqual([1, 4]);
  });

  it('keeps nights that were never complete as long as others: weeks in which one page failed were forgotten when it was read', () => {
    const partial = (one: RetentionCandidate): boolean => one.id > 10 && one.id < 60;
    const list = nights(60).map((one) => (partial(one) ? { ...one, state: 'partial' as const } : one));
    // Complete ones lose no place by that.
    expect(kept(list, { daily: 7 })).toEqual([5, 6, 7, 8, 9, 10, 54, 55, 56, 57, 58, 59, 60]);
    expect(kept(list, { monthly: 3 })).toEqual([1, 10, 59, 60]);
    expect(retain(list, { ...NONE, daily: 2 })[58]).toEqual({
      id: 59,
      keep: true,
      reasons: ['it is the last one of the day 2026-02-28, which has no complete one'],
    });
    const sameDay = list.map((one) => (one.id === 60 ? { ...one, started_at: '2026-02-28T09:00:00.000Z' } : one));
    expect(kept(sameDay, { daily: 2 }), 'where one of the day is complete').toEqual([10, 58, 60]);
    const limited = list.map((one) => (partial(one) ? { ...one, scope: '{"spaces":["s1"]}' } : one));
    expect(kept(limited, { daily: 2 }), 'of a part of everything').toEqual([10, 60]);
  });

  it('keeps a pinned snapshot and says why of every one', () => {
    const list = nights(3).map((one) => ({ ...one, pinned: one.id === 1 ? 'before the move' : null }));
    const verdicts = retain(list, { ...NONE, last: 1 });
    expect(verdicts.map((one) => one.reasons)).toEqual([
      ['it is pinned: before the move'],
      ['it is none of those that the policy keeps: the newest'],
      ['it is the newest complete one'],
    ]);
  });

  it('says in plain sentences why each is kept or not: "oldest, daily places remain" told nobody anything', () => {
    const dates = ['2026-01-01T02', '2026-01-02T02', '2026-01-02T12', '2026-01-03T02', '2026-01-03T12'];
    const list = nights(5).map((one, index) => ({ ...one, started_at: `${dates[index]}:00:00.000Z` }));
    const why = (policy: Partial<RetentionPolicy>): string[] =>
      retain(list, { ...NONE, ...policy }).map(
        ({ keep, reasons }) => `${keep ? 'kept' : 'dropped'}: ${reasons.join('; ')}`,
      );
    expect(why({ last: 2, daily: 7, weekly: 4 })).toEqual([
      'kept: it is the last complete one of the day 2026-01-01; it is the oldest complete one, and the policy keeps 7 days and 4 weeks, more than there are',
      'dropped: snapshot 3 is kept for the same day',
      'kept: it is the last complete one of the day 2026-01-02',
      'kept: it is one of the newest 2 complete ones',
      'kept: it is the newest complete one; it is one of the newest 2 complete ones; it is the last complete one of the day 2026-01-03; it is the last complete one of the week 2026-W01',
    ]);
    expect(why({ daily: 1 }).slice(2, 4)).toEqual([
      'dropped: it is none of those that the policy keeps: the last one of the newest day',
      'dropped: snapshot 5 is kept for the same day',
    ]);
    const unsealed = list.map((one) => (one.id === 2 ? { ...one, state: 'partial' as const } : one));
    expect(retain(unsealed, { ...NONE, last: 1 })[1]?.reasons).toEqual([
      'it is partial, and a complete one has followed it',
    ]);
  });

  it('keeps what tells of a deleted space for as long as it can be undeleted', () => {
    const list = nights(9).map((one) => ({ ...one, telling: one.id === 4 || one.id === 5 }));
    expect(kept(list, { last: 1 })).toEqual([4, 5, 9]);
  });

  it.each([
    ['far ahead', '2099-06-01T02:00:00.000Z'],
    ['far behind', '1970-01-01T00:00:10.000Z'],
  ])('keeps as many months and years as are asked for, although a night was dated %s', (_name, at) => {
    const monthly = nights(60).map((one, index) => ({
      ...one,
      started_at: new Date(Date.UTC(2021, index, 1)).toISOString(),
    }));
    const list = monthly.map((one) => (one.id === 30 ? { ...one, started_at: at } : one));
    // Of five years and the odd one: December of each, and the wrong one in a place of its own.
    expect(kept(list, { yearly: 5 })).toEqual([12, 24, 30, 36, 48, 60]);
    expect(kept(monthly, { monthly: 31 })).toEqual(Array.from({ length: 31 }, (_, index) => 30 + index));
    expect(kept(list, { monthly: 31 })).toEqual(Array.from({ length: 32 }, (_, index) => 29 + index));
  });

  it('keeps what was dated rightly however many nights were dated wrongly since', () => {
    const years = nights(9).map((one) => ({ ...one, started_at: `${2010 + one.id}-06-01T00:00:00.000Z` }));
    const wrong = nights(50, '1970-01-01T02:00:00.000Z').map((one) => ({ ...one, id: one.id + 9 }));
    expect(kept([...years, ...wrong], { yearly: 6 })).toEqual(expect.arrayContaining([5, 6, 7, 8, 9, 59]));
  });

  it('keeps weeks apart at the turn of the year', () => {
    // 28 December 2026 to 3 January 2027 is one ISO week.
    expect(kept(nights(7, '2026-12-28T02:00:00.000Z'), { weekly: 1 })).toEqual([7]);
    expect(kept(nights(8, '2026-12-28T02:00:00.000Z'), { weekly: 2 })).toEqual([7, 8]);
  });
});

describe('mirror/retention/prune', () => {
  it('leaves every kept snapshot showing exactly what it showed before', async () => {
    const edits = fc.array(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('one', 'two', null)), { maxLength: 4 }),
      {
        minLength: 2,
        maxLength: 7,
      },
    );
    await fc.assert(
      fc.asyncProperty(edits, fc.integer({ min: 1, max: 3 }), async (history, last) => {
        using made = await createTestMirror();
        const { mirror } = made;
        for (const night of history) {
          takeSnapshot(mirror, (hand) => {
            for (const [id, text] of night)
              if (text === null) hand.bury('page', `s1/${id}`);
              else hand.see(page(id, text));
          });
        }
        const before = new Map(listSnapshots(mirror).map(({ id }) => [id, stateOf(mirror, id)]));
        atOnce(forget(mirror, { ...NONE, last }));
        atOnce(prune(mirror));
        const left = listSnapshots(mirror).map(({ id }) => id);
        expect(left).toHaveLength(Math.min(last, history.length));
        for (const id of left) expect(stateOf(mirror, id)).toEqual(before.get(id));
        expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
        expect(unlisted(mirror)).toEqual([]);
        const unused = rowsOf(
          mirror,
          'select bid from bodies where bid not in (select body from versions union select text from versions where text is not null)',
        );
        expect(unused).toEqual([]);
      }),
      { numRuns: runs(16) },
    );
  });

  it('tells of each kept snapshot what differs from the kept one before it, whatever lay in between', async () => {
    const text = fc.constantFrom('one', 'two', null);
    const nights = fc.array(fc.record({ texts: fc.record({ a: text, b: text }), kept: fc.boolean() }), {
      minLength: 3,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(nights, async (history) => {
        using made = await createTestMirror();
        const { mirror } = made;
        for (const { texts, kept } of history) {
          const { id } = takeSnapshot(mirror, (hand) => {
            for (const [name, words] of Object.entries(texts))
              if (words === null) hand.bury('page', `s1/${name}`);
              else hand.see(page(name, LONG + words));
          });
          if (kept) pinSnapshot(mirror, id, 'kept');
        }
        const before = new Map(listSnapshots(mirror).map(({ id }) => [id, stateOf(mirror, id)]));
        atOnce(forget(mirror, NONE));
        atOnce(prune(mirror));
        const left = listSnapshots(mirror).map(({ id }) => id);
        for (const id of left) expect(stateOf(mirror, id)).toEqual(before.get(id));
        expect(toldChanges(mirror, left)).toEqual(trueChanges(before, left));
        expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
        expect(unlisted(mirror)).toEqual([]);
      }),
      { numRuns: runs(16) },
    );
  });

  it('ends, and reads all as before, where a state leaned on one that came back after it', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const history = ['two', null, 'one', 'two', 'one', 'two'];
    for (const words of history) {
      const { id } = takeSnapshot(mirror, ({ see, bury }) =>
        words === null ? bury('page', 's1/b') : see(page('b', LONG + words)),
      );
      if (id === 1 || id === 3) pinSnapshot(mirror, id, 'kept');
    }
    const kept = [1, 3, history.length];
    const before = kept.map((id) => stateOf(mirror, id));
    atOnce(forget(mirror, NONE));
    atOnce(prune(mirror));
    expect(kept.map((id) => stateOf(mirror, id))).toEqual(before);
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
  });

  it('tells nothing as changed that is as it was in the kept snapshot before', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const night = (title: string, position: number, text: string): void =>
      void takeSnapshot(mirror, ({ see }) => {
        see(collection('c', { title }));
        see({ ...page('p', LONG + text), position });
        see({ ...page('q', LONG), position: 1 - position });
      });
    night('A', 0, 'one');
    night('B', 1, 'two');
    night('A', 0, 'one');
    night('A', 0, 'three');
    pinSnapshot(mirror, 1, 'kept');
    // With the time when it was seen first, and the JSON to the last byte.
    const shown = (): unknown[] =>
      [1, 3, 4].flatMap((id) => ['collections', 'pages'].map((view) => rowsOf(mirror, viewSql(view, id))));
    const before = shown();
    const told = `select snapshot, change, id from changes where snapshot > 1`;
    atOnce(forget(mirror, { ...NONE, last: 2 }));
    expect(rowsOf(mirror, told)).toEqual([{ snapshot: 4, change: 'changed', id: 'p' }]);
    expect(rowsOf(mirror, 'select valid_from, valid_to from collections_history')).toEqual([
      { valid_from: 1, valid_to: null },
    ]);
    atOnce(prune(mirror));
    expect(shown()).toEqual(before);
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
  });

  it('keeps the whole one of two equal states when what is stored of the other is damaged', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    // So unlike each other that none is kept as its difference from another.
    const texts = ['one', 'two', 'one', 'three'].map((word) => sha256(word).repeat(3));
    for (const text of texts) takeSnapshot(mirror, (hand) => hand.see(page('a', text)));
    mirror.store.driver.exec(
      `update superseded set data = x'00' where bid = (select text from versions where valid_from = 3)`,
    );
    pinSnapshot(mirror, 1, 'whole');
    pinSnapshot(mirror, 3, 'damaged');
    atOnce(forget(mirror, { ...NONE, last: 1 }));
    expect([...readerAt(mirror, 1).resources('page')].map((one) => one.text)).toEqual([texts[0]]);
  });

  it('keeps the proof that something is gone for as long as a kept snapshot shows that it was there', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const seen = ({ see }: Hand): void => void [see(page('a', 'text')), see(page('b', 'text'))];
    takeSnapshot(mirror, seen);
    for (const id of ['a', 'b', 'b'])
      takeSnapshot(mirror, (hand) => void [hand.see(page('b', 'more')), hand.bury('page', `s1/${id}`)]);
    takeSnapshot(mirror, ({ see }) => void see(page('b', 'text')));
    takeSnapshot(mirror, () => undefined);
    pinSnapshot(mirror, 1, 'the last with a');
    atOnce(forget(mirror, { ...NONE, last: 1 }));
    const proofs = `select r.id, t.snapshot, t.evidence is not null as proof from tombstones t join resources r using (rid)`;
    expect(rowsOf(mirror, proofs)).toEqual([{ id: 'a', snapshot: 6, proof: 1 }]);
    unpinSnapshot(mirror, 1);
    takeSnapshot(mirror, () => undefined);
    atOnce(forget(mirror, { ...NONE, last: 1 }));
    expect(rowsOf(mirror, proofs)).toEqual([]);
  });

  it('frees what had lost rights and went with what it stood in, and what is left is no longer below it', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const organization = (id: string) => ({
      kind: 'organization' as const,
      params: { organizationId: id },
      body: { id },
    });
    takeSnapshot(mirror, (hand) => {
      const scope = hand.see(organization('o'));
      const rid = hand.see({ ...collection('c'), scope });
      noteRights({ mirror, id: hand.id }, rid, { lost: ['admin'], now: {} });
      hand.see(page('a', 'text'));
      hand.see(organization('other'));
    });
    acceptSnapshot(mirror, takeSnapshot(mirror, (hand) => hand.bury('organization', 'o')).id, 'Deleted on purpose');
    const { rid } = currentOf(mirror, 'page', 's1/a') ?? { rid: 0 };
    expect(isBelowShrunk(mirror, rid, 'space')).toBe(false);
    takeSnapshot(mirror, () => undefined);
    atOnce(forget(mirror, { ...NONE, last: 1 }));
    const left = (): unknown[] => rowsOf(mirror, 'select key from resources order by kind desc').map(({ key }) => key);
    const open = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
    atOnce(prune(mirror));
    // An open walk may still name them.
    expect(left()).toHaveLength(4);
    abandonSnapshot(mirror, open, 'given up');
    atOnce(prune(mirror));
    expect(left()).toEqual(['s1/a', 'other']);
  });

  it('frees the bytes of a file that no kept snapshot shows, and no others', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const file = (id: string, sha256: string) => ({
      kind: 'file' as const,
      params: { spaceId: 's1', fileId: id },
      body: { id, name: `${id}.png`, size: 3 },
      object: { sha256, size: 3 },
    });
    const [old, live] = [await put(mirror, 'old'), await put(mirror, 'new')];
    takeSnapshot(mirror, (hand) => hand.see(file('f', old)));
    takeSnapshot(mirror, (hand) => hand.see(file('f', live)));
    atOnce(forget(mirror, { ...NONE, last: 1 }));
    expect(atOnce(prune(mirror))).toMatchObject({ objects: 1, bytes: 3 });
    expect([existsSync(mirror.objects.pathOf(old)), existsSync(mirror.objects.pathOf(live))]).toEqual([false, true]);
  });

  it('forgets nothing while the newest snapshot is suspect', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, (hand) => ['a', 'b', 'c'].forEach((id) => hand.see(page(id, id))));
    const brake = { deletedShare: 0.5, deletedCount: 2, rewrittenShare: 2, rewrittenCount: 9 };
    takeSnapshot(mirror, (hand) => ['a', 'b', 'c'].forEach((id) => hand.bury('page', `s1/${id}`)), brake);
    expect(() => atOnce(forget(mirror, NONE))).toThrow(expect.objectContaining({ code: 'DM_BRAKE' }));
    expect(listSnapshots(mirror)).toHaveLength(2);
  });

  it('forgets nothing after a mass deletion, though something was not read in the same night', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, (hand) => ['a', 'b', 'c'].forEach((id) => hand.see(page(id, id))));
    const id = openSnapshot(mirror, { origin: 'http://platform.test', mode: 'full', scope: null });
    fill(mirror, id, (hand) => ['a', 'b', 'c'].forEach((name) => hand.bury('page', `s1/${name}`)));
    const resource = { kind: 'page', resource: 's1/d', request: 'GET /x' };
    noteFailure({ mirror, id }, { ...resource, status: 500, code: 'DM_HTTP_STATUS', error: 'no' });
    const brake = { deletedShare: 0.5, deletedCount: 2, rewrittenShare: 2, rewrittenCount: 9 };
    expect(atOnce(sealSnapshot({ mirror, id }, brake))).toMatchObject({
      state: 'suspect',
      reason: '1 page not read; 3 of 3 pages gone at once',
    });
    expect(() => atOnce(forget(mirror, NONE))).toThrow(expect.objectContaining({ code: 'DM_BRAKE' }));
  });

  it('forgets nothing when a survivor is not what was sealed', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, (hand) => hand.see(page('a', 'one')));
    takeSnapshot(mirror, (hand) => hand.see(page('a', 'two')));
    mirror.store.driver.exec(`update versions set object = 'changed by hand' where valid_from = 1`);
    expect(() => atOnce(forget(mirror, NONE))).toThrow(expect.objectContaining({ code: 'DM_CHECK_FAILED' }));
  });

  it('finds no damage in what the daemon forgets while a dry run looks: it said that a snapshot was not what was sealed', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const text of ['one', 'two', 'three']) takeSnapshot(mirror, (hand) => hand.see(page('a', text)));
    using reader = readMirror(mirror);
    const refusal = forgetRefusal(reader, planForget(reader, NONE));
    refusal.next();
    atOnce(forget(mirror, NONE));
    expect(atOnce(refusal)).toBeNull();
    expect(listSnapshots(reader)).toHaveLength(1);
  });

  it('forgets no earlier state of what is damaged now, until it is whole again', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const text of ['one', 'two'])
      takeSnapshot(mirror, (hand) => ['a', 'b'].forEach((id) => hand.see(page(id, `${text} ${id}`))));
    const damage = (from: string, to: string) =>
      mirror.store.driver.exec(`update bodies set data = '${to}' where data = '${from}'`);
    damage('two b', 'twi b');
    const refusal = { code: 'DM_CHECK_FAILED', message: expect.stringContaining('page s1/b') as string };
    expect(atOnce(forgetRefusal(mirror, planForget(mirror, NONE)))).toMatchObject(refusal);
    expect(() => atOnce(forget(mirror, NONE))).toThrow(expect.objectContaining(refusal));
    expect(listSnapshots(mirror)).toHaveLength(2);
    // A policy that keeps the earlier state has nothing to fear.
    expect(atOnce(forget(mirror, { ...NONE, last: 2 })).map(({ keep }) => keep)).toEqual([true, true]);
    damage('twi b', 'two b');
    atOnce(forget(mirror, NONE));
    expect(listSnapshots(mirror)).toHaveLength(1);
  });

  it.each<[string, (path: string) => void]>([
    ['overwritten by as many bytes', (path) => writeFileSync(path, 'NEW')],
    ['cut short', (path) => writeFileSync(path, 'n')],
    ['missing', (path) => rmSync(path)],
  ])(
    'forgets no earlier bytes of a file whose newest are %s: 44 snapshots went with the last that was whole',
    async (_how, harm) => {
      using made = await createTestMirror();
      const { mirror } = made;
      const file = (id: string, object: string) => ({
        kind: 'file' as const,
        params: { spaceId: 's1', fileId: id },
        body: { id, name: `${id}.png` },
        object: { sha256: object, size: 3 },
      });
      const [old, live] = [await put(mirror, 'old'), await put(mirror, 'new')];
      // Of one file other bytes stay the same, and no more of it goes than its name.
      takeSnapshot(mirror, ({ see }) => void [see(file('f', old)), see(file('same', live))]);
      takeSnapshot(mirror, ({ see }) => void [see(file('f', live)), see({ ...file('same', live), position: 1 })]);
      harm(mirror.objects.pathOf(live));
      const refusal = { code: 'DM_CHECK_FAILED', message: expect.stringContaining('file s1/f') as string };
      expect(atOnce(forgetRefusal(mirror, planForget(mirror, NONE)))).toMatchObject(refusal);
      expect(() => atOnce(forget(mirror, NONE))).toThrow(expect.objectContaining(refusal));
      writeFileSync(mirror.objects.pathOf(live), 'new');
      atOnce(forget(mirror, NONE));
      expect(listSnapshots(mirror)).toHaveLength(1);
    },
  );

  it('reads the bytes that stay in pieces, and none where nothing else goes', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const large = await put(mirror, 'words '.repeat(700_000));
    const [size, other] = [4_200_000, await put(mirror, 'other')];
    const see = (object: { sha256: string; size: number }, position: number) =>
      void takeSnapshot(mirror, (hand) =>
        hand.see({ kind: 'file', params: { spaceId: 's1', fileId: 'f' }, body: { id: 'f' }, object, position }),
      );
    const pieces = (): number => [...forgetRefusal(mirror, planForget(mirror, NONE))].length;
    see({ sha256: large, size }, 0);
    see({ sha256: large, size }, 1);
    const before = pieces();
    pinSnapshot(mirror, 1, 'kept');
    see({ sha256: other, size: 5 }, 1);
    see({ sha256: large, size }, 1);
    unpinSnapshot(mirror, 1);
    expect(pieces() - before).toBeGreaterThan(4);
  });

  it('shows the plan without dropping anything, and obeys a pin', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const text of ['one', 'two', 'three']) takeSnapshot(mirror, (hand) => hand.see(page('a', text)));
    pinSnapshot(mirror, 1, 'before the migration');
    expect(planForget(mirror, NONE).map((one) => one.keep)).toEqual([true, false, true]);
    expect(listSnapshots(mirror)).toHaveLength(3);
    atOnce(forget(mirror, NONE));
    expect([...readerAt(mirror, 1).resources('page')].map((one) => one.text)).toEqual(['one']);
  });
});

/** What the view says of kept snapshots, but the first of them. */
function toldChanges(mirror: Parameters<typeof prune>[0], kept: readonly number[]): string[] {
  return rowsOf(mirror, 'select snapshot, change, id from changes where snapshot > ?', kept[0])
    .map(({ snapshot, change, id }) => `${String(snapshot)} ${String(change)} ${String(id)}`)
    .toSorted();
}

function trueChanges(states: ReadonlyMap<number, ReturnType<typeof stateOf>>, kept: readonly number[]): string[] {
  return kept
    .slice(1)
    .flatMap((id, index) => {
      const [was = {}, is = {}] = [states.get(kept[index] ?? 0), states.get(id)];
      return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) => {
        const change = was[key] === undefined ? 'added' : is[key] === undefined ? 'removed' : 'changed';
        const isSame = JSON.stringify(was[key]) === JSON.stringify(is[key]);
        return isSame ? [] : [`${id} ${change} ${key.slice(key.lastIndexOf('/') + 1)}`];
      });
    })
    .toSorted();
}
