// What takes seconds in a large mirror is done in pieces: the daemon answers meanwhile, and ends when it is told to.
import { describe, expect, it } from 'vitest';
import { atOnce, endOfTurn, inTurns, type Pieces } from '../../src/base/index.ts';
import {
  checkMirror,
  damagedBodyAt,
  forget,
  forgetRefusal,
  lastSealed,
  openSnapshot,
  planForget,
  prune,
  sealSnapshot,
  type Mirror,
} from '../../src/mirror/index.ts';
import { readBodies } from '../../src/mirror/check/check-bodies.ts';
import { Unseen } from '../../src/mirror/check/unseen.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { fill, NO_BRAKE, page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

// Eight megabytes together: work of several pieces, each of a megabyte.
const PAGES = 60;
const TEXT = 'Words enough for a page of 128 KB, so that few fill a piece. '.repeat(2150);
// More than are looked at in one piece.
const MANY = 2000;
const LAST = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

function see(mirror: Mirror, id: number, night: number): void {
  fill(mirror, id, (hand) => {
    for (let number = 0; number < PAGES; number++) hand.see(page(`p${number}`, `${night} ${number} ${TEXT}`));
  });
}

function seeMany(mirror: Mirror, id: number, night: number): void {
  fill(mirror, id, (hand) => {
    for (let number = 0; number < MANY; number++) hand.see(page(`p${number}`, `${number} of night ${night}`));
  });
}

/** Calls work off after so many pieces of it; true where it had come to its end before. */
async function calledOffAfter(pieces: number, work: Pieces<unknown>): Promise<boolean> {
  for (let piece = 0; piece < pieces; piece++) if (work.next().done === true) return true;
  await inTurns(work, AbortSignal.abort(new Error('told to end'))).catch(() => undefined);
  return false;
}

function begun(mirror: Mirror, night: number): number {
  const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
  see(mirror, id, night);
  return id;
}

/** How many turns others have before the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    await endOfTurn();
    turns += 1;
  }
  await done;
  return turns;
}

const found = (mirror: Mirror, word: string) =>
  rowsOf(mirror, `select count(*) as n from pages_search where pages_search match '${word}'`)[0]?.['n'];

describe('mirror, others having their turn', () => {
  it('answers others while a large snapshot is sealed, checked, forgotten and freed: it was silent for as long as that took', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const turns: Record<string, number> = {};
    const first = begun(mirror, 1);
    turns['sealed'] = await turnsDuring(inTurns(sealSnapshot({ mirror, id: first }, NO_BRAKE)));
    const second = begun(mirror, 2);
    turns['sealed, all rewritten'] = await turnsDuring(inTurns(sealSnapshot({ mirror, id: second }, NO_BRAKE)));
    turns['checked'] = await turnsDuring(checkMirror(mirror, { readData: true }));
    turns['forgotten'] = await turnsDuring(inTurns(forget(mirror, LAST)));
    turns['freed'] = await turnsDuring(inTurns(prune(mirror)));
    expect(turns['sealed']).toBeGreaterThan(7);
    expect(turns['sealed, all rewritten']).toBeGreaterThan(15);
    for (const [what, count] of Object.entries(turns)) expect(count, what).toBeGreaterThan(3);
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
    expect(found(mirror, 'words')).toBe(PAGES);
  });

  it('answers others while it looks through what stays, before anything is forgotten, and for JSON that is none any more: where there was much, it was silent for seconds', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const night of [1, 2]) takeSnapshot(mirror, ({ id }) => seeMany(mirror, id, night));
    const turnsOf = (policy: typeof LAST) => turnsDuring(inTurns(forgetRefusal(mirror, planForget(mirror, policy))));
    const whereAllStays = await turnsOf({ ...LAST, last: 2 });
    expect((await turnsOf(LAST)) - whereAllStays).toBeGreaterThan(2);
    const looking = { portion: { from: 0, to: 0 }, told: () => undefined, unseen: new Unseen() };
    expect(Array.from(readBodies(mirror, looking)).length).toBeGreaterThan(4);
    // In each of the pieces, the last of them too.
    mirror.store.driver.exec(`update bodies set data = 'spoilt' where data = '${MANY - 1} of night 2'`);
    expect(atOnce(forgetRefusal(mirror, planForget(mirror, LAST)))?.message).toContain(`p${MANY - 1} is damaged`);
  });

  it('leaves a walk open whose sealing is called off, shows none of it, and seals it later as if nothing had been', async () => {
    using made = await createTestMirror();
    using other = await createTestMirror();
    takeSnapshot(made.mirror, ({ id }) => see(made.mirror, id, 1));
    takeSnapshot(other.mirror, ({ id }) => see(other.mirror, id, 1));
    const [id, twin] = [begun(made.mirror, 2), begun(other.mirror, 2)];
    const stop = new AbortController();
    const sealing = inTurns(sealSnapshot({ mirror: made.mirror, id }, NO_BRAKE), stop.signal);
    await endOfTurn();
    stop.abort(new Error('told to end'));
    await expect(sealing).rejects.toThrow('told to end');
    expect([lastSealed(made.mirror)?.id, found(made.mirror, '2'), found(made.mirror, 'words')]).toEqual([1, 1, PAGES]);
    const sealed = atOnce(sealSnapshot({ mirror: made.mirror, id }, NO_BRAKE));
    expect(sealed.manifest_hash).toBe(atOnce(sealSnapshot({ mirror: other.mirror, id: twin }, NO_BRAKE)).manifest_hash);
    expect(found(made.mirror, 'words')).toBe(PAGES);
    expect((await checkMirror(made.mirror, { readData: true })).problems).toEqual([]);
  });

  it.each<[string, typeof see, (mirror: Mirror) => Pieces<unknown>]>([
    ['forgetting', see, (mirror) => forget(mirror, LAST)],
    ['freeing', see, (mirror) => prune(mirror)],
    ['looking through what a restore needs', seeMany, (mirror) => damagedBodyAt(mirror, 2, new Set(['s1']))],
  ])('changes nothing when %s is called off at any point, and can be done again', async (_what, seen, work) => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const night of [1, 2]) takeSnapshot(mirror, ({ id }) => seen(mirror, id, night));
    const shown = () => rowsOf(mirror, 'select id, markdown from pages order by id');
    const before = shown();
    let points = 0;
    for (; !(await calledOffAfter(points, work(mirror))); points++)
      expect(mirror.store.driver.inTransaction).toBe(false);
    expect(points).toBeGreaterThan(3);
    expect(shown()).toEqual(before);
    atOnce(work(mirror));
    expect(shown()).toEqual(before);
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
  });
});
