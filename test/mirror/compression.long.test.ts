import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce, seededRandom } from '../../src/base/index.ts';
import {
  abandonSnapshot,
  checkMirror,
  currentOf,
  databasePath,
  diffSnapshots,
  forget,
  listSnapshots,
  openSnapshot,
  pinSnapshot,
  prune,
  readerAt,
  readMirror,
  runQuery,
  type Mirror,
} from '../../src/mirror/index.ts';
import { compress, decompress, standsAlone } from '../../src/mirror/bodies/compress.ts';
import { MOST_STEPS } from '../../src/mirror/bodies/superseded.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { fill, page, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { bytesInUse, rowsOf, stateOf, type HeldState, unlisted } from '../support/state.ts';

const KEEP_NONE = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

/** A text of some kilobytes, of its own for each number, in which an edit changes a few words. */
function longText(seed: number, edit: number): string {
  const random = seededRandom(seed);
  const words = Array.from({ length: 300 }, () => random.int(100_000).toString(36));
  words[(edit * 37) % words.length] = `edit-${edit}`;
  return words.join(' ');
}

function twin(id: string) {
  const params = { spaceId: 's1', changeRequestId: 'r1', pageId: id };
  return { kind: 'change-request-page' as const, params, body: { id, type: 'document', title: id } };
}

function textsOf(mirror: Mirror, id: string): (string | null | undefined)[] {
  return listSnapshots(mirror)
    .filter(({ state }) => state === 'complete')
    .map((one) => readerAt(mirror, one.id).one('page', `s1/${id}`)?.text);
}

function deepest(mirror: Mirror): number {
  const [row] = rowsOf(
    mirror,
    `with recursive way (bid, steps) as (select bid, base is not null from superseded where base is null or base in (select bid from bodies)
       union all select s.bid, w.steps + 1 from way w join superseded s on s.base = w.bid) select max(steps) as steps from way`,
  );
  return Number(row?.['steps']);
}

