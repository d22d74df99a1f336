import { expect, it } from 'vitest';
import { beginRestore, readerAt, type RestoreStep } from '../../src/mirror/index.ts';
import { changedMeanwhile } from '../../src/restore/journal/changed-meanwhile.ts';
import { LaterRestores } from '../../src/restore/journal/later-restores.ts';
import { settleWhereBegun } from '../../src/restore/journal/made-spaces.ts';
import { StepJournal } from '../../src/restore/journal/step-journal.ts';
import type { PlanStep } from '../../src/restore/types.ts';
import { walkedWorld } from '../support/furnished.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const SPACES = 100;
const RESTORE = { id: 'restore-1', plan: '{}', plan_hash: 'h', snapshot: 1, target: 'http://t', organization: 'o' };

/** How often the details of a step were read. */
function counted(): { readonly stepsOf: (space: number) => RestoreStep[]; readonly reads: () => number } {
  let reads = 0;
  const at = '2026-03-01T02:00:10.000Z';
  const made = JSON.stringify({
    madeAt: { asked: '2026-03-01T02:00:00.000Z', told: '2026-03-01T02:00:01.000Z' },
    changedAt: '2026-03-01T02:00:11.000Z',
  });
  const note = (step: number, kind: 'space' | 'revision', key: string): RestoreStep => ({
    restore: RESTORE.id,
    step,
    state: 'done',
    kind,
    key,
    new_id: `new-${key}`,
    at,
    get detail() {
      reads++;
      return kind === 'space' ? made : null;
    },
  });
  const stepsOf = (space: number): RestoreStep[] => [
    note(2 * space + 1, 'space', `s${space}`),
    note(2 * space + 2, 'revision', `s${space}`),
  ];
  return { stepsOf, reads: () => reads };
}

it('restore undo asks of each space that was made what its own steps tell: a look at those of all for each took, for 2,000, a minute and a half', async () => {
  await using world = await walkedWorld();
  using other = await createTestMirror();
  const { stepsOf, reads } = counted();
  const steps = Array.from({ length: SPACES }, (_, space) => stepsOf(space)).flat();
  const live = readerAt(world.mirror, 1);
  const [space] = [...live.resources('space')];
  if (!space) throw new Error('no space');
  const later = new LaterRestores(other.mirror, RESTORE);
  const why = changedMeanwhile({
    plan: { snapshot: 1 },
    steps,
    live,
    isOwn: () => true,
    isChanged: () => false,
    later,
  });
  const asked = Array.from({ length: SPACES }, (_, at) => ({ ...space, key: `s${at}`, id: `new-s${at}` }));
  expect(asked.map(why)).toEqual(asked.map(() => null));
  expect(reads()).toBeLessThan(10 * steps.length);
});

it('restore apply looks at no other step before it writes a setting that no run before has begun: the look took, for 2,000 spaces, most of a minute', async () => {
  using made = await createTestMirror();
  beginRestore(made.mirror, RESTORE);
  let looks = 0;
  class Watched extends StepJournal {
    override get entries(): RestoreStep[] {
      looks++;
      return super.entries;
    }
  }
  const journal = new Watched(made.mirror, RESTORE.id);
  for (let space = 0; space < SPACES; space++) {
    journal.done(stepOf(2 * space + 1, `s${space}`, 'create'), { newId: `new-s${space}` });
    settleWhereBegun(journal, stepOf(2 * space + 2, `s${space}`, 'settings'));
    expect([journal.cutOffAt(`s${space}`), journal.madeSpace(`s${space}`)?.new_id]).toEqual([
      undefined,
      `new-s${space}`,
    ]);
  }
  expect(looks).toBe(0);
});

function stepOf(step: number, key: string, part: 'create' | 'settings'): PlanStep {
  const named = { action: 'create', kind: 'space', title: 'A space', note: '' } as const;
  return { ...named, part, key, step, needs: [], requests: 1, adopts: null, bestEffort: [], lost: [] };
}
