import { expect, it, vi } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { leftThere, beyondSnapshot } from '../../src/restore/compare/left-there.ts';
import type { Sides } from '../../src/restore/compare/sides.ts';
import { IdMap } from '../../src/restore/journal/id-map.ts';
import type { Part, Plan, PlanStep } from '../../src/restore/types.ts';
import { createTestMirror, type PageSpec } from '../support/mirror-builder.ts';

const AMOUNT = 450;

const pages = Array.from({ length: AMOUNT }, (_, index): PageSpec => ({ id: `p${index}`, title: `Page ${index}` }));

function stepOf(step: number, { kind, part, key }: { kind: PlanStep['kind']; part: Part; key: string }): PlanStep {
  const told = { title: key, note: '', needs: [], requests: 1, adopts: null, bestEffort: [], lost: [] };
  return { step, action: 'create', kind, part, key, ...told };
}

/** What is restored under the ids that it had, but for a page of which nothing is known. */
function sidesOf(restored: SnapshotReader, steps: readonly PlanStep[]): Sides {
  const ids = new IdMap();
  ids.set('space', 's1', 's1');
  for (const { id } of pages.slice(1)) ids.set('page', `s1/${id}`, id);
  const plan = {
    mode: 'new',
    review: false,
    organization: 'o',
    target: { organization: 'o' },
    people: {},
    steps,
  } as unknown as Plan;
  const told = { isUnread: () => false, isAway: () => false, keepsUnread: false, live: null };
  return { plan, original: restored, restored, ids, ...told };
}

it('restore/verify looks for what stands beside the snapshot in pieces: of 160,000 pages the daemon answered nobody for seconds, and heeded no signal', async () => {
  using made = await createTestMirror();
  const snapshot = await made.add({ spaces: [{ id: 's1', title: 'Space', pages }] });
  const content = stepOf(1, { kind: 'revision', part: 'content', key: 's1' });
  const sides = sidesOf(readerAt(made.mirror, snapshot), [content]);
  const found = [...beyondSnapshot(sides)];
  expect(found.filter((one) => one === null)).toHaveLength(2);
  expect(found.filter((one) => one !== null)).toEqual([
    { key: 's1/p0', got: 'Page 0, which the snapshot does not have' },
  ]);
});

it('restore/verify goes through the ids of all pages for no change request that takes nothing away: each of hundreds cost a tenth of a second', async () => {
  using made = await createTestMirror();
  const snapshot = await made.add({ spaces: [{ id: 's1', title: 'Space', pages }] });
  const parts = ['content', 'removals'] as const;
  const steps = parts.map((part, at) => stepOf(at + 1, { kind: 'change-request-revision', part, key: 's1/r1' }));
  const sides = sidesOf(readerAt(made.mirror, snapshot), steps);
  const gone = vi.spyOn(sides.ids, 'idsOf');
  expect([...leftThere(sides)]).toEqual([]);
  expect(gone).not.toHaveBeenCalled();
});