describe('mirror/bodies/compress', () => {
  it('gives back every text, alone and against any other', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.array(fc.lorem(), { maxLength: 200 }).map(String));
    fc.assert(
      fc.property(text, fc.oneof(fc.constant(null), text), text, (old, base, shared) => {
        const [from, to] = [`${shared}${old}${shared}`, base === null ? null : `${shared}${base}${shared}`];
        const packed = compress(from, to);
        expect(decompress(packed, to)).toBe(from);
        expect(compress(Buffer.from(from), to === null ? null : Buffer.from(to))).toEqual(packed);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps an edit of a few words in a long text in about as many bytes, wherever it is', () => {
    const long = Array.from({ length: 100 }, (_, seed) => longText(seed, 0)).join('\n');
    for (const at of [0, 90_000, long.length - 5]) {
      const edited = `${long.slice(0, at)}some other words${long.slice(at)}`;
      expect(compress(edited, long).length).toBeLessThan(32);
      expect(compress(long, edited).length).toBeLessThan(32);
    }
    expect(compress(longText(1, 1), longText(1, 2)).length).toBeLessThan(200);
    expect(standsAlone(compress('x'.repeat(500), longText(1, 1)))).toBe(true);
  });
});

describe('mirror/bodies/superseded', () => {
  it('keeps the newest text plain and every earlier one readable, each a few bytes', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const texts = Array.from({ length: 40 }, (_, edit) => longText(1, edit));
    for (const text of texts) takeSnapshot(mirror, ({ see }) => see(page('a', text)));
    expect(textsOf(mirror, 'a')).toEqual(texts);
    const plain = rowsOf(mirror, `select t.data from versions v join bodies t on t.bid = v.text`);
    expect(plain).toEqual([{ data: texts.at(-1) }]);
    const alone = rowsOf(mirror, 'select length(data) as n from superseded where base is null');
    expect(alone.length).toBeLessThanOrEqual(2 * Math.ceil(texts.length / MOST_STEPS));
    const others = rowsOf(mirror, 'select max(length(data)) as n from superseded where base is not null');
    expect(Number(others[0]?.['n'])).toBeLessThan(200);
    expect(deepest(mirror)).toBeLessThanOrEqual(MOST_STEPS);
  });

  it('leaves a superseded text plain until the snapshot is sealed', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => see(page('a', longText(1, 1))));
    const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
    fill(mirror, id, ({ see }) => see(page('a', longText(1, 2))));
    using shell = readMirror({ dataDir: made.dataDir, clock: mirror.clock });
    expect(rowsOf(shell, 'select markdown from pages')).toEqual([{ markdown: longText(1, 1) }]);
    expect(rowsOf(mirror, 'select * from superseded')).toEqual([]);
  });

  it('makes a text that comes back plain again', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const texts = [1, 2, 1, 3, 1].map((edit) => longText(1, edit));
    for (const text of texts) takeSnapshot(mirror, ({ see }) => see(page('a', text)));
    expect(textsOf(mirror, 'a')).toEqual(texts);
    expect(rowsOf(mirror, 'select markdown from pages')).toEqual([{ markdown: texts[4] }]);
  });

  it('keeps a text plain while another current version holds it', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, (hand) => {
      hand.see(page('a', longText(1, 1)));
      const known = currentOf(mirror, 'page', 's1/a');
      if (known && known.text !== null) hand.see({ ...twin('a'), textBody: known.text });
    });
    takeSnapshot(mirror, ({ see }) => see(page('a', longText(1, 2))));
    expect(rowsOf(mirror, `select data from bodies where data like '%edit-1'||' %'`)).toHaveLength(1);
    takeSnapshot(mirror, (hand) => hand.bury('change-request-page', 's1/r1/a'));
    expect(textsOf(mirror, 'a')).toEqual([longText(1, 1), longText(1, 2), longText(1, 2)]);
    const old = readerAt(mirror, 1).one('change-request-page', 's1/r1/a');
    expect(old?.text).toBe(longText(1, 1));
  });

  it('shows old texts to docmirror query, and null in their place to other tools', async () => {
    using made = await createTestMirror();
    const { mirror, dataDir } = made;
    for (const edit of [1, 2])
      takeSnapshot(mirror, ({ see }) => see(page('a', longText(1, edit), { title: `v${edit}` })));
    const history = 'select markdown, valid_from from pages_history order by valid_from';
    expect(runQuery(dataDir, history, null).rows).toEqual([
      [longText(1, 1), 1],
      [longText(1, 2), 2],
    ]);
    expect(runQuery(dataDir, 'select markdown, title from pages', 1).rows).toEqual([[longText(1, 1), 'v1']]);
    expect(rowsOf(mirror, history)).toEqual([
      { markdown: null, valid_from: 1 },
      { markdown: longText(1, 2), valid_from: 2 },
    ]);
    expect([...diffSnapshots(mirror, [2, 1])]).toMatchObject([{ key: 's1/a', change: 'changed' }]);
  });

  it('says what is gone in any SQL tool', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => see(page('a', longText(1, 1), { title: 'A page that was deleted' })));
    takeSnapshot(mirror, (hand) => hand.bury('page', 's1/a'));
    expect(rowsOf(mirror, 'select title, markdown from pages_history')).toEqual([
      { title: 'A page that was deleted', markdown: null },
    ]);
    expect(textsOf(mirror, 'a')).toEqual([longText(1, 1), undefined]);
  });

  it('finds a superseded text that was damaged', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const edit of [1, 2, 3]) takeSnapshot(mirror, ({ see }) => see(page('a', longText(1, edit))));
    const [row] = rowsOf(mirror, 'select bid, data from superseded where base is not null order by length(data) desc');
    const data = Buffer.from(row?.['data'] as Buffer);
    data[data.length - 1] = 0xff;
    mirror.store.driver.prepare('update superseded set data = ? where bid = ?').run(data, row?.['bid']);
    const { problems } = await checkMirror(mirror, { readData: true });
    expect(problems.map(({ what }) => what)).toContain('body');
  });
});

