import { describe, expect, it } from 'vitest';
import { endOfTurn, manualClock, type Clock } from '../../src/base/index.ts';
import { createCommits } from '../../src/walker/commit.ts';
import { NotedSet, type Undo } from '../../src/walker/remembered.ts';
import { weightOf } from '../../src/walker/weight.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { TestWorld } from '../support/world.ts';

const LISTING = Array.from({ length: 20 }, (_, n) => ({ id: `id${n}`, title: 'x'.repeat(200), counts: { pages: n } }));
const ENOUGH_MS = 1000;

describe('walker/commits', () => {
  it('takes small listings in together: each had a transaction of its own, a thousand for the listings of four hundred spaces', async () => {
    using world = await createTestMirror();
    const clock = manualClock();
    const commits = createCommits({ mirror: world.mirror, clock, undo: [] }, () => 100);
    const waiting = Array.from({ length: 50 }, () => commits.add(() => undefined, weightOf(LISTING)));
    await clock.advance(ENOUGH_MS);
    await Promise.all(waiting);
    expect(commits.count()).toBe(1);
  });

  it('holds no large answer for the sake of others, nor one whose size is not known', async () => {
    using world = await createTestMirror();
    for (const large of [['x'.repeat(5_000_000)], Array.from({ length: 5000 }, () => LISTING), new Set(['x'])]) {
      const commits = createCommits({ mirror: world.mirror, clock: manualClock(), undo: [] }, () => 100);
      await commits.add(() => undefined, weightOf(large));
      expect(commits.count()).toBe(1);
    }
  });

  it('frees what lies there of earlier answers before a large one is taken in: a page of 8 MB was held beside its own document', async () => {
    using world = await createTestMirror();
    const commits = createCommits({ mirror: world.mirror, clock: manualClock(), undo: [] }, () => 1);
    const earlier = new WeakRef({ markdown: 'x' });
    await endOfTurn();
    const left: unknown[] = [];
    await commits.add(() => void left.push(earlier.deref()), weightOf(new Set(['x'])));
    expect(left).toEqual([undefined]);
  });

  it('remembers of an answer what the mirror keeps of it: taken in once more, beside one that failed, it found its own traces', async () => {
    using world = await createTestMirror();
    const undo: Undo = [];
    const notOffered = new NotedSet(undo, ['page-document']);
    const commits = createCommits({ mirror: world.mirror, clock: manualClock(), undo }, () => 2);
    const found: boolean[] = [];
    const shown = commits.add(() => void found.push(notOffered.delete('page-document')));
    const failing = commits.add(() => {
      notOffered.add('link').add('page-document');
      throw new Error('has no id');
    });
    await expect(failing).rejects.toThrow('has no id');
    await shown;
    expect([found, [...notOffered]]).toEqual([[true, true], []]);
  });

  it('does not wait for answers that cannot come: a walk stood still for a quarter of a second where the last request of a stage failed', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await edit(world, space, insert('Page', 'text'));
    world.platform.faults = [
      { operation: 'getPage', effect: { delayMs: 100 } },
      { operation: 'getPage', effect: { status: 500 } },
    ];
    // The quarter of a second never passes: a walk that counts on it never ends.
    const clock: Clock = { ...world.clock, after: () => ({ [Symbol.dispose]: () => undefined }) };
    const { snapshot, failures } = await world.sync({ clock, settings: { lanes: 64 } });
    expect([snapshot.state, failures.map(({ kind }) => kind)]).toEqual(['partial', ['page']]);
  }, 10_000);

  it('weighs an answer by what it holds', () => {
    const text = JSON.stringify(LISTING);
    expect(weightOf(LISTING)).toBeGreaterThan(text.length * 0.8);
    expect(weightOf(LISTING)).toBeLessThan(text.length * 3);
    expect(weightOf({ a: null, b: true, c: [1, 'two'] })).toBe(6 * 32 + 3);
  });
});
