// A mirror over a long life: nights of edits and losses, walks that are cut off or given up, pins that come and go, and policies of
// every shape, in an order by chance. What a kept snapshot shows never changes, and what is gone keeps its proof.
import { expect, it } from 'vitest';
import { atOnce, isoTime, manualClock, seededRandom, type Random } from '../../src/base/index.ts';
import {
  abandonSnapshot,
  checkMirror,
  forget,
  listSnapshots,
  openedSnapshot,
  openMirror,
  openSnapshot,
  pinSnapshot,
  prune,
  sealSnapshot,
  unpinSnapshot,
  type Mirror,
} from '../../src/mirror/index.ts';
import { testFolder } from '../support/cli.ts';
import { fill, NO_BRAKE, page, type Hand } from '../support/snapshots.ts';
import { rowsOf, stateOf, unlisted } from '../support/state.ts';

const STEPS = 40;
const DAY_MS = 86_400_000;
const SEALED = `select id from snapshots where state in ('complete', 'partial', 'suspect')`;

/** Ends that a kept snapshot shows, and of which nothing says any more how they were proved. */
const UNPROVED = `select v.rid, v.valid_to from versions v where v.valid_to <= (select max(id) from (${SEALED}))
  and not exists (select 1 from versions n where n.rid = v.rid and n.valid_from = v.valid_to)
  and not exists (select 1 from tombstones t where t.rid = v.rid and t.snapshot = v.valid_to)`;

class Life {
  readonly #mirror: Mirror;
  readonly #random: Random;
  readonly #shown = new Map<number, unknown>();
  readonly #given = new Set<number>();

  constructor(mirror: Mirror, random: Random) {
    this.#mirror = mirror;
    this.#random = random;
  }

  night(): void {
    const open = openedSnapshot(this.#mirror);
    const id = open?.id ?? openSnapshot(this.#mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
    // A number stands for one walk, whatever became of the one before it.
    if (open === undefined) expect([...this.#given]).not.toContain(id);
    this.#given.add(id);
    fill(this.#mirror, id, (hand) => this.#edit(hand));
    const end = this.#random.int(8);
    if (end === 0) return;
    if (end === 1) return abandonSnapshot(this.#mirror, id, 'given up');
    atOnce(sealSnapshot({ mirror: this.#mirror, id }, NO_BRAKE));
    this.#shown.set(id, stateOf(this.#mirror, id));
  }

  #edit({ see, bury }: Hand): void {
    for (let acts = this.#random.int(6); acts > 0; acts--) {
      const id = `p${this.#random.int(4)}`;
      if (this.#random.int(3) === 0) bury('page', `s1/${id}`);
      else see(page(id, `${'words that stay '.repeat(20)}${this.#random.int(6)}`));
    }
  }

  keep(): void {
    const snapshots = listSnapshots(this.#mirror);
    const { id } = snapshots[this.#random.int(Math.max(1, snapshots.length))] ?? {};
    if (id === undefined) return;
    if (!unpinSnapshot(this.#mirror, id)) pinSnapshot(this.#mirror, id, 'by chance');
  }

  tidy(): void {
    const [last = 0, daily = 0, weekly = 0, monthly = 0, yearly = 0] = [4, 4, 3, 3, 2].map((n) => this.#random.int(n));
    atOnce(forget(this.#mirror, { last, daily, weekly, monthly, yearly }));
    if (this.#random.int(2) === 0) atOnce(prune(this.#mirror));
  }

  async holds(): Promise<void> {
    const left = new Set(listSnapshots(this.#mirror).map(({ id }) => id));
    for (const [id, state] of this.#shown)
      if (left.has(id)) expect(stateOf(this.#mirror, id)).toEqual(state);
      else this.#shown.delete(id);
    expect(rowsOf(this.#mirror, UNPROVED)).toEqual([]);
    expect(unlisted(this.#mirror)).toEqual([]);
    expect((await checkMirror(this.#mirror, { readData: true })).problems).toEqual([]);
  }
}

it.each([1, 2, 3])('shows at each kept snapshot what it showed when it was sealed (seed %i)', async (seed) => {
  using folder = testFolder();
  const clock = manualClock(Date.UTC(2025, 0, 1));
  using mirror = await openMirror({ dataDir: folder.path, clock });
  const random = seededRandom(seed);
  const life = new Life(mirror, random);
  for (let step = 0; step < STEPS; step++) {
    await clock.advance(random.int(20) * DAY_MS);
    const what = random.int(10);
    if (what < 6) life.night();
    else if (what < 8) life.keep();
    else life.tidy();
    await life.holds();
  }
  expect(listSnapshots(mirror).length, isoTime(clock.now())).toBeGreaterThan(0);
});