type Act = [id: string, text: number | null, share: boolean];

describe('mirror/retention/prune-bodies', () => {
  it('shows at each snapshot what was seen, whatever is superseded, shared, given up, forgotten and pruned', async () => {
    const act = fc.tuple(fc.constantFrom('a', 'b'), fc.option(fc.nat({ max: 5 }), { freq: 6 }), fc.boolean());
    const night = fc.record({ acts: fc.array(act, { maxLength: 4 }), abandoned: fc.boolean() });
    const histories = fc.array(night, { minLength: 2, maxLength: 30 });
    const rounds = fc.array(fc.tuple(histories, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 })), {
      minLength: 1,
      maxLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        using made = await createTestMirror();
        const { mirror } = made;
        const seen = new Map<number, Record<string, HeldState>>();
        for (const [history, drop] of all) {
          for (const { acts, abandoned } of history) {
            const { id } = abandoned
              ? abandon(mirror, acts)
              : takeSnapshot(mirror, (hand) => perform(mirror, hand, acts));
            if (!abandoned) seen.set(id, stateOf(mirror, id));
          }
          for (const [snapshot, state] of seen) expect(stateOf(mirror, snapshot)).toEqual(state);
          pinSome(mirror, drop);
          atOnce(forget(mirror, { ...KEEP_NONE, last: 1 }));
          atOnce(prune(mirror));
          const left = new Set(listSnapshots(mirror).map(({ id }) => id));
          for (const id of seen.keys()) if (!left.has(id)) seen.delete(id);
          for (const [snapshot, state] of seen) expect(stateOf(mirror, snapshot)).toEqual(state);
          expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
          expect(unlisted(mirror)).toEqual([]);
          expect(deepest(mirror)).toBeLessThanOrEqual(MOST_STEPS);
        }
      }),
      { numRuns: 12 },
    );
  });
});

function perform(mirror: Mirror, hand: Hand, acts: readonly Act[]): void {
  for (const [id, edit, share] of acts) {
    if (edit === null) hand.bury(share ? 'change-request-page' : 'page', share ? `s1/r1/${id}` : `s1/${id}`);
    else {
      hand.see(page(id, longText(share ? 9 : id.charCodeAt(0), edit)));
      const text = currentOf(mirror, 'page', `s1/${id}`)?.text;
      if (share && typeof text === 'number') hand.see({ ...twin(id), textBody: text });
    }
  }
}

function abandon(mirror: Mirror, acts: readonly Act[]): { id: number } {
  const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
  fill(mirror, id, (hand) => perform(mirror, hand, acts));
  abandonSnapshot(mirror, id, 'test');
  return { id };
}

function pinSome(mirror: Mirror, drop: readonly boolean[]): void {
  mirror.store.driver.exec('delete from pins');
  for (const { id } of listSnapshots(mirror).filter(({ id }) => drop[id % drop.length] === false))
    mirror.store.driver.prepare('insert into pins values (?, ?, ?)').run(id, 'test', '2025-01-01T00:00:00.000Z');
}

