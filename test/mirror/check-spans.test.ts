// From when to when versions hold, as somebody changed it by hand and as honest nights leave it.
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import {
  abandonSnapshot,
  acceptSnapshot,
  checkMirror,
  currentOf,
  forget,
  lapse,
  openSnapshot,
  pinSnapshot,
  shareTree,
  type Mirror,
} from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { fill, page, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const LAST = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
const space = {
  kind: 'space' as const,
  params: { spaceId: 's1' },
  body: { object: 'space', id: 's1', title: 'Space' },
};

async function problems(mirror: Mirror): Promise<string[]> {
  const { problems: found } = await checkMirror(mirror, { readData: true });
  return found
    .filter(({ what }) => what !== 'search')
    .map(({ what, which, problem }) => `${what} ${which}: ${problem}`);
}

/** Three nights with the same two pages, of which one is edited in the second. */
async function threeNights(): Promise<TestMirror> {
  const made = await createTestMirror();
  for (const text of ['one', 'two', 'two'])
    takeSnapshot(made.mirror, ({ see }) => {
      see(space);
      see(page('a', 'stays'));
      see(page('b', text));
    });
  return made;
}

const vidOf = (mirror: Mirror, key: string): unknown => currentOf(mirror, 'page', key)?.vid;

describe('mirror/check/spans', () => {
  it.each([
    ['valid_to = valid_from', 'holds from snapshot 1 up to 1, which is for none'],
    ['valid_to = 999', 'ends in snapshot 999, with nothing in its place there and no proof that it is gone'],
    ['valid_to = 4', 'ends in snapshot 4, with nothing in its place there and no proof that it is gone'],
  ])(
    'are named where they hide a page, which check passed and the next sync took for complete: %s',
    async (set, why) => {
      using made = await threeNights();
      const vid = vidOf(made.mirror, 's1/a');
      made.mirror.store.driver.exec(`update versions set ${set} where vid = ${String(vid)}`);
      expect(await problems(made.mirror)).toEqual([`reference versions ${String(vid)} (page s1/a): ${why}`]);
    },
  );

  it('are named of a version that somebody put beside the others, for no night or for one to come', async () => {
    using made = await threeNights();
    const { driver } = made.mirror.store;
    driver.exec(`insert into versions (rid, valid_from, valid_to, body) select rid, 0, 0, body from versions limit 1`);
    driver.exec(
      `insert into resources (kind, key, id, params, space) values ('page', 's1/x', 'x', '{"spaceId":"s1","pageId":"x"}', 's1')`,
    );
    driver.exec(`insert into versions (rid, valid_from, body) select max(rid), 77, 1 from resources`);
    expect((await problems(made.mirror)).map((one) => one.slice(one.indexOf(': ') + 2))).toEqual([
      'holds from snapshot 0 up to 0, which is for none',
      'begins in snapshot 77, which is not there',
    ]);
  });

  it('are named where they lie between two snapshots that are left: what holds for no kept one is in no manifest', async () => {
    using made = await threeNights();
    const { mirror } = made;
    pinSnapshot(mirror, 1, 'kept');
    atOnce(forget(mirror, LAST));
    const vid = vidOf(mirror, 's1/b');
    expect(await problems(mirror)).toEqual([]);
    mirror.store.driver.exec(`update versions set valid_from = 2, valid_to = 3 where vid = ${String(vid)}`);
    expect(await problems(mirror)).toEqual([
      `reference versions ${String(vid)} (page s1/b): ends in snapshot 3, with nothing in its place there and no proof that it is gone`,
    ]);
  });

  it('are whole through walks that are under way, given up, forgotten and pinned, with trees that end for no other reason than their page', async () => {
    using made = await threeNights();
    const { mirror } = made;
    const seeTree = ({ see }: Hand): void => {
      const { text: _, ...rest } = page('b', '');
      see({ ...rest, kind: 'page-document', scope: currentOf(mirror, 'page', 's1/b')?.rid ?? null });
    };
    const endTree = ({ id }: Hand): void =>
      void lapse({ mirror, id }, currentOf(mirror, 'page-document', 's1/b')?.rid ?? 0);
    const walks: ((hand: Hand) => void)[] = [
      (hand) => void [hand.see(page('b', 'three')), seeTree(hand)],
      (hand) => void [hand.see(page('b', 'four')), endTree(hand), hand.bury('page', 's1/a')],
      (hand) => void [hand.see(page('b', 'five')), seeTree(hand), hand.see(page('a', 'again'))],
      (hand) => void [hand.see(page('c', 'new')), hand.bury('page', 's1/c'), endTree(hand)],
    ];
    for (const round of [0, 1]) {
      for (const [index, walk] of walks.entries()) {
        const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
        fill(mirror, id, walk);
        expect(await problems(mirror)).toEqual([]);
        abandonSnapshot(mirror, id, 'test');
        if (index === round) pinSnapshot(mirror, id, 'given up');
        expect(await problems(mirror)).toEqual([]);
      }
      takeSnapshot(mirror, walks[round] ?? seeTree);
      expect(await problems(mirror)).toEqual([]);
    }
    atOnce(forget(mirror, LAST));
    expect(await problems(mirror)).toEqual([]);
  });

  it('are whole in the middle of a walk that has found a page of a change request as its space has it: it has no place of its own from there on', async () => {
    using made = await threeNights();
    const { mirror } = made;
    const place = { spaceId: 's1', changeRequestId: 'c' };
    const proposed = { kind: 'change-request-page' as const, params: { ...place, pageId: 'a' } };
    takeSnapshot(mirror, ({ see }) => {
      see({ kind: 'change-request', params: place, body: { id: 'c', status: 'open' } });
      const scope = see({ kind: 'change-request-revision', params: place, body: { id: 'r' } });
      see({ ...proposed, body: { id: 'a', title: 'a' }, text: 'proposed', scope });
    });
    const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
    const own = currentOf(mirror, proposed.kind, 's1/c/a')?.rid ?? 0;
    const { rid = 0, text = null } = currentOf(mirror, 'page', 's1/a') ?? {};
    const body = { id: 'a', title: 'a' };
    const revision = currentOf(mirror, 'change-request-revision', 's1/c')?.rid ?? 0;
    const entry = { rid, parent: null, position: 0, body, text, document: null, object: null, size: null };
    fill(mirror, id, () => {
      shareTree({ mirror, id }, { revision, kind: proposed.kind }, { mark: 'm', entries: [entry] });
      lapse({ mirror, id }, own);
    });
    expect(await problems(mirror)).toEqual([]);
  });

  it('are whole where an earlier program forgot walks that were given up, and what they had seen stayed', async () => {
    using made = await threeNights();
    const { mirror } = made;
    for (const work of [({ see }: Hand) => void see(page('c', 'new')), ({ bury }: Hand) => void bury('page', 's1/c')]) {
      const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
      fill(mirror, id, work);
      abandonSnapshot(mirror, id, 'test');
    }
    for (const table of ['snapshot_kinds', 'snapshot_figures'])
      mirror.store.driver.exec(`delete from ${table} where snapshot > 3`);
    mirror.store.driver.exec('delete from snapshots where id > 3');
    expect(await problems(mirror)).toEqual([]);
    takeSnapshot(mirror, ({ see }) => void see(page('c', 'anew')));
    expect(await problems(mirror)).toEqual([]);
  });

  it('are named however many rows stand before them, as are paths, proofs and what the index lacks: the first 20,000 alone were looked at', async () => {
    using made = await threeNights();
    made.mirror.store.driver.exec(`
      insert into resources (rid, kind, key, id, params, space) values (77000, 'page', 's1/x', 'x', '{}', 's1');
      insert into versions (vid, rid, valid_from, body) select 77000, 77000, 3, min(bid) from bodies;
      insert into versions (vid, rid, valid_from, valid_to, body) select 77001, 77000, 2, 2, min(bid) from bodies;
      insert into tombstones select 77000, 3, 3, 't', '{}'`);
    const { problems: found } = await checkMirror(made.mirror, { readData: false });
    expect(found.map(({ which, problem }) => `${which}: ${problem}`)).toEqual([
      'snapshot 2: its manifest does not fit what is stored',
      'versions 77001 (page s1/x): holds from snapshot 2 up to 2, which is for none',
      'tombstones of page s1/x: says that it is gone from snapshot 3, which has it',
      'resources 77000 (page s1/x): its path is not that of its key',
      expect.stringMatching(/^pages_search: 1 text of the last snapshot not in it;/),
    ]);
  });

  it('are compared with what proves an end: a proof that was put into the table for a page that is shown is named', async () => {
    using made = await threeNights();
    const { mirror } = made;
    takeSnapshot(mirror, ({ bury }) => void bury('page', 's1/a'));
    expect(await problems(mirror)).toEqual([]);
    mirror.store.driver.exec(`insert into tombstones select rid, 3, 3, 't', '{}' from resources where kind = 'page'`);
    expect(await problems(mirror)).toEqual(
      ['a', 'b'].map(
        (id) => `reference tombstones of page s1/${id}: says that it is gone from snapshot 3, which has it`,
      ),
    );
  });

  it('leave no room for what is said to be decided of snapshots that are not there: the next suspect one was accepted before it was made', async () => {
    using made = await threeNights();
    const { mirror } = made;
    atOnce(forget(mirror, LAST));
    // As programs before this one left it.
    acceptSnapshot(mirror, 1, 'honest, and forgotten since');
    expect(rowsOf(mirror, 'select snapshot from accepted')).toEqual([{ snapshot: 1 }]);
    expect(await problems(mirror)).toEqual([]);
    mirror.store.driver.exec(
      `insert into accepted values (4, 'forged', 't'); insert into pins values (2, 'forged', 't')`,
    );
    expect(await problems(mirror)).toEqual([
      'reference pins 2: names a row that is not in snapshots',
      'reference accepted 4: names a row that is not in snapshots',
    ]);
  });
});
