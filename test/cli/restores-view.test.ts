// The list of restores as people read it.
import { expect, it } from 'vitest';
import { restoresView, type RestoreDocument } from '../../src/cli/views/restore.ts';
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