describe('mirror/retention/prune-bodies', () => {
  it('keeps an old text in a few bytes where all between it and the next are forgotten: it took those of the whole text', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const texts = nightsOf(mirror, [1, 12]);
    keepOnly(mirror, [1, 4, 12]);
    expect(textsOf(mirror, 'a')).toEqual([1, 4, 12].map((night) => texts[night - 1]));
    const old = rowsOf(mirror, 'select length(data) as n from superseded where bid in (select text from versions)');
    expect(old).toHaveLength(2);
    expect(old.filter(({ n }) => Number(n) > 200)).toEqual([]);
  });

  it.each([
    ['one', [[...nights(1, 15), ...nights(17, 40)]]],
    [
      'most',
      [
        [...nights(1, 17), 40],
        [...nights(1, 15), 17, 40],
      ],
    ],
    [
      'ever more',
      [
        [...nights(1, 17), 40],
        [...nights(1, 14), 17, 40],
      ],
    ],
  ])(
    'reads an old text by as few others as before, where %s of what came after it were forgotten',
    async (_, keeps) => {
      using made = await createTestMirror();
      const { mirror } = made;
      const texts = nightsOf(mirror, [1, 40]);
      for (const kept of keeps) keepOnly(mirror, kept);
      expect(deepest(mirror)).toBeLessThanOrEqual(MOST_STEPS);
      texts.push(...nightsOf(mirror, [41, 50]));
      expect(deepest(mirror)).toBeLessThanOrEqual(MOST_STEPS);
      const left = [...(keeps.at(-1) ?? []), ...nights(41, 50)];
      expect(textsOf(mirror, 'a')).toEqual(left.map((night) => texts[night - 1]));
    },
  );
});

function nights(from: number, upTo: number): number[] {
  return Array.from({ length: upTo - from + 1 }, (_, index) => from + index);
}

/** The texts of these nights, an edit in each. */
function nightsOf(mirror: Mirror, [from, upTo]: readonly [number, number]): string[] {
  const texts = nights(from, upTo).map((night) => longText(1, night));
  for (const text of texts) takeSnapshot(mirror, ({ see }) => see(page('a', text)));
  return texts;
}

function keepOnly(mirror: Mirror, kept: readonly number[]): void {
  mirror.store.driver.exec('delete from pins');
  for (const id of kept) pinSnapshot(mirror, id, 'test');
  atOnce(forget(mirror, { ...KEEP_NONE, last: 1 }));
  atOnce(prune(mirror));
}

describe('mirror/size', () => {
  it('gives what is freed back to the disk: the file stayed as large as it ever was', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const pages = Array.from({ length: 200 }, (_, index) => `p${index}`);
    takeSnapshot(mirror, ({ see }) => pages.forEach((id, index) => see(page(id, longText(index, 0)))));
    takeSnapshot(mirror, ({ bury }) => pages.slice(1).forEach((id) => bury('page', `s1/${id}`)));
    const sizeNow = (): number => {
      mirror.store.driver.pragma('wal_checkpoint(truncate)');
      return statSync(databasePath(made.dataDir)).size;
    };
    const before = sizeNow();
    atOnce(forget(mirror, { ...KEEP_NONE, last: 1 }));
    atOnce(prune(mirror));
    expect(before - sizeNow()).toBeGreaterThan(1_000_000);
  });

  it('does not grow without bound: sixty nights of edits reuse what earlier ones freed', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const random = seededRandom(7);
    const pages = Array.from({ length: 200 }, (_, index) => `p${index}`);
    takeSnapshot(mirror, ({ see }) => pages.forEach((id, index) => see(page(id, longText(index, 0)))));
    const sizes: number[] = [];
    for (let night = 1; night <= 60; night++) {
      takeSnapshot(mirror, ({ see }) => {
        for (let edit = 0; edit < 10; edit++) {
          const index = random.int(pages.length);
          see(page(pages[index] ?? '', longText(index, night)));
        }
      });
      if (night % 10 !== 0) continue;
      atOnce(forget(mirror, { ...KEEP_NONE, last: 5 }));
      atOnce(prune(mirror));
      sizes.push(bytesInUse(mirror));
    }
    const [, second = 0] = sizes;
    expect(Math.max(...sizes)).toBeLessThan(second * 1.1);
    mirror.store.driver.pragma('wal_checkpoint(truncate)');
    expect(statSync(databasePath(made.dataDir)).size).toBeLessThan(second * 1.1);
  });
});
