// The list of restores as people read it.
import { expect, it } from 'vitest';
import { applyView } from '../../src/cli/views/restore-apply.ts';
import { restoresView, type RestoreDocument } from '../../src/cli/views/restores.ts';
import { createStyle } from '../../src/cli/views/style.ts';

const LOOK = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };

function of(restore: string, organization: string): RestoreDocument {
  return {
    restore,
    organization,
    state: 'done',
    snapshot: 1,
    archive: null,
    undoes: null,
    undoneBy: null,
    beingUndoneBy: null,
    undoneInPart: false,
    target: 'http://127.0.0.1:8700',
    plan: 'a.plan.json',
    createdAt: '2025-01-01T00:00:00.000Z',
    endedAt: null,
    done: 1,
    failed: 0,
    verified: null,
  };
}

it('cli/views/restore names the organization of each restore where there are several', () => {
  const both = restoresView([of('r1', 'first'), of('r2', 'second')], LOOK);
  expect(both).toMatch(/^r1 .* first .*\nr2 .* second /m);
  expect(restoresView([of('r1', 'first')], LOOK)).not.toContain('organization');
});

it('cli/views/restore says of a restore in the list what apply said of it, when some is left for later and when some has failed', () => {
  const counts = {
    done: 1,
    skipped: 0,
    unsupported: 0,
    failures: [],
    review: null,
    takesBack: null,
    undeleted: null,
    doubt: null,
    requests: 1,
    untouched: 0,
    mixed: 0,
    lacking: 0,
    waitedMs: 0,
    durationMs: 1,
  };
  const said = (failed: number, left: number): string =>
    applyView(
      { restore: 'r1', ...counts, failed, left },
      { flags: '', target: { baseUrl: null, token: null } },
      LOOK,
    ).split(':')[0] ?? '';
  const listed = (state: string): string => restoresView([{ ...of('r1', 'first'), state }], LOOK);
  expect([said(0, 0), said(0, 2), said(1, 2)]).toEqual([
    'Restore r1 is done',
    'Restore r1 is unfinished',
    'Restore r1 is incomplete',
  ]);
  expect(listed('done')).toMatch(/^r1 +done /m);
  expect(listed('unfinished')).toMatch(/^r1 +unfinished /m);
  expect(listed('failed')).toMatch(/^r1 +incomplete /m);
});

it('cli/views/restore tells in the list how far a restore was taken back: one of which an undo had left all was said to be undone', () => {
  const one = of('r1', 'first');
  const listed = (more: Partial<RestoreDocument>): string => restoresView([{ ...one, ...more }], LOOK);
  expect(listed({ undoneBy: 'r2' })).toMatch(/^r1 +undone /m);
  expect(listed({ undoneBy: 'r2', undoneInPart: true })).toMatch(/^r1 +undone in part /m);
  expect(listed({ beingUndoneBy: 'r2' })).toMatch(/^r1 +half undone /m);
});
