import { expect, it } from 'vitest';
import { applyView } from '../../src/cli/views/restore-apply.ts';
import type { ApplyResult, StepFailure } from '../../src/restore/index.ts';
import { createStyle } from '../../src/cli/views/style.ts';

const waiting = Array.from({ length: 212 }, (_, index): StepFailure => {
  return {
    kind: 'space',
    key: `s${index}`,
    title: `Space ${index}`,
    skipped: true,
    error: `collection Shelf ${index % 2} (step ${index % 2}), which it needs, was not done`,
    hint: null,
    isHeldBack: false,
  };
});
const failed: StepFailure = {
  kind: 'collection',
  key: 'c1',
  title: 'Tools',
  skipped: false,
  error: 'answered 403',
  hint: 'Give the account of this token the permission.',
  isHeldBack: false,
};
const counts = {
  restore: 'r1',
  done: 3,
  failed: 1,
  skipped: 212,
  unsupported: 0,
  left: 0,
  untouched: 0,
  mixed: 0,
  lacking: 0,
  review: null,
  takesBack: null,
  undeleted: null,
  doubt: null,
};
const used = { requests: 4, waitedMs: 0, durationMs: 10 };

it('cli/views/restore shows what failed itself before what only waits for it, and that in one line', () => {
  const result: ApplyResult = { ...counts, ...used, failures: [...waiting, failed] };
  const shown = applyView(
    result,
    { flags: '', target: { baseUrl: null, token: null } },
    { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String },
  ).split('\n');
  const first = shown.findIndex((line) => line.includes('problem'));
  expect(shown[first + 1]).toMatch(/collection +c1 +answered 403/);
  expect(shown[first + 2]).toMatch(
    /^212 spaces +Space 0, Space 1, Space 2 and 209 more +a step, which it needs, was not done$/,
  );
  expect(shown[first + 3]).toBe('what to do about collection c1: Give the account of this token the permission.');
});

it('cli/views/restore names the one step that all of them wait for: only its number was told, which no plan shows', () => {
  const error = 'collection Tools (step 4), which it needs, was not done';
  const failures = waiting.map((one) => ({ ...one, error }));
  const look = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };
  const shown = applyView(
    { ...counts, ...used, failures },
    { flags: '', target: { baseUrl: null, token: null } },
    look,
  );
  expect(shown).toMatch(/^212 spaces .* collection Tools \(step 4\), which it needs, was not done$/m);
});

it('cli/views/restore says what to do about what failed, whole in a narrow terminal and once for each reason', () => {
  const hint = 'Mend what kept that from being restored, then resume the restore.';
  const spaces = ['s1', 's2', 's3', 's4'].map((key): StepFailure => ({ ...failed, kind: 'space', key, hint }));
  const other: StepFailure = { ...failed, kind: 'space', key: 's5', hint: 'Wait.' };
  const result: ApplyResult = { ...counts, ...used, failures: [...waiting, failed, ...spaces, other] };
  const shown = applyView(
    result,
    { flags: '', target: { baseUrl: null, token: null } },
    { style: createStyle(false), width: 40, named: String },
  );
  expect(shown.split('\n').filter((line) => line.startsWith('what to do'))).toEqual([
    'what to do about collection c1: Give the account of this token the permission.',
    `what to do about 4 spaces: ${hint}`,
    'what to do about space s5: Wait.',
  ]);
});

it('cli/views/restore shows 48 comments that one fault kept away in one line: it listed each, with an address that nobody reads', () => {
  const failures = Array.from({ length: 48 }, (_, index): StepFailure => {
    const error = `POST /v1/spaces/s${index}/comments (createComment) answered 500: "Broken"; expected success`;
    return { ...failed, kind: 'comment', key: `s${index}/c`, title: `Comment ${index}`, error };
  });
  const shown = applyView(
    { ...counts, ...used, failures },
    { flags: '', target: { baseUrl: null, token: null } },
    { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String },
  ).split('\n');
  expect(shown.filter((line) => line.includes('answered 500'))).toEqual([
    expect.stringMatching(
      /^48 comments +Comment 0, Comment 1, Comment 2 and 45 more +createComment answered 500: "Broken"; expected success$/,
    ),
  ]);
});

