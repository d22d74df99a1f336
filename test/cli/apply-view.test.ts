import { expect, it } from 'vitest';
import { applyView } from '../../src/cli/views/restore.ts';
import type { ApplyResult, StepFailure } from '../../src/restore/index.ts';
import { createStyle } from '../../src/cli/views/style.ts';

const waiting = Array.from({ length: 212 }, (_, index): StepFailure => {
  return { kind: 'space', key: `s${index}`, skipped: true, error: 'step 1, which it needs, was not done', hint: null };
});
const failed: StepFailure = {
  kind: 'collection',
  key: 'c1',
  skipped: false,
  error: 'answered 403',
  hint: 'Give the account of this token the permission.',
};
const counts = { restore: 'r1', done: 3, failed: 1, skipped: 212, unsupported: 0, left: 0 };
const used = { requests: 4, waitedMs: 0, durationMs: 10 };

it('cli/views/restore shows what failed itself before what only waits for it, and few of that', () => {
  const result: ApplyResult = { ...counts, ...used, failures: [...waiting, failed] };
  const shown = applyView(
    result,
    { flags: '', target: { baseUrl: null, token: null } },
    { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String },
  ).split('\n');
  const first = shown.findIndex((line) => line.includes('problem'));
  expect(shown[first + 1]).toMatch(/collection +c1 +answered 403/);
  expect(shown.filter((line) => line.includes('was not done'))).toHaveLength(10);
  expect(shown).toContain('and 202 more skipped for what failed');
});

it('cli/views/restore says what to do about what failed, whole in a narrow terminal and once for each reason', () => {
  const hint = 'Mend what kept that from being restored, then resume the restore.';
  const spaces = ['s1', 's2', 's3', 's4'].map((key): StepFailure => ({ ...failed, kind: 'space', key, hint }));
  const result: ApplyResult = { ...counts, ...used, failures: [...waiting, failed, ...spaces] };
  const shown = applyView(
    result,
    { flags: '', target: { baseUrl: null, token: null } },
    { style: createStyle(false), width: 40, named: String },
  );
  expect(shown.split('\n').filter((line) => line.startsWith('what to do'))).toEqual([
    'what to do about collection c1: Give the account of this token the permission.',
    `what to do about space s1, space s2, space s3 and 1 more: ${hint}`,
  ]);
});
