// What verify advises when something differs.
import { describe, expect, it } from 'vitest';
import { createStyle } from '../../src/cli/views/style.ts';
import { afterDifferences, verifyView } from '../../src/cli/views/verify.ts';

const NONE = { fields: 0, equal: 0 };
const REPORT = {
  fidelity: { exact: NONE, bestEffort: NONE, lost: NONE },
  kinds: {},
  differences: [],
  betterThanClaimed: [],
  notRestored: {},
  brokenLinks: { before: 3, after: 3 },
  waiting: 0,
  unread: [],
  doubt: null,
  requests: 1,
  durationMs: 1,
  passed: true,
};
const LOOK = { width: 100, style: createStyle(false), named: String };

describe('cli/restore verify, links', () => {
  it('says which links it counts, since the report of the same mirror counts more', () => {
    const text = verifyView(REPORT, 'Drill', LOOK);
    expect(text).toMatch(/broken links +3 before, 3 after, of those that name a page, file or space/);
    expect(text).not.toContain('nothing to compare');
  });
});

describe('cli/restore verify, unread', () => {
  it('shows nothing that a terminal would obey of what the target says where it cannot be read', () => {
    const said = 'GET /v1/orgs answered 500: "no \u001b[2J\u009b31m\u202e"; expected success';
    const lines = verifyView({ ...REPORT, unread: [said] }, 'Restore r1', LOOK).split('\n');
    expect(lines.at(-1)).toBe('  GET /v1/orgs answered 500: "no [2J31m"; expected success');
  });
});

describe('cli/drill', () => {
  it('says why a drill of a mirror that holds nothing did not pass: it sent to differences that were none', () => {
    expect(verifyView({ ...REPORT, passed: false }, 'Drill', LOOK)).toMatch(
      /nothing to compare, which proves nothing: docmirror doctor says what the token sees$/,
    );
  });
});

const LATER = { undoneBy: null, halfUndoneBy: null, undoes: null, needsNewPlan: false };
const FLAGS = ' --target-url http://127.0.0.1:8700';

describe('cli/restore verify, differences', () => {
  it('sends nobody to a resume that has nothing to write', () => {
    const advice = afterDifferences({ id: 'r1', state: 'done', flags: FLAGS, ...LATER });
    expect(advice).toContain('a resume changes nothing');
    expect(advice).toContain('docmirror restore undo r1 --target-url http://127.0.0.1:8700');
  });

  it('names the whole command that writes what was not written', () => {
    const advice = afterDifferences({ id: 'r1', state: 'failed', flags: FLAGS, ...LATER });
    expect(advice).toContain('docmirror restore resume r1 --target-url http://127.0.0.1:8700');
  });

  it('sends to a new plan where a resume fails again: it sent to that after undeletes of what is in no bin', () => {
    const held = { id: 'r1', state: 'failed', flags: FLAGS, ...LATER, needsNewPlan: true };
    expect(afterDifferences(held)).toContain(
      `no resume writes it: make a new plan with docmirror restore plan${FLAGS}.`,
    );
    expect(afterDifferences({ ...held, undoes: 'r0' })).toContain(`docmirror restore undo r0${FLAGS}`);
  });

  it('does not send from an undo to its own undo, which is refused', () => {
    const advice = afterDifferences({ id: 'r2', state: 'done', flags: FLAGS, ...LATER, undoes: 'r1' });
    expect(advice).toMatch(/mend by hand what matters, or make a new plan\.$/);
  });

  it('sends to the end of the undo that was begun: it said to take the restore back', () => {
    const advice = afterDifferences({ id: 'r1', state: 'done', flags: FLAGS, ...LATER, halfUndoneBy: 'r2' });
    expect(advice).toContain(`docmirror restore resume r2${FLAGS}`);
  });
});