it('cli/views/restore shows spaces of which the same setting was refused in one line: it listed each', () => {
  const failures = waiting.map((one) => ({
    ...one,
    skipped: false,
    error: `defaultLevel was not taken: PATCH /v1/spaces/${one.key} (updateSpace) answered 422: "not taken"; expected success`,
  }));
  const shown = applyView({ ...counts, ...used, failures }, PLAIN, LOOK);
  expect(shown.split('\n').filter((line) => line.includes('defaultLevel'))).toEqual([
    expect.stringMatching(/^212 spaces +Space 0.* defaultLevel was not taken: updateSpace answered 422/),
  ]);
});

it('cli/views/restore says how many change requests wait for people, and how they are called', () => {
  const result = { ...counts, ...used, failed: 0, skipped: 0, failures: [] };
  const settings = { flags: '', target: { baseUrl: null, token: null } };
  const look = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };
  const shown = applyView({ ...result, review: { requests: 26, subject: 'Restore of snapshot 1' } }, settings, look);
  expect(shown).toContain(
    'For people to review and merge: 26 change requests; their subjects begin with "Restore of snapshot 1"\n',
  );
  expect(applyView({ ...result, review: { requests: 0, subject: 'R' } }, settings, look)).not.toContain('For people');
});

const LOOK = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };
const PLAIN = { flags: '', target: { baseUrl: null, token: null } };

/** The lines that say how to go on. */
function next(result: Partial<ApplyResult>): string[] {
  const shown = applyView({ ...counts, ...used, failures: [], ...result }, PLAIN, LOOK).split('\n');
  return shown.filter((line) => /^(?:Next|Then|Nothing|To take it back)/.test(line));
}

it.each<[string, Partial<ApplyResult>, string[]]>([
  [
    'verifies what was written, and tells how to take it back although no plan of that could be made',
    { failed: 0, skipped: 0 },
    ['Next: docmirror restore verify r1', 'To take it back: docmirror restore undo r1'],
  ],
  ['verifies nothing where nothing was written', { done: 0, failed: 0, skipped: 0 }, ['Nothing was written.']],
  [
    'plans anew for what a resume would find changed again',
    { done: 0, skipped: 0, failures: [{ ...failed, isHeldBack: true }] },
    ['Next: docmirror restore plan and the options of this one, for what only a new plan can bring back'],
  ],
  [
    'resumes the rest first',
    { done: 0, failed: 2, skipped: 0, failures: [failed, { ...failed, isHeldBack: true }] },
    [
      'Next: docmirror restore resume r1',
      'Then: docmirror restore plan and the options of this one, for what only a new plan can bring back',
    ],
  ],
  [
    'plans an undo anew by itself',
    {
      skipped: 0,
      failures: [{ ...failed, isHeldBack: true }],
      takesBack: { restore: 'r0', kept: [], keptChanged: false },
    },
    ['Next: docmirror restore undo r0, which plans anew for what was changed since this plan was made'],
  ],
])('cli/views/restore %s', (_what, result, lines) => {
  expect(next(result)).toEqual(lines);
});

it('cli/views/restore says in a narrow terminal why something is not taken back, to its end: it was cut off before the reason', () => {
  const why = '! 1 space: restore r2 changed it since: take that back first with `docmirror restore undo r2`';
  const takesBack = { restore: 'r0', kept: [why], keptChanged: true };
  const result = { ...counts, ...used, failed: 0, skipped: 0, failures: [], takesBack };
  expect(applyView(result, PLAIN, { ...LOOK, width: 40 })).toContain(`\n${why}\n`);
});
