// What must not be lost when the power goes: nobody can pull the plug in a test, so this asks SQLite when it waits for the disk.
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { beginRestore, forget, prune, type Mirror } from '../../src/mirror/index.ts';
import { StepJournal } from '../../src/restore/journal/step-journal.ts';
import type { PlanStep } from '../../src/restore/plan/plan-types.ts';
import { walkedWorld } from '../support/furnished.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { drill } from '../support/restore.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';

/** At the end of each transaction, with all that was written before. */
const ALWAYS = 2;
const NOW_AND_THEN = 1;

function stepOf(step: number): PlanStep {
  const named = { action: 'create', part: 'create', kind: 'space', key: 's', title: 'A space', note: '' } as const;
  return { ...named, step, needs: [], requests: 1, adopts: null, bestEffort: [], lost: [] };
}

function waitsForDisk({ store }: Mirror): unknown {
  return store.driver.pragma('synchronous', { simple: true });
}

/** The mirror, and how each note of a step that goes into it waits for the disk. */
function watching(mirror: Mirror): { watched: Mirror; waits: unknown[] } {
  const waits: unknown[] = [];
  const prepare: Mirror['store']['prepare'] = (sql) => {
    if (sql.includes('into restore_steps')) waits.push(waitsForDisk(mirror));
    return mirror.store.prepare(sql);
  };
  return { watched: { ...mirror, store: { ...mirror.store, prepare } }, waits };
}

describe('a power cut', () => {
  it('takes no note of a restore away: of 272 writes that the target had, some thirty were on the disk', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const restore = 'restore-1';
    beginRestore(mirror, {
      id: restore,
      plan: '{}',
      plan_hash: 'h',
      snapshot: 1,
      target: 'http://t',
      organization: 'o',
    });
    const { watched, waits } = watching(mirror);
    const journal = new StepJournal(watched, restore);
    const step = stepOf(1);
    journal.started(step, { outlasts: true });
    journal.keep(step, 'by a change request');
    journal.done(step, { newId: 's2' });
    journal.started(stepOf(2), { outlasts: false });
    expect(waits).toEqual([ALWAYS, ALWAYS, NOW_AND_THEN, NOW_AND_THEN]);
  });

  it('ends a drill, which begins anew: its notes, of which nobody needs any then, waited for the disk before each write', async () => {
    await using world = await walkedWorld();
    const { watched, waits } = watching(world.mirror);
    expect(await drill(world, undefined, { mirror: watched })).toMatchObject({ passed: true });
    expect(waits.length).toBeGreaterThan(10);
    expect(new Set(waits)).toEqual(new Set([NOW_AND_THEN]));
  });

  it.each([
    [
      'forget',
      (mirror: Mirror) => void atOnce(forget(mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 })),
    ],
    ['prune', (mirror: Mirror) => void atOnce(prune(mirror))],
  ])(
    'brings back no snapshot without its files: %s removed them before the disk had what it dropped',
    async (_name, work) => {
      using made = await createTestMirror();
      for (const title of ['A', 'B']) takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title })));
      work(made.mirror);
      expect(waitsForDisk(made.mirror)).toBe(ALWAYS);
    },
  );
});
